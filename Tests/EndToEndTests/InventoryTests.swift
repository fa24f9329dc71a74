import ArchiveIO
import Foundation
import Pipeline
import Site
import TestSupport
import Testing

/// An image in a zip that no definition knows: the chart beside it is made, and the stranger is told of.
@Suite struct InventoryTests {
  let folder: TemporaryFolder
  private let tiny = samplesFolder.appending(path: "broken/tiny.json5").path
  private let note =
    "an unknown tif \"Tiny Graphic.tif\" is in Tiny.zip: add it to the definition or to notCharts"

  init() throws {
    folder = try TemporaryFolder()
    let good = try ZipArchive(path: samplesFolder.appending(path: "broken/good/Tiny.zip").path)
    var zip = ZipWriter()
    zip.members =
      try good.members.map { ($0.name, try good.read($0)) } + [("Tiny Graphic.tif", [0x49, 0x49])]
    try zip.write(to: folder.file("Tiny.zip").path)
  }

  private func run(_ options: String...) throws -> Program.Ending {
    try Program().run(
      [
        "run", tiny, "--cycle", "2304", "--from", folder.url.path, "--work", folder.file("work").path,
      ] + options)
  }

  @Test func itIsTold() throws {
    let ending = try run()
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.errors.hasPrefix("inventory: warning: \(note)\n"), "\(ending.errors)")
    let cycle = folder.file("work/site/cycles/2304")
    let manifest = try JSONDecoder().decode(
      Manifest.self, from: Data(contentsOf: cycle.appending(path: "manifest.json")))
    #expect(manifest.products.map(\.id) == ["tiny/Tiny"])
    #expect(manifest.notes?.map(\.message) == [note])
    #expect(manifest.notes?.map(\.source) == ["Tiny.zip"])
    let report = try String(contentsOf: cycle.appending(path: "report.html"), encoding: .utf8)
    #expect(report.contains("<h2>Sources to look at <small>1</small></h2>"))
    // One about the source, and one that nothing printed on so small a chart shows its place.
    #expect(report.contains("Good to publish, with 2 warnings"))
  }

  @Test func aMachineIsToldByAnEvent() throws {
    let ending = try run("--json")
    let first = try #require(ending.errors.split(separator: "\n").first)
    let event = try #require(
      try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: String])
    #expect(event == ["event": "warning", "step": "inventory", "message": note])
  }
}
