internal import Foundation
internal import SQLiteIO

/// The shape of an MBTiles 1.3 file with each distinct image once.
enum MBTilesSchema {
  /// "MPBX", the number that marks an SQLite file as MBTiles.
  static let applicationID = 0x4d50_4258

  /// Everything that shapes the bytes is set here and not left to how a system's library was compiled. There is no
  /// journal because a half-written file is thrown away; what is stored in the file is the mode `delete`.
  /// An image takes whole pages. Over chart tiles of 15 kB on average, pages of 4096 bytes cost 4.3 % of the file,
  /// 2048 cost 2.5 %, and writing and reading take the same time; 1024 would win little more.
  static let settings = """
    PRAGMA page_size = 2048; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE; PRAGMA secure_delete = OFF;
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA cache_size = -8192;
    PRAGMA application_id = \(applicationID);
    """

  private static let metadataTable = "CREATE TABLE metadata (name TEXT NOT NULL PRIMARY KEY, value TEXT);"

  static let tables = """
    \(metadataTable)
    CREATE TABLE map (zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
      tile_id TEXT NOT NULL);
    CREATE TABLE images (tile_id TEXT NOT NULL PRIMARY KEY, tile_data BLOB NOT NULL);
    CREATE UNIQUE INDEX tile_index ON map (zoom_level, tile_column, tile_row);
    CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
      map.tile_row AS tile_row, images.tile_data AS tile_data
      FROM map JOIN images ON images.tile_id = map.tile_id;
    """

  /// Of a patch: each tile with its image, or with none where it is to be taken away.
  static let patchTables = """
    \(metadataTable)
    CREATE TABLE tiles (zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
      tile_data BLOB);
    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
    """
}

extension SQLiteConnection {
  /// A new file, in the transaction that `finish` ends.
  convenience init(creating url: URL, _ tables: String) throws {
    try self.init(url.path, mode: .create)
    try execute(MBTilesSchema.settings)
    try execute(tables)
    try execute("BEGIN")
  }

  /// Every statement must be gone by then.
  func finish() throws {
    try execute("COMMIT")
    try close()
  }

  func addMetadata(_ rows: [(name: String, value: String?)]) throws {
    let insertion = try prepare("INSERT INTO metadata VALUES (?, ?)")
    for row in rows { try insertion.run([.text(row.name), SQLiteValue(row.value)]) }
  }
}
