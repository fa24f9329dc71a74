internal import Core
internal import Foundation

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

  private let origin: Origin
  private let places: [Int]
  private let place: (String) -> Int
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
    case .text: return text()
    case .number(let range): return number(range)
    case .whole(let range):
      let number = AuditNumber("", Double(range.lowerBound)...Double(range.upperBound)) { _ in first }
      return { row, _ in AuditValue(number.value(row).flatMap { $0 == $0.rounded() ? $0 : nil }) }
    case .word: return word()
    case .flag(let empty): return flag(empty)
    case .date: return date()
    case .variation: return variation()
    case .airport: return { _, context in AuditValue(context.airport?.identity) }
    case .owner: return { _, context in AuditValue(context.owner) }
    case .rowNumber: return { _, context in .number(Double(context.number)) }
    case .count: return { _, context in .number(Double(context.count)) }
    case .row(let key):
      let rows = sources?.numbers(of: key) ?? [:]
      return { [places] row, _ in AuditValue(AuditKey.of(row, places).flatMap { rows[$0] ?? nil }) }
    case .lines(let gathering): return try lines(gathering)
    case .function(let function): return AuditFunction(origin, places, place).value(function)
    case .made: return nil
    }
  }

  private func text() -> Value {
    guard places.count > 1 else { return { [first] row, _ in row.value(first) } }
    return { [places] row, _ in places.lazy.map(row.value).first { !$0.isNull } ?? .null }
  }

  private func number(_ range: ClosedRange<Double>) -> Value {
    let number = AuditNumber(origin.columns[0], range, place)
    return { row, _ in AuditValue(number.value(row)) }
  }

  private func word() -> Value {
    { [first, pairs = origin.pairs] row, _ in
      AuditValue(row.text(first).map { pairs[$0] ?? $0.lowercased() })
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

  private func date() -> Value {
    { [first] row, _ in AuditValue(row.text(first).flatMap(AuditFunction.date)) }
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

  private func lines(_ gathering: Gathering) throws -> Value {
    let lines = try sources?.lines(gathering) ?? [:]
    let key = gathering.key.columns.map(place)
    return { row, _ in AuditValue(AuditKey.of(row, key).flatMap { lines[$0] }) }
  }
}

/// The texts of the columns by which one table names a row of another.
enum AuditKey {
  /// Nil if all of them are empty.
  static func of(_ row: AuditRow, _ places: [Int]) -> String? {
    let texts = places.map { row.text($0) ?? "" }
    return texts.allSatisfy(\.isEmpty) ? nil : texts.joined(separator: "\0")
  }
}
