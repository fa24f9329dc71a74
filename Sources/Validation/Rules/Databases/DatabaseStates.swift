internal import Aero
internal import Core
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

  /// Of all rows and of a state's, how many say yes.
  private static let common = 0.15
  private static let fewestFlagged = 60

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard let airports = try database.known.first(where: { $0.name == "airports" }), airports.has("state")
    else { return [] }
    let columns = airports.columns.map(\.name).filter { !["id", "icao", "state"].contains($0) }
    let flags = columns.filter { $0.hasPrefix("is") || $0.hasPrefix("has") }
    let empty = columns.map { "sum(\"\($0)\" IS NULL OR \"\($0)\" = '[]')" }
    let no = flags.map { "sum(coalesce(\"\($0)\", 0) = 0)" }
    let rows = try database.connection.prepare(
      """
      SELECT state, count(*), \((empty + no).joined(separator: ", ")) FROM airports
      WHERE state IS NOT NULL GROUP BY state ORDER BY 1
      """
    ).map { row in
      (state: row.text(0) ?? "", counts: (0...columns.count + flags.count).map { row.int($0 + 1) })
    }
    let all = rows.reduce(0) { $0 + $1.counts[0] }
    return (columns + flags).enumerated().flatMap { index, column -> [Finding] in
      let isFlag = index >= columns.count
      let total = rows.reduce(0) { $0 + $1.counts[index + 1] }
      let isLost = isFlag ? Self.isNowhere : Self.isLost
      return rows.filter { isLost($0.counts[0], $0.counts[index + 1], all, total) }.map { row in
        error(
          "\(database.place) airports.\(column)",
          "it is \(isFlag ? "no" : "empty") for \(row.counts[index + 1]) of the "
            + "\(Counts.of(row.counts[0], "airport")) of \(row.state), "
            + (isFlag ? "and yes for many elsewhere" : "and hardly anywhere else"))
      }
    }
  }

  /// Not one yes in a state of many airports, where elsewhere it is common.
  private static func isNowhere(_ rows: Int, _ no: Int, of all: Int, _ total: Int) -> Bool {
    guard rows >= fewestFlagged, no == rows, all - rows >= fewestFlagged else { return false }
    return Double(all - rows - (total - no)) > common * Double(all - rows)
  }

  /// Compared with all other states.
  private static func isLost(_ rows: Int, _ empty: Int, of all: Int, _ total: Int) -> Bool {
    guard rows >= fewest, all - rows >= fewestElsewhere, Double(empty) > lost * Double(rows) else {
      return false
    }
    return Double(total - empty) < usual * Double(all - rows)
  }
}
