internal import SQLiteIO

/// Decides whether a correction changes a value of the database: a row is read with the correction and without it.
///
/// A column beside another one that counts (`LAT_SEC` beside `LAT_DECIMAL`), or another spelling of the same value, changes nothing.
struct CorrectionEffect {
  private let table: String
  /// The fields whose values depend on their own columns alone.
  private let fields: [Field]
  /// The columns that are read in other ways: keys, links, and the columns of records. Each other value of them counts.
  private let others: Set<String>
  /// Those of a file without commas.
  private let columns: [Range<Int>]?

  init(on table: String, columns: [Range<Int>]? = nil) {
    (self.table, self.columns) = (table, columns)
    let own = (DatabaseSchema.allSources + [.obstacles]).filter { $0.source == table }
    fields = own.flatMap(\.fields).filter(\.reading.dependsOnColumnsAlone)
    let gathered = DatabaseSchema.allSources.flatMap(\.gatherings).filter { $0.source == table }
      .flatMap { $0.key.columns + [$0.order] + $0.line }
    let records: [any TableRecord.Type] = [Airport.self, Frequency.self, BoundaryPoint.self]
    let wanted = own.flatMap(\.wanted) + records.flatMap { $0.table == table ? $0.wanted : [] }
    // A dismantled obstacle is left out by its ACTION.
    others = Set(wanted.map(\.name) + gathered + ["ACTION"]).subtracting(
      fields.wanted.map(\.name))
  }

  /// - Parameter rows: the header and the row, without the correction of the column and with it.
  func changesValue(of column: String, in rows: [[UInt8]], of source: TableSource) -> Bool {
    others.contains(column) || Set(rows.map { values(of: $0, source) }).count > 1
  }

  /// The values of the fields as SQL; nothing for a row that is dropped, or for a table without such fields.
  private func values(of bytes: [UInt8], _ source: TableSource) -> [String] {
    guard !fields.isEmpty else { return [] }
    do {
      let connection = try SQLiteConnection(":memory:", mode: .create)
      let columns = fields.indices.map { "c\($0)" }
      try connection.execute("CREATE TABLE fields (\(columns.joined(separator: ", ")))")
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      try bind(bytes, source, to: connection.prepare("INSERT INTO fields VALUES (\(marks))"))
      let texts = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
      return try connection.prepare("SELECT \(texts) FROM fields").map { $0.text(0) ?? "" }
    } catch {
      // A file that cannot be read is reported where its rows are read.
      return []
    }
  }

  private func bind(_ bytes: [UInt8], _ source: TableSource, to insert: SQLiteStatement) throws {
    let stream = RowStream([insert])
    let binder = FieldBinder(fields, from: 0, to: stream.sinks[0])
    let wanted = fields.wanted.map { WantedColumn(name: $0.name, mayLack: true) }
    var scan = TableScan(table + ".csv", of: source, wanted, ProblemLog(), columns: columns)
    try bytes.withUnsafeBufferPointer { bytes in
      try scan.read(bytes) { row in
        try binder.bind(row, FieldBinder.Context())
        try stream.write(line: row.line)
      }
    }
  }
}
