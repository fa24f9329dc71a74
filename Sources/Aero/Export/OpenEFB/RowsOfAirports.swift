internal import SQLiteIO

/// Reads the rows of a table that belong to one airport after another, and counts them.
final class RowsOfAirports {
  private let statement: SQLiteStatement
  private(set) var rows = 0

  /// - Parameter order: of the rows of one airport.
  init(_ database: SQLiteConnection, _ columns: [String], of table: String, order: String) throws {
    statement = try database.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE airport = ? ORDER BY \(order)")
  }

  func forEach(of airport: String, _ each: (SQLiteRow) throws -> Void) throws {
    try statement.rows([.text(airport)]) { row in
      rows += 1
      try each(row)
    }
  }
}

@available(*, unavailable)
extension RowsOfAirports: Sendable {}
