internal import Core
public import Foundation
internal import SQLiteIO

/// Writes one MBTiles 1.3 archive. One thread uses it at a time; memory does not grow with the number of tiles.
///
/// The same tiles and metadata give the same bytes, in any order of the tiles. The archive exists only after `finish`
/// returns; a writer that is released earlier leaves no file.
public final class MBTilesWriter {
  private enum Target {
    /// Tiles wait for the others.
    case spool(TileSpool)
    case archive(MBTilesFile)
  }

  private let url: URL
  private let target: Target
  private var finished = false

  /// - Parameter isOrdered: whether the tiles come ordered by zoom, column, and row from the south. They are then written at
  ///   once, without a second pass.
  public init(creating url: URL, isOrdered: Bool = false) throws {
    guard !FileManager.default.fileExists(atPath: url.path) else { throw UserError.inTheWay(url) }
    self.url = url
    target = try UserError.writing(url) {
      isOrdered ? .archive(try MBTilesFile(creating: url)) : .spool(try TileSpool(beside: url))
    }
  }

  deinit {
    if case .spool(let arrivals) = target { arrivals.discard() }
    if !finished { try? FileManager.default.removeItem(at: url) }
  }

  public func add(_ tile: Tile) throws {
    guard !tile.data.isEmpty else { throw rejection(tile, "it is empty") }
    let id = tile.id
    guard StoredTile.isPossible(zoom: id.zoom, column: id.column, row: id.row) else {
      throw rejection(tile, "it is not a valid tile")
    }
    do {
      switch target {
      case .spool(let arrivals): try arrivals.add(tile)
      case .archive(let archive):
        guard archive.precedes(tile.id) else {
          throw rejection(tile, "it was added before, or a later one was")
        }
        try archive.add(StoredTile(tile), named: tile.name)
      }
    } catch let error as SQLiteError where error.isConstraint {
      throw rejection(tile, "it was added before")
    } catch {
      throw UserError.writing(url, error)
    }
  }

  /// Writes the archive and closes it.
  public func finish(_ metadata: ArchiveMetadata) throws -> ArchiveSummary {
    try finish { try metadata.rows(aggregateHash: $0) }
  }

  /// Writes the archive with the rows of another one, and closes it.
  func finish(rows: [String: String]) throws -> ArchiveSummary {
    try finish { rows.merging([TileHash.metadataKey: $0]) { $1 } }
  }

  private func finish(_ metadata: (_ aggregateHash: String) throws -> [String: String]) throws
    -> ArchiveSummary
  {
    try UserError.writing(url) {
      let archive: MBTilesFile
      switch target {
      case .archive(let started): archive = started
      case .spool(let arrivals):
        archive = try MBTilesFile(creating: url)
        try arrivals.forEach { try archive.add($0, named: $1) }
      }
      let summary = try archive.finish(metadata)
      try archive.close()
      if case .spool(let arrivals) = target { arrivals.discard() }
      finished = true
      return summary
    }
  }

  private func rejection(_ tile: Tile, _ problem: String) -> UserError {
    UserError(
      .failed, operation: "adding tile \(tile.id) to", path: url.path, reason: problem)
  }
}

extension StoredTile {
  fileprivate init(_ tile: Tile) {
    self.init(zoom: tile.id.zoom, column: tile.id.column, tmsRow: tile.id.tmsRow, data: tile.data)
  }
}

/// Stores the tiles of an archive on disk in the order of their arrival.
///
/// `finish` reads them in one fixed order, so that the archive's bytes do not depend on timing. The file has no name as soon as it is
/// open, so the system removes it with the process, however that ends.
final class TileSpool {
  private let connection: SQLiteConnection
  private var insertion: SQLiteStatement?

  init(beside archive: URL) throws {
    let file = archive.appendingPathExtension("arrivals")
    connection = try SQLiteConnection(file.path, mode: .create)
    defer { try? FileManager.default.removeItem(at: file) }
    // Nothing reads this file after the process, so it needs neither a journal nor flushing.
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA page_size = 8192; PRAGMA cache_size = -8192; PRAGMA secure_delete = OFF;
      CREATE TABLE tile (place INTEGER PRIMARY KEY, name TEXT, data BLOB NOT NULL);
      BEGIN
      """)
    insertion = try connection.prepare("INSERT INTO tile VALUES (?, ?, ?)")
  }

  /// Throws SQLite's constraint error if the tile was added before.
  func add(_ tile: Tile) throws {
    try insertion?.run([.integer(TileSpool.place(tile.id)), SQLiteValue(tile.name), .blob(tile.data)])
  }

  /// Passes the tiles and the known names of their images, ordered by zoom, column, and row from the south.
  func forEach(_ body: (StoredTile, _ name: String?) throws -> Void) throws {
    try connection.prepare("SELECT place, name, data FROM tile ORDER BY place").rows { row in
      let place = row.int(0)
      let coordinate = (1 << TileSpool.bits) - 1
      try body(
        StoredTile(
          zoom: place >> (2 * TileSpool.bits), column: (place >> TileSpool.bits) & coordinate,
          tmsRow: place & coordinate, data: row.blob(2)), row.text(1))
    }
  }

  /// Closes the file, which frees its space on disk.
  func discard() {
    insertion = nil
    try? connection.close()  // there is nothing to lose
  }

  /// Zoom, column and row in one number that sorts the same way: SQLite's row number is its fastest key.
  private static func place(_ id: TileID) -> Int {
    id.zoom << (2 * bits) | id.column << bits | id.tmsRow
  }

  private static let bits = StoredTile.deepestZoom
}
