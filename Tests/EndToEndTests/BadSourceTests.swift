import ArchiveIO
import Foundation
import TestSupport
import Testing
import ZipWriting

@testable import ChartpipeKit

/// Broken sources: exit code 3, a message that names the file, the reason and the next step, and no output under a final
/// name.
@Suite(.blocking) struct BadInputTests {
  static let broken = samplesFolder.appending(path: "broken")

  private func build(_ pipeline: String, from: String, work: TemporaryFolder, cycle: String = "2304") throws
    -> Program.Ending
  { try Program().run("build \(pipeline) --cycle \(cycle) --from \(from) --work \(work.file("work").path)") }

  @Test(arguments: [
    ("not-a-zip", "not-a-zip/Tiny.zip: this is a web page, neither a zip archive nor a GeoTIFF"),
    ("truncated-zip", "Tiny.zip: "),
    ("escaping-name", "member \"../Tiny SEC.tif\" would escape its folder"),
    ("truncated-tif", "Tiny SEC.tif"),
    ("missing-tif", "Tiny SEC.tif"),
    ("no-htm", "Tiny SEC.htm"),
    ("wrong-cycle", "2023-04-20"),
    ("not-georeferenced", "Tiny SEC.tif"),
  ])
  func `refuses a broken chart`(folder: String, message: String) throws {
    let work = TemporaryFolder()
    try build(Samples.tiny, from: Self.broken.appending(path: folder).path, work: work).expect(3, message)
    try expectNothingLeft(in: work)
  }

  @Test func `a quiet run reports the failure`() throws {
    let work = TemporaryFolder()
    let call = [
      "build", Samples.tiny, "--cycle", "2304", "--from",
      Self.broken.appending(path: "truncated-tif").path, "--work", work.file("work").path,
    ]
    let quiet = try Program().run(call + ["--quiet"]).expect(3)
    #expect(quiet.errors.hasPrefix("tiny/Tiny: FAILED: reading the chart"), "\(quiet.errors)")
    #expect(!quiet.errors.contains("because:"))
    let verbose = try Program().run(call + ["--verbose"])
    #expect(verbose.errors.contains("\n  because: "), "\(verbose.errors)")
    let machine = try Program().run(call + ["--quiet", "--json"])
    #expect(machine.errors.hasPrefix(#"{"event":"failed","message":"reading the chart"#), "\(machine.errors)")
  }

  @Test func `names a missing source`() throws {
    let work = TemporaryFolder()
    let empty = TemporaryFolder()
    try build("sample-terminal", from: empty.url.path, work: work).expect(
      3, "looking for Sample_Bay_TAC.zip", "Download it from https://aeronav.faa.gov/visual/04-20-2023/")
    try expectNothingLeft(in: work)
  }

  @Test func `refuses a chart of another cycle`() throws {
    let work = TemporaryFolder()
    try build("sample-terminal", from: samplesFolder.path, work: work, cycle: "2306").expect(3, "2023-06-15")
    try expectNothingLeft(in: work)
  }

  @Test func `refuses a malformed definition`() throws {
    let work = TemporaryFolder()
    let definition = work.file("odd.json5")
    try definition.put("{ kind: \"charts\", name: \"odd\", charts: [")
    try build(definition.path, from: samplesFolder.path, work: work).expect(3, "odd.json5: not valid JSON5")
  }

  @Test func `a failed product does not stop the others, and what depends on it is missing too`() throws {
    let work = TemporaryFolder()
    let sources = TemporaryFolder()
    try sources.add(Samples.tinySource)
    let ending = try Program().run([
      "run", Samples.tiny, "sample-terminal", "sample-nasr", "--cycle", "2304", "--from",
      sources.url.path, "--work", work.file("work").path,
    ]).expect(5, "2 of 3 failed: sample-nasr/aviation, sample-terminal/Sample_Bay")
    #expect(ending.output.contains("Cycle 2304 is staged: 1 product, "), "\(ending.output)")
    let missing = try work.file("work/site/cycles/2304/manifest.json").decoded(Manifest.self).missing
    #expect(
      Set(["sample-nasr/aviation", "sample-nasr/openefb", "sample-terminal/Sample_Bay"]).isSubset(of: missing)
    )
  }

  @Test func `names a work folder that is not writable`() throws {
    let work = TemporaryFolder()
    try work.file("work").put("a file")
    let ending = try build("sample-terminal", from: samplesFolder.path, work: work).expect(
      2, "preparing the work folder")
    #expect(ending.errors.contains(work.file("work").path))
  }

  @Test(arguments: ["inspect", "validate"])
  func `refuses a file of another kind`(command: String) throws {
    let work = TemporaryFolder()
    try work.file("odd.mbtiles").put("<html>not a database</html>")
    let ending = try Program().run("\(command) \(work.file("odd.mbtiles").path)")
    #expect(ending.status == (command == "inspect" ? 3 : 4), "\(ending.errors)")
    #expect((ending.errors + ending.output).contains("odd.mbtiles"))
  }

  /// Only the journal may exist.
  private func expectNothingLeft(in folder: TemporaryFolder) throws {
    let left = try files(below: folder.url).filter { !$0.contains("journal/") }
    #expect(left.isEmpty, "\(left)")
  }
}

/// An unknown image in a zip: the run builds the chart beside it and warns of the image.
@Suite(.blocking) struct InventoryTests {
  let folder = TemporaryFolder()
  private let note =
    "an unknown tif \"Tiny Graphic.tif\" is in Tiny.zip: add it to the definition or to notCharts"

  init() throws {
    let good = try ZipArchive(path: samplesFolder.appending(path: "broken/good/Tiny.zip").path)
    var zip = ZipWriter()
    zip.members =
      try good.members.map { ($0.name, try good.read($0)) } + [("Tiny Graphic.tif", [0x49, 0x49])]
    try zip.write(to: folder.file("Tiny.zip").path)
  }

  private func run(_ options: String...) throws -> Program.Ending {
    try Program().run(
      [
        "run", Samples.tiny, "--cycle", "2304", "--from", folder.url.path, "--work", folder.file("work").path,
      ] + options)
  }

  @Test func `warns of an unknown image in console, manifest and report`() throws {
    let ending = try run().expect(0)
    #expect(ending.errors.hasPrefix("inventory: warning: \(note)\n"), "\(ending.errors)")
    let cycle = folder.file("work/site/cycles/2304")
    let manifest = try cycle.appending(path: "manifest.json").decoded(Manifest.self)
    #expect(manifest.products.map(\.id) == ["tiny/Tiny"])
    #expect(manifest.notes?.map(\.message) == [note])
    #expect(manifest.notes?.map(\.source) == ["Tiny.zip"])
    let report = try cycle.appending(path: "report.html").text
    #expect(report.contains("<h2>Notes about sources <small>1</small></h2>"))
    // One warns of the source, the other that so small a chart has no evidence of its placement.
    #expect(report.contains("Good to publish, with 2 warnings"))
  }

  @Test func `writes the warning as an event with --json`() throws {
    let ending = try run("--json")
    let first = try #require(ending.errors.split(separator: "\n").first)
    let event = try #require(try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: String])
    #expect(event == ["event": "warning", "step": "inventory", "message": note])
  }
}
