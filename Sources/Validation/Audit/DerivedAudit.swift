internal import SQLiteIO

/// Computes again, with SQL, the columns that the build makes from other columns of the database.
enum DerivedAudit {
  /// A column and the expression for its value. `t` is the table.
  private typealias Derived = (table: String, column: String, label: String, value: String)

  private static let derived: [Derived] =
    [
      ("airports", "id", "icao", "(SELECT place FROM temp.places p WHERE p.icao = t.icao)"),
      ("airports", "ctafFrequency", "icao", first("ctaf")),
      ("airports", "unicomFrequency", "icao", first("unicom")),
      (
        "airports", "longestRunway", "icao",
        """
        (SELECT coalesce(max(length) FILTER (WHERE surface IS NOT 'water'), max(length)) FROM runways
          WHERE airport = t.icao)
        """
      ),
    ]
    + ["Latitude", "Longitude"].flatMap { side -> [Derived] in
      let place = "SELECT \(side.lowercased()) FROM"
      return [
        (
          "airwaySegments", "from\(side)", "id",
          "coalesce((\(place) navaids WHERE id = t.fromNavaid), (\(place) fixes WHERE id = t.fromFix))"
        ),
        (
          "airwaySegments", "to\(side)", "id",
          """
          (SELECT n.from\(side) FROM airwaySegments n WHERE n.airway = t.airway AND n.sequence > t.sequence
            AND n.fromPoint = t.toPoint ORDER BY n.sequence LIMIT 1)
          """
        ),
      ]
    }
    + [("south", "min"), ("north", "max"), ("west", "min"), ("east", "max")].flatMap {
      side, most -> [Derived] in
      let isLatitude = side.hasSuffix("th")
      let (column, axis) = (isLatitude ? "latitude" : "longitude", isLatitude ? "Latitude" : "Longitude")
      let ends = "\(most)(from\(axis), to\(axis))"
      let turn = "abs(fromLongitude - toLongitude) > 180"
      let box = isLatitude ? ends : "CASE WHEN \(turn) THEN \(side == "west" ? -180 : 180) ELSE \(ends) END"
      return [
        (
          "airwaySegments", side, "id",
          "CASE WHEN fromLatitude IS NOT NULL AND toLatitude IS NOT NULL THEN \(box) END"
        ),
        (
          "militaryRoutes", side, "identifier",
          "(SELECT \(most)(\(column)) FROM militaryRoutePoints WHERE route = t.id)"
        ),
      ]
    } + positions(of: "holds", "fixID") + positions(of: "preferredRouteSegments", "fix")
    + ["departure", "arrival"].flatMap { kind in
      positions(of: "\(kind)Points", "fix") + boxes(of: "\(kind)Routes", around: "\(kind)Points")
    }

  /// The position of the fix; that of the navaid where a column has nothing.
  private static func positions(of table: String, _ column: String) -> [Derived] {
    ["latitude", "longitude"].map { side in
      (
        table, side, table == "holds" ? "id" : "route || ' ' || sequence",
        """
        CASE WHEN t.\(column) IS NULL THEN (SELECT \(side) FROM navaids WHERE id = t.navaid)
          ELSE (SELECT \(side) FROM fixes WHERE id = t.fix) END
        """
      )
    }
  }

  private static func boxes(of table: String, around points: String) -> [Derived] {
    let turn = "max(longitude) - min(longitude) > 180"
    return [
      ("south", "min(latitude)"), ("north", "max(latitude)"),
      ("west", "iif(\(turn), -180, min(longitude))"), ("east", "iif(\(turn), 180, max(longitude))"),
    ].map { (table, $0, "id", "(SELECT \($1) FROM \(points) WHERE route = t.id)") }
  }

  /// The first frequency of a type that a civil aircraft can talk on.
  private static func first(_ type: String) -> String {
    """
    (SELECT frequency FROM frequencies WHERE airport = t.icao AND type = '\(type)' AND vhf = 1 AND receiveOnly = 0
      ORDER BY number LIMIT 1)
    """
  }

  static var tables: [String] { Set(derived.map(\.table)).sorted() }
  static var columns: [String] { derived.map { "\($0.table).\($0.column)" } }

  /// The importance of airports, by which their ids are in order.
  private static let places = """
    DROP TABLE IF EXISTS temp.places;
    CREATE TEMP TABLE places AS SELECT icao, row_number() OVER (
      ORDER BY coalesce(status <> 'operational', 0) * 4 + (use IS NOT 'public') * 2 + (isTowered IS NOT 1),
        -coalesce(longestRunway, 0), icao) AS place FROM airports;
    CREATE UNIQUE INDEX temp.places_icao ON places (icao)
    """

  @Sendable static func result(_ database: SQLiteConnection) throws -> AuditResult {
    try database.execute("PRAGMA temp_store = MEMORY; \(places)")
    return try derived.reduce(into: AuditResult()) { result, column in
      let found = try database.prepare(
        """
        SELECT \(column.label), "\(column.column)", \(column.value) FROM \(column.table) t
        WHERE "\(column.column)" IS NOT \(column.value)
        """
      ).map { row in
        Difference(
          "\(column.table) \(row.text(0) ?? "")",
          "\(column.column) is \(row.auditValue(1).shown), and follows as \(row.auditValue(2).shown)")
      }
      result.values += try database.count(column.table)
      result.differences += found.prefix(3)
      result.more += max(0, found.count - 3)
    }
  }
}
