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
      let texts = try Dictionary(
        uniqueKeysWithValues: table.gatherings.map { ($0.source, try GatheredTexts($0, reader)) })
      var row = FieldWriter(table, statement, directory, rows, texts)
      if table.isInOrderOfOwners {
        try reader.scan(table.source, table.wanted, by: { try row.requiredOwner(of: $0) }) {
          try row.write($0)
        }
      } else {
        try reader.scan(table.source, table.wanted) { try row.write($0) }
      }
      for gathered in texts.values { gathered.reportStrays(reader.problems) }
      return row.count
    }
  }
}

/// Writes one row after the other.
struct FieldWriter {
  private let owner: SourceTable.Owner
  private let fields: FieldBinder
  private let statement: SQLiteStatement
  private let directory: AirportDirectory
  private let keys: [RowKey]
  private let firstOfKeys: Int
  private let rows: RowNumbers
  private(set) var count = 0
  private var context = FieldBinder.Context()
  private var lastOwner: Int?

  init(
    _ table: SourceTable, _ statement: SQLiteStatement, _ directory: AirportDirectory, _ rows: RowNumbers,
    _ texts: [String: GatheredTexts] = [:]
  ) {
    owner = table.owner
    keys = table.keys
    self.statement = statement
    self.directory = directory
    self.rows = rows
    fields = FieldBinder(
      table.fields, from: table.owner.columns.count, to: statement, rows: rows, texts: texts)
    firstOfKeys = fields.end
  }

  /// The number of the airport, or the id of the row, that owns the row.
  func requiredOwner(of row: SourceRow) throws(UnusableRow) -> Int {
    if case .row(let kind, let columns) = owner {
      if let key = row.key(0..<columns.count), let id = rows.id(of: key, in: kind) { return id }
      throw row.unusable(columns.count - 1, "there is no such row in \(kind.table)")
    }
    let key = SiteKey(number: try row.required(0), type: try row.required(1))
    guard let number = directory.number(of: key) else { throw row.unusable(0, "there is no such airport") }
    return number
  }

  mutating func write(_ row: SourceRow) throws {
    let owner = try owner(of: row)
    if owner != lastOwner {
      (lastOwner, context.count, context.owner) = (owner, 1, owner)
      context.airport = self.owner.isAirport ? owner.map { directory.entries[$0] } : nil
    }
    try fields.bind(row, context)
    try statement.runUnique()
    count += 1
    context.number += 1
    context.count += 1
    addKeys(of: row)
  }

  private func addKeys(of row: SourceRow) {
    var start = firstOfKeys
    for kind in keys {
      let end = start + kind.columns.count
      if let key = row.key(start..<end) { rows.add(count, as: key, to: kind) }
      start = end
    }
  }

  private func owner(of row: SourceRow) throws -> Int? {
    switch owner {
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
