internal import Core
internal import Foundation
internal import RasterIO
internal import SQLiteIO

/// Checks that legs have what their path terminators need, that they follow each other, and that their altitudes descend.
struct ProcedureLegs: Rule {
  let name = "procedure-legs"
  let protects = "A procedure can be flown as its legs say: none lacks what its path terminator needs."

  /// The columns that a leg of a type needs, as SQL conditions.
  private static let needs: [(types: String, condition: String)] = [
    ("IF TF CF DF RF AF FA FC FD FM HA HF HM PI", "fix IS NOT NULL"),
    ("CF CA CD CI CR VA VD VI VR VM FA FC FM AF HA HF HM PI", "course IS NOT NULL"),
    ("CA VA FA", "altitude IS NOT NULL"), ("CF FC CD VD FD RF PI", "distance IS NOT NULL"),
    ("HA HF HM", "coalesce(distance, minutes) IS NOT NULL"), ("HA HF HM AF RF PI", "turn IS NOT NULL"),
    ("AF", "navaid IS NOT NULL AND theta IS NOT NULL AND rho IS NOT NULL"),
    ("CF FC FM", "navaid IS NOT NULL AND theta IS NOT NULL AND rho IS NOT NULL"),
    ("CR VR", "navaid IS NOT NULL AND theta IS NOT NULL"), ("CD VD FD FA PI", "navaid IS NOT NULL"),
    ("RF", "center IS NOT NULL AND arcRadius IS NOT NULL"),
  ]
  private static let known =
    "IF TF CF DF RF AF CA CD CI CR VA VD VI VM VR FA FC FD FM HA HF HM PI".split(separator: " ")

  private static let label =
    "airport || ' ' || procedure || coalesce(' ' || transition, '') || ' ' || coalesce(sequence, '')"

  /// Pairs of legs that follow each other: a gap in the sequence may be an FAA row that is not here.
  private static let pairs = """
    (SELECT *, lag(type) OVER route AS typeBefore, lag(fix) OVER route AS fixBefore,
      lag(sequence) OVER route AS sequenceBefore FROM legs
      WINDOW route AS (PARTITION BY section, airport, procedure, routeType, transition ORDER BY sequence, id))
    """

  private static let checks: [RowCheck] =
    needs.map { types, condition in
      let list = types.split(separator: " ").map { "'\($0)'" }.joined(separator: ", ")
      return RowCheck(
        .warning, "legs",
        sql: "SELECT \(label), type FROM legs WHERE type IN (\(list)) AND NOT (\(condition)) ORDER BY id",
        "which needs more than it has: \(condition)")
    } + [
      RowCheck(
        .warning, "legs", label,
        where: "type IS NULL OR type NOT IN (\(known.map { "'\($0)'" }.joined(separator: ", ")))",
        "its path terminator is not known"),
      RowCheck(
        .warning, "legs",
        sql: "SELECT \(label), type FROM \(pairs) WHERE sequence = sequenceBefore ORDER BY id",
        "its sequence number is there twice"),
      RowCheck(
        .warning, "legs",
        sql: """
          SELECT \(label), type FROM \(pairs)
          WHERE type IN ('TF', 'RF') AND sequence - sequenceBefore <= 10 AND fixBefore IS NULL ORDER BY id
          """,
        "which starts where the leg before it ends, and that has no fix"),
      RowCheck(
        .warning, "legs", label, where: "altitudeCode = 'B' AND altitude < secondAltitude",
        "the upper of its altitudes is below the lower one"),
      RowCheck(
        .warning, "legs",
        sql: """
          SELECT f.airport || ' ' || f.procedure FROM legs f JOIN legs m
            ON m.airport = f.airport AND m.procedure = f.procedure AND m.section = f.section AND m.routeType = f.routeType
          WHERE f.section IN ('PF', 'HF') AND substr(f.description, 4) = 'F' AND substr(m.description, 4) = 'M'
            AND f.altitude < m.altitude AND m.altitudeCode IS NULL ORDER BY f.id
          """,
        "its final approach fix is below its missed approach point"),
    ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try findings(of: Self.checks, in: database)
  }
}

/// Checks the arcs and the courses of legs against the positions of their fixes.
struct ProcedureGeometry: Rule {
  let name = "procedure-geometry"
  let protects = "Arcs and courses of legs lead where their fixes are."

  /// Nautical miles. Radii of RF legs have three decimals, those of AF legs one.
  private static let radiusError = ["RF": 0.05, "AF": 0.3]
  /// Degrees, of magnetic courses and variations that are years apart, for lines of at least so many miles.
  private static let courseError = (degrees: 5.0, leastMiles: 3.0)

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    var found: [Finding] = []
    var last: (route: String, sequence: Int, place: (longitude: Double, latitude: Double))?
    let variations = try database.connection.prepare(
      "SELECT icao, CAST(magneticVariation AS TEXT) FROM airports WHERE magneticVariation IS NOT NULL"
    ).pairs()
    try database.connection.prepare(
      """
      SELECT section || ' ' || airport || ' ' || procedure || ' ' || coalesce(routeType, '') || ' ' || coalesce(transition, ''),
        sequence, type, longitude, latitude, centerLongitude, centerLatitude, navaidLongitude, navaidLatitude,
        arcRadius, rho, course, isTrueCourse, airport
      FROM legs ORDER BY section, airport, procedure, routeType, transition, sequence, id
      """
    ).rows { row in
      let (route, sequence, type) = (row.text(0) ?? "", row.int(1), row.text(2) ?? "")
      let place = Self.place(row, 3)
      defer { last = place.map { (route, sequence, $0) } }
      guard let place, let last, last.route == route, sequence - last.sequence <= 10 else { return }
      let label = "\(database.place) legs \(route) \(sequence)"
      if let most = Self.radiusError[type] {
        guard let center = Self.place(row, type == "RF" ? 5 : 7), let radius = row.real(type == "RF" ? 9 : 10)
        else { return }
        let off =
          [last.place, place].map { abs(Geodesic.line(from: center, to: $0).metres / 1852 - radius) }.max()
          ?? 0
        if off > most {
          found.append(
            warning(label, "an end of its arc is \(Self.shown(off)) NM off its radius of \(radius) NM"))
        }
      } else if type == "TF", let course = row.real(11) {
        let way = Geodesic.line(from: last.place, to: place)
        guard way.metres >= Self.courseError.leastMiles * 1852 else { return }
        let variation = row.int(12) == 1 ? 0 : variations[row.text(13) ?? ""].flatMap { Double($0) }
        guard let variation else { return }
        let off = abs((way.azimuth - course - variation).remainder(dividingBy: 360))
        if off > Self.courseError.degrees {
          found.append(
            warning(label, "its course of \(course)° is \(Self.shown(off))° off the line between its fixes"))
        }
      }
    }
    return found
  }

  static func place(_ row: SQLiteRow, _ column: Int) -> (longitude: Double, latitude: Double)? {
    guard let longitude = row.real(column), let latitude = row.real(column + 1) else { return nil }
    return (longitude, latitude)
  }

  static func shown(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
}

/// Checks that the arcs of airspace begin and end at their radius.
struct ProcedureAirspace: Rule {
  let name = "procedure-airspace"
  let protects = "The arcs of airspace are around their centres."

  /// Nautical miles: radii have one decimal.
  private static let most = 0.15

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    var found: [Finding] = []
    try database.connection.prepare(
      """
      SELECT airspace, sequence, radius, arcLongitude, arcLatitude, longitude, latitude,
        coalesce(lead(longitude) OVER area, first_value(longitude) OVER area),
        coalesce(lead(latitude) OVER area, first_value(latitude) OVER area), substr(via, 1, 1), substr(via, 2) = 'E',
        lead(id) OVER area IS NULL
      FROM airspacePoints WINDOW area AS (PARTITION BY airspace ORDER BY id) ORDER BY id
      """
    ).rows { row in
      // The corner after the last one of a part of an area is not in the file.
      guard ["L", "R"].contains(row.text(9)), row.int(10) == 1 || row.int(11) == 0, let radius = row.real(2),
        let center = ProcedureGeometry.place(row, 3)
      else { return }
      for (column, end) in [(5, "start"), (7, "end")] {
        guard let place = ProcedureGeometry.place(row, column) else { continue }
        let off = abs(Geodesic.line(from: center, to: place).metres / 1852 - radius)
        if off > Self.most {
          found.append(
            warning(
              "\(database.place) airspaces \(row.int(0)) \(row.int(1))",
              "the \(end) of its arc is \(ProcedureGeometry.shown(off)) NM off its radius of \(radius) NM"))
        }
      }
    }
    return found
  }
}

/// Checks the procedures against the FAA's list of those that it codes.
struct ProcedureCoverage: Rule {
  let name = "procedure-coverage"
  let protects = "A procedure that the FAA says it codes is there, and fixes that legs name are."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    // A part of the file lacks much.
    guard database.metadata["part"] == nil else { return [] }
    return try findings(
      of: [
        RowCheck(
          .warning, "coverage",
          sql: """
            SELECT airport || ' ' || procedure FROM coverage c WHERE NOT EXISTS
              (SELECT 1 FROM procedures p WHERE p.airport = c.airport AND p.identifier = c.procedure) ORDER BY line
            """, "the FAA lists it as coded, and it has no legs"),
        RowCheck(
          .warning, "legs",
          sql: """
            SELECT DISTINCT airport || ' ' || procedure, fix FROM legs WHERE fix IS NOT NULL AND latitude IS NULL ORDER BY 1, 2
            """, "which is a fix of its legs, has no position in the file"),
      ], in: database)
  }
}
