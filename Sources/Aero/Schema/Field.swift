internal import Core
internal import SQLiteIO

/// One column of a database's table, and how it is read from the columns of a table of the NASR.
struct Field: Sendable {
  /// Where a value comes from. Names in capitals are the FAA's columns.
  enum Reading: Sendable {
    /// 1, 2, 3 … in the order in which the rows are written.
    case number
    /// The airport to which the row belongs.
    case airport
    /// 1, 2, 3 … within what the row belongs to.
    case count
    /// The id of the row to which the row belongs.
    case owner(RowKey)
    /// The id of the row that these columns name; NULL where there is none, or more than one.
    case row(RowKey, by: [String])
    case text(String)
    /// The text of the first column, or where it is empty that of the second.
    case either(String, String)
    case word(String, CodeBook)
    case real(String, ClosedRange<Double>)
    case whole(String, ClosedRange<Int>)
    /// 1 for `Y`, 0 for `N` and for nothing, NULL for any other code and where the cycle lacks the column.
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
    /// What is made in the same way of columns and of a text that is gathered from another table.
    case gathered(String, Gathering, [String], @Sendable (String?, SourceRow, Int) -> SQLiteValue)

    var isOwner: Bool {
      switch self {
      case .airport, .owner: true
      default: false
      }
    }

    /// The FAA's columns that it reads.
    var sources: [String] {
      switch self {
      case .number, .airport, .count, .owner: []
      case .text(let name), .word(let name, _), .real(let name, _), .whole(let name, _), .flag(let name),
        .date(let name):
        [name]
      case .either(let first, let second), .variation(let first, let second): [first, second]
      case .row(_, let names), .made(_, let names, _), .atAirport(_, let names, _),
        .gathered(_, _, let names, _):
        names
      }
    }

    /// The same in words, with what is gathered from another table.
    fileprivate var provenance: String? {
      var names = sources
      if case .gathered(_, let gathering, _, _) = self {
        names = gathering.line.map { gathering.source + "." + $0 } + names
      }
      return names.isEmpty ? nil : names.joined(separator: ", ")
    }
  }

  /// Where most airports' tables begin.
  static let airport = Field("airport", .airport, isRequired: true, from: "SITE_NO, SITE_TYPE_CODE")
  /// Where tables with rows of their own identity begin.
  static let id = Field("id", .number)
  /// The number of a row within what it belongs to.
  static let number = Field("number", .count, "Counts from 1 within what the row belongs to.")

  /// The text of the rows of another table, line by line.
  static func lines(_ name: String, _ gathering: Gathering, _ comment: String? = nil) -> Field {
    Field(name, .gathered("TEXT", gathering, []) { text, _, _ in SQLiteValue(text) }, comment)
  }

  /// A number that is put in when the tables with which it has to do are there.
  static func filledLater(_ name: String, _ comment: String? = nil) -> Field {
    Field(name, .made("REAL", []) { _, _ in .null }, comment)
  }

  let column: TableSchema.Column
  let reading: Reading
  /// Whether a row without it is of no use.
  let isRequired: Bool
  /// Whether a cycle may lack the FAA's column.
  let mayLack: Bool

  init(
    _ name: String, _ reading: Reading, _ comment: String? = nil, isRequired: Bool = false,
    mayLack: Bool = false, references: String? = nil, from source: String? = nil
  ) {
    let suffix = (isRequired ? " NOT NULL" : "") + (references.map { " REFERENCES \($0)" } ?? "")
    column = TableSchema.Column(
      name, Field.type(of: reading) + suffix, comment, from: source ?? reading.provenance,
      words: Field.words(of: reading))
    self.reading = reading
    self.isRequired = isRequired
    self.mayLack = mayLack
  }

  private static func words(of reading: Reading) -> Set<String> {
    if case .word(_, let book) = reading { book.words } else { [] }
  }

  private static func type(of reading: Reading) -> String {
    switch reading {
    case .number: "INTEGER PRIMARY KEY"
    case .airport: "TEXT REFERENCES airports(icao)"
    case .count: "INTEGER NOT NULL"
    case .owner(let key): "INTEGER NOT NULL REFERENCES \(key.table)(id)"
    case .row(let key, _): "INTEGER REFERENCES \(key.table)(id)"
    case .text, .either, .word, .date: "TEXT"
    case .real, .variation: "REAL"
    case .whole, .flag: "INTEGER"
    case .made(let type, _, _), .atAirport(let type, _, _), .gathered(let type, _, _, _): type
    }
  }
}

extension [Field] {
  /// The FAA's columns that they read, one field after the other.
  var wanted: [WantedColumn] {
    flatMap { field in field.reading.sources.map { WantedColumn(name: $0, mayLack: field.mayLack) } }
  }
}

/// How rows of other tables name a row of this one: by the values of some of the FAA's columns.
struct RowKey: Sendable {
  /// The table of the database; the row that is meant is told by its `id`.
  let table: String
  /// The FAA's columns in the rows of that table. Another table may have them under other names, in the same order.
  let columns: [String]
  /// Tells it apart from all others.
  let name: String

  init(table: String, columns: [String]) {
    self.table = table
    self.columns = columns
    name = table + " " + columns.joined(separator: " ")
  }
}

extension RowKey {
  static let fix = RowKey(table: "fixes", columns: ["FIX_ID", "ICAO_REGION_CODE"])
  static let navaid = RowKey(
    table: "navaids", columns: ["NAV_ID", "NAV_TYPE", "CITY", "COUNTRY_CODE"])
  /// All that some tables say of a navaid; where it fits more than one, none is meant.
  static let navaidOfType = RowKey(table: "navaids", columns: ["NAV_ID", "NAV_TYPE"])
  static let controlFacility = RowKey(
    table: "controlFacilities", columns: ["SITE_NO", "SITE_TYPE_CODE", "FACILITY_TYPE", "FACILITY_ID"])
  static let flightServiceStation = RowKey(table: "flightServiceStations", columns: ["FSS_ID"])
  static let airway = RowKey(table: "airways", columns: ["AWY_ID", "AWY_LOCATION"])
  static let ils = RowKey(
    table: "ils",
    columns: ["SITE_NO", "SITE_TYPE_CODE", "RWY_END_ID", "ILS_LOC_ID", "SYSTEM_TYPE_CODE"])
  static let parachuteArea = RowKey(table: "parachuteAreas", columns: ["PJA_ID"])
  static let militaryRoute = RowKey(table: "militaryRoutes", columns: ["ROUTE_TYPE_CODE", "ROUTE_ID"])
  static let miscellaneousArea = RowKey(table: "miscellaneousAreas", columns: ["MAA_ID"])
  static let weatherLocation = RowKey(table: "weatherLocations", columns: ["WEA_ID"])
}

/// Rows of another table of the NASR that become one text in a row of this one, a line for each.
struct Gathering: Sendable {
  /// The FAA's name of the other table.
  let source: String
  /// To which row they belong: the first key of the table that gathers, under the same names in both.
  let key: RowKey
  /// The column by whose numbers the lines are put in order.
  let order: String
  /// The columns whose values make a line, with a blank between them.
  let line: [String]
}

/// What the codes of one column mean, in the words that the apps use.
///
/// Codes and words are constants of the program: a code is found by its bytes in the file, and its word is written to the
/// database from where it lies.
struct CodeBook: ExpressibleByDictionaryLiteral {
  private let entries: [(code: StaticString, word: StaticString)]

  init(dictionaryLiteral pairs: (StaticString, StaticString)...) { entries = pairs }

  /// In the order in which they are written down.
  var pairs: [(code: String, word: String)] {
    entries.map { ($0.code.description, $0.word.description) }
  }

  /// The codes of each word, in their order.
  var codes: [String: [String]] {
    Dictionary(grouping: entries, by: \.word.description).mapValues { $0.map(\.code.description) }
  }

  var words: Set<String> { Set(entries.map(\.word.description)) }

  subscript(code: CSVValue) -> StaticString? { entries.first { code.equals($0.code) }?.word }

  subscript(code: some StringProtocol) -> String? {
    entries.first { $0.code.bytes.elementsEqual(code.utf8) }?.word.description
  }
}

extension StaticString {
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
