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

  /// Gives out the statement that inserts a row into a table, within one transaction.
  func insert<Value>(_ table: TableSchema, _ rows: (SQLiteStatement) throws -> Value) throws -> Value {
    try connection.transaction { try rows(try connection.prepare(table.insertion)) }
  }

  /// Adds rows to a table; the values stand in the order of its columns.
  func fill<Rows: Collection>(
    _ table: TableSchema, _ rows: Rows, _ values: (Int, Rows.Element) -> [SQLiteValue]
  ) throws {
    try insert(table) { insert in
      for (number, row) in rows.enumerated() { try insert.run(values(number, row)) }
    }
  }

  /// Makes a table that is not among those that every database has.
  func create(_ table: TableSchema) throws { try connection.execute(table.sql) }

  /// Changes rows that are there, in one transaction.
  func execute(_ sql: String) throws { try connection.transaction { try connection.execute(sql) } }

  /// What a query finds among the rows that are there.
  func rows<Value>(_ query: String, _ each: (SQLiteRow) throws -> Value) throws -> [Value] {
    try connection.prepare(query).map([], each)
  }

  /// Makes the indexes over the filled tables, and closes the file.
  func finish() throws {
    for table in DatabaseSchema.tables {
      try connection.transaction { try DatabaseIndexes.make(over: table, on: connection) }
    }
    // A sample of each index tells the planner as much as all of it.
    try connection.execute("PRAGMA analysis_limit = 1000; ANALYZE")
    try connection.close()
  }
}
