import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct MBTilesReaderTests {
  let folder = TemporaryFolder()
  let archive: URL

  init() throws {
    archive = folder.file("a.mbtiles")
    try ArchiveSamples.write(to: archive)
  }

  @Test func `returns every tile ordered by zoom, column and row from the south`() throws {
    let reader = try MBTilesReader(opening: archive)
    var seen: [Tile] = []
    try reader.forEachTile { seen.append($0) }
    let expected = ArchiveSamples.tiles.sorted {
      ($0.id.zoom, $0.id.column, $0.id.tmsRow) < ($1.id.zoom, $1.id.column, $1.id.tmsRow)
    }
    #expect(seen.map(\.id) == expected.map(\.id))
    #expect(seen.map(\.data) == expected.map(\.data))
  }

  @Test func `finds a tile by its position and returns nil for a missing one`() throws {
    let reader = try MBTilesReader(opening: archive)
    let tile = ArchiveSamples.tiles[7]
    #expect(try reader.tile(tile.id) == tile.data)
    #expect(try reader.tile(TileID(zoom: 7, column: 0, row: 0)) == nil)
    try reader.close()
    #expect(throws: UserError.self) { try reader.tile(tile.id) }
  }

  @Test func `the metadata has all rows of the format and of this tool`() throws {
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

  @Test func `the aggregate hash of three known tiles matches another program's`() throws {
    let file = folder.file("three.mbtiles")
    let tiles = [(2, 0, "c"), (2, 3, "b"), (1, 1, "a")].map { zoom, row, data in
      Tile(id: TileID(zoom: zoom, column: 1, row: row), data: Array(data.utf8))
    }
    try ArchiveSamples.write(tiles, to: file)
    let reader = try MBTilesReader(opening: file)
    // printf '110a210b213c' | md5sum
    #expect(try reader.aggregateHash() == "1E028EA739DE46A824F7D67D17590551")
    #expect(try reader.metadata()["agg_tiles_hash"] == reader.aggregateHash())
  }

  @Test(arguments: [15, 16, 17, 33])
  func `batches of any length hold every tile, and the aggregate hash is that of all`(count: Int) throws {
    let file = folder.file("batches.mbtiles")
    let tiles = (0..<count).map { number in
      Tile(id: TileID(zoom: 8, column: number, row: 7), data: Array("tile \(number)".utf8))
    }
    try ArchiveSamples.write(tiles.reversed(), to: file)
    let reader = try MBTilesReader(opening: file)
    var seen: [[UInt8]] = []
    try reader.forEachTile { seen.append($0.data) }
    #expect(seen == tiles.map(\.data))
    #expect(try reader.metadata()["agg_tiles_hash"] == reader.aggregateHash())
  }

  @Test func `ordered tiles give the same bytes at once, and others are rejected`() throws {
    let file = folder.file("ordered.mbtiles")
    let writer = try MBTilesWriter(creating: file, isOrdered: true)
    let names = try MBTilesReader(opening: archive).imageNames()
    var tiles: [Tile] = []
    try MBTilesReader(opening: archive).forEachTile { tiles.append($0) }
    for tile in tiles { try writer.add(Tile(id: tile.id, data: tile.data, name: names?[tile.id])) }
    for tile in [tiles[0], tiles[tiles.count - 1]] {
      #expect(throws: UserError.self) { try writer.add(tile) }
    }
    _ = try writer.finish(ArchiveSamples.metadata)
    #expect(try file.data == archive.data)
    #expect(try fingerprint(folder.url).count == 2)
  }

  @Test func `reads an archive with a plain table of tiles`() throws {
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

  @Test func `rows that are not tiles are errors and cause no crash`() throws {
    let connection = try SQLiteConnection(archive.path, mode: .create)
    try connection.execute("UPDATE map SET tile_row = \(Int.min) WHERE rowid = 1")
    let reader = try MBTilesReader(opening: archive)
    try expectFault(kind: .badInput) { try reader.forEachTile { _ in } }
  }

  @Test func `reports files that are not archives`() throws {
    try folder.file("page.mbtiles").put("<html>Not found</html>")
    try SQLiteConnection(folder.file("other.mbtiles").path, mode: .create).execute("CREATE TABLE t (a)")
    #expect(
      try problem(opening: "page.mbtiles") == "it is an HTML or XML text, such as a server's error page")
    #expect(try problem(opening: "other.mbtiles") == "it has no `tiles` or no `metadata`")
    #expect(try problem(opening: "none.mbtiles") == "the file cannot be opened")
  }

  private func problem(opening name: String) throws -> String? {
    let fault = #expect(throws: UserError.self) { try MBTilesReader(opening: folder.file(name)) }
    #expect(fault?.kind == .badInput)
    return fault?.reason
  }
}

@Suite struct MBTilesWriterTests {
  let folder = TemporaryFolder()

  @Test func `the summary counts tiles, shared images and bytes of each zoom`() throws {
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

  @Test func `the order in which tiles arrive does not change a byte`() throws {
    let tiles = ArchiveSamples.tiles
    let orders = [tiles, tiles, tiles.reversed(), tiles.sorted { $0.data.count < $1.data.count }]
    let files = try orders.enumerated().map { number, tiles in
      _ = try write(tiles, to: "\(number).mbtiles")
      return try folder.file("\(number).mbtiles").data
    }
    #expect(Set(files).count == 1)
  }

  @Test func `leaves only the archive`() throws {
    _ = try write(ArchiveSamples.tiles, to: "a.mbtiles")
    #expect(try names() == ["a.mbtiles"])
  }

  @Test func `a writer that is released early leaves no file`() throws {
    do {
      let writer = try MBTilesWriter(creating: folder.file("a.mbtiles"))
      for tile in ArchiveSamples.tiles { try writer.add(tile) }
      _ = try MBTilesWriter(creating: folder.file("b.mbtiles"), isOrdered: true)
    }
    #expect(try names() == [])
  }

  @Test func `rejects a tile that was added before`() throws {
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
  func `rejects an empty or impossible tile`(_ tile: Tile) throws {
    let writer = try MBTilesWriter(creating: folder.file("a.mbtiles"))
    #expect(throws: UserError.self) { try writer.add(tile) }
  }

  @Test func `never overwrites another file`() throws {
    try folder.file("a.mbtiles").put("precious")
    #expect(throws: UserError.self) { try MBTilesWriter(creating: folder.file("a.mbtiles")) }
    #expect(try folder.file("a.mbtiles").data == Data("precious".utf8))
  }

  @Test func `reports a missing folder as a failure`() throws {
    try expectFault(kind: .failed) {
      try MBTilesWriter(creating: folder.file("none").appending(path: "a.mbtiles"))
    }
  }

  @Test func `the file has the marks of MBTiles and no journal`() throws {
    _ = try write(ArchiveSamples.tiles, to: "a.mbtiles")
    let connection = try SQLiteConnection(folder.file("a.mbtiles").path, mode: .readOnly)
    func number(_ sql: String) throws -> Int? { try connection.prepare(sql).map { $0.int(0) }.first }
    #expect(try number("PRAGMA application_id") == 0x4d50_4258)
    #expect(try number("PRAGMA page_size") == 2048)
    #expect(try connection.prepare("PRAGMA journal_mode").map { $0.text(0) } == ["delete"])
    #expect(try connection.prepare("PRAGMA integrity_check").map { $0.text(0) } == ["ok"])
    #expect(try number("SELECT tile_row FROM tiles WHERE zoom_level = 6 AND tile_column = 10") == 63 - 25)
  }

  private func write(_ tiles: [Tile], to name: String) throws -> ArchiveSummary {
    try ArchiveSamples.write(tiles, to: folder.file(name))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }
}
