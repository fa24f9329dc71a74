internal import SQLiteIO

/// Fills the tables that are read row by row, straight from the bytes of the file.
struct SourceTableLoader {
  let reader: TableReader
  let writer: DatabaseWriter
  let directory: AirportDirectory

  /// How many rows it wrote; what could not be used is in the reader's problems.
  func load(_ table: SourceTable) throws -> Int {
    guard !table.mayLack || reader.archive.has(table.source) else {
      reader.problems.miss(table.source + ".csv")
      return 0
    }
    return try writer.insert(table.schema) { statement in
      var row = FieldWriter(table, statement, directory)
      if table.schema.isKeyed, table.fields.first?.reading.isAirport == true {
        try reader.scan(table.source, table.wanted, by: { try row.airport(of: $0) }) {
          try row.write($0)
        }
      } else {
        try reader.scan(table.source, table.wanted) { try row.write($0) }
      }
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
  private(set) var count = 0
  private var context = FieldBinder.Context()
  private var lastAirport: Int?

  init(_ table: SourceTable, _ statement: SQLiteStatement, _ directory: AirportDirectory) {
    owner = table.owner
    self.statement = statement
    self.directory = directory
    let first = if case .nothing = table.owner { 0 } else { SourceTable.siteColumns.count }
    fields = FieldBinder(table.fields, from: first, to: statement)
  }

  /// The number of the airport that owns the row.
  func airport(of row: SourceRow) throws(UnusableRow) -> Int {
    let key = SiteKey(number: try row.required(0), type: try row.required(1))
    guard let number = directory.number(of: key) else { throw row.unusable(0, "there is no such airport") }
    return number
  }

  mutating func write(_ row: SourceRow) throws {
    let airport = try owner(of: row)
    if airport != lastAirport {
      lastAirport = airport
      context.count = 1
      context.airport = airport.map { directory.entries[$0] }
    }
    try fields.bind(row, context)
    try statement.runUnique()
    count += 1
    context.number += 1
    context.count += 1
  }

  private func owner(of row: SourceRow) throws -> Int? {
    switch owner {
    case .nothing: nil
    case .airport: try airport(of: row)
    case .perhapsAirport: row.value(0).isEmpty ? nil : try? airport(of: row)
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
