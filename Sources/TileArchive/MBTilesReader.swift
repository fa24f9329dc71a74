public import Foundation
public import Geo
internal import Pipeline
public import SQLiteIO

/// Reads an MBTiles archive, whoever wrote it: `tiles` may be a table or a view. Used by one task at a time.
public final class MBTilesReader {
  private let url: URL
  private let connection: SQLiteConnection
  private lazy var lookup = Result {
    try connection.prepare(
      "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?")
  }

  public convenience init(opening url: URL) throws {
    do {
      let connection = try SQLiteConnection(url.path, mode: .readOnly)
      self.init(connection, of: url)
      let found = try connection.prepare(
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('tiles', 'metadata')"
      ).map { $0.int(0) }
      guard found == [2] else { throw Fault.reading(url, "it has no `tiles` or no `metadata`") }
    } catch let error as SQLiteError {
      throw Fault.reading(
        url, error.isNotADatabase ? "it is not an SQLite database" : "the file cannot be opened", [error])
    }
  }

  /// Over a connection that somebody else opened, whatever is in its file.
  public init(_ connection: SQLiteConnection, of url: URL) {
    self.url = url
    self.connection = connection
  }

  public func metadata() throws -> [String: String] {
    try reading {
      let rows = try connection.prepare("SELECT name, value FROM metadata ORDER BY rowid").map {
        ($0.text(0) ?? "", $0.text(1) ?? "")
      }
      return Dictionary(rows) { first, _ in first }
    }
  }

  public func summary() throws -> ArchiveSummary {
    try reading {
      let zooms = try connection.prepare(
        "SELECT zoom_level, count(*), total(length(tile_data)) FROM tiles GROUP BY zoom_level ORDER BY zoom_level"
      ).map { ZoomSummary(zoom: $0.int(0), tiles: $0.int(1), bytes: $0.int(2)) }
      let tiles = zooms.map(\.tiles).reduce(0, +)
      return ArchiveSummary(zooms: zooms, distinctTiles: try imageCount() ?? tiles)
    }
  }

  public func tile(_ id: TileID) throws -> [UInt8]? {
    try reading {
      try lookup.get().map([.integer(id.zoom), .integer(id.column), .integer(id.tmsRow)]) { $0.blob(0) }.first
    }
  }

  /// The places of all tiles, without their images.
  public func tileIDs() throws -> [TileID] {
    try reading {
      try connection.prepare("SELECT zoom_level, tile_column, tile_row FROM tiles").map {
        StoredTile(zoom: $0.int(0), column: $0.int(1), tmsRow: $0.int(2), data: []).id
      }.compactMap(\.self)
    }
  }

  /// Gives every tile, ordered by zoom, column, and row from the south.
  public func forEachTile(_ body: (Tile) throws -> Void) throws {
    try forEachStored { stored in
      guard let id = stored.id else {
        throw Fault.reading(
          url, "there can be no tile at zoom \(stored.zoom), column \(stored.column), row \(stored.tmsRow)")
      }
      try body(Tile(id: id, data: stored.data))
    }
  }

  /// The same order, with rows that are nonsense too.
  public func forEachStored(_ body: (StoredTile) throws -> Void) throws {
    try reading {
      try connection.prepare(
        """
        SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles
        ORDER BY zoom_level, tile_column, tile_row
        """
      ).rows {
        try body(StoredTile(zoom: $0.int(0), column: $0.int(1), tmsRow: $0.int(2), data: $0.blob(3)))
      }
    }
  }

  /// Computed from the tiles, not taken from the metadata.
  public func aggregateHash() throws -> String {
    let hash = try TileHash()
    try forEachStored { try hash.update($0) }
    return try hash.finish()
  }

  public func close() throws {
    lookup = .failure(Fault.reading(url, "the archive was closed"))
    try reading { try connection.close() }
  }

  /// Nil for an archive that is not laid out with an `images` table.
  private func imageCount() throws -> Int? {
    let isThere = try connection.prepare(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'images'"
    ).map { $0.int(0) }
    guard !isThere.isEmpty else { return nil }
    return try connection.prepare("SELECT count(*) FROM images").map { $0.int(0) }.first
  }

  private func reading<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw Fault.reading(url, "the database is damaged, or not an MBTiles archive", [error])
    }
  }
}

@available(*, unavailable)
extension MBTilesReader: Sendable {}
