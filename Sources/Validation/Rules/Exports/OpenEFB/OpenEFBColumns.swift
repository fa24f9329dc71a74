internal import SQLiteIO

/// The tables and columns of `openefb.sqlite` that the app's types and queries name.
struct OpenEFBColumns: DatabaseRule {
  let name = "openefb-columns"
  let protects = "The app finds a column for each property that it decodes, and each index that it asks."

  private static let columns = [
    (
      "airports",
      """
      rowid icao faaID name latitude longitude elevation type ownership ctafFrequency unicomFrequency artccID fssID \
      magneticVariation patternAltitude fuelTypes hasBeaconLight runways frequencies
      """
    ),
    ("navaids", "rowid id name type latitude longitude frequency magneticVariation elevation"),
    ("airspaces", "rowid id classification name floor ceiling geometry"),
    ("metadata", "key value"),
  ]

  private static let indexes = ["airports_rtree", "navaids_rtree", "airspaces_rtree", "airports_fts"]

  /// What the other rules read is there.
  static func isMet(by database: DatabaseUnderTest) throws -> Bool { try problems(database).isEmpty }

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try OpenEFBColumns.problems(database).map { error(database.place, $0) }
  }

  private static func problems(_ database: DatabaseUnderTest) throws -> [String] {
    let there = try database.columns()
    let missing = columns.compactMap { table, names -> String? in
      guard let own = there[table] else { return "there is no table `\(table)`" }
      let lacking = names.split(separator: " ").filter { !own.contains(String($0)) }
      return lacking.isEmpty
        ? nil : "the table `\(table)` has no column \(lacking.joined(separator: ", "))"
    }
    return missing
      + indexes.filter { !database.tables.contains($0) }.map { "there is no table `\($0)`" }
  }
}
