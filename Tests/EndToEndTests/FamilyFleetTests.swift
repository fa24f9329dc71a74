import Airac
import Foundation
import Pipeline
import SyntheticSheet
import TestSupport
import Testing

/// The FAA's definitions, each built from sheets that are drawn where the definition says, far away and small.
@Suite(.serialized) struct FamilyFleetTests {
  /// Sectionals whose borders go down in steps or are tilted, and all of the smaller families whose neatlines are written down.
  @Test(arguments: [
    ("vfr-sectional", ["Halifax", "Los_Angeles", "Miami", "Kodiak", "Anchorage", "Hawaiian_Islands"]),
    ("vfr-helicopter", ["Baltimore", "New_York", "US_Gulf_Coast", "Dallas_Love_Inset"]),
    ("vfr-terminal", ["Anchorage", "Detroit", "Miami_FLY", "Puerto_Rico-VI"]),
    ("caribbean", ["Caribbean_1", "Caribbean_2"]),
  ])
  func eachChartIsBuiltWithinItsOutline(name: String, ids: [String]) throws {
    let (sources, work) = (try TemporaryFolder(), try TemporaryFolder())
    try draw(name, ids, to: sources)
    let ending = try Program().run([
      "build", sources.file("\(name).json5").path, "--cycle", "2304", "--from", sources.url.path, "--work",
      work.url.path,
    ])
    #expect(ending.status == 0, "\(ending.errors)")
    for id in ids {
      let found = try files(below: work.url).first { $0.hasSuffix("\(name)/\(id).product.json") }
      let file = try #require(found, "\(id) was not built")
      let product = try JSONDecoder().decode(Product.self, from: Data(contentsOf: work.file(file)))
      #expect((product.build.counts["tiles"] ?? 0) > 0, "\(id)")
    }
  }

  private func draw(_ name: String, _ ids: [String], to folder: TemporaryFolder) throws {
    let definition = try PipelineDefinition(
      contentsOf: repositoryRoot.appending(path: "pipelines/\(name).json5"))
    guard case .charts(var family) = definition.content else { throw CocoaError(.coderInvalidValue) }
    family.charts = family.charts.filter { ids.contains($0.id) }
    #expect(family.charts.count == ids.count)
    (family.covers, family.mosaic, family.seam) = (nil, nil, .clean)
    let day = try #require(CalendarDay(SheetDesign.sampleCycleDay))
    let edition = Edition(of: try #require(AiracCycle(effective: day)))
    let scratch = try TemporaryFolder()
    try Fleet(family, metresPerPixel: 4000, edition: edition).write(to: folder.url, scratch: scratch.url) {
      _ in
    }
  }
}
