internal import SQLiteIO

/// The boxes by which the app finds what is near, against the places themselves.
struct DatabaseRTree: DatabaseRule {
  let name = "database-rtree"
  let protects = "An airport that is near is on the map, and in the list of the nearest."

  /// Degrees. The tree keeps 32-bit numbers, rounded outwards.
  private static let slack = 0.0001

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try ["airports", "navaids"].flatMap { try astray($0, database) + strays($0, database) }
  }

  private func astray(_ table: String, _ database: DatabaseUnderTest) throws -> [Finding] {
    let identifier = table == "airports" ? "icao" : "identifier"
    return try database.connection.prepare(
      """
      SELECT t.\(identifier), r.id IS NULL FROM \(table) t LEFT JOIN \(table)_rtree r ON r.id = t.rowid
      WHERE r.id IS NULL
        OR t.latitude NOT BETWEEN r.minLat AND r.maxLat OR t.longitude NOT BETWEEN r.minLon AND r.maxLon
        OR r.maxLat - r.minLat > \(DatabaseRTree.slack) OR r.maxLon - r.minLon > \(DatabaseRTree.slack)
      ORDER BY 1
      """
    ).map {
      error(
        "\(database.place) \(table) \($0.text(0) ?? "")",
        $0.int(1) == 1 ? "it is not in \(table)_rtree" : "its box in \(table)_rtree is not where it lies")
    }
  }

  /// Boxes of rows that do not exist.
  private func strays(_ table: String, _ database: DatabaseUnderTest) throws -> [Finding] {
    try database.connection.prepare(
      "SELECT id FROM \(table)_rtree WHERE id NOT IN (SELECT rowid FROM \(table)) ORDER BY id"
    ).map { error("\(database.place) \(table)_rtree row \($0.int(0))", "there is no such row in \(table)") }
  }
}
