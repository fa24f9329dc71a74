internal import SQLiteIO

/// A row of a query that stays valid, with its values by the names of their columns.
struct NamedRow {
  private let columns: [String: Int]
  let values: [SQLiteValue]
  /// Values that were made of the row, and replace its own.
  private var made: [String: SQLiteValue] = [:]

  /// - Parameter columns: the places of the columns, the same for all rows of a query.
  init(_ row: SQLiteRow, _ columns: [String: Int]) {
    self.columns = columns
    values = (0..<row.columnCount).map(row.value)
  }

  /// NULL for a column that the row does not have.
  subscript(name: String) -> SQLiteValue {
    get { made[name] ?? columns[name].map { values[$0] } ?? .null }
    set { made[name] = newValue }
  }

  func text(_ name: String) -> String? { if case .text(let text) = self[name] { text } else { nil } }

  func real(_ name: String) -> Double? {
    switch self[name] {
    case .real(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// 0 for a missing number.
  func int(_ name: String) -> Int { if case .integer(let number) = self[name] { number } else { 0 } }
}

extension SQLiteStatement {
  func forEachNamed(_ values: [SQLiteValue] = [], _ each: (NamedRow) throws -> Void) throws {
    var columns: [String: Int] = [:]
    try rows(values) { row in
      if columns.isEmpty {
        columns = Dictionary(first: (0..<row.columnCount).map { (row.name($0), $0) })
      }
      try each(NamedRow(row, columns))
    }
  }
}
