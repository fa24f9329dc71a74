public import Core

/// The input of one chart build: one chart of one family, one cycle, one source file.
public struct ChartRequest: Sendable {
  public let chart: ChartDefinition
  public let family: ChartFamily
  public let definitionSha256: SHA256Hex
  /// The FAA's zip, or a bare `.tif`.
  public let source: SourceFile
  /// The requested cycle. The chart's edition is the one in force during this cycle.
  public let cycle: AiracCycle

  /// The edition that must be built for this cycle.
  var edition: Edition { cycle.edition(family.cadence) }

  var tiles: TileSettings { family.tiles(for: chart) }

  /// `San_Francisco.mbtiles`, or `San_Francisco@2x.mbtiles` for tiles of 512 pixels.
  public var fileName: String { "\(stem).mbtiles" }

  /// `San_Francisco.control.png`
  public var controlName: String { "\(stem).control.png" }

  /// `San_Francisco.reference.png`
  public var referenceName: String { "\(stem).reference.png" }

  private var stem: String { chart.id + (tiles.size == 512 ? "@2x" : "") }

  /// `vfr-sectional/San_Francisco`
  var productID: String { "\(family.name)/\(chart.id)" }
}

extension ChartRequest {
  /// Throws if the page has the title of another chart. The titles of enroute charts are not known: any that is not another
  /// chart's of the family counts.
  func checkTitle(_ page: ChartPage, of files: ChartFiles) throws {
    func keys(_ chart: ChartDefinition) -> [String] {
      [chart.tif, ChartFiles.stem(chart.tif), chart.name].map(PublishedName.key)
    }
    guard let title = page.title, case let key = PublishedName.key(title), !keys(chart).contains(key),
      family.undated != true || family.charts.contains(where: { keys($0).contains(key) })
    else { return }
    throw files.userError(
      files.htmName, "this is the page of \"\(title)\", but the definition's chart is \"\(chart.tif)\"",
      remedy:
        "Download the chart again from the FAA; if the FAA renamed the image, correct `tif` in the definition."
    )
  }

  /// Throws if the page states another edition: an archive labelled with one cycle must not show another.
  func checkEdition(_ page: ChartPage, of files: ChartFiles) throws {
    if let other = page.otherEdition(than: cycle, family) {
      throw files.userError(files.htmName, other.problem, remedy: other.remedy)
    }
  }
}
