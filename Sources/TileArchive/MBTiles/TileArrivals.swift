internal import Core
internal import Foundation
internal import SQLiteIO

/// The tiles of an archive under way, on disk, in whatever order they arrive.
///
/// The archive itself is written at the end from these, in one order, so that its bytes do not depend on who was
/// quicker. That second pass also gives the aggregate hash, which needs the tiles in order anyway.
final class TileArrivals {
  private let file: URL
  private let connection: SQLiteConnection
  private var insertion: SQLiteStatement?

  init(beside archive: URL) throws {
    file = archive.appendingPathExtension("arrivals")
    connection = try SQLiteConnection(file.path, mode: .create)
    // A killed run throws this file away, so it needs neither a journal nor flushing.
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA page_size = 8192; PRAGMA cache_size = -8192; PRAGMA secure_delete = OFF;
      CREATE TABLE tile (place INTEGER PRIMARY KEY, data BLOB NOT NULL);
      BEGIN
      """)
    insertion = try connection.prepare("INSERT INTO tile VALUES (?, ?)")
  }

  /// Throws SQLite's constraint error when the place is taken.
  func add(_ tile: Tile) throws {
    try insertion?.run([.integer(TileArrivals.place(tile.id)), .blob(tile.data)])
  }

  /// Ordered by zoom, column, and row from the south.
  func forEach(_ body: (StoredTile) throws -> Void) throws {
    try connection.prepare("SELECT place, data FROM tile ORDER BY place").rows { row in
      let place = row.int(0)
      let coordinate = (1 << TileArrivals.bits) - 1
      try body(
        StoredTile(
          zoom: place >> (2 * TileArrivals.bits), column: (place >> TileArrivals.bits) & coordinate,
          tmsRow: place & coordinate, data: row.blob(1)))
    }
  }

  /// Closes and removes the file; the arrivals are gone whatever became of the archive.
  func discard() {
    insertion = nil
    try? connection.close()  // a file that is about to be removed has nothing to lose
    try? FileManager.default.removeItem(at: file)
  }

  /// Zoom, column and row in one number that sorts as the three do: SQLite's row number is its fastest key.
  private static func place(_ id: TileID) -> Int {
    id.zoom << (2 * bits) | id.column << bits | id.tmsRow
  }

  private static let bits = StoredTile.deepestZoom
}
