internal import Aero
internal import Core
internal import Pipeline
internal import SQLiteIO

/// What two tables say of the same place.
///
/// Of whole cycles of 2023 and 2026 with 861 towers: none of them transmits in the band of ground control, none of 576 towered
/// airports is without its tower's frequency, 4 of 735 airports with such a frequency are not towered, one airport has helipads
/// only, 13 of 6,100 heliports have another runway, and no weather station lies a tenth of a degree from its airport.
struct DatabaseAgreement: DatabaseRule {
  let name = "database-agreement"
  let protects = "No frequency, localizer or weather station belongs to another airport than the file says."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let tables = Set(try database.known.filter { $0.name != "metadata" }.map(\.name))
    return try Comparison.all.filter { $0.tables.allSatisfy(tables.contains) }.flatMap { comparison in
      try comparison.findings(in: database.connection).map {
        error("\(database.place) \(comparison.tables[0])", $0)
      }
    }
  }
}

/// Rows that disagree with those of another table. One may be the FAA's fault, many are ours.
private struct Comparison {
  let tables: [String]
  /// The state, or NULL, and whether the row disagrees.
  let sql: String
  /// Of all rows, and of those of a state.
  let share: Double
  var stateShare = 0.5
  var fewest = 4
  let trouble: String

  func findings(in connection: SQLiteConnection) throws -> [String] {
    let states = try connection.prepare(
      "SELECT state, coalesce(sum(isWrong), 0), count(*) FROM (\(sql)) GROUP BY 1 ORDER BY 1"
    ).map { (name: $0.text(0), wrong: $0.int(1), rows: $0.int(2)) }
    let (wrong, rows) = states.reduce((0, 0)) { ($0.0 + $1.wrong, $0.1 + $1.rows) }
    if isTooMany(wrong, of: rows, share) { return [text(wrong, of: rows, nil)] }
    return states.filter { $0.name != nil && isTooMany($0.wrong, of: $0.rows, stateShare) }
      .map { text($0.wrong, of: $0.rows, $0.name) }
  }

  private func isTooMany(_ wrong: Int, of rows: Int, _ share: Double) -> Bool {
    wrong >= fewest && Double(wrong) > share * Double(rows)
  }

  private func text(_ wrong: Int, of rows: Int, _ state: String?) -> String {
    let place = state.map { " of \($0)" } ?? ""
    return "\(Counts.grouped(wrong)) of \(Counts.grouped(rows))\(place) \(trouble)"
  }

  static let all = [towersOnGround, silentTowers, towersWithout, helipads, heliports, localizers, stations]

  private static let towersOnGround = Comparison(
    tables: ["frequencies"],
    sql: """
      SELECT NULL AS state, frequency BETWEEN 121.6 AND 121.95 AS isWrong FROM frequencies WHERE type = 'tower' AND vhf
      """, share: 0.05,
    trouble:
      "towers transmit between 121.6 and 121.95 MHz, which is ground control's band: two words are exchanged")

  private static let silentTowers = Comparison(
    tables: ["airports", "frequencies"],
    sql: """
      SELECT state, NOT EXISTS (SELECT 1 FROM frequencies WHERE airport = icao AND type = 'tower') AS isWrong FROM airports
      WHERE isTowered AND use IS NOT 'private' AND coalesce(country, 'US') = 'US' AND EXISTS (SELECT 1 FROM frequencies)
      """, share: 0.1, trouble: "towered airports have no frequency of a tower")

  private static let towersWithout = Comparison(
    tables: ["airports", "frequencies"],
    sql: """
      SELECT state, NOT isTowered AS isWrong FROM airports
      WHERE EXISTS (SELECT 1 FROM frequencies WHERE airport = icao AND type = 'tower')
      """, share: 0.05, trouble: "airports with the frequency of a tower are said to have none")

  private static let helipads = Comparison(
    tables: ["airports", "runways"],
    sql: """
      SELECT a.state, min(r.id GLOB 'H*') AS isWrong FROM airports a JOIN runways r ON r.airport = a.icao
      WHERE a.type = 'airport' GROUP BY a.icao
      """, share: 0.01, stateShare: 0.02,
    trouble: "airports have no other runways than helipads: they are heliports")

  private static let heliports = Comparison(
    tables: ["airports", "runways"],
    sql: """
      SELECT a.state, NOT min(r.id GLOB 'H*') AS isWrong FROM airports a JOIN runways r ON r.airport = a.icao
      WHERE a.type = 'heliport' GROUP BY a.icao
      """, share: 0.02, stateShare: 0.2, trouble: "heliports have runways of airports")

  /// The course is magnetic, the heading true; an offset localizer differs by some degrees.
  private static let localizers = Comparison(
    tables: ["ils", "runways"],
    sql: """
      SELECT NULL AS state, heading IS NULL OR abs((course + magneticVariation - heading + 900) % 360 - 180) > 30 AS isWrong
      FROM (SELECT course, coalesce(magneticVariation, 0) AS magneticVariation,
        (SELECT coalesce(CASE runwayEnd WHEN baseEndID THEN baseEndTrueHeading ELSE reciprocalEndTrueHeading END,
            CAST(runwayEnd AS INTEGER) * 10)
          FROM runways r WHERE r.airport = ils.airport AND runwayEnd IN (baseEndID, reciprocalEndID)) AS heading
        FROM ils WHERE course IS NOT NULL AND runwayEnd IS NOT NULL
          AND EXISTS (SELECT 1 FROM runways r WHERE r.airport = ils.airport))
      """, share: 0.1, trouble: "localizers point along no runway of their airport")

  private static let stations = Comparison(
    tables: ["weatherStations", "airports"],
    sql: """
      SELECT NULL AS state, max(abs(w.latitude - a.latitude), abs(w.longitude - a.longitude)) > 0.2 AS isWrong
      FROM weatherStations w JOIN airports a ON a.icao = w.airport
      """, share: 0.05, trouble: "weather stations lie more than 0.2 degrees from their airport")
}
