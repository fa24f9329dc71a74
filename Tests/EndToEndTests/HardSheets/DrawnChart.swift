import Charts
import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline
import SyntheticSheet
import TestSupport
import Testing
import TileArchive
import Validation

/// A drawn sheet in its zip, to be built in any way.
struct DrawnChart: Sendable {
  let design: SheetDesign
  private let folder: TemporaryFolder

  init(_ design: SheetDesign) throws {
    self.design = design
    folder = try TemporaryFolder()
    try SheetFiles(design, scratch: folder.url).writeZip(to: folder.file(design.zipName))
  }

  static let cycle = Result { () throws -> AiracCycle in
    let day = try #require(CalendarDay(SheetDesign.sampleCycleDay))
    return try #require(AiracCycle(effective: day))
  }

  static let hard = Result { () throws -> [DrawnChart] in
    try SheetDesign.hard(Edition(of: cycle.get())).map(DrawnChart.init)
  }

  static func hard(_ id: String) throws -> DrawnChart {
    try #require(try hard.get().first { $0.design.id == "Hard_\(id)" })
  }

  struct Built {
    let product: Product
    let archive: URL
    /// Holds the files as long as somebody looks at them.
    let folder: TemporaryFolder

    var pack: ChartPack { ChartPack(product: product, archive: archive) }

    func metadata() throws -> [String: String] {
      let reader = try MBTilesReader(opening: archive)
      defer { try? reader.close() }
      return try reader.metadata()
    }

    /// What validation says of the archive and of the product beside it.
    /// Without the warning that nothing printed shows its place: some of these sheets are too small for that.
    func findings() throws -> [Finding] {
      try CanonicalJSON.pretty(product).write(to: folder.file("chart.product.json"))
      return try Validator().validate([folder.url], progress: SilentProgress()).findings
        .filter { $0.rule != "place-evidence" }
    }
  }

  /// As a family of its own. `neatline` stands for what the definition says; nil is what the design says.
  func build(
    zooms: ClosedRange<Int>, format: TileSettings.Format = .png, size: Int = 256, jobs: Int = 2,
    engine: WarpEngine = .kernel, neatline: NeatlineDefinition?? = nil
  ) throws -> Built {
    var family = try DrawnChart.family([design], zooms: zooms)
    family.tiles.format = format
    family.tiles.size = size
    if let neatline { family.charts[0].neatline = neatline }
    let request = ChartRequest(
      chart: family.charts[0], family: family, definitionSha256: try SHA256Hex(of: []),
      source: try SourceFolder.file(folder.file(design.zipName)), cycle: try DrawnChart.cycle.get(),
      engine: engine)
    let output = try TemporaryFolder()
    let archive = output.file(request.fileName)
    let product = try ChartBuilder.build(
      request, to: archive, control: output.file(request.controlName),
      reference: output.file(request.referenceName), jobs: jobs, progress: SilentProgress(), step: design.id)
    return Built(product: product, archive: archive, folder: output)
  }

  /// As the pipeline reads it.
  static func family(_ designs: [SheetDesign], zooms: ClosedRange<Int>) throws -> ChartFamily {
    let folder = try TemporaryFolder()
    let file = folder.file("drawn.json5")
    try CanonicalJSON.pretty(SheetPipeline("drawn", designs, zooms: zooms)).write(to: file)
    guard case .charts(let family) = try PipelineDefinition(contentsOf: file).content else {
      throw NoCharts()
    }
    return family
  }

  private struct NoCharts: Error {}
}
