import Foundation
import SQLiteIO
import TestSupport
import Testing

/// `chartpipe diff`, as a user calls it.
@Suite struct DiffTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try database("old.sqlite", cycle: "2611", name: "PALO ALTO")
    try database("new.sqlite", cycle: "2612", name: "<script>alert('&')</script>")
  }

  private func database(_ file: String, cycle: String, name: String) throws {
    let connection = try SQLiteConnection(folder.file(file).path, mode: .create)
    try connection.execute(
      """
      PRAGMA application_id = \(0x4156_4e31);
      CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT);
      CREATE TABLE airports (icao TEXT, siteNumber TEXT, siteType TEXT, name TEXT, city TEXT, state TEXT, country TEXT,
        type TEXT, use TEXT, isTowered INTEGER, longestRunway INTEGER);
      INSERT INTO metadata VALUES ('cycle', '\(cycle)'), ('effective', '2026-11-26T09:01:00Z');
      """)
    try connection.prepare(
      "INSERT INTO airports VALUES ('KPAO', '1', 'A', ?, 'PALO ALTO', 'CA', 'US', 'airport', 'public', 1, 2443)"
    )
    .run([.text(name)])
    try connection.close()
  }

  private func run(_ words: String...) throws -> Program.Ending {
    try Program().run(["diff"] + words, in: folder.url)
  }

  @Test func theTextTellsTheChange() throws {
    let ending = try run("old.sqlite", "new.sqlite")
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending.errors)")
    #expect(ending.output.hasPrefix("Aviation data 2611 (2026-11-26) -> 2612 (2026-11-26)\n"))
    #expect(ending.output.contains("name PALO ALTO -> <script>alert('&')</script>\n"))
    let json = try run("old.sqlite", "new.sqlite", "--json")
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(document?["format"] as? String == "chartpipe-diff-1")
  }

  @Test func thePageTakesNoTextForMarkup() throws {
    let ending = try run("old.sqlite", "new.sqlite", "--html", "changes.html")
    #expect(
      ending.status == 0 && ending.output.hasSuffix("1 changed: name 1\n\nchanges.html\n"), "\(ending.output)"
    )
    let page = try String(contentsOf: folder.file("changes.html"), encoding: .utf8)
    #expect(page.contains("<title>Changes 2611 (2026-11-26) → 2612 (2026-11-26)</title>"))
    #expect(page.contains("PALO ALTO → &lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"))
    #expect(page.components(separatedBy: "<script>").count == 2)
    for outside in ["http:", "https:", "src=", "url("] { #expect(!page.contains(outside)) }
    #expect(try files(below: folder.url) == ["changes.html", "new.sqlite", "old.sqlite"])
  }

  @Test(arguments: [
    (["old.sqlite"], Int32(2), "OLD NEW is missing"),
    (["old.sqlite", "none.sqlite"], 2, "there is no such file or folder"),
    (["old.sqlite", "page.sqlite"], 3, "it is no SQLite database"),
    (["old.sqlite", "new.sqlite", "--html", "./new.sqlite"], 2, "would overwrite a database"),
    (["old.sqlite", "new.sqlite", "--html", "none/a/b.html"], 1, "there is no such file or folder"),
  ])
  func whatCannotBeDoneIsTold(words: [String], status: Int32, problem: String) throws {
    try Data("<html>".utf8).write(to: folder.file("page.sqlite"))
    let before = try Data(contentsOf: folder.file("new.sqlite"))
    let ending = try Program().run(["diff"] + words, in: folder.url)
    #expect(ending.status == status && ending.errors.contains(problem), "\(ending.status) \(ending.errors)")
    #expect(try Data(contentsOf: folder.file("new.sqlite")) == before)
  }
}
