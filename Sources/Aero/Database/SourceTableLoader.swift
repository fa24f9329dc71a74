internal import SQLiteIO

/// Fills the tables that are read row by row, straight from the bytes of the file.
struct SourceTableLoader {
  let reader: TableReader
  let writer: DatabaseWriter
  let directory: AirportDirectory
  let rows = RowNumbers()

  /// How many rows it wrote; what could not be used is in the reader's problems.
  func load(_ table: SourceTable) throws -> Int {
    guard !table.mayLack || reader.archive.has(table.source) else {
      reader.problems.miss(table.source + ".csv")
      return 0
    }
    return try writer.insert(table.schema) { statement in
      var row = FieldWriter(table, statement, directory, rows)
      for gathering in table.gatherings {
        row.texts[gathering.source] = try GatheredTexts(gathering, reader)
      }
      if table.isInOrderOfOwners {
        try reader.scan(table.source, table.wanted, by: { try row.requiredOwner(of: $0) }) {
          try row.write($0, of: $1)
        }
      } else {
        try reader.scan(table.source, table.wanted) { try row.write($0) }
      }
      for texts in row.texts.values { texts.reportStrays(reader.problems) }
      return row.count
    }
  }
}

/// Writes one row after the other.
struct FieldWriter {
  private let table: SourceTable
  private var fields: FieldBinder
  private let statement: SQLiteStatement
  private let directory: AirportDirectory
  private let rows: RowNumbers
  private(set) var count = 0
  private var context = FieldBinder.Context()

  init(
    _ table: SourceTable, _ statement: SQLiteStatement, _ directory: AirportDirectory, _ rows: RowNumbers
  ) {
    self.table = table
    self.statement = statement
    self.directory = directory
    self.rows = rows
    fields = FieldBinder(table.fields, from: table.owner.columns.count, to: statement, rows)
  }

  /// What is gathered for the rows, by its source.
  var texts: [String: GatheredTexts] {
    get { fields.texts }
    set { fields.texts = newValue }
  }

  /// The number of the airport, or the id of the row, that owns the row.
  func requiredOwner(of row: SourceRow) throws(UnusableRow) -> Int {
    if case .row(let kind, let columns) = table.owner {
      if let key = row.key(0..<columns.count), let id = rows.id(of: key, in: kind) { return id }
      throw row.unusable(columns.count - 1, "there is no such row in \(kind.table)")
    }
    let key = SiteKey(number: try row.required(0), type: try row.required(1))
    guard let number = directory.number(of: key) else { throw row.unusable(0, "there is no such airport") }
    return number
  }

  mutating func write(_ row: SourceRow) throws { try write(row, of: try owner(of: row)) }

  /// Writes a row whose owner is known.
  mutating func write(_ row: SourceRow, of owner: Int?) throws {
    if owner != context.owner {
      context.owner = owner
      context.count = 1
      context.airport = ownersAreAirports ? owner.map { directory.entries[$0] } : nil
    }
    try fields.bind(row, context)
    try statement.runUnique()
    count += 1
    context.number += 1
    context.count += 1
    addKeys(of: row)
  }

  private func addKeys(of row: SourceRow) {
    var start = fields.end
    for kind in table.keys {
      let end = start + kind.columns.count
      if let key = row.key(start..<end) { rows.add(count, as: key, to: kind) }
      start = end
    }
  }

  private var ownersAreAirports: Bool {
    switch table.owner {
    case .airport, .perhapsAirport: true
    case .nothing, .row: false
    }
  }

  private func owner(of row: SourceRow) throws -> Int? {
    switch table.owner {
    case .nothing: nil
    case .airport, .row: try requiredOwner(of: row)
    case .perhapsAirport: row.value(0).isEmpty ? nil : try? requiredOwner(of: row)
    }
  }
}

extension SQLiteStatement {
  /// Inserts the row that is bound. What breaks a key of the table is there twice.
  func runUnique() throws {
    do throws(SQLiteError) {
      try runBound()
    } catch {
      guard error.isConstraint else { throw error }
      throw UnusableRow(column: nil, value: "", reason: "the row is there twice: \(error.message)")
    }
  }
}
