import Foundation
import Pipeline
import Site
import TestSupport
import Testing
import Validation

/// The report of what is not staged.
@Suite struct ValidationPageTests {
  let sample: SampleBuild

  init() throws { sample = try SampleBuild() }

  private func page(_ paths: URL..., against: [PlacedProduct] = []) throws -> String {
    let request = ValidationRequest(paths, against: against)
    let report = try Validator().validate(request, progress: SilentProgress())
    return String(
      decoding: try ValidationPage.data(request, report, progress: SilentProgress()), as: UTF8.self)
  }

  @Test func aRefusedCycleIsShownWithWhatStopsIt() throws {
    try sample.chart("San_Francisco")
    let seattle = try sample.chart("Seattle", shade: 9)
    let archive = sample.build("2612", "vfr-sectional").appending(path: "Seattle.mbtiles")
    try breakTiles(of: archive, describedBy: seattle)
    let page = try page(sample.build("2612"))
    #expect(page.contains("<title>Cycle 2612: Not to be published: "))
    #expect(page.contains("<h3><code>tiles-decode</code>"))
    #expect(
      page.contains("id=\"vfr-sectional/San_Francisco\"") && page.contains("id=\"vfr-sectional/Seattle\""))
    #expect(!page.contains("../../") && !page.contains("manifest.json"))
    #expect(!FileManager.default.fileExists(atPath: sample.site.path))
  }

  @Test func aFileThatIsNoProductHasAPageToo() throws {
    let description = try sample.chart("San_Francisco")
    try FileManager.default.removeItem(at: description)
    let page = try page(sample.build("2612", "vfr-sectional").appending(path: "San_Francisco.mbtiles"))
    #expect(page.contains("<h1>Validation</h1>") && page.contains("<strong>Good to publish</strong>"))
  }

  @Test func theChangesOfADatabaseAreThereToo() throws {
    let database = SampleDatabase(sample: sample)
    try database.build("2611", ["'KPAO', 'A', 37, 0"])
    try database.build("2612", ["'KPAO', 'B', 37, 0"])
    let page = try page(sample.build("2612"), against: ProductSearch.products(in: sample.build("2611")))
    #expect(page.contains("<summary>Renamed <small>1</small></summary>") && !page.contains("changes.html"))
  }
}
