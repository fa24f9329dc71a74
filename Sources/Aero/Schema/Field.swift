internal import SQLiteIO

/// One column of a database's table, and how it is read from the columns of a table of the NASR.
struct Field: Sendable {
  /// Where a value comes from. Names in capitals are the FAA's columns.
  enum Reading: Sendable {
    /// 1, 2, 3 … in the order in which the rows are written.
    case number
    /// The airport to which the row belongs.
    case airport
    /// 1, 2, 3 … within the airport.
    case count
    case text(String)
    /// The text of the first column, or where it is empty that of the second.
    case either(String, String)
    case word(String, CodeBook)
    case real(String, ClosedRange<Double>)
    case whole(String, ClosedRange<Int>)
    /// 1 for `Y`, else 0.
    case flag(String)
    /// `2026-02-19` for `2026/02/19`; years and months alone as they are.
    case date(String)
    /// Degrees, with the hemisphere in a column of its own; west negative.
    case variation(String, String)
    /// Whatever takes more than one step: SQLite's type, the columns, and what is made of them in the row, where they
    /// are numbered from the second argument on.
    case made(String, [String], @Sendable (SourceRow, Int) throws(UnusableRow) -> SQLiteValue)
    /// What is made in the same way of columns and of what is known of the airport besides.
    case atAirport(String, [String], @Sendable (SourceRow, Int, AirportDirectory.Entry) -> SQLiteValue)

    var isAirport: Bool {
      if case .airport = self { true } else { false }
    }

    /// The FAA's columns that it reads.
    var sources: [String] {
      switch self {
      case .number, .airport, .count: []
      case .text(let name), .word(let name, _), .real(let name, _), .whole(let name, _), .flag(let name),
        .date(let name):
        [name]
      case .either(let first, let second), .variation(let first, let second): [first, second]
      case .made(_, let names, _), .atAirport(_, let names, _): names
      }
    }
  }

  /// Where most airports' tables begin.
  static let airport = Field("airport", .airport, isRequired: true)

  let column: TableSchema.Column
  let reading: Reading
  /// Whether a row without it is of no use.
  let isRequired: Bool
  /// Whether a cycle may lack the FAA's column.
  let mayLack: Bool

  init(
    _ name: String, _ reading: Reading, _ comment: String? = nil, isRequired: Bool = false,
    mayLack: Bool = false, references: String? = nil
  ) {
    let suffix = (isRequired ? " NOT NULL" : "") + (references.map { " REFERENCES \($0)" } ?? "")
    column = TableSchema.Column(name, Field.type(of: reading) + suffix, comment)
    self.reading = reading
    self.isRequired = isRequired
    self.mayLack = mayLack
  }

  private static func type(of reading: Reading) -> String {
    switch reading {
    case .number: "INTEGER PRIMARY KEY"
    case .airport: "TEXT REFERENCES airports(icao)"
    case .count: "INTEGER NOT NULL"
    case .flag: "INTEGER NOT NULL"
    case .text, .either, .word, .date: "TEXT"
    case .real, .variation: "REAL"
    case .whole: "INTEGER"
    case .made(let type, _, _), .atAirport(let type, _, _): type
    }
  }
}

extension [Field] {
  /// The FAA's columns that they read, one field after the other.
  var wanted: [WantedColumn] {
    flatMap { field in field.reading.sources.map { WantedColumn(name: $0, mayLack: field.mayLack) } }
  }
}
