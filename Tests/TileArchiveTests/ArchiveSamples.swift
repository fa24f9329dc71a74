import Core
import Foundation
import SQLiteIO

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

  @discardableResult static func write(_ tiles: [Tile] = tiles, to file: URL) throws -> ArchiveSummary {
    let writer = try MBTilesWriter(creating: file)
    for tile in tiles { try writer.add(tile) }
    return try writer.finish(metadata)
  }

  static let flatTable =
    "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"

  /// Writes a plain table, as other programs do: tiles side by side, from column 0 on.
  ///
  /// - Parameter row: from the south.
  static func writeFlat(
    _ rows: [String: String], _ tiles: [[UInt8]], zoom: Int, row: Int, also sql: String = "", to file: URL
  ) throws {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute("CREATE TABLE metadata (name text, value text); \(flatTable)")
    for (name, value) in rows {
      try connection.prepare("INSERT INTO metadata VALUES (?, ?)").run([.text(name), .text(value)])
    }
    for (column, tile) in tiles.enumerated() {
      try connection.prepare("INSERT INTO tiles VALUES (?, ?, ?, ?)").run([
        .integer(zoom), .integer(column), .integer(row), .blob(tile),
      ])
    }
    try connection.execute(sql)
    try connection.close()
  }

  static func bytes(of id: TileID) -> [UInt8] {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    if id.zoom == 8, id.column.isMultiple(of: 2) { return start }
    let seed = id.zoom * 7919 + id.column * 104_729 + id.row * 1_299_709
    return start + (0..<(500 + seed % 30_000)).map { UInt8(truncatingIfNeeded: ($0 &* seed) >> 5) }
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
