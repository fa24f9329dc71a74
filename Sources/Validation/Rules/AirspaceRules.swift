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
    let checks = RowCheck.all.filter { check in
      check.tables.allSatisfy { name in known.contains { $0.name == name } }
    }
    let broken = try checks.flatMap { check in
      try database.connection.texts(check.sql).map {
        Finding(
          rule: name, severity: check.severity, where: "\(database.place) \(check.tables[0]) \($0)",
          message: check.message)
      }
    }
    let shaped = known.filter { $0.has("geometry", "south", "north", "west", "east") }
    return try broken + shaped.flatMap { try shapes($0, database) } + bareAirports(database)
  }

  /// A query for rows that are wrong.
  private struct RowCheck {
    /// The findings are about rows of the first table.
    let tables: [String]
    let sql: String
    let message: String
    var severity = Finding.Severity.error

    static let all: [RowCheck] = [
      .init(
        tables: ["airspaces"],
        sql: """
          SELECT 'row ' || id || ' ' || name FROM airspaces WHERE floorFeet > ceilingFeet AND ceilingFeet > 0 ORDER BY id
          """, message: "its floor is above its ceiling"),
      .init(
        tables: ["airspaces"],
        // One of the FAA's 7,000 airspaces has such a ceiling.
        sql: """
          SELECT 'row ' || id || ' ' || name FROM airspaces WHERE floorFeet > ceilingFeet AND ceilingFeet <= 0 ORDER BY id
          """, message: "its ceiling is 0, below its floor", severity: .warning),
      .init(
        tables: ["airspaceTimes", "airspaces"],
        sql:
          "SELECT DISTINCT area FROM airspaceTimes WHERE area NOT IN (SELECT area FROM airspaces) ORDER BY 1",
        message: "there is no such area"),
      .init(
        tables: ["airspaceFrequencies", "airspaces"],
        sql: """
          SELECT DISTINCT area FROM airspaceFrequencies WHERE area NOT IN (SELECT area FROM airspaces) ORDER BY 1
          """, message: "there is no such area"),
      hasRunway("runwayDetails"), hasRunway("runwayEndDetails"),
    ]

    private static func hasRunway(_ table: String) -> RowCheck {
      .init(
        tables: [table, "runways"],
        sql: """
          SELECT DISTINCT airport || ' ' || runway FROM \(table) d
          WHERE NOT EXISTS (SELECT 1 FROM runways r WHERE r.airport = d.airport AND r.id = d.runway) ORDER BY 1
          """, message: "there is no such runway")
    }
  }

  /// Checks that each shape is closed and fills its stated box.
  private func shapes(_ table: TableSchema, _ database: DatabaseUnderTest) throws -> [Finding] {
    try database.connection.prepare(
      """
      SELECT \(table.label), geometry, south, north, west, east FROM \(table.name)
      WHERE geometry IS NOT NULL ORDER BY rowid
      """
    ).map { row -> Finding? in
      let place = "\(database.place) \(table.name) \(row.text(0) ?? "")"
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
