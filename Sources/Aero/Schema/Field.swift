internal import Core
internal import SQLiteIO

/// One column of a database's table, and how it is read from the columns of a NASR table.
///
/// The table's SQL, its documentation and the reader all come from the list of its fields: to add a column, add a field.
package struct Field: Sendable {
  package let column: TableSchema.Column
  let reading: Reading
  /// Whether a row without the value is dropped.
  package let isRequired: Bool
  /// Whether a cycle may lack the FAA's column.
  let mayLack: Bool

  init(
    _ name: String, _ reading: Reading, _ comment: String? = nil, isRequired: Bool = false,
    mayLack: Bool = false, references: String? = nil, from source: String? = nil
  ) {
    let suffix = (isRequired ? " NOT NULL" : "") + (references.map { " REFERENCES \($0)" } ?? "")
    var origin = reading.origin
    if let source { origin.columns = source.split(separator: ", ").map(String.init) }
    column = TableSchema.Column(name, reading.type + suffix, comment, origin: origin)
    self.reading = reading
    self.isRequired = isRequired
    self.mayLack = mayLack
  }

  /// The first column of most airports' tables.
  static let airport = Field("airport", .airport, isRequired: true, from: "SITE_NO, SITE_TYPE_CODE")
  /// The first column of tables whose rows have an id.
  static let id = Field("id", .number)
  /// The number of a row within its owner.
  static let number = Field("number", .count, "Counts from 1 within what the row belongs to.")

  /// Fields that many tables have, of columns that have the same names in them.
  static let city = Field("city", .text("CITY"))
  static let state = Field("state", .text("STATE_CODE"))
  static let country = Field("country", .text("COUNTRY_CODE"))
  static let remark = Field("remark", .text("REMARK"))
  static let latitude = Field("latitude", .real("LAT_DECIMAL", -90...90))
  static let longitude = Field("longitude", .real("LONG_DECIMAL", -180...180))
  static let requiredLatitude = Field("latitude", .real("LAT_DECIMAL", -90...90), isRequired: true)
  static let requiredLongitude = Field("longitude", .real("LONG_DECIMAL", -180...180), isRequired: true)

  /// The text of the rows of another table, line by line.
  static func lines(_ name: String, _ gathering: Gathering, _ comment: String? = nil) -> Field {
    Field(
      name, .gathered("TEXT", gathering, [], as: .lines(gathering)) { text, _, _ in SQLiteValue(text) },
      comment)
  }

  /// A number that `SourceTable.links` fills in from other tables.
  static func linked(_ name: String, _ comment: String? = nil) -> Field {
    Field(name, .computed("REAL", [], as: nil) { _, _ in .null }, comment)
  }
}

/// Where the values of a field come from. Names in capitals are the FAA's columns.
struct Reading: Sendable {
  typealias Compute = @Sendable (SourceRow, Int) throws(UnusableRow) -> SQLiteValue

  /// The way from a row to its value. The names of the columns are not part of it, so that most cases hold no references: a reference
  /// would be counted for each of millions of values.
  enum Way: Sendable {
    case number, airport, airportNamed, count, owner
    case text, either, date, variation
    case flag(whenEmpty: Bool?)
    case real(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    case word(CodeBook)
    case computed(Compute)
    case atAirport(@Sendable (SourceRow, Int, AirportDirectory.Entry) -> SQLiteValue)
    indirect case link(RowKey)
    indirect case gathered(Gathering, @Sendable (String?, SourceRow, Int) -> SQLiteValue)
    case joined
  }

  let way: Way
  /// The FAA's columns that are read.
  let columns: [String]
  /// SQLite's type of the column.
  let type: String
  /// The same for the documentation and the audit.
  let origin: Origin

  private init(_ type: String, _ columns: [String], _ way: Way, _ origin: Origin) {
    (self.way, self.columns, self.type, self.origin) = (way, columns, type, origin)
  }

  private init(
    _ type: String, _ columns: [String], _ way: Way, _ relation: Origin.Relation, pairs: CodeBook? = nil
  ) {
    self.init(type, columns, way, Origin(columns, relation, pairs: pairs))
  }

  /// 1, 2, 3 ... in the order in which the rows are written.
  static let number = Reading("INTEGER PRIMARY KEY", [], .number, .rowNumber)
  /// The airport that owns the row.
  static let airport = Reading("TEXT REFERENCES airports(icao)", [], .airport, .airport)
  /// The one airport with the FAA identifier or ICAO code in a column; NULL if there is none, or more than one.
  static func airportNamed(_ column: String) -> Reading {
    Reading("TEXT REFERENCES airports(icao)", [column], .airportNamed, .airportNamed)
  }
  /// 1, 2, 3 ... within the row's owner.
  static let count = Reading("INTEGER NOT NULL", [], .count, .count)

  /// The id of the row that owns this row.
  static func owner(_ key: RowKey) -> Reading {
    Reading("INTEGER NOT NULL REFERENCES \(key.table)(id)", [], .owner, .owner)
  }

  /// The id of the row that these columns name; NULL if there is none, or more than one.
  static func row(_ key: RowKey, by columns: [String]) -> Reading {
    Reading("INTEGER REFERENCES \(key.table)(id)", columns, .link(key), .row(key))
  }

  static func text(_ column: String) -> Reading { Reading("TEXT", [column], .text, .text) }

  /// The text of the first column, or if it is empty that of the second.
  static func either(_ first: String, _ second: String) -> Reading {
    Reading("TEXT", [first, second], .either, .text)
  }

  static func word(_ column: String, _ book: CodeBook) -> Reading {
    Reading("TEXT", [column], .word(book), .word, pairs: book)
  }

  static func real(_ column: String, _ range: ClosedRange<Double>) -> Reading {
    Reading("REAL", [column], .real(range), .number(range))
  }

  static func whole(_ column: String, _ range: ClosedRange<Int>) -> Reading {
    Reading("INTEGER", [column], .whole(range), .whole(range))
  }

  /// 1 for `Y`, 0 for `N`, NULL for any other code and if the cycle lacks the column.
  ///
  /// - Parameter whenEmpty: what an empty field means where the FAA documents it; elsewhere the FAA says neither yes nor no.
  static func flag(_ column: String, whenEmpty: Bool? = nil) -> Reading {
    Reading("INTEGER", [column], .flag(whenEmpty: whenEmpty), .flag(whenEmpty: whenEmpty))
  }

  /// `2026-02-19` for `2026/02/19`; years and months alone are kept.
  static func date(_ column: String) -> Reading { Reading("TEXT", [column], .date, .date) }

  /// Degrees, with the hemisphere in a second column; west is negative.
  static func variation(_ degrees: String, _ hemisphere: String) -> Reading {
    Reading("REAL", [degrees, hemisphere], .variation, .variation)
  }

  /// A value that takes more than one step. The columns are numbered in the row from the second argument on.
  ///
  /// - Parameter function: what the audit computes again; nil for a value that is made later.
  static func computed(
    _ type: String, _ columns: [String], as function: Origin.Function?, pairs: CodeBook? = nil,
    _ compute: @escaping Compute
  ) -> Reading {
    Reading(type, columns, .computed(compute), function.map { .function($0) } ?? .made, pairs: pairs)
  }

  /// A value of fixed columns, which the audit reads again by its form.
  static func computed(
    _ type: String, _ columns: [String], coded form: CodedForm, _ compute: @escaping Compute
  ) -> Reading {
    Reading(type, columns, .computed(compute), .coded(form))
  }

  /// A value that also depends on the airport that owns the row.
  static func atAirport(
    _ type: String, _ columns: [String], as function: Origin.Function, pairs: CodeBook? = nil,
    _ compute: @escaping @Sendable (SourceRow, Int, AirportDirectory.Entry) -> SQLiteValue
  ) -> Reading {
    Reading(type, columns, .atAirport(compute), .function(function), pairs: pairs)
  }

  /// A value that also depends on a text that is gathered from another table.
  static func gathered(
    _ type: String, _ gathering: Gathering, _ columns: [String], as relation: Origin.Relation,
    _ compute: @escaping @Sendable (String?, SourceRow, Int) -> SQLiteValue
  ) -> Reading {
    Reading(type, columns, .gathered(gathering, compute), Origin(gathering.names + columns, relation))
  }

  /// A value of another table, which is joined to the row when it has waited; see `DatabaseWriter.copyWaiting`.
  static func joined(_ type: String, _ origin: Origin) -> Reading {
    Reading(type, [], .joined, origin)
  }

  /// Whether it is an angle with its hemisphere in a second column.
  var isVariation: Bool { if case .variation = way { true } else { false } }

  /// Whether the value depends on its columns alone.
  var dependsOnColumnsAlone: Bool {
    switch way {
    case .text, .either, .date, .variation, .flag, .real, .whole, .word, .computed: true
    case .number, .airport, .airportNamed, .count, .owner, .atAirport, .link, .gathered, .joined: false
    }
  }

  var gathering: Gathering? {
    if case .gathered(let gathering, _) = way { gathering } else { nil }
  }
}

extension [Field] {
  /// The FAA's columns that they read, one field after the other.
  var wanted: [WantedColumn] {
    flatMap { field in field.reading.columns.map { WantedColumn(name: $0, mayLack: field.mayLack) } }
  }
}
