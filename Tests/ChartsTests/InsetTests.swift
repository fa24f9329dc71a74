import Airac
import Foundation
import Geo
import Pipeline
import SyntheticSheet
import TestSupport
import Testing

@testable import Charts

/// Insets that no definition masks are found and masked; what only looks like one is not.
@Suite struct InsetTests {
  private func survey(
    _ design: SheetDesign, insets: [InsetDefinition] = []
  ) throws -> (neatline: Neatline, cut: Product.Cut) {
    let folder = try TemporaryFolder()
    let file = folder.file(design.zipName)
    let clock = ContinuousClock()
    let a = clock.now
    try SheetFiles(design, scratch: folder.url).writeZip(to: file)
    if let keep = ProcessInfo.processInfo.environment["KEEP"] { try? SheetPipeline.write(design.id, [design], zooms: 8...11, to: URL(filePath: keep).appending(path: design.id), scratch: folder.url) }
    let b = clock.now
    let image = try SheetImage.opened(file, tif: design.fileStem + ".tif")
    let r = try NeatlineSurveyor(image, subject: "drawn").cut(design.neatline, insets: insets)
    print(design.name, "drawn", b - a, "surveyed", clock.now - b)
    return r
  }

  static let designs = SheetDesign.insetSheets(
    Edition(of: AiracCycle(identifier: "2601")!))

  @Test(arguments: 0..<10) func look(number: Int) throws {
    let design = InsetTests.designs[number]
    let (_, cut) = try survey(design)
    for place in design.insetPlaces(within: 200..<design.width - 50, 50..<design.height - 100) { print("TRUTH", design.name, place.columns, place.rows) }
    for inset in cut.insets ?? [] { print("FOUND", design.name, inset.verdict, inset.columns!, inset.rows!, inset.evidence!) }
  }
}
