internal import SQLiteIO

/// Fills tables without rowid so that their pages are full.
///
/// SQLite leaves about an eighth of the pages of such a table empty when rows are inserted one by one, even in the order of the key.
/// It fills the pages when it copies all rows from a table of the same shape into an empty one. The rows therefore go to
/// a table in memory first, and are copied within the same transaction.
enum KeyedRows {
  static func staging<Value>(
    _ tables: [TableSchema], on connection: SQLiteConnection, _ fill: () throws -> Value
  ) throws -> Value {
    let keyed = tables.filter(\.isKeyed)
    for table in keyed { try connection.execute(table.sql(naming: table.stagingName)) }
    let value = try fill()
    for table in keyed {
      try connection.execute(
        "INSERT INTO main.\(table.name) SELECT * FROM \(table.stagingName); DROP TABLE \(table.stagingName)")
    }
    return value
  }
}
