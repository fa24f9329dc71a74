internal import Foundation
internal import SQLiteIO

/// Writes the rows of one database file, each table once and in its order, so that the same rows are the same bytes.
struct DatabaseWriter {
  private let connection: SQLiteConnection
  private let form: DatabaseForm
  private var indexed: Set<String> = []

  /// Nothing reads the file before it is whole, so it needs no journal and no flushing on the way.
  init(_ file: URL, as form: DatabaseForm = DatabaseSchema.form) throws {
    self.form = form
    connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(
      """
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA page_size = \(DatabaseSchema.pageSize);
      PRAGMA application_id = \(form.applicationID);
      PRAGMA user_version = \(form.version);
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA temp_store = MEMORY;
      """)
    for table in form.tables { try connection.execute(table.sql) }
  }

  /// Gives out the statement that inserts a row into a table, within one transaction.
  func insert<Value>(_ table: TableSchema, _ rows: (SQLiteStatement) throws -> Value) throws -> Value {
    try connection.transaction {
      try KeyedRows.staging([table], on: connection) { try rows(try connection.prepare(table.insertion)) }
    }
  }

  /// Gives out a stream of rows into tables, within one transaction. Rows whose key is there are recorded as dropped from the
  /// file of which they are made.
  func stream<Value>(
    into tables: [TableSchema], of file: String, _ problems: ProblemLog, _ rows: (RowStream) throws -> Value
  ) throws -> Value {
    try connection.transaction {
      try KeyedRows.staging(tables, on: connection) {
        let stream = RowStream(try tables.map { (try connection.prepare($0.insertion), $0.columns.count) })
        defer { stream.wait() }
        let value = try rows(stream)
        for refusal in try stream.finish() {
          problems.drop(
            UnusableRow(column: nil, value: "", reason: refusal.reason), file, line: refusal.line)
        }
        return value
      }
    }
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

  /// Makes the R-tree over a table that has no columns for the boxes of its rows.
  func write(_ tree: inout PackedRTree, over table: TableSchema) throws {
    try connection.transaction {
      try tree.write(
        "\(table.name)_rtree", columns: DatabaseIndexes.treeColumns, to: connection)
    }
  }

  /// Makes the indexes over a filled table, once and at the latest when the file is finished.
  mutating func makeIndexes(over table: TableSchema) throws {
    guard indexed.insert(table.name).inserted else { return }
    try connection.transaction { try DatabaseIndexes.make(over: table, on: connection) }
  }

  /// Makes the indexes over the filled tables and closes the file.
  mutating func finish() throws {
    for table in form.tables { try makeIndexes(over: table) }
    for statement in form.finishing { try connection.execute(statement) }
    try connection.close()
  }
}
