import Core
import Foundation
import SQLiteIO
import TestSupport

@testable import ChartpipeKit

/// A few tiles over San Francisco Bay. Their bytes only begin like images, since an archive does not decode them.
enum ArchiveSamples {
  static let metadata = ArchiveMetadata(
    name: "San Francisco", format: "png",
    bounds: GeoBox(west: -122.5, south: 37, east: -121.0625, north: 38.25), minZoom: 6, maxZoom: 8,
    attribution: "FAA", description: "Not for navigation", version: "20261126",
    extra: ["chartpipe:cycle": "2612", "name": "not this one"])

  /// 29 tiles in order. Those in the even columns of zoom 8 are identical.
  static let tiles: [Tile] = (6...8).flatMap { zoom in
    (0..<(zoom - 4)).flatMap { column in
      (0..<(zoom - 4)).map { row in
        let id = TileID(zoom: zoom, column: (10 << (zoom - 6)) + column, row: (24 << (zoom - 6)) + row)
        return Tile(id: id, data: bytes(of: id))
      }
    }
  }

  static func bytes(of id: TileID) -> [UInt8] {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    if id.zoom == 8, id.column.isMultiple(of: 2) { return start }
    let seed = id.zoom * 7919 + id.column * 104_729 + id.row * 1_299_709
    return start + (0..<(500 + seed % 30_000)).map { UInt8(truncatingIfNeeded: ($0 &* seed) >> 5) }
  }
}

/// Random contents of an archive, reproducible by a seed, and a successor with mostly the same contents.
struct ChanceArchive {
  var tiles: [TileID: [UInt8]] = [:]
  var notes: [String: String] = [:]

  private static let places = (2...5).flatMap { zoom in
    (0..<4).flatMap { column in (0..<3).map { TileID(zoom: zoom, column: column, row: $0) } }
  }
  private static let names = (1...6).map { "chartpipe:note\($0)" }

  init(_ chance: inout Chance) {
    for place in ChanceArchive.places where chance.below(10) < 7 { tiles[place] = chance.image() }
    for name in ChanceArchive.names where chance.below(2) == 0 { notes[name] = "\(chance.below(3))" }
  }

  /// Some pairs are equal, some completely different.
  func successor(_ chance: inout Chance) -> ChanceArchive {
    var next = self
    let restlessness = chance.below(11)
    for place in ChanceArchive.places where chance.below(10) < restlessness {
      next.tiles[place] = chance.below(3) == 0 ? nil : chance.image()
    }
    for name in ChanceArchive.names where chance.below(10) < restlessness {
      next.notes[name] = chance.below(2) == 0 ? nil : "new"
    }
    return next
  }

  func write(to file: URL) throws {
    let writer = try MBTilesWriter(creating: file)
    for (id, data) in tiles { try writer.add(Tile(id: id, data: data)) }
    var metadata = ArchiveSamples.metadata
    metadata.extra = notes
    _ = try writer.finish(metadata)
  }
}

extension URL {
  /// The same archive with a plain table of tiles, as other programs write it.
  func writeFlat(to file: URL) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(
      """
      ATTACH '\(path)' AS own;
      CREATE TABLE metadata (name text, value text);
      CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
      CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
      INSERT INTO metadata SELECT name, value FROM own.metadata;
      INSERT INTO tiles SELECT zoom_level, tile_column, tile_row, tile_data FROM own.tiles;
      """)
    try connection.close()
  }
}

/// A sequence of numbers that depends on its seed only.
struct Chance {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  /// Some images repeat.
  mutating func image() -> [UInt8] {
    if below(4) == 0 { return [1, 2, UInt8(below(3))] }
    let (length, seed) = (1 + below(3000), below(1000))
    return (0..<length).map { UInt8(truncatingIfNeeded: ($0 &* (2 * seed + 1)) >> 3) }
  }
}

/// An in-memory archive.
final class MadeUpSource: TileSource {
  let url = URL(filePath: "made-up.mbtiles")
  var rows: [String: String] = ["name": "Made up", "format": "png", "bounds": "-10,-20,30,40.5"]
  var tiles: [Tile]

  init(_ tiles: [Tile]) { self.tiles = tiles }

  func metadata() throws -> [String: String] { rows }
  func tile(_ id: TileID) throws -> [UInt8]? { tiles.first { $0.id == id }?.data }
  func tileIDs() throws -> [TileID] { tiles.map(\.id) }
  func anyTile() throws -> [UInt8]? { tiles.first?.data }
  func summary() throws -> ArchiveSummary { ArchiveSummary(zooms: [], distinctTiles: 0) }

  func forEachStored(_ body: (StoredTile) throws -> Void) throws {
    for tile in tiles {
      let id = tile.id
      try body(StoredTile(zoom: id.zoom, column: id.column, tmsRow: id.tmsRow, data: tile.data))
    }
  }
}
