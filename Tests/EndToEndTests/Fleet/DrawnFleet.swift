import Core
import Foundation
import Pipeline
import SyntheticSheet
import TestSupport
import Testing

/// The sheets of a family of `pipelines/`, drawn small, with a definition that fits them.
struct DrawnFleet {
  static let cycle = "2304"

  let folder: TemporaryFolder
  /// As drawn.
  let family: ChartFamily
  /// The path of the fitted definition.
  var definition: String { folder.file("\(family.name).json5").path }

  /// - Parameters:
  ///   - fewestPixels: of the shorter side of a sheet, on which the scale of a small chart depends.
  ///   - printed: the outlines of maps that are printed elsewhere than the definition has them.
  ///   - change: what the definition has to be without.
  init(
    _ name: String, metresPerPixel: Double, fewestPixels: Int = 300,
    printed: [String: [NeatlineDefinition.Edge]] = [:], change: (inout ChartFamily) -> Void = { _ in }
  ) throws {
    let definition = try PipelineDefinition(
      contentsOf: repositoryRoot.appending(path: "pipelines/\(name).json5"))
    guard case .charts(var family) = definition.content else { throw CocoaError(.coderInvalidValue) }
    change(&family)
    let day = try #require(CalendarDay(SheetDesign.sampleCycleDay))
    let edition = Edition(of: try #require(AiracCycle(effective: day)))
    let fleet = try Fleet(
      family, metresPerPixel: metresPerPixel, fewestPixels: fewestPixels, edition: edition, printed: printed)
    let scratch = try TemporaryFolder()
    (self.family, folder) = (fleet.family, try TemporaryFolder())
    try fleet.write(to: folder.url, scratch: scratch.url) { _ in }
  }

  /// Runs `build` or `run` with these sheets.
  func chartpipe(
    _ command: String, work: TemporaryFolder, _ options: [String] = []
  ) throws -> Program.Ending {
    try Program().run(
      [command, definition, "--cycle", Self.cycle, "--from", folder.url.path, "--work", work.url.path]
        + options)
  }

  /// What was built of a chart.
  func product(_ id: String, in work: TemporaryFolder) throws -> Product {
    let build = work.file("build/\(Self.cycle)/\(family.name)")
    let file = try files(below: build).first {
      $0 == "\(id).product.json" || $0.hasSuffix("/\(id).product.json")
    }
    return try JSONDecoder().decode(
      Product.self, from: Data(contentsOf: build.appending(path: try #require(file, "\(id) was not built"))))
  }
}
