import Core
import Foundation
import Pipeline
import SQLiteIO
import TestSupport
import Testing
import TileArchive

@Suite struct MBTilesWriterTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func theSummaryTellsTilesSharedImagesAndBytesOfEachZoom() throws {
    let summary = try write(ArchiveSamples.tiles, to: "a.mbtiles")
    #expect(summary.tiles == 29)
    #expect(summary.distinctTiles == 29 - 8 + 1)
    #expect(summary.zooms.map(\.zoom) == [6, 7, 8])
    #expect(summary.zooms.map(\.tiles) == [4, 9, 16])
    #expect(summary.tileBytes == ArchiveSamples.tiles.map(\.data.count).reduce(0, +))
    let reader = try MBTilesReader(opening: folder.file("a.mbtiles"))
    #expect(try reader.summary() == summary)
    try reader.close()
  }

  @Test func theOrderInWhichTilesArriveDoesNotChangeAByte() throws {
    _ = try write(ArchiveSamples.tiles, to: "a.mbtiles")
    _ = try write(ArchiveSamples.tiles, to: "b.mbtiles")
    _ = try write(ArchiveSamples.tiles.reversed(), to: "c.mbtiles")
    _ = try write(ArchiveSamples.tiles.sorted { $0.data.count < $1.data.count }, to: "d.mbtiles")
    let bytes = try Data(contentsOf: folder.file("a.mbtiles"))
    for name in ["b", "c", "d"] {
      #expect(try Data(contentsOf: folder.file("\(name).mbtiles")) == bytes, "\(name) differs")
    }
  }

  @Test func nothingButTheArchiveIsLeft() throws {
    _ = try write(ArchiveSamples.tiles, to: "a.mbtiles")
    #expect(try names() == ["a.mbtiles"])
  }

  @Test func aWriterThatIsDroppedLeavesNothing() throws {
    do {
      let writer = try MBTilesWriter(creating: folder.file("a.mbtiles"))
      for tile in ArchiveSamples.tiles { try writer.add(tile) }
      #expect(try !names().isEmpty)
    }
    #expect(try names() == [])
  }

  @Test func theSamePlaceCannotBeFilledTwice() throws {
    let tile = ArchiveSamples.tiles[5]
    let writer = try MBTilesWriter(creating: folder.file("a.mbtiles"))
    try writer.add(tile)
    let fault = #expect(throws: UserError.self) { try writer.add(tile) }
    #expect(fault?.reason == "it was added before")
    #expect(fault?.operation == "adding tile \(tile.id) to")
  }

  @Test(arguments: [
    Tile(id: TileID(zoom: 6, column: 10, row: 24), data: []),
    Tile(id: TileID(zoom: 6, column: 64, row: 24), data: [1]),
    Tile(id: TileID(zoom: 6, column: 10, row: -1), data: [1]),
    Tile(id: TileID(zoom: 30, column: 10, row: 1), data: [1]),
  ])
  func aTileThatIsEmptyOrImpossibleIsRefused(_ tile: Tile) throws {
    let writer = try MBTilesWriter(creating: folder.file("a.mbtiles"))
    #expect(throws: UserError.self) { try writer.add(tile) }
  }

  @Test func anArchiveIsNeverWrittenOverAnotherFile() throws {
    try Data("precious".utf8).write(to: folder.file("a.mbtiles"))
    #expect(throws: UserError.self) { try MBTilesWriter(creating: folder.file("a.mbtiles")) }
    #expect(try Data(contentsOf: folder.file("a.mbtiles")) == Data("precious".utf8))
  }

  @Test func aFolderThatIsNotThereIsToldAsAFailure() throws {
    let fault = #expect(throws: UserError.self) {
      try MBTilesWriter(creating: folder.file("none").appending(path: "a.mbtiles"))
    }
    #expect(fault?.kind == .failed)
  }

  @Test func theFileHasTheMarksOfMBTilesAndNoJournalOfItsOwn() throws {
    _ = try write(ArchiveSamples.tiles, to: "a.mbtiles")
    let connection = try SQLiteConnection(folder.file("a.mbtiles").path, mode: .readOnly)
    func number(_ sql: String) throws -> Int? { try connection.prepare(sql).map { $0.int(0) }.first }
    #expect(try number("PRAGMA application_id") == 0x4d50_4258)
    #expect(try connection.prepare("PRAGMA journal_mode").map { $0.text(0) } == ["delete"])
    #expect(try connection.prepare("PRAGMA integrity_check").map { $0.text(0) } == ["ok"])
    #expect(try number("SELECT tile_row FROM tiles WHERE zoom_level = 6 AND tile_column = 10") == 63 - 25)
  }

  private func write(_ tiles: [Tile], to name: String) throws -> ArchiveSummary {
    let writer = try MBTilesWriter(creating: folder.file(name))
    for tile in tiles { try writer.add(tile) }
    return try writer.finish(ArchiveSamples.metadata)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }
}
