internal import Foundation
internal import SQLiteIO

/// Writes the rows of one database file, each table once and in its order, so that the same rows are the same bytes.
struct DatabaseWriter {
  private let connection: SQLiteConnection

  /// Nothing reads the file before it is whole, so it needs no journal and no flushing on the way.
  init(_ file: URL) throws {
    connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(
      """
      PRAGMA page_size = \(DatabaseSchema.pageSize);
      PRAGMA application_id = \(DatabaseSchema.applicationID);
      PRAGMA user_version = \(DatabaseSchema.version);
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA temp_store = MEMORY;
      """)
    for table in DatabaseSchema.tables { try connection.execute(table.sql) }
  }

  /// Adds rows to a table in one transaction.
  func fill<Rows: Collection>(
    _ table: String, _ columns: [String], _ rows: Rows, _ values: (Int, Rows.Element) -> [SQLiteValue]
  ) throws {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try connection.transaction {
      let insert = try connection.prepare(
        "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))")
      for (number, row) in rows.enumerated() { try insert.run(values(number, row)) }
    }
  }

  /// Makes the indexes over the filled tables, and closes the file.
  func finish() throws {
    for sql in [DatabaseIndexes.plain, DatabaseIndexes.spatial, DatabaseIndexes.text, "ANALYZE"] {
      try connection.transaction { try connection.execute(sql) }
    }
    try connection.close()
  }
}
