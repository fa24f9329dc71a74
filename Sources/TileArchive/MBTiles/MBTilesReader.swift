public import Core
public import Foundation
public import SQLiteIO

/// Reads an MBTiles archive of any origin: `tiles` may be a table or a view. One thread uses it at a time.
public final class MBTilesReader: TileSource {
  public let url: URL
  private let connection: SQLiteConnection
  /// Whether `tiles` has no more rows than the file can hold.
  private var isFinite = false
  private lazy var lookup = Result { try connection.prepare(MBTilesReader.ofTile("tile_data")) }
  private lazy var sizes = Result { try connection.prepare(MBTilesReader.ofTile("length(tile_data)")) }

  private static func ofTile(_ column: String) -> String {
    "SELECT \(column) FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?"
  }

  public convenience init(opening url: URL) throws {
    // SQLite opens a file of one byte as an empty database.
    if let signature = FileSignature(of: url) {
      throw UserError.reading(url, "it is \(signature.title)", suggestion: signature.suggestion)
    }
    do {
      let connection = try SQLiteConnection(url.path, mode: .foreign)
      self.init(connection, of: url)
      guard try count("sqlite_schema WHERE name IN ('tiles', 'metadata')") == 2 else {
        throw UserError.reading(url, "it has no `tiles` or no `metadata`")
      }
    } catch let error as SQLiteError {
      throw UserError.reading(url, error)
    }
  }

  /// Reads over an open connection, without checks of the file.
  public init(_ connection: SQLiteConnection, of url: URL) { (self.url, self.connection) = (url, connection) }

  public func metadata() throws -> [String: String] {
    // Without an order, which would sort an endless view on disk before the first row.
    try reading { try connection.prepare("SELECT name, value FROM metadata").pairs() }
  }

  public func summary() throws -> ArchiveSummary {
    try reading {
      try expectFinite()
      let zooms = try connection.prepare(
        """
        SELECT zoom_level, count(*), total(length(tile_data)), min(tile_column), max(tile_column),
          min(tile_row), max(tile_row), total(NOT \(MBTilesReader.isUsual))
        FROM tiles GROUP BY zoom_level ORDER BY zoom_level
        """
      ).map { row in
        if row.double(7) > 0 { try refuseInvalidRows() }
        // The numbers may be invalid, so rows are flipped with arithmetic that cannot overflow.
        let lastRow = (1 << row.int(0)) &- 1
        return ZoomSummary(
          zoom: row.int(0), tiles: row.int(1), bytes: row.int(2),
          columns: .init(first: row.int(3), last: row.int(4)),
          rows: .init(first: lastRow &- row.int(6), last: lastRow &- row.int(5)))
      }
      let tiles = zooms.map(\.tiles).reduce(0, +)
      return ArchiveSummary(zooms: zooms, distinctTiles: try imageCount() ?? tiles)
    }
  }

  /// Whether a row has the types that MBTiles requires. A tile that is NULL counts as an empty one.
  private static let isUsual = """
    (typeof(zoom_level) = 'integer' AND typeof(tile_column) = 'integer' AND typeof(tile_row) = 'integer'
      AND typeof(tile_data) IN ('blob', 'null'))
    """

  /// Throws the error of the first row that is not a tile. Whole numbers that are stored as floating point are valid.
  private func refuseInvalidRows() throws {
    try connection.prepare(
      """
      SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles WHERE NOT \(MBTilesReader.isUsual)
      ORDER BY zoom_level, tile_column, tile_row
      """
    ).rows { _ = try StoredTile($0, in: url) }
  }

  public func tile(_ id: TileID) throws -> [UInt8]? {
    try reading {
      try lookup.get().map(id.place) { row in
        guard row.isBlob(0) || row.isNull(0) else { throw UserError.reading(url, "tile \(id) is not bytes") }
        return row.blob(0)
      }.first
    }
  }

  public func byteCount(of id: TileID) throws -> Int? {
    try reading { try sizes.get().map(id.place) { $0.int(0) }.first }
  }

  /// The positions of all tiles, without their images.
  public func tileIDs() throws -> [TileID] {
    try reading {
      try connection.prepare("SELECT zoom_level, tile_column, tile_row, NULL FROM tiles").map {
        try StoredTile($0, in: url).id
      }.compactMap(\.self)
    }
  }

  /// The names of the images of all tiles; nil for an archive that stores images without names.
  public func imageNames() throws -> [TileID: String]? {
    try reading {
      let tables = try count("sqlite_schema WHERE type = 'table' AND name IN ('map', 'images')")
      guard tables == 2 else { return nil }
      var names: [TileID: String] = [:]
      try connection.prepare("SELECT zoom_level, tile_column, tile_row, tile_id FROM map").rows { row in
        let tile = StoredTile(zoom: row.int(0), column: row.int(1), tmsRow: row.int(2), data: [])
        if let id = tile.id { names[id] = row.text(3) }
      }
      return names
    }
  }

  /// Passes the position, the name and the number of bytes of the image of every tile, ordered by zoom, column, and row from the
  /// south. Requires an archive with the tables `map` and `images`.
  func forEachImage(_ body: (TileID, _ name: String, _ bytes: Int) throws -> Void) throws {
    try reading {
      try connection.prepare(
        """
        SELECT zoom_level, tile_column, tile_row, map.tile_id, length(tile_data)
        FROM map CROSS JOIN images ON images.tile_id = map.tile_id ORDER BY zoom_level, tile_column, tile_row
        """
      ).rows { row in
        let tile = StoredTile(zoom: row.int(0), column: row.int(1), tmsRow: row.int(2), data: [])
        guard let id = tile.id else { throw UserError.impossible(tile, in: url) }
        try body(id, row.text(3) ?? "", row.int(4))
      }
    }
  }

  public func anyTile() throws -> [UInt8]? {
    try reading { try connection.prepare("SELECT tile_data FROM tiles LIMIT 1").map { $0.blob(0) }.first }
  }

  public func forEachStored(_ body: (StoredTile) throws -> Void) throws {
    try reading {
      try expectFinite()
      try connection.prepare(
        """
        SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles
        ORDER BY zoom_level, tile_column, tile_row
        """
      ).rows {
        try body(StoredTile($0, in: url))
      }
    }
  }

  public func close() throws {
    lookup = .failure(UserError.reading(url, "the archive was closed"))
    sizes = .failure(UserError.reading(url, "the archive was closed"))
    try reading { try connection.close() }
  }

  /// Counts the rows of a view up to the limit before SQLite sorts them on disk, where an endless view would fill it.
  private func expectFinite() throws {
    guard !isFinite, let limit = connection.rowLimit else { return }
    let rows = try connection.prepare("SELECT count(*) FROM (SELECT 1 FROM tiles LIMIT ?)")
      .map([.integer(limit + 1)]) { $0.int(0) }
    guard rows.allSatisfy({ $0 <= limit }) else { throw UserError.reading(url, UserError.endlessView) }
    isFinite = true
  }

  /// Nil for an archive without an `images` table.
  private func imageCount() throws -> Int? {
    try count("sqlite_schema WHERE type = 'table' AND name = 'images'") == 0 ? nil : count("images")
  }

  private func count(_ rows: String) throws -> Int {
    try connection.prepare("SELECT count(*) FROM \(rows)").map { $0.int(0) }.first ?? 0
  }

  /// Converts SQLite errors of reading the open archive into user errors.
  private func reading<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as SQLiteError { throw UserError.reading(url, error) }
  }
}

extension TileID {
  fileprivate var place: [SQLiteValue] { [.integer(zoom), .integer(column), .integer(tmsRow)] }
}

extension StoredTile {
  private static let columns = ["zoom_level", "tile_column", "tile_row", "tile_data"]

  /// Reads a row of zoom, column, row from the south, and data.
  fileprivate init(_ row: SQLiteRow, in archive: URL) throws {
    guard let zoom = row.whole(0), let column = row.whole(1), let tmsRow = row.whole(2),
      row.isBlob(3) || row.isNull(3)
    else { throw StoredTile.problem(of: row, in: archive) }
    self.init(zoom: zoom, column: column, tmsRow: tmsRow, data: row.blob(3))
  }

  private static func problem(of row: SQLiteRow, in archive: URL) -> UserError {
    let wrong = (0...2).first { row.whole($0) == nil } ?? 3
    let place = (0...2).map { row.value($0).shown }.joined(separator: "/")
    return UserError.reading(
      archive,
      "in the row \(place) (zoom, column and row from the south), `\(columns[wrong])` is "
        + "\(row.value(wrong).shown), not \(wrong < 3 ? "a whole number" : "bytes")",
      suggestion: "Correct or delete the row, or make the archive again.")
  }
}

extension SQLiteValue {
  /// The value in an error.
  fileprivate var shown: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value.prefix(20))'"
    case .blob: "bytes"
    }
  }
}
