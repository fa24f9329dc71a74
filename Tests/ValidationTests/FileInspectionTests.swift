import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct FileInspectionTests {
  @Test func `shows the zooms and extents of an archive`() throws {
    let fixture = try ArchiveFixture()
    let inspection = try FileInspection(of: fixture.file)
    #expect(inspection.kind == .mbtiles && inspection.tables == nil)
    #expect(inspection.metadata["name"] == "Bay")
    let range = TileRange(zoom: 11, covering: ArchiveFixture.box)
    let zoom = try #require(inspection.zooms?.last)
    #expect(zoom.zoom == 11 && zoom.tiles == range.count)
    #expect(zoom.columns.first == range.columns.lowerBound && zoom.columns.last == range.columns.upperBound)
    #expect(zoom.rows.first == range.rows.lowerBound && zoom.rows.last == range.rows.upperBound)
  }

  @Test func `shows the tables of a database without shadow tables`() throws {
    let fixture = try DatabaseFixture()
    let inspection = try FileInspection(of: fixture.file)
    #expect(inspection.kind == .sqlite && inspection.zooms == nil)
    #expect(inspection.metadata["cycle"] == "2612")
    #expect(
      inspection.tables?.filter { $0.rows > 0 }.map { "\($0.name) \($0.rows)" } == [
        "airports 4", "airports_fts 4", "airports_rtree 4", "frequencies 9", "metadata 11",
        "navaids 2",
        "navaids_fts 2", "navaids_rtree 2", "runways 4",
      ])
  }

  /// SQLite needs half a second to find that it cannot read them, each time it is asked.
  @Test func `views of views of views end the inspection at once`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("views.mbtiles")
    let views = (1...24).map { level in
      let name = level == 24 ? "tiles" : "t\(level)"
      return "CREATE VIEW \(name) AS SELECT * FROM t\(level - 1) UNION ALL SELECT * FROM t\(level - 1)"
    }
    try file.execute(
      """
      CREATE TABLE metadata (name, value); CREATE TABLE t0 (zoom_level, tile_column, tile_row, tile_data);
      \(views.joined(separator: ";\n"))
      """)
    let start = threadSeconds
    #expect(fault(file)?.reason.contains("too many references") == true)
    #expect(threadSeconds - start < 3)
  }

  /// The processor time of this thread.
  private var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `aligns the text`() throws {
    let fixture = try ArchiveFixture()
    let folder = URL(filePath: fixture.folder.url.path, directoryHint: .isDirectory)
    let given = URL(filePath: "Bay.mbtiles", relativeTo: folder)
    let lines = try FileInspection(of: given).text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("Bay.mbtiles: tile archive (MBTiles), "))
    #expect(lines[1] == "Cycle 2612, in force from 2026-10-29T09:01:00Z until 2026-12-24T09:01:00Z")
    let header = try #require(lines.firstIndex { $0.hasPrefix("  zoom  tiles") })
    #expect(lines[header + 1].hasPrefix("     9      "))
    #expect(lines.contains { $0.contains("chartpipe:neatline") && $0.hasSuffix("characters)") })
  }

  @Test func `rejects a file that is not a database`() throws {
    let folder = TemporaryFolder()
    try folder.file("a.mbtiles").put("<html>")
    #expect(fault(folder.file("a.mbtiles"))?.kind == .badInput)
    #expect(fault(folder.file("none.sqlite"))?.kind == .badCall)
    #expect(fault(folder.url)?.kind == .badInput)
  }

  @Test func `rejects an empty file`() throws {
    let folder = TemporaryFolder()
    try Data().write(to: folder.file("a.mbtiles"))
    #expect(fault(folder.file("a.mbtiles"))?.reason.hasSuffix("(it is empty)") == true)
    #expect(fault(URL(filePath: "/dev/null"))?.reason.hasSuffix("(it is not a file)") == true)
  }

  @Test(arguments: [
    ("x", "it is a file of 1 byte"), ("PK\u{3}\u{4}0123456789abcdef", "it is a zip archive"),
    ("PMXiles\u{3}0123456789abcdef", "it is neither an SQLite database nor a PMTiles archive"),
    (
      "PMTiles\u{4}" + String(repeating: "x", count: 200),
      "it is PMTiles version 4; only version 3 is supported"
    ),
  ])
  func `names what an unreadable file is`(text: String, problem: String) throws {
    let folder = TemporaryFolder()
    try folder.file("a.pmtiles").put(text)
    #expect(fault(folder.file("a.pmtiles"))?.reason.contains(problem) == true)
    let findings = try found(in: folder.file("a.pmtiles"))
    #expect(findings.map(\.rule) == ["readable"] && findings.first?.message.hasSuffix(problem) == true)
  }

  @Test(arguments: [
    (
      "CREATE TABLE notes (text)",
      "SQLite database, neither a tile archive nor an app database of this program"
    ),
    ("CREATE TABLE tiles (x); CREATE TABLE metadata (name, value)", "SQLite database, neither"),
    ("CREATE TABLE gpkg_contents (x); PRAGMA application_id = 0x47504B47", "GeoPackage (SQLite)"),
  ])
  func `distinguishes other databases from archives and app databases`(sql: String, title: String) throws {
    let folder = TemporaryFolder()
    try folder.file("a.mbtiles").execute(sql)
    let inspection = try FileInspection(of: folder.file("a.mbtiles"))
    #expect(inspection.kind == .sqlite && inspection.title.hasPrefix(title))
    let own = try DatabaseFixture()
    #expect(try FileInspection(of: own.file).title == "app database (SQLite)")
  }

  @Test func `shows the format of the tiles where the metadata has none or another`() throws {
    let fixture = try ArchiveFixture()
    #expect(try FileInspection(of: fixture.file).tileFormat == "png")
    try fixture.set("format", "jpg")
    #expect(
      try FileInspection(of: fixture.file).text.contains("\nIts tiles are png, whatever its `format` says\n"))
    try fixture.alter("DELETE FROM metadata WHERE name = 'format'")
    #expect(
      try FileInspection(of: fixture.file).text.contains(
        "\nIts metadata has no `format`; its tiles are png\n"))
  }

  @Test(.timeLimit(.minutes(15))) func `an endless view of another database is reported`() throws {
    let folder = TemporaryFolder()
    try folder.file("a.sqlite").execute(
      "CREATE VIEW v AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
    #expect(fault(folder.file("a.sqlite"))?.reason.hasSuffix("(a query does not end)") == true)
  }

  @Test func `shows the size of a link's target`() throws {
    let fixture = try ArchiveFixture()
    let link = fixture.folder.file("link.mbtiles")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: fixture.file)
    #expect(try FileInspection(of: link).bytes == FileInspection(of: fixture.file).bytes)
  }

  private func fault(_ file: URL) -> UserError? {
    #expect(throws: UserError.self) { try FileInspection(of: file) }
  }
}
