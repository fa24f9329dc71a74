import Core
import Foundation
import Pipeline
import TestSupport
import Testing
import TileArchive
import Validation

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
    let folder = try TemporaryFolder()
    try Data("<html>".utf8).write(to: folder.file("a.mbtiles"))
    #expect(fault(folder.file("a.mbtiles"))?.kind == .badInput)
    #expect(fault(folder.file("none.sqlite"))?.kind == .badCall)
    #expect(fault(folder.url)?.kind == .badInput)
  }

  @Test func `rejects an empty file`() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.file("a.mbtiles"))
    #expect(fault(folder.file("a.mbtiles"))?.reason.hasSuffix("(it is empty)") == true)
    #expect(fault(URL(filePath: "/dev/null"))?.reason.hasSuffix("(it is not a file)") == true)
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
