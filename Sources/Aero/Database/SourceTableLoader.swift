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

/// Writes one row after the other, field by field.
struct FieldWriter {
  private let table: SourceTable
  private let statement: SQLiteStatement
  private let directory: AirportDirectory
  /// Where the columns of the first field are among those that are wanted.
  private let firstWanted: Int
  private(set) var count = 0
  private var lastAirport: Int?
  private var countAtAirport = 0

  init(_ table: SourceTable, _ statement: SQLiteStatement, _ directory: AirportDirectory) {
    self.table = table
    self.statement = statement
    self.directory = directory
    if case .nothing = table.owner { firstWanted = 0 } else { firstWanted = SourceTable.siteColumns.count }
  }

  /// The number of the airport that owns the row.
  func airport(of row: SourceRow) throws(UnusableRow) -> Int {
    let key = SiteKey(number: try row.required(0), type: try row.required(1))
    guard let number = directory.number(of: key) else { throw row.unusable(0, "there is no such airport") }
    return number
  }

  mutating func write(_ row: SourceRow) throws {
    let airport = try owner(of: row)
    if airport != lastAirport { (lastAirport, countAtAirport) = (airport, 0) }
    var wanted = firstWanted
    for (index, field) in table.fields.enumerated() {
      let isThere = try bind(field.reading, row, wanted, at: index + 1)
      guard isThere || !field.isRequired else { throw row.unusable(wanted, "it is empty or cannot be used") }
      wanted += field.reading.sources.count
    }
    try insert()
    count += 1
    countAtAirport += 1
  }

  /// What breaks a key of the table is there twice.
  private func insert() throws {
    do throws(SQLiteError) {
      try statement.runBound()
    } catch {
      guard error.isConstraint else { throw error }
      throw UnusableRow(column: nil, value: "", reason: "the row is there twice: \(error.message)")
    }
  }

  private func owner(of row: SourceRow) throws -> Int? {
    switch table.owner {
    case .nothing: nil
    case .airport: try airport(of: row)
    case .perhapsAirport: row.value(0).isEmpty ? nil : try? airport(of: row)
    }
  }

  /// Whether there was a value to bind.
  private func bind(_ reading: Field.Reading, _ row: SourceRow, _ wanted: Int, at index: Int) throws -> Bool {
    switch reading {
    case .number: return try bind(count + 1, at: index)
    case .count: return try bind(countAtAirport + 1, at: index)
    case .airport: return try bind(lastAirport.map { directory.entries[$0].icao }, at: index)
    case .text: return try bind(row.value(wanted), at: index)
    case .word(_, let book): return try bind(row.word(wanted, book), at: index)
    case .real(_, let range): return try bind(row.number(wanted, in: range), at: index)
    case .whole(_, let range): return try bind(row.whole(wanted, in: range), at: index)
    case .flag: return try bind(row.isYes(wanted) ? 1 : 0, at: index)
    case .date: return try bind(row.date(wanted), at: index)
    case .variation: return try bind(row.variation(wanted, wanted + 1), at: index)
    case .made(_, _, let make):
      let value = try make(row, wanted)
      try statement.bind(value, at: index)
      return value != .null
    }
  }

  private func bind(_ value: CSVValue, at index: Int) throws -> Bool {
    guard !value.isEmpty else { return try bind(nil as String?, at: index) }
    if let bytes = value.asciiBytes {
      try statement.bind(borrowed: bytes, at: index)
    } else {
      try statement.bind(.text(value.text), at: index)
    }
    return true
  }

  private func bind(_ text: String?, at index: Int) throws -> Bool {
    try statement.bind(SQLiteValue(text), at: index)
    return text != nil
  }

  private func bind(_ number: Int?, at index: Int) throws -> Bool {
    guard let number else { return try bind(nil as String?, at: index) }
    try statement.bind(number, at: index)
    return true
  }

  private func bind(_ number: Double?, at index: Int) throws -> Bool {
    guard let number else { return try bind(nil as String?, at: index) }
    try statement.bind(number, at: index)
    return true
  }
}
