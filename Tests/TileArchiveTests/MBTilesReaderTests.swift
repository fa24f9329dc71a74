import Core
import Foundation
import Pipeline
import SQLiteIO
import TestSupport
import Testing
import TileArchive

@Suite struct MBTilesReaderTests {
  let folder: TemporaryFolder
  let archive: URL

  init() throws {
    folder = try TemporaryFolder()
    archive = folder.file("a.mbtiles")
    let writer = try MBTilesWriter(creating: archive)
    for tile in ArchiveSamples.tiles { try writer.add(tile) }
    _ = try writer.finish(ArchiveSamples.metadata)
  }

  @Test func everyTileComesBackOrderedByZoomColumnAndRowFromTheSouth() throws {
    let reader = try MBTilesReader(opening: archive)
    var seen: [Tile] = []
    try reader.forEachTile { seen.append($0) }
    let expected = ArchiveSamples.tiles.sorted {
      ($0.id.zoom, $0.id.column, $0.id.tmsRow) < ($1.id.zoom, $1.id.column, $1.id.tmsRow)
    }
    #expect(seen.map(\.id) == expected.map(\.id))
    #expect(seen.map(\.data) == expected.map(\.data))
  }

  @Test func oneTileIsFoundByItsPlaceAndAMissingOneIsNil() throws {
    let reader = try MBTilesReader(opening: archive)
    let tile = ArchiveSamples.tiles[7]
    #expect(try reader.tile(tile.id) == tile.data)
    #expect(try reader.tile(TileID(zoom: 7, column: 0, row: 0)) == nil)
    try reader.close()
    #expect(throws: UserError.self) { try reader.tile(tile.id) }
  }

  @Test func theMetadataHasEveryRowOfTheFormatAndOurs() throws {
    let metadata = try MBTilesReader(opening: archive).metadata()
    #expect(metadata["name"] == "San Francisco")
    #expect(metadata["format"] == "png")
    #expect(metadata["type"] == "overlay")
    #expect(metadata["version"] == "20261126")
    #expect(metadata["bounds"] == "-122.5,37,-121.0625,38.25")
    #expect(metadata["center"] == "-121.78125,37.625,7")
    #expect(metadata["minzoom"] == "6" && metadata["maxzoom"] == "8")
    #expect(metadata["attribution"] == "FAA" && metadata["description"] == "Not for navigation")
    #expect(metadata["chartpipe:cycle"] == "2612")
    #expect(metadata.count == 12)
  }

  @Test func theAggregateHashOfThreeKnownTilesIsThatOfAnotherProgram() throws {
    let file = folder.file("three.mbtiles")
    let writer = try MBTilesWriter(creating: file)
    try writer.add(Tile(id: TileID(zoom: 2, column: 1, row: 0), data: Array("c".utf8)))
    try writer.add(Tile(id: TileID(zoom: 2, column: 1, row: 3), data: Array("b".utf8)))
    try writer.add(Tile(id: TileID(zoom: 1, column: 1, row: 1), data: Array("a".utf8)))
    _ = try writer.finish(ArchiveSamples.metadata)
    let reader = try MBTilesReader(opening: file)
    // printf '110a210b213c' | md5sum
    #expect(try reader.aggregateHash() == "1E028EA739DE46A824F7D67D17590551")
    #expect(try reader.metadata()["agg_tiles_hash"] == reader.aggregateHash())
  }

  @Test func anArchiveWithAPlainTableOfTilesIsReadToo() throws {
    let file = folder.file("flat.mbtiles")
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB);
      INSERT INTO tiles VALUES (1, 1, 0, x'61');
      """)
    let reader = try MBTilesReader(opening: file)
    #expect(try reader.tile(TileID(zoom: 1, column: 1, row: 1)) == Array("a".utf8))
    #expect(try reader.summary().distinctTiles == 1)
  }

  @Test func rowsThatNameNoTileAreAFaultAndNoCrash() throws {
    let connection = try SQLiteConnection(archive.path, mode: .create)
    try connection.execute("UPDATE map SET tile_row = \(Int.min) WHERE rowid = 1")
    let reader = try MBTilesReader(opening: archive)
    let fault = #expect(throws: UserError.self) { try reader.forEachTile { _ in } }
    #expect(fault?.kind == .badInput)
  }

  @Test func whatIsNoArchiveIsToldSo() throws {
    try Data("<html>Not found</html>".utf8).write(to: folder.file("page.mbtiles"))
    try SQLiteConnection(folder.file("other.mbtiles").path, mode: .create).execute("CREATE TABLE t (a)")
    #expect(try problem(opening: "page.mbtiles") == "it is not an SQLite database")
    #expect(try problem(opening: "other.mbtiles") == "it has no `tiles` or no `metadata`")
    #expect(try problem(opening: "none.mbtiles") == "the file cannot be opened")
  }

  private func problem(opening name: String) throws -> String? {
    let fault = #expect(throws: UserError.self) { try MBTilesReader(opening: folder.file(name)) }
    #expect(fault?.kind == .badInput)
    return fault?.reason
  }
}
