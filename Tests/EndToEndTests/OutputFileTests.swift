import Foundation
import SQLiteIO
import TestSupport
import Testing

/// No command replaces an input or a file of another kind, and a wrong output is reported before the work.
@Suite(.blocking) struct OutputFileTests {
  private let folder = TemporaryFolder()

  init() throws {
    let definition = repositoryRoot.appending(path: "pipelines/sample-sectional.json5")
    try FileManager.default.copyItem(at: definition, to: folder.file("definition.json5"))
    try database("airports.db", cycle: "2611")
    try database("newer.db", cycle: "2612")
    let archive = try SQLiteConnection(folder.file("map.mbtiles").path, mode: .create)
    try archive.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      INSERT INTO metadata VALUES ('format', 'png');
      """)
    try archive.close()
    let texts = [
      "catalog.json": "{\"serial\": 1}", "notes.md": "# Notes\n", "notes.txt": "notes\n", "empty.json": "",
      "key.txt": "untrusted comment: minisign public key\n", "page.html": "<!doctype html>\n",
      "json.md": "{}\n",
    ]
    for (name, text) in texts { try folder.file(name).put(text) }
    try folder.file("site").makeFolder()
  }

  private func database(_ name: String, cycle: String) throws {
    try TinyDatabase.create(at: folder.file(name), cycle: cycle).close()
  }

  private static let plan = "plan definition.json5 --cycle 2304 --shards 1 --output"
  private static let run = "run definition.json5 --cycle 2304 --from nowhere --summary"

  static let refused: [(call: String, problem: String)] = [
    ("validate catalog.json --html map.mbtiles", "map.mbtiles: it exists and is not an HTML page"),
    ("validate map.mbtiles --html ./map.mbtiles", "--html would overwrite an input"),
    ("validate map.mbtiles --against airports.db --html airports.db", "would overwrite an input"),
    ("diff airports.db newer.db --html definition.json5", "it exists and is not an HTML page"),
    ("diff airports.db newer.db --html newer.db", "--html would overwrite an input"),
    ("\(plan) definition.json5", "definition.json5: it exists and is not a plan of chartpipe"),
    ("\(plan) catalog.json", "catalog.json: it exists and is not a plan of chartpipe"),
    ("verify site --summary catalog.json", "catalog.json: it exists and is not a text or Markdown file"),
    ("verify site --summary json.md", "it exists and is not a text or Markdown file"),
    ("verify site --summary key.txt", "it exists and is not a text or Markdown file"),
    ("verify site --summary airports.db", "it exists and is not a text or Markdown file"),
    ("verify site --summary page.html", "it exists and is not a text or Markdown file"),
    ("verify site --prometheus catalog.json", "catalog.json: it exists and is not a file of metrics"),
    ("verify site --prometheus none/m", "none: there is no such folder"),
    ("inspect map.mbtiles --image notes.md", "notes.md: it exists and is not a PNG image"),
    ("convert map.mbtiles none/map.pmtiles", "none: there is no such folder"),
    ("pack map.mbtiles map.mbtiles --bbox -123,37,-122,38", "OUT would overwrite an input"),
    ("\(run) none/page.md", "none: there is no such folder"),
    ("\(run) site", "site: it exists and is not a regular file"),
    ("\(run) catalog.json", "catalog.json: it exists and is not a text or Markdown file"),
  ]

  @Test(arguments: refused)
  func `refuses an output that would replace something else`(call: String, problem: String) throws {
    let before = try fileContents(below: folder.url)
    try Program().run(call, in: folder.url).expect(2, problem)
    #expect(try fileContents(below: folder.url) == before)
  }

  @Test func `replaces a file of its own kind, and an empty one`() throws {
    for name in ["page.html", "empty.json", "new.html"] {
      try Program().run("diff airports.db newer.db --html \(name)", in: folder.url).expect(0)
      #expect(try folder.file(name).text.contains("<title>Changes 2611"))
    }
    for _ in 1...2 {
      try Program().run("\(OutputFileTests.plan) plan.json --from samples", in: folder.url).expect(0)
    }
  }

  @Test(arguments: ["notes.md", "notes.txt", "new"])
  func `a summary is appended to text`(name: String) throws {
    let before = (try? folder.file(name).text) ?? ""
    _ = try Program().run(["verify", "http://127.0.0.1:9", "--summary", name], in: folder.url)
    let text = try folder.file(name).text
    #expect(text.hasPrefix(before + "### ❌ The site could not be read"), "\(text)")
  }
}
