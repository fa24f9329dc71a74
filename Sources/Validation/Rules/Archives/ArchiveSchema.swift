internal import SQLiteIO

/// The tables, columns, index and mark that readers of MBTiles rely on.
struct ArchiveSchema: MBTilesRule {
  let name = "archive-schema"
  let protects = "Every map view that reads MBTiles can open the chart, and finds a tile without a search."

  /// "MPBX"
  private static let applicationID = 0x4d50_4258
  private static let address = ["zoom_level", "tile_column", "tile_row"]

  func check(_ archive: ArchiveUnderTest, _ database: SQLiteConnection) throws -> [Finding] {
    var findings = try missingColumns(archive, database)
    if let index = try missingIndex(archive, database) { findings.append(index) }
    if try database.numbers("PRAGMA application_id") != [ArchiveSchema.applicationID] {
      findings.append(error(archive.place, "its application_id is not 0x4d504258, the mark of MBTiles"))
    }
    if try database.texts("PRAGMA journal_mode") == ["wal"] {
      findings.append(
        error(archive.place, "it is in WAL mode, so it cannot be read from a folder that is write-protected"))
    }
    return findings
  }

  private func missingColumns(_ archive: ArchiveUnderTest, _ database: SQLiteConnection) throws -> [Finding] {
    let needed = ["tiles": ArchiveSchema.address + ["tile_data"], "metadata": ["name", "value"]]
    return try needed.sorted { $0.key < $1.key }.flatMap { table, columns in
      let found = Set(try database.texts("SELECT name FROM pragma_table_info('\(table)')"))
      return columns.filter { !found.contains($0) }.map {
        error(archive.place, "`\(table)` has no column `\($0)`")
      }
    }
  }

  /// The index belongs to the table beneath the view.
  private func missingIndex(_ archive: ArchiveUnderTest, _ database: SQLiteConnection) throws -> Finding? {
    let isTable = try database.numbers(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'tiles'")
    let table = isTable == [1] ? "tiles" : "map"
    let unique = try database.texts("SELECT name FROM pragma_index_list('\(table)') WHERE \"unique\"")
    let serves = try unique.contains { index in
      let columns = try database.prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
        .map([.text(index)]) { $0.text(0) ?? "" }
      return columns == ArchiveSchema.address
    }
    return serves
      ? nil : error(archive.place, "`\(table)` has no unique index on zoom_level, tile_column, tile_row")
  }
}
