internal import SQLiteIO

/// The rows of the waypoints. The library keeps one of each name, so only one is written: a VOR rather than an NDB, a navaid
/// rather than a fix, one of the United States rather than another country's.
struct RZFlightWaypoints {
  let database: SQLiteConnection
  let stamp: String

  private static let navaidTypes = [
    "vor": "VOR", "vorDme": "VORDME", "vortac": "VORTAC", "tacan": "TACAN", "dme": "DME", "ndb": "NDB",
    "ndbDme": "NDBDME",
  ]

  func write(to writer: DatabaseWriter) throws -> Int {
    try writer.insert(RZFlightSchema.waypoints) { insert in
      var seen: Set<String> = []
      func add(_ row: SQLiteRow, _ type: String, _ regions: String?) throws {
        guard let name = row.text(0), seen.insert(name).inserted else { return }
        try insert.run([
          .text(name), .real(row.double(1)), .real(row.double(2)), .text(type), SQLiteValue(regions), .null,
          .text(RZFlightSource.faa), .text(stamp), .text(stamp),
        ])
      }
      try forEachNavaid { try add($0, RZFlightWaypoints.navaidTypes[$0.text(3) ?? ""] ?? "", nil) }
      try forEachFix { row in
        let centers = [row.text(3), row.text(4)].compactMap(\.self)
        let regions = centers.count == 2 && centers[0] == centers[1] ? [centers[0]] : centers
        try add(
          row, RZFlightWaypoints.fixType(row.text(0) ?? ""),
          regions.isEmpty ? nil : regions.joined(separator: ","))
      }
      return seen.count
    }
  }

  private func forEachNavaid(_ each: (SQLiteRow) throws -> Void) throws {
    let types = ["vortac", "vorDme", "vor", "ndbDme", "ndb", "tacan", "dme"]
    let ranks = types.enumerated().map { "WHEN '\($1)' THEN \($0)" }.joined(separator: " ")
    try database.prepare(
      """
      SELECT identifier, latitude, longitude, type FROM navaids WHERE type IN ('\(types.joined(separator: "','"))')
      ORDER BY coalesce(country, '') <> 'US', coalesce(status, '') IN ('shutdown', 'decommissioned'),
        CASE type \(ranks) END, id
      """
    ).rows([], each)
  }

  private func forEachFix(_ each: (SQLiteRow) throws -> Void) throws {
    try database.prepare(
      """
      SELECT identifier, latitude, longitude, artccHigh, artccLow FROM fixes
      ORDER BY coalesce(country, '') <> 'US', id
      """
    ).rows([], each)
  }

  /// Five letters are a name that pilots say; the others are codes of computers and of VFR charts.
  private static func fixType(_ name: String) -> String {
    name.utf8.count == 5 && name.allSatisfy(\.isLetter) ? "5LNC" : "WPT"
  }
}
