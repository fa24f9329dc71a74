public import Core
public import CryptoIO
public import Fetch
public import Pipeline

/// What is to be built: one chart of one family, of one cycle, from one file.
public struct ChartRequest: Sendable {
  public let chart: ChartDefinition
  public let family: ChartFamily
  public let definitionSha256: SHA256Hex
  /// The FAA's zip, or a bare `.tif` that somebody downloaded by hand.
  public let source: SourceFile
  /// The cycle asked for; the chart's edition is the one in force during it.
  public let cycle: AiracCycle
  public let engine: WarpEngine

  public init(
    chart: ChartDefinition, family: ChartFamily, definitionSha256: SHA256Hex, source: SourceFile,
    cycle: AiracCycle, engine: WarpEngine = .kernel
  ) {
    self.chart = chart
    self.family = family
    self.definitionSha256 = definitionSha256
    self.source = source
    self.cycle = cycle
    self.engine = engine
  }

  /// The edition that must be built for this cycle.
  var edition: AiracCycle { cycle.issue(family.cadence) }

  var tiles: TileSettings { family.tiles(for: chart) }

  /// `San_Francisco.mbtiles`; tiles of twice the detail go by their scale, as images do.
  public var fileName: String { "\(stem).mbtiles" }

  /// `San_Francisco.control.png`
  public var controlName: String { "\(stem).control.png" }

  /// `San_Francisco.reference.png`
  public var referenceName: String { "\(stem).reference.png" }

  private var stem: String { chart.id + (tiles.size == 512 ? "@2x" : "") }

  /// `vfr-sectional/San_Francisco`
  var productID: String { "\(family.name)/\(chart.id)" }
}
