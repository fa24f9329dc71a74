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

/// The ways into a table, made after its rows: in one go is cheaper than row by row.
///
/// Near a place (`airports`, `navaids` ...): the R-tree holds 32-bit numbers rounded outwards, so a box never misses
/// an airport; the exact position is in the table. By text: `StoredQuery.airportsSearch`.
enum DatabaseIndexes {
  static let treeColumns = ["id", "minLat", "maxLat", "minLon", "maxLon"]

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
    try tree.write(
      "\(table.name)_rtree", columns: treeColumns, to: connection)
  }

  /// The hash is large while the index is built, so that it is written once and leaves no free pages behind. An index of
  /// prefixes pays for two letters only: the words that begin with three are few, and lie side by side.
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

/// How records become rows; the columns stand in the order of the values.
extension DatabaseWriter {
  func write(_ frequencies: [LinkedFrequency], _ directory: AirportDirectory) throws {
    var count = Counter()
    try fill(AirportSchema.frequencies, frequencies) { _, linked in
      let frequency = linked.frequency
      return [
        .text(directory.entries[linked.airport].icao), .integer(count.next(linked.airport)),
        .text(linked.type.rawValue), .real(frequency.radio.megahertz),
        SQLiteValue(frequency.name(as: linked.type)),
        SQLiteValue(frequency.remark), SQLiteValue(frequency.use), SQLiteValue(frequency.radio.isVHF),
        SQLiteValue(frequency.radio.isReceiveOnly), SQLiteValue(frequency.radio.channel),
        SQLiteValue(frequency.sector), SQLiteValue(frequency.hours),
      ]
    }
  }

  func write(_ weather: WeatherLinks, _ directory: AirportDirectory) throws {
    try fill(StationSchema.weatherStations, weather.stations) { number, linked in
      let station = linked.station
      return [
        .integer(number + 1), .text(station.identifier), .text(station.type),
        SQLiteValue(linked.airport.map { directory.entries[$0].icao }), SQLiteValue(station.city),
        SQLiteValue(station.state), SQLiteValue(station.country), SQLiteValue(station.latitude),
        SQLiteValue(station.longitude), SQLiteValue(station.elevation), SQLiteValue(station.phone),
        SQLiteValue(station.secondPhone), SQLiteValue(station.isAtNavaid), SQLiteValue(station.commissioned),
        SQLiteValue(station.remark),
      ]
    }
  }

  func write(metadata: [String: String]) throws {
    try fill(DatabaseSchema.metadata, metadata.sorted { $0.key < $1.key }) { _, pair in
      [.text(pair.key), .text(pair.value)]
    }
  }
}

/// Numbers the rows of each airport from 1, when they come airport by airport.
private struct Counter {
  private var airport = -1
  private var count = 0

  mutating func next(_ airport: Int) -> Int {
    count = airport == self.airport ? count + 1 : 1
    self.airport = airport
    return count
  }
}
