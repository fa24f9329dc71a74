internal import SQLiteIO
internal import TileArchive

/// The database as SQLite sees it, and each place with its image.
struct ArchiveIntegrity: MBTilesRule {
  let name = "archive-integrity"
  let protects = "A chart never stops opening because a page of its file was damaged."

  func check(_ archive: ArchiveUnderTest, _ database: SQLiteConnection) throws -> [Finding] {
    let damage = try database.texts("PRAGMA integrity_check(100)").filter { $0 != "ok" }
    guard damage.isEmpty else {
      return damage.flatMap { $0.split(separator: "\n") }.map { error(archive.place, "\($0)") }
    }
    return try imageless(archive, database)
  }

  /// The view joins two tables, so a place whose image is gone would vanish from it silently.
  private func imageless(_ archive: ArchiveUnderTest, _ database: SQLiteConnection) throws -> [Finding] {
    let isShared = try database.numbers(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('map', 'images')")
    guard isShared == [2] else { return [] }
    return try database.prepare(
      """
      SELECT zoom_level, tile_column, tile_row FROM map
      WHERE NOT EXISTS (SELECT 1 FROM images WHERE images.tile_id = map.tile_id) ORDER BY 1, 2, 3
      """
    ).map {
      error(
        archive.place(of: StoredTile(zoom: $0.int(0), column: $0.int(1), tmsRow: $0.int(2), data: [])),
        "its image is not in the archive")
    }
  }
}
