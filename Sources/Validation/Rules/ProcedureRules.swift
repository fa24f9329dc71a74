internal import RasterIO
internal import SQLiteIO

/// Checks that legs have what their path terminators need, that they follow each other, and that their altitudes descend.
struct ProcedureLegs: Rule {
  let name = "procedure-legs"
  let protects = "A procedure can be flown as its legs say: none lacks what its path terminator needs."

  /// What a leg of a type needs, in words and as an SQL condition.
  private static let needs: [(types: String, words: String, condition: String)] = [
    ("IF TF CF DF RF AF FA FC FD FM HA HF HM PI", "a fix", "fix IS NOT NULL"),
    ("CF CA CD CI CR VA VD VI VR VM FA FC FM AF HA HF HM PI", "a course", "course IS NOT NULL"),
    ("CA VA FA HA", "an altitude", "altitude IS NOT NULL"),
    ("CF FC CD VD FD RF PI", "a distance", "distance IS NOT NULL"),
    ("HA HF HM", "a distance or a time", "coalesce(distance, minutes) IS NOT NULL"),
    ("HA HF HM AF RF PI", "a turn to the left or right", "turn IN ('L', 'R')"),
    (
      "CF FC FM AF", "a navaid with theta and rho",
      "navaid IS NOT NULL AND theta IS NOT NULL AND rho IS NOT NULL"
    ),
    ("CR VR", "a navaid with theta", "navaid IS NOT NULL AND theta IS NOT NULL"),
    ("CD VD FD FA PI", "a navaid", "navaid IS NOT NULL"),
    ("RF", "a centre and a radius", "center IS NOT NULL AND arcRadius IS NOT NULL"),
  ]
  private static func list(_ words: String) -> String {
    words.split(separator: " ").map { "'\($0)'" }.joined(separator: ", ")
  }

  /// What can be wrong with a leg alone.
  private static let faults =
    needs.map { types, words, condition in
      (condition: "type IN (\(list(types))) AND NOT (\(condition))", text: "it needs \(words), and has none")
    } + [
      (
        "type IS NULL OR type NOT IN (\(list("IF TF CF DF RF AF CA CD CI CR VA VD VI VM VR FA FC FD FM HA HF HM PI")))",
        "its path terminator is not known"
      ),
      ("altitudeCode NOT IN (\(list("+ - B C D G H I J V X Y")))", "its altitude code is not known"),
      (
        "altitudeCode IS NOT NULL AND coalesce(altitude, secondAltitude, altitudeWord, secondAltitudeWord) IS NULL",
        "it has an altitude code and no altitude"
      ),
      (
        "altitudeCode = 'B' AND altitude < secondAltitude",
        "the upper of its altitudes is below the lower one"
      ),
    ]

  /// What can be wrong with a leg after another one. A gap in the sequence may be an FAA row that is not here.
  private static let pairFaults = [
    (condition: "sequence = sequenceBefore", text: "its sequence number is there twice"),
    (
      "type IN ('TF', 'RF') AND sequence - sequenceBefore <= 10 AND fixBefore IS NULL",
      "it starts where the leg before it ends, and that has no fix"
    ),
  ]
  private static let pairs = """
    (SELECT id, airport, procedure, transition, type, sequence, lag(fix) OVER route AS fixBefore,
      lag(sequence) OVER route AS sequenceBefore FROM legs
      WINDOW route AS (PARTITION BY section, airport, procedure, routeType, transition ORDER BY sequence, id))
    """

  private static let checks = [
    RowCheck(
      .warning, "airways", "route || ' ' || coalesce(sequence, '')", where: "mea > maa",
      "its minimum altitude is above its maximum altitude"),
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
    try findings(of: Self.checks, in: database) + findings(Self.faults, of: "legs", database)
      + findings(Self.pairFaults, of: Self.pairs, database)
  }

  /// Looks for all faults in one pass, since the table is wide.
  private func findings(
    _ faults: [(condition: String, text: String)], of legs: String, _ database: DatabaseUnderTest
  ) throws -> [Finding] {
    let columns = faults.map { "coalesce(\($0.condition), 0)" }
    let label =
      "airport || ' ' || procedure || coalesce(' ' || transition, '') || ' ' || coalesce(sequence, '')"
    var found: [Finding] = []
    try database.connection.prepare(
      """
      SELECT \(label), coalesce(type, 'leg'), \(columns.joined(separator: ", ")) FROM \(legs)
      WHERE \(columns.joined(separator: " OR ")) ORDER BY id
      """
    ).rows { row in
      for (index, fault) in faults.enumerated() where row.int(index + 2) == 1 {
        found.append(warning(database.place("legs", row), "\(row.text(1) ?? ""): \(fault.text)"))
      }
    }
    return found
  }
}

/// Checks the arcs, courses and radials of legs against the positions of their fixes.
struct ProcedureGeometry: Rule {
  let name = "procedure-geometry"
  let protects = "Arcs, courses and radials of legs lead where their fixes are."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    var found: [Finding] = []
    var last: PlacedLeg?
    try database.connection.prepare(PlacedLeg.query).rows { row in
      let leg = PlacedLeg(row)
      defer { last = leg }
      let before = last.flatMap { $0.route == leg.route && leg.sequence - $0.sequence <= 10 ? $0 : nil }
      for problem in [leg.radialProblem] + (before.map { leg.problems(after: $0) } ?? []) {
        guard let problem else { continue }
        found.append(warning("\(database.place) legs \(leg.route) \(leg.sequence)", problem))
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

/// What the way of a leg depends on.
private struct PlacedLeg {
  typealias Place = (longitude: Double, latitude: Double)

  static let query = """
    SELECT section || ' ' || airport || ' ' || procedure || ' ' || coalesce(routeType, '') || ' ' || coalesce(transition, ''),
      sequence, type, longitude, latitude, centerLongitude, centerLatitude, navaidLongitude, navaidLatitude,
      arcRadius, rho, theta, course, isTrueCourse, turn = 'R',
      (SELECT max(magneticVariation) FROM airports a WHERE a.icao = legs.airport),
      (SELECT max(magneticVariation) FROM navaids n WHERE n.identifier = legs.navaid AND n.region = legs.navaidRegion
        AND n.latitude = legs.navaidLatitude AND n.vorLatitude IS NOT NULL)
    FROM legs ORDER BY section, airport, procedure, routeType, transition, sequence, id
    """

  /// Nautical miles. Radii of RF legs have three decimals; distances, and the radii of AF legs, have one.
  private static let errors = (radius: 0.05, distance: 0.3)
  /// Degrees, of magnetic courses and variations that are years apart.
  private static let courseError = 5.0
  /// Nautical miles of a line that has a course.
  private static let leastLine = 3.0

  let route: String
  let sequence: Int
  private let type: String
  private let place, center, navaid: Place?
  private let radius, rho, theta, course: Double?
  private let isRight: Bool
  /// Degrees, of the airport's courses, and of the navaid's radials; nil without a VOR.
  private let variation, declination: Double?

  init(_ row: SQLiteRow) {
    (route, sequence, type) = (row.text(0) ?? "", row.int(1), row.text(2) ?? "")
    (place, center, navaid) = (
      ProcedureGeometry.place(row, 3), ProcedureGeometry.place(row, 5), ProcedureGeometry.place(row, 7)
    )
    (radius, rho, theta, course) = (row.real(9), row.real(10), row.real(11), row.real(12))
    isRight = row.int(14) == 1
    (variation, declination) = (row.int(13) == 1 ? 0 : row.real(15), row.real(16))
  }

  /// What is wrong with the fix's bearing and distance from the navaid.
  var radialProblem: String? {
    guard type != "RF", let place, let navaid, let rho else { return nil }
    let line = Geodesic.line(from: navaid, to: place)
    let miles = line.metres / 1852
    if abs(miles - rho) > Self.errors.distance {
      return "its fix is \(ProcedureGeometry.shown(miles)) NM from the navaid, and it says \(rho) NM"
    }
    guard let theta, let declination, miles >= Self.leastLine else { return nil }
    let off = Self.difference(line.azimuth - declination, theta)
    return off > Self.courseError
      ? "its fix is \(ProcedureGeometry.shown(off))° off the radial of \(theta)° from the navaid" : nil
  }

  /// Nautical miles. No leg is longer.
  private static let longest = 1000.0

  /// What is wrong with the way from the leg before it.
  func problems(after last: PlacedLeg) -> [String?] {
    guard let start = last.place, let place else { return [] }
    let miles = Geodesic.line(from: start, to: place).metres / 1852
    guard miles <= Self.longest else {
      return ["its fix is \(ProcedureGeometry.shown(miles)) NM from the one before it"]
    }
    switch type {
    case "RF":
      return [radiusProblem(start, place), tangentProblem(start, theta), tangentProblem(place, course)]
    case "AF": return [radiusProblem(start, place)]
    case "TF": return [courseProblem(start, place)]
    default: return []
    }
  }

  private func radiusProblem(_ start: Place, _ end: Place) -> String? {
    let (middle, most) = type == "RF" ? (center, Self.errors.radius) : (navaid, Self.errors.distance)
    guard let middle, let radius = type == "RF" ? radius : rho else { return nil }
    let off = [start, end].map { abs(Geodesic.line(from: middle, to: $0).metres / 1852 - radius) }.max() ?? 0
    return off > most
      ? "an end of its arc is \(ProcedureGeometry.shown(off)) NM off its radius of \(radius) NM" : nil
  }

  /// An arc begins with the course theta, and ends with the course of the leg.
  private func tangentProblem(_ end: Place, _ stated: Double?) -> String? {
    guard let center, let stated, let variation else { return nil }
    let tangent = Geodesic.line(from: center, to: end).azimuth + (isRight ? 90 : -90)
    return coursesDiffer(tangent - variation, stated).map {
      "its course of \(stated)° at an end of its arc is \($0)° off the arc"
    }
  }

  private func courseProblem(_ start: Place, _ end: Place) -> String? {
    let line = Geodesic.line(from: start, to: end)
    guard let course, let variation, line.metres >= Self.leastLine * 1852 else { return nil }
    return coursesDiffer(line.azimuth - variation, course).map {
      "its course of \(course)° is \($0)° off the line between its fixes"
    }
  }

  /// By how much, if it is too much.
  private func coursesDiffer(_ one: Double, _ other: Double) -> String? {
    let off = Self.difference(one, other)
    return off > Self.courseError ? ProcedureGeometry.shown(off) : nil
  }

  private static func difference(_ one: Double, _ other: Double) -> Double {
    abs((one - other).remainder(dividingBy: 360))
  }
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
