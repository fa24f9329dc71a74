internal import Aero
internal import SQLiteIO

/// Every number within what is possible on this earth, as the schema says of its column.
struct DatabaseRanges: DatabaseRule {
  let name = "database-ranges"
  let protects =
    "No airport lies in the wrong ocean, and no radio is tuned to a frequency that does not exist."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try database.known.flatMap { try findings(in: $0, database) }
  }

  /// One scan of the table for all of its columns.
  private func findings(in table: TableSchema, _ database: DatabaseUnderTest) throws -> [Finding] {
    let columns = table.columns.compactMap { column in
      table.quantity(of: column).map { (name: column.name, quantity: $0) }
    }
    guard !columns.isEmpty else { return [] }
    let names = columns.map { "\"\($0.name)\"" }
    // Text among numbers compares as greater than any of them, so it is found too; NULL is never beyond anything.
    let beyond = zip(names, columns).map { name, column in
      "\(name) NOT BETWEEN \(column.quantity.usual.lowerBound) AND \(column.quantity.usual.upperBound)"
    }
    return try database.connection.prepare(
      """
      SELECT \(table.label), \(names.joined(separator: ", ")) FROM \(table.name)
      WHERE \(beyond.joined(separator: " OR ")) ORDER BY 1
      """
    ).map { row in
      let place = "\(database.place) \(table.name) \(row.text(0) ?? "")"
      return columns.enumerated().compactMap { number, column in
        finding(place, column.name, column.quantity, row, number + 1)
      }
    }.flatMap(\.self)
  }

  private func finding(
    _ place: String, _ name: String, _ quantity: Quantity, _ row: SQLiteRow, _ at: Int
  ) -> Finding? {
    guard !row.isNull(at) else { return nil }
    let value = row.isNumber(at) ? row.double(at) : .nan
    if !quantity.possible.contains(value) {
      let expected = Quantity.words(quantity.possible, quantity.unit)
      return error(place, "\(name) is \(row.text(at) ?? ""), not \(expected)")
    }
    guard !quantity.usual.contains(value) else { return nil }
    let expected = Quantity.words(quantity.usual, quantity.unit)
    return warning(place, "\(name) is \(row.text(at) ?? ""); \(expected) is usual")
  }
}
