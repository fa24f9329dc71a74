internal import Aero
internal import Pipeline
internal import SQLiteIO

/// What nearly every airport has, and those of one state have not.
struct DatabaseStates: DatabaseRule {
  let name = "database-states"
  let protects =
    "No state is left without its elevations, fuels or magnetic variations, while the country as a whole looks right."

  /// Of all rows and of a state's, the shares that are empty.
  private static let usual = 0.4
  private static let lost = 0.9
  private static let fewest = 12
  private static let fewestElsewhere = 50

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard let airports = try database.known.first(where: { $0.name == "airports" }), airports.has("state")
    else { return [] }
    let columns = airports.columns.map(\.name).filter { !["id", "icao", "state"].contains($0) }
    let empty = columns.map { "sum(\"\($0)\" IS NULL OR \"\($0)\" = '[]')" }.joined(separator: ", ")
    let rows = try database.connection.prepare(
      "SELECT state, count(*), \(empty) FROM airports WHERE state IS NOT NULL GROUP BY state ORDER BY 1"
    ).map { row in (state: row.text(0) ?? "", counts: (0...columns.count).map { row.int($0 + 1) }) }
    let all = rows.reduce(0) { $0 + $1.counts[0] }
    return columns.enumerated().flatMap { index, column -> [Finding] in
      let total = rows.reduce(0) { $0 + $1.counts[index + 1] }
      return rows.filter { Self.isLost($0.counts[0], $0.counts[index + 1], of: all, total) }.map { row in
        error(
          "\(database.place) airports.\(column)",
          "it is empty for \(row.counts[index + 1]) of the \(Counts.of(row.counts[0], "airport")) of \(row.state), "
            + "and hardly anywhere else")
      }
    }
  }

  /// Compared with all other states.
  private static func isLost(_ rows: Int, _ empty: Int, of all: Int, _ total: Int) -> Bool {
    guard rows >= fewest, all - rows >= fewestElsewhere, Double(empty) > lost * Double(rows) else {
      return false
    }
    return Double(total - empty) < usual * Double(all - rows)
  }
}
