internal import Foundation
public import SQLiteIO

/// Writes the rows of one database file, each table once and in its order, so that the same rows give the same bytes.
struct DatabaseWriter {
  private let connection: SQLiteConnection
  private let form: DatabaseForm
  private var indexed: Set<String> = []

  /// Nothing reads the file before it is complete, so it needs no journal and no flushing.
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

  /// Runs a closure with the statement that inserts a row into a table, within one transaction.
  func insert<Value>(_ table: TableSchema, _ rows: (SQLiteStatement) throws -> Value) throws -> Value {
    try connection.transaction {
      try stage(table)
      let value = try rows(try connection.prepare(table.insertion))
      try copyStaged(table)
      return value
    }
  }

  /// Adds rows to a table; the values are in the order of its columns.
  func fill<Rows: Collection>(
    _ table: TableSchema, _ rows: Rows, _ values: (Rows.Element) -> [SQLiteValue]
  ) throws {
    try insert(table) { insert in
      for row in rows { try insert.run(values(row)) }
    }
  }

  /// Adds a row for each record.
  func fill<Record>(_ table: RecordTable<Record>, _ records: [Record]) throws {
    try stage(table, records)
    try copyStaged(table.schema)
  }

  /// Adds a row for each record to the temporary table of a keyed table; `copyStaged` copies them.
  func stage<Record>(_ table: RecordTable<Record>, _ records: [Record]) throws {
    try stage(table.schema)
    try run(table.schema.insertion, records) { table.values($0) }
  }

  /// Runs a statement once for each row, with its values as parameters.
  func run<Rows: Collection>(_ sql: String, _ rows: Rows, _ values: (Rows.Element) -> [SQLiteValue]) throws {
    try connection.transaction {
      let statement = try connection.prepare(sql)
      for row in rows { try statement.run(values(row)) }
    }
  }

  /// Runs a closure with a stream of rows into tables; call `copyWaiting` for a table that waits, and `finish` for the others
  /// afterwards. Rows whose key exists already are recorded as dropped from the file.
  func stream<Value>(
    into tables: [TableSchema], of file: String, _ problems: ProblemLog, _ rows: (RowStream) throws -> Value
  ) throws -> Value {
    let insertions = try tables.map { table in
      if table.waits { try connection.execute(table.waitingSQL) } else { try stage(table) }
      let target = table.waits ? table.waitingName : table.target
      return try connection.prepare(table.insertion(into: target))
    }
    return try connection.transaction {
      let stream = RowStream(insertions)
      let value = try rows(stream)
      for refusal in stream.refusals {
        problems.drop(UnusableRow(reason: refusal.reason), file, line: refusal.line)
      }
      return value
    }
  }

  /// Copies the rows of a table that wait, `w`, with the values that they waited for.
  ///
  /// - Parameters:
  ///   - values: an SQL expression for each column that waits.
  ///   - rest: the joins, and the order.
  func copyWaiting(_ schema: TableSchema, _ values: [String: String], _ rest: String) throws {
    let waiting = schema.waitingName
    let columns = schema.columns.map { values[$0.name] ?? "w.\($0.name)" }
    try stage(schema)
    try execute(
      "INSERT INTO \(schema.target) SELECT \(columns.joined(separator: ", ")) FROM \(waiting) w \(rest); DROP TABLE \(waiting)"
    )
  }

  /// Makes a temporary table of rows of numbers and texts.
  func makeTemporary<Rows: Collection>(
    _ name: String, _ columns: [String], _ rows: Rows, _ values: (Rows.Element) -> [SQLiteValue]
  ) throws {
    try connection.execute("CREATE TABLE temp.\(name) (\(columns.joined(separator: ", ")))")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try run("INSERT INTO temp.\(name) VALUES (\(marks))", rows, values)
  }

  /// Copies the rows of tables from their temporary tables, in one transaction: the file counts its transactions. A table that no
  /// stream had is empty.
  func finish(_ tables: SourceTable...) throws {
    try connection.transaction {
      for table in tables {
        try stage(table.schema)
        try copyStaged(table.schema)
      }
    }
  }

  /// Makes the temporary table in which the rows of a staged table are collected. A table without rowid is staged so that the pages of the table get full.
  ///
  /// SQLite leaves about an eighth of the pages of such a table empty when rows are inserted one by one, even in the order of the key.
  /// It fills the pages when it copies all rows from a table of the same shape into an empty one. A few other tables are staged
  /// because tables that come before them in the file need their rows.
  func stage(_ table: TableSchema) throws {
    if table.isStaged { try connection.execute(table.sql(naming: "IF NOT EXISTS " + table.stagingName)) }
  }

  /// Copies the collected rows into the table, in the order of its key.
  func copyStaged(_ table: TableSchema) throws {
    guard table.isStaged else { return }
    try connection.execute(
      "INSERT INTO main.\(table.name) SELECT * FROM \(table.stagingName); DROP TABLE \(table.stagingName)")
  }

  /// Makes a table that only this database has.
  func create(_ table: TableSchema) throws { try connection.execute(table.sql) }

  /// Runs SQL in one transaction.
  func execute(_ sql: String) throws { try connection.transaction { try connection.execute(sql) } }

  /// The result of a query.
  func rows<Value>(_ query: String, _ each: (SQLiteRow) throws -> Value) throws -> [Value] {
    try connection.prepare(query).map([], each)
  }

  func forEachNamed(_ query: String, _ each: (NamedRow) throws -> Void) throws {
    try connection.prepare(query).forEachNamed([], each)
  }

  /// Makes the indexes of a filled table. `finish` makes those that are missing.
  mutating func makeIndexes(over table: TableSchema) throws {
    guard indexed.insert(table.name).inserted else { return }
    try connection.transaction { try DatabaseIndexes.make(over: table, on: connection) }
  }

  /// Makes the indexes of all tables and closes the file.
  mutating func finish() throws {
    for table in form.tables { try makeIndexes(over: table) }
    for statement in form.finishing { try connection.execute(statement) }
    try connection.closeReproducibly()
  }
}

/// The indexes of a table. They are made after its rows, which is cheaper than row by row.
///
/// R-trees hold 32-bit numbers rounded outwards, so a box never misses a row; the exact position is in the table. The text
/// indexes serve `StoredQuery.airportsSearch`.
enum DatabaseIndexes {
  private static let treeColumns = ["id", "minLat", "maxLat", "minLon", "maxLon"]

  static func make(over table: TableSchema, on connection: SQLiteConnection) throws {
    for columns in table.indexes {
      try connection.execute(
        "CREATE INDEX \(table.name)_\(columns.joined(separator: "_")) ON \(table.name)(\(columns.joined(separator: ", ")))"
      )
    }
    if let extent = table.extent { try makeTree(over: table, extent, on: connection) }
    if !table.search.isEmpty { try connection.execute(text(table)) }
  }

  private static func makeTree(
    over table: TableSchema, _ extent: TableSchema.Extent, on connection: SQLiteConnection
  ) throws {
    let sides =
      switch extent {
      case .point: "latitude, latitude, longitude, longitude"
      case .box: "south, north, west, east"
      }
    var tree = PackedRTree()
    try connection.prepare(
      "SELECT \(table.rowKey), \(sides) FROM \(table.name) WHERE \(sides.prefix { $0 != "," }) IS NOT NULL"
    )
    .rows { tree.add($0.int(0), $0.double(1), $0.double(2), $0.double(3), $0.double(4)) }
    try tree.write("\(table.name)_rtree", columns: treeColumns, to: connection)
  }

  /// The hash is large while the index is built, so that the index is written once and leaves no free pages. Only prefixes of two
  /// letters have an index: the words that begin with the same three letters are few and adjacent.
  private static func text(_ table: TableSchema) -> String {
    let index = "\(table.name)_fts"
    let columns = table.search.map(\.column).joined(separator: ", ")
    let weights = table.search.map { "\($0.weight)" }.joined(separator: ", ")
    return """
      CREATE VIRTUAL TABLE \(index) USING fts5(
        \(columns), content='\(table.name)', content_rowid='\(table.rowKey)', prefix='2', tokenize='unicode61');
      INSERT INTO \(index)(\(index), rank) VALUES ('rank', 'bm25(\(weights))');
      INSERT INTO \(index)(\(index), rank) VALUES ('hashsize', 33554432);
      INSERT INTO \(index)(\(index)) VALUES ('rebuild');
      INSERT INTO \(index)(\(index), rank) VALUES ('hashsize', 1048576);
      """
  }
}

extension DatabaseWriter {
  func write(metadata: [String: String]) throws {
    try fill(DatabaseSchema.metadata, metadata.sorted { $0.key < $1.key }) { pair in
      [.text(pair.key), .text(pair.value)]
    }
  }

  func write(_ queries: [StoredQuery]) throws {
    try fill(StoredQuery.table, queries) { query in
      [.text(query.name), .text(query.answer), .text(query.parameters), .text(query.sql)]
    }
  }
}

extension DatabaseForm {
  /// The `sqlite_schema` of a database of this form: by type and name, the statement that makes each table, index and virtual table.
  public func objects() throws -> [String: String] {
    let connection = try SQLiteConnection(":memory:", mode: .create)
    for table in tables {
      try connection.execute(table.sql)
      try DatabaseIndexes.make(over: table, on: connection)
    }
    return try DatabaseForm.objects(of: connection)
  }

  /// The `sqlite_schema` of any database, without the objects that SQLite makes itself.
  public static func objects(of connection: SQLiteConnection) throws -> [String: String] {
    try connection.prepare(
      "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    ).pairs()
  }
}
