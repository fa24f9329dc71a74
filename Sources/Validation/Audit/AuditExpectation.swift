/// What a value depends on besides its row.
struct AuditContext {
  var airport: AuditAirport?
  /// The number of the row that owns the row.
  var owner: Int?
  /// The number of the row in the table, and within its owner.
  var number = 1
  var count = 1
  /// Of a frequency.
  var type = ""
}

/// Computes the values of a column from the FAA's columns, as its origin declares it.
struct AuditExpectation {
  typealias Value = (AuditRow, AuditContext) -> AuditValue

  let origin: Origin
  let places: [Int]
  let place: (String) -> Int
  /// Nil for columns that refer to no other table.
  private let sources: AuditSources?

  init(_ origin: Origin, _ file: AuditFile, _ sources: AuditSources? = nil) {
    (self.origin, self.sources) = (origin, sources)
    place = file.place
    places = origin.columns.map(file.place)
  }

  private var first: Int { places.first ?? -1 }

  /// Nil for a column that the audit does not compare row by row.
  func value() throws -> Value? {
    switch origin.relation {
    case .text:
      guard places.count > 1 else { return { [first] row, _ in row.value(first) } }
      return { [places] row, _ in places.lazy.map(row.value).first { !$0.isNull } ?? .null }
    case .number(let range): return number(range) { $0 }
    case .whole(let range):
      let number = AuditNumber("", Double(range.lowerBound)...Double(range.upperBound)) { _ in first }
      return { row, _ in AuditValue(number.value(row).flatMap { $0 == $0.rounded() ? $0 : nil }) }
    case .word:
      return { [first, pairs = origin.pairs] row, _ in
        AuditValue(row.text(first).map { pairs[$0] ?? $0.lowercased() })
      }
    case .flag(let empty): return flag(empty)
    case .date: return { [first] row, _ in AuditValue(row.text(first).flatMap(Self.date)) }
    case .variation: return variation()
    case .airport: return { _, context in AuditValue(context.airport?.identity) }
    case .airportNamed:
      let airports = sources?.airports
      return { [first] row, _ in AuditValue(row.text(first).flatMap { airports?.named($0) }) }
    case .owner: return { _, context in AuditValue(context.owner) }
    case .rowNumber: return { _, context in .number(Double(context.number)) }
    case .count: return { _, context in .number(Double(context.count)) }
    case .row(let key):
      let rows = sources?.numbers(of: key) ?? [:]
      return { [places] row, _ in AuditValue(row.key(places).flatMap { rows[$0] ?? nil }) }
    case .lines(let gathering):
      let (lines, key) = (try sources?.lines(gathering) ?? [:], gathering.key.columns.map(place))
      return { row, _ in AuditValue(row.key(key).flatMap { lines[$0] }) }
    case .function(let function): return computed(function)
    case .coded(let form): return coded(form)
    case .made: return nil
    }
  }

  private func flag(_ empty: Bool?) -> Value {
    { [first] row, _ in
      switch row.text(first) {
      case "Y": .number(1)
      case "N": .number(0)
      case nil: first < 0 ? .null : AuditValue(empty)
      default: .null
      }
    }
  }

  private func variation() -> Value {
    { [places] row, _ in
      guard let degrees = row.number(places[0]), (0...180).contains(degrees) else { return .null }
      switch row.text(places[1]) {
      case _ where degrees == 0: return .number(0)
      case "E": return .number(degrees)
      case "W": return .number(-degrees)
      default: return .null
      }
    }
  }
}

extension AuditExpectation {
  /// Returns the columns of a table that are compared row by row, with their values.
  static func columns(
    of table: String, in file: AuditFile, _ sources: AuditSources? = nil
  ) throws -> [(name: String, value: Value)] {
    try DatabaseSchema.columns(of: table).compactMap { column in
      try AuditExpectation(column.origin, file, sources).value().map { (column.name, $0) }
    }
  }
}

extension DatabaseSchema {
  fileprivate static func columns(of table: String) -> [TableSchema.Column] {
    tables.first { $0.name == table }?.columns ?? []
  }

  /// The words for the FAA's codes in a column.
  static func words(of column: String, in table: String) -> [String: String] {
    columns(of: table).first { $0.name == column }?.origin.pairs ?? [:]
  }
}
