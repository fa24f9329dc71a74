internal import Aero
internal import SQLiteIO

/// Columns that hold JSON.
struct DatabaseLists: DatabaseRule {
  let name = "database-lists"
  let protects = "An app that decodes a list, such as the fuels of an airport, does not fail on it."

  private static let lists = [
    (table: "airports", column: "fuelTypes"), (table: "airportDetails", column: "services"),
    (table: "airspaces", column: "times"),
  ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let known = try database.known
    return try Self.lists.flatMap { list -> [Finding] in
      guard let table = known.first(where: { $0.name == list.table }), table.has(list.column) else {
        return []
      }
      return try database.connection.prepare(
        """
        SELECT \(table.label), "\(list.column)" FROM \(table.name) WHERE "\(list.column)" IS NOT NULL
          AND CASE WHEN json_valid("\(list.column)") THEN json_type("\(list.column)") <> 'array' ELSE 1 END
        ORDER BY 1
        """
      ).map {
        error(
          "\(database.place) \(list.table) \($0.text(0) ?? "")",
          "\(list.column) is \"\(($0.text(1) ?? "").prefix(40))\", which is no JSON array")
      }
    }
  }
}
