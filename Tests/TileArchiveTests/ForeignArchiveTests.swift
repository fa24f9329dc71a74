import ArchiveIO
import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Archives as other programs write them, and files that only look like archives.
@Suite struct ForeignArchiveTests {
  let folder = TemporaryFolder()
  let file: URL

  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]
  private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"

  init() throws { file = folder.file("Foreign.mbtiles") }

  /// Two tiles on either side of 0 degrees at zoom 1.
  private func write(_ rows: [String: String], tile: [UInt8] = png, also sql: String = "") throws {
    try ArchiveSamples.writeFlat(rows, [tile, tile], zoom: 1, row: 1, also: sql, to: file)
  }

  private func convert(_ source: URL, _ kind: ArchiveKind, _ name: String) throws -> any TileSource {
    let out = folder.file("\(name).\(kind)")
    _ = try ArchiveConversion.write(try ArchiveKind.open(source), as: kind, to: out) { _, _ in }
    return try ArchiveKind.open(out)
  }

  private func problem(_ body: () throws -> Void) -> String? {
    let fault = #expect(throws: UserError.self) { try body() }
    #expect(fault?.kind == .badInput)
    return fault?.reason
  }

  // MARK: - Metadata

  @Test func `keeps the center and its zoom in both directions`() throws {
    try write(["name": "F", "format": "png", "bounds": "-180,0,180,85", "center": "-122.1906123, 37.7599, 0"])
    let packed = try convert(file, .pmtiles, "there")
    let header = try #require(packed as? PMTilesReader).header
    #expect(header.centerZoom == 0 && header.center.longitude == -1_221_906_123)
    let back = try convert(packed.url, .mbtiles, "back")
    #expect(try back.metadata()["center"] == "-122.1906123, 37.7599, 0")
  }

  @Test func `the center of the header counts, not that of the JSON`() throws {
    var handmade = PMTilesHostilityTests.Handmade.png
    handmade.metadata = Array(#"{"name":"H","center":"1,2,0","bounds":"0,0,10,10"}"#.utf8)
    handmade.header[99] = 2
    for (place, angle) in [
      (102, 0), (106, 0), (110, 100_000_000), (114, 100_000_000), (119, 10_000_000), (123, 20_000_000),
    ] {
      for shift in 0..<4 { handmade.header[place + shift] = UInt8(angle >> (8 * shift) & 255) }
    }
    handmade.header[118] = 5
    let source = try handmade.write(to: folder.file("h.pmtiles"))
    #expect(try convert(source, .mbtiles, "h").metadata()["center"] == "1,2,5")
  }

  @Test(arguments: [("-180, -85 ,180, 85", "-180, -85 ,180, 85"), (nil, "-180,0,180,85.05112877980659")])
  func `reads bounds with blanks, and missing ones`(stated: String?, bounds: String) throws {
    var rows = ["name": "F", "format": "png"]
    rows["bounds"] = stated
    try write(rows)
    let packed = try convert(file, .pmtiles, "there")
    let metadata = try convert(packed.url, .mbtiles, "back").metadata()
    for found in [try packed.metadata(), metadata] { #expect(found["bounds"] == bounds) }
    #expect(metadata["center"] == (stated == nil ? "0,42.5255644,1" : "0,0,1"))
  }

  @Test(arguments: [
    "1,2,3", "west,south,east,north", "0,0,0,0", "10,50,20,40", "-190,0,10,10", "0;0;1;1", "170,-20,-170,10",
  ])
  func `refuses bounds that are no box on the earth`(bounds: String) throws {
    try write(["name": "F", "format": "png", "bounds": bounds])
    let reason = problem { _ = try convert(file, .pmtiles, "there") }
    #expect(reason == "its `bounds` are \"\(bounds)\", not west,south,east,north of a box on the earth")
  }

  @Test func `PMTiles without bounds has those of its tiles`() throws {
    var handmade = PMTilesHostilityTests.Handmade.png
    handmade.header[99] = 2
    let source = try handmade.write(to: folder.file("h.pmtiles"))
    let rows = try convert(source, .mbtiles, "h").metadata()
    #expect(rows["bounds"] == "-180,-85.05112877980659,180,85.05112877980659" && rows["name"] == "h")
  }

  @Test func `drops the scheme, which no row order depends on`() throws {
    try write(["name": "F", "format": "png", "scheme": "xyz"])
    let packed = try convert(file, .pmtiles, "there")
    let back = try convert(packed.url, .mbtiles, "back")
    #expect(try packed.metadata()["scheme"] == nil && back.metadata()["scheme"] == nil)
    let northern = TileID(zoom: 1, column: 0, row: 0)
    for archive in [try ArchiveKind.open(file), packed, back] {
      #expect(try archive.tile(northern) == ForeignArchiveTests.png)
    }
  }

  static let tiles: [(String, [UInt8])] = [
    ("png", png), ("jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0]),
    ("webp", Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBPVP8 ".utf8)),
    ("pbf", VectorSamples.tile()),
  ]

  @Test func `takes jpeg for jpg`() throws {
    try write(["name": "F", "format": "jpeg"], tile: ForeignArchiveTests.tiles[1].1)
    #expect(try convert(file, .pmtiles, "there").metadata()["format"] == "jpg")
  }

  @Test func `refuses archives without tiles`() throws {
    try write(["name": "F", "format": "png"], also: "DELETE FROM tiles")
    #expect(problem { _ = try convert(file, .pmtiles, "b") } == "it contains no tile")
  }

  @Test(arguments: [
    (nil, "missing"), ("unknown", "\"unknown\""), ("avif", "\"avif\""), ("mlt", "\"mlt\""),
    ("mvt", "\"mvt\""),
  ])
  func `refuses a missing or unsupported format`(format: String?, shown: String) throws {
    var rows = ["name": "F"]
    rows["format"] = format
    try write(rows)
    #expect(
      problem { _ = try convert(file, .pmtiles, "a") }
        == "its `format` is \(shown), not png, jpg, webp or pbf")
  }

  @Test(arguments: [(UInt8(5), "avif"), (6, "mlt")])
  func `refuses PMTiles of AVIF images and of MapLibre tiles`(type: UInt8, format: String) throws {
    var handmade = PMTilesHostilityTests.Handmade.png
    handmade.header[99] = type
    let source = try handmade.write(to: folder.file("h.pmtiles"))
    #expect(
      problem { _ = try convert(source, .mbtiles, "m") }
        == "its `format` is \"\(format)\", not png, jpg, webp or pbf")
  }

  // MARK: - Other layouts

  static let layouts = [
    """
    CREATE TABLE tiles_with_hash (zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
      tile_data BLOB, tile_hash TEXT, PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
    CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles_with_hash;
    INSERT INTO tiles_with_hash VALUES (2, 1, 3, x'89504E4701', 'a'), (5, 9, 20, x'89504E4702', 'b');
    """,
    """
    CREATE TABLE tiles_data (tile_data_id INTEGER PRIMARY KEY, tile_data BLOB);
    CREATE TABLE tiles_shallow (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data_id INTEGER,
      PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
    CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
      FROM tiles_shallow JOIN tiles_data ON tiles_shallow.tile_data_id = tiles_data.tile_data_id;
    INSERT INTO tiles_data VALUES (0, x'89504E4701'), (1, x'89504E4702');
    INSERT INTO tiles_shallow VALUES (2, 1, 3, 0), (5, 9, 20, 1);
    """,
    """
    CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT, grid_id TEXT);
    CREATE TABLE images (tile_data BLOB, tile_id TEXT);
    CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
    CREATE UNIQUE INDEX images_id ON images (tile_id);
    CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
      map.tile_row AS tile_row, images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id;
    INSERT INTO images VALUES (x'89504E4701', 'a'), (x'89504E4702', 'b');
    INSERT INTO map VALUES (2, 1, 3, 'a', NULL), (5, 9, 20, 'b', NULL);
    """,
  ]

  /// With zooms that have no tile.
  @Test(arguments: layouts) func `reads deduplicated layouts`(sql: String) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(
      "CREATE TABLE metadata (name text, value text); INSERT INTO metadata VALUES ('format', 'png'); \(sql)")
    let packed = try convert(file, .pmtiles, "there")
    #expect(try packed.summary().zooms.map(\.zoom) == [2, 5])
    #expect(try packed.tile(TileID(zoom: 5, column: 9, row: 11)) == [0x89, 0x50, 0x4E, 0x47, 2])
    let back = try convert(packed.url, .mbtiles, "back")
    #expect(try back.aggregateHash() == ArchiveKind.open(file).aggregateHash())
  }

  @Test func `reads PMTiles whose tiles lie in another order`() throws {
    // Tiles 1 and 2 of zoom 1: the second one lies first.
    var handmade = PMTilesHostilityTests.Handmade(root: [2, 1, 1, 1, 1, 4, 5, 6, 1])
    handmade.tiles = [0x89, 0x50, 0x4E, 0x47, 2, 0x89, 0x50, 0x4E, 0x47]
    handmade.header[99] = 2
    let source = try handmade.write(to: folder.file("h.pmtiles"))
    let reader = try PMTilesReader(opening: source)
    #expect(!reader.isClustered)
    let again = try convert(try convert(source, .mbtiles, "m").url, .pmtiles, "again")
    #expect(try #require(again as? PMTilesReader).isClustered)
    #expect(try again.tile(TileID(zoom: 1, column: 0, row: 1)) == [0x89, 0x50, 0x4E, 0x47, 2])
    #expect(try again.aggregateHash() == reader.aggregateHash())
  }

  // MARK: - Vector tiles

  static let json = #"{"vector_layers":[{"id":"airspace","fields":{}}],"tilestats":{"layerCount":1}}"#

  @Test func `keeps vector tiles and their layers`() throws {
    let stored = try Gzip.compress(VectorSamples.tile())
    try write(["name": "V", "format": "pbf", "json": ForeignArchiveTests.json], tile: stored)
    let packed = try convert(file, .pmtiles, "there")
    let header = try #require(packed as? PMTilesReader).header
    #expect(header.tileType == .mvt && header.tileCompression == .gzip)
    let back = try convert(packed.url, .mbtiles, "back")
    for archive in [packed, back] {
      let layers = try #require(archive.metadata()["json"]).utf8
      let object = try #require(JSONSerialization.jsonObject(with: Data(layers)) as? [String: Any])
      #expect(Set(object.keys) == ["vector_layers", "tilestats"])
      #expect(try archive.tile(TileID(zoom: 1, column: 0, row: 0)) == stored)
    }
  }

  // MARK: - Hostile files

  @Test(
    .timeLimit(.minutes(15)),
    arguments: [
      "CREATE VIEW tiles AS \(endless) 1 AS zoom_level, i AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM n",
      """
      CREATE VIEW tiles AS \(endless) 1 AS zoom_level, 0 AS tile_column, 0 AS tile_row, zeroblob(60000) AS tile_data
        FROM n WHERE i < 0
      """,
      "CREATE VIEW metadata AS \(endless) 'k' || i AS name, hex(zeroblob(30000)) AS value FROM n",
      "CREATE VIEW metadata AS \(endless) 'k' AS name, 'v' AS value FROM n WHERE i < 0",
    ])
  func `an endless view is reported`(view: String) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    let isOfTiles = view.hasPrefix("CREATE VIEW tiles")
    let metadata =
      "CREATE TABLE metadata (name text, value text); INSERT INTO metadata VALUES ('format', 'png')"
    try connection.execute(view + ";" + (isOfTiles ? metadata : ArchiveSamples.flatTable))
    try connection.close()
    let expected = "a view in it does not end, or has more rows than the file can hold"
    let reader = try MBTilesReader(opening: file)
    if isOfTiles {
      #expect(problem { _ = try reader.summary() } == expected)
      #expect(problem { try reader.forEachStored { _ in } } == expected)
      #expect(problem { _ = try reader.tileIDs() } == expected)
    } else {
      #expect(problem { _ = try reader.metadata() } == expected)
    }
    #expect(problem { _ = try convert(file, .pmtiles, "out") } == expected)
  }

  @Test func `reading an archive in WAL mode changes nothing in its folder`() throws {
    try write(["name": "F", "format": "png"], also: "PRAGMA journal_mode = WAL")
    let bytes = try file.data
    _ = try convert(file, .pmtiles, "out")
    #expect(try file.data == bytes && bytes[19] == 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == ["Foreign.mbtiles", "out.pmtiles"])
  }

  @Test func `refuses an archive whose latest changes are in another file`() throws {
    let writer = try SQLiteConnection(file.path, mode: .create)
    try writer.execute(
      "PRAGMA journal_mode = WAL; CREATE TABLE metadata (name, value); \(ArchiveSamples.flatTable)")
    #expect(
      problem { _ = try MBTilesReader(opening: file) }
        == "its latest changes are still in the -wal file beside it")
    try writer.close()
  }

  @Test(arguments: [
    ([UInt8]("x".utf8), "it is a file of 1 byte"),
    ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "it is gzip data"),
    (Array("PK\u{3}\u{4}0123456789abcdef".utf8), "it is a zip archive"),
    (Array("  <!DOCTYPE html><html>".utf8), "it is an HTML or XML text, such as a server's error page"),
    (Array("PM\u{2}\u{0}0123456789abcdef".utf8), "it is PMTiles version 2; only version 3 is supported"),
    (Array("PMXiles\u{3}0123456789abcdef".utf8), "it is neither an SQLite database nor a PMTiles archive"),
    ([UInt8](repeating: 0, count: 4096), "it is a file that begins with zeros, such as a failed download"),
  ])
  func `names what a file is`(bytes: [UInt8], reason: String) throws {
    try Data(bytes).write(to: file)
    #expect(problem { _ = try ArchiveKind.open(file) } == reason)
  }
}
