internal import Core
internal import SQLiteIO

/// Checks airspaces (limits, shapes, boxes, times, frequencies), and runway details and airports without their runways.
struct DatabaseLinks: Rule {
  let name = "database-links"
  let protects =
    "An airspace has a floor below its ceiling and a shape that closes, and an airport has a runway."

  /// The largest share of public airports without a runway. In whole cycles it is one in some hundreds.
  private static let withoutRunway = 0.05

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let known = try database.known
    let checks = Self.checks.filter { check in
      [check.row.table, check.other].allSatisfy { name in known.contains { $0.name == name } }
    }
    let shaped = known.filter { $0.has("geometry", "south", "north", "west", "east") }
    return try findings(of: checks.map(\.row), in: database)
      + shaped.flatMap { try shapes($0, database) } + bareAirports(database)
  }

  private static let airspace =
    "SELECT 'row ' || id || ' ' || name FROM airspaces WHERE floorFeet > ceilingFeet"

  /// Checks of rows, each with the other table that it needs.
  private static let checks: [(row: RowCheck, other: String)] = [
    (
      .init(
        .error, "airspaces", sql: airspace + " AND ceilingFeet > 0 ORDER BY id",
        "its floor is above its ceiling"), "airspaces"
    ),
    (
      // One of the FAA's 7,000 airspaces has such a ceiling.
      .init(
        .warning, "airspaces", sql: airspace + " AND ceilingFeet <= 0 ORDER BY id",
        "its ceiling is 0, below its floor"), "airspaces"
    ),
    ofArea("airspaceTimes"), ofArea("airspaceFrequencies"), ofRunway("runwayDetails"),
    ofRunway("runwayEndDetails"),
  ]

  private static func ofArea(_ table: String) -> (RowCheck, String) {
    let condition = "area NOT IN (SELECT area FROM airspaces)"
    return (.init(.error, table, "DISTINCT area", where: condition, "there is no such area"), "airspaces")
  }

  private static func ofRunway(_ table: String) -> (RowCheck, String) {
    let condition = """
      NOT EXISTS (SELECT 1 FROM runways r WHERE r.airport = \(table).airport AND r.id = \(table).runway)
      """
    let label = "DISTINCT airport || ' ' || runway"
    return (.init(.error, table, label, where: condition, "there is no such runway"), "runways")
  }

  /// Checks that each shape is closed and fills its stated box.
  private func shapes(_ table: TableSchema, _ database: DatabaseUnderTest) throws -> [Finding] {
    try database.connection.prepare(
      """
      SELECT \(table.label), geometry, south, north, west, east FROM \(table.name)
      WHERE geometry IS NOT NULL ORDER BY rowid
      """
    ).map { row -> Finding? in
      let place = database.place(table.name, row)
      let shape = row.withText(1) { AuditShape(geoJSON: $0) }
      if shape.polygons.isEmpty { return error(place, "its geometry is not a polygon with closed rings") }
      return shape.difference(fromBox: row, at: 2).map { _ in
        error(place, "its shape does not fill its stated box")
      }
    }.compactMap(\.self)
  }

  private func bareAirports(_ database: DatabaseUnderTest) throws -> [Finding] {
    let counts =
      try database.connection.prepare(
        """
        SELECT count(*), coalesce(sum(NOT EXISTS (SELECT 1 FROM runways WHERE airport = icao)), 0) FROM airports
        WHERE use = 'public' AND type = 'airport'
        """
      ).map { ($0.int(0), $0.int(1)) }.first ?? (0, 0)
    guard Double(counts.1) > DatabaseLinks.withoutRunway * Double(counts.0) else { return [] }
    let problem = "\(Counts.grouped(counts.1)) of \(Counts.grouped(counts.0)) public airports have no runway"
    return [warning("\(database.place) airports", problem)]
  }
}
