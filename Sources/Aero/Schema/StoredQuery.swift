/// A query that every app needs. The database's `queries` table holds its SQL text, so that all apps run the same text.
///
/// The text runs with SQLite 3.35 and later. It does not use SQLite's mathematical functions, which some systems leave out. Parameters
/// are numbered (`?1`), and may be bound as numbers or as text.
public struct StoredQuery: Sendable {
  public let name: String
  /// The rows of the result, and their order.
  let answer: String
  /// The parameters in their order, separated by commas.
  let parameters: String
  public let sql: String

  /// The queries of `aviation.sqlite`, in the order of their names, which is the table's key.
  public static let all: [StoredQuery] = [
    nearest("airports"), airportsSearch, nearest("navaids"), nearest("weatherStations"),
  ]

  /// The queries of `obstacles.sqlite`.
  static let obstacles = [nearest("obstacles")]

  static let table = TableSchema(
    "queries", "Queries for apps: SQL text to run on this file as it is.",
    [
      .init("name", "TEXT PRIMARY KEY"),
      .init("answer", "TEXT NOT NULL", "What the rows are, and their order."),
      .init("parameters", "TEXT NOT NULL", "The values for ?1, ?2 ... in this order, separated by commas."),
      .init("sql", "TEXT NOT NULL", "The text to prepare."),
    ], isKeyed: true)
}

extension StoredQuery {
  /// The nearest rows of a table with an R-tree over its positions, anywhere on the globe.
  ///
  /// Why no row is missed, with all angles in degrees and `cosine` that of the place's latitude:
  /// - `growing` enlarges a box until it holds enough rows, or the globe.
  /// - From the place along its parallel and then along a meridian no way to a row is longer than the difference in
  ///   latitude plus the difference in longitude times `cosine`. So the nearest rows lie within `reach`, the length of the
  ///   last of as many such ways.
  /// - A circle of the radius `reach` spans `reach` to the north and south, and to the east and west the angle whose sine is
  ///   `slope` = sin(reach) / cosine; all longitudes where it holds a pole. An arc sine is the sum of s, s^3 / 6 and higher
  ///   powers of s with positive coefficients, which at s = 1 is half of pi: so s + s^3 / 6 + (pi / 2 - 7 / 6) s^5 is
  ///   never less. The box of these sides holds the circle.
  /// - `turns` repeats the box a turn to the east and to the west, for rows beyond 180 degrees.
  ///
  /// The rows in the box are sorted by the haversine of their distance. Sines are sums of seven powers, exact to 1e-11, since not
  /// every system's SQLite has mathematical functions.
  static func nearest(_ table: String) -> StoredQuery {
    StoredQuery(
      name: table + "Nearest",
      answer: """
        The rows of \(table) that are nearest to a place, nearest first: right in the far north, at the poles and across \
        180 degrees too. No row where the latitude is not within -90 and 90 or one of the two is NULL.
        """,
      parameters: "latitude, longitude, greatest number of rows (20 where it is NULL)",
      sql: "WITH RECURSIVE\n"
        + [place, reach(table), box, ordered(table)].joined(separator: ",\n")
        + "\nSELECT a.* FROM nearest n INNER JOIN \(table) a ON a.id = n.id ORDER BY n.distance, n.id")
  }

  private static let radians = "0.017453292519943295"

  /// The sine of `x` in radians up to a right angle; `xx` is the square of `x`.
  private static func sine(_ x: String, _ xx: String) -> String {
    "\(x) * "
      + [210, 156, 110, 72, 42, 20, 6].reduce("") { "(1 - \(xx) / \($1)" + ($0.isEmpty ? ")" : " * \($0))") }
  }

  private static let place = """
    asked(latitude, longitude, rows) AS MATERIALIZED (
      SELECT CAST(?1 AS REAL), ?2 - 360 * round(?2 / 360.0), max(0, coalesce(CAST(?3 AS INTEGER), 20))
      WHERE CAST(?1 AS REAL) BETWEEN -90 AND 90 AND abs(CAST(?2 AS REAL)) < 1e12
    ),
    colatitude(x, xx) AS MATERIALIZED (
      SELECT x, x * x FROM (SELECT (90 - abs(latitude)) * \(radians) AS x FROM asked)
    ),
    place(latitude, longitude, rows, cosine) AS MATERIALIZED (
      SELECT latitude, longitude, rows,
        \(sine("x", "xx"))
      FROM asked, colatitude
    ),
    turns(turn) AS MATERIALIZED (VALUES (0), (360), (-360))
    """

  private static func isInside(indent: String) -> String {
    [
      "r.minLat <= p.latitude + radius AND r.maxLat >= p.latitude - radius",
      "  AND r.minLon <= p.longitude + turn + width AND r.maxLon >= p.longitude + turn - width",
    ]
    .joined(separator: "\n" + indent)
  }

  private static func reach(_ table: String) -> String {
    """
    growing(radius, width) AS (
      SELECT 0.25, min(179, 0.25 / max(cosine, 0.0001)) FROM place
      UNION ALL
      SELECT radius * 1.5, min(179, radius * 1.5 / max(cosine, 0.0001)) FROM place p, growing
      WHERE radius < 180 AND rows > (
        SELECT count(*) FROM turns CROSS JOIN \(table)_rtree r
        WHERE \(isInside(indent: "    ")))
    ),
    grown(radius, width) AS MATERIALIZED (SELECT radius, width FROM growing ORDER BY radius DESC LIMIT 1),
    -- A thousandth of a degree more, since the R-tree's numbers are rounded.
    ways(length) AS MATERIALIZED (
      SELECT abs(r.minLat - p.latitude) + abs(r.minLon - p.longitude - turn) * cosine + 0.001
      FROM place p CROSS JOIN grown CROSS JOIN turns CROSS JOIN \(table)_rtree r
      WHERE \(isInside(indent: "  "))
      ORDER BY 1 LIMIT 1 OFFSET coalesce((SELECT max(0, rows - 1) FROM place), 0)
    ),
    reach(reach, x, xx) AS MATERIALIZED (
      SELECT reach, reach * \(radians), reach * reach * \(radians) * \(radians)
      FROM (SELECT coalesce((SELECT length FROM ways), 180) AS reach)
    )
    """
  }

  private static let box = """
    slope(reach, s) AS MATERIALIZED (
      SELECT reach, iif(reach < 90 AND cosine > 0,
        \(sine("x", "xx")) / cosine, 1)
      FROM place, reach
    ),
    box(north, south, width) AS MATERIALIZED (
      SELECT latitude + reach, latitude - reach,
        iif(s < 1, (s + s * s * s / 6 + 0.40412966012823 * s * s * s * s * s) / \(radians) + 0.001, 360)
      FROM place, slope
    ),
    boxes(north, south, west, east) AS MATERIALIZED (
      SELECT north, south, longitude + turn - width, longitude + turn + width
      FROM place, box, turns WHERE width < 179
      UNION ALL
      SELECT north, south, -180, 180 FROM box WHERE width >= 179
    )
    """

  private static func ordered(_ table: String) -> String {
    """
    near(id, x, y, z) AS MATERIALIZED (
      SELECT a.id, (a.latitude - p.latitude) / 2 * \(radians),
        min(abs(a.longitude - p.longitude), 360 - abs(a.longitude - p.longitude)) / 2 * \(radians),
        (90 - abs(a.latitude)) * \(radians)
      FROM place p CROSS JOIN boxes b CROSS JOIN \(table)_rtree r CROSS JOIN \(table) a ON a.id = r.id
      WHERE r.minLat <= north AND r.maxLat >= south AND r.minLon <= east AND r.maxLon >= west
    ),
    squares(id, x, y, z, xx, yy, zz) AS MATERIALIZED (SELECT *, x * x, y * y, z * z FROM near),
    sines(id, north, east, cosine) AS MATERIALIZED (
      SELECT id,
        \(sine("x", "xx")),
        \(sine("y", "yy")),
        \(sine("z", "zz"))
      FROM squares
    ),
    nearest(id, distance) AS MATERIALIZED (
      SELECT id, s.north * s.north + p.cosine * s.cosine * s.east * s.east
      FROM place p, sines s ORDER BY 2, 1 LIMIT coalesce((SELECT rows FROM place), 0)
    )
    """
  }
}
