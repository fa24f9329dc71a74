internal import Core
internal import Foundation
internal import SQLiteIO

/// The lines of the routes of procedures: of each transition, and of each missed approach.
struct CIFPRoute {
  let id: Int
  /// Section, airport, procedure, route type and transition.
  let names: [String?]
  let isMissed: Bool
  let lines: [[ShapePoint]]
  let box: GeoBox

  static let table = RecordTable<CIFPRoute>(
    "routes",
    "The tracks of procedures as lines on a map, drawn from legs: not for navigation. Legs without a place are left out.",
    [
      .init("id", "INTEGER PRIMARY KEY") { $0.id },
      .init("section", "TEXT NOT NULL", "As in legs.") { $0.names[0] },
      .init("airport", "TEXT NOT NULL") { $0.names[1] },
      .init("procedure", "TEXT NOT NULL") { $0.names[2] },
      .init("routeType", "TEXT") { $0.names[3] },
      .init("transition", "TEXT") { $0.names[4] },
      .init("isMissed", "INTEGER NOT NULL", "Whether it is the missed approach.") { $0.isMissed },
      .init(
        "geometry", "TEXT NOT NULL",
        "A GeoJSON MultiLineString. Holds and procedure turns have usual sizes; a line that ends nowhere has no fixed end."
      ) { $0.geometry },
      .init("south", "REAL NOT NULL") { $0.box.south }, .init("north", "REAL NOT NULL") { $0.box.north },
      .init(
        "west", "REAL NOT NULL",
        "The least longitude: lines on both sides of 180 degrees have a box around the world."
      ) {
        $0.box.west
      },
      .init("east", "REAL NOT NULL") { $0.box.east },
    ], indexes: [["airport", "procedure"]], extent: .box)

  private var geometry: String {
    let texts = lines.map { "[" + $0.map(\.json).joined(separator: ",") + "]" }
    return #"{"type":"MultiLineString","coordinates":[\#(texts.joined(separator: ","))]}"#
  }

  /// Draws the legs of a finished table and writes the routes. Returns how many there are.
  static func write(_ writer: DatabaseWriter) throws -> Int {
    try writer.insert(table.schema) { insert in
      var (count, pen, route, isMissed) = (0, CIFPPen(), [String?](), false)
      func finish() throws {
        let lines = pen.drawn
        guard
          let box = GeoBox(
            around: lines.joined().map {
              GeoPoint(longitude: Double($0.x) / 1e6, latitude: Double($0.y) / 1e6)
            })
        else { return }
        count += 1
        try insert.run(
          table.values(CIFPRoute(id: count, names: route, isMissed: isMissed, lines: lines, box: box)))
      }
      _ = try writer.rows(CIFPLeg.query) { row in
        let names = (0..<5).map { row.text($0) }
        if names != route || (row.int(5) == 1) != isMissed {
          try finish()
          pen.lift(isSame: names == route)
          (route, isMissed) = (names, row.int(5) == 1)
        }
        pen.draw(CIFPLeg(row))
      }
      try finish()
      return count
    }
  }
}

/// What the line of a leg depends on.
private struct CIFPLeg {
  static let query = """
    SELECT section, airport, procedure, routeType, transition, isMissed, type, longitude, latitude, navaidLongitude,
      navaidLatitude, centerLongitude, centerLatitude, turn, course + iif(isTrueCourse, 0, v.variation), distance, minutes
    FROM legs LEFT JOIN (
      SELECT icao, max(magneticVariation) AS variation FROM (
        SELECT icao, magneticVariation FROM airports UNION ALL SELECT icao, magneticVariation FROM heliports) GROUP BY icao
    ) v ON v.icao = airport ORDER BY legs.id
    """

  let type: String
  let fix: ShapePoint?
  let navaid: ShapePoint?
  let center: ShapePoint?
  let isRight: Bool
  /// Degrees true.
  let course: Double?
  let miles: Double?
  let minutes: Double?

  init(_ row: SQLiteRow) {
    func place(_ column: Int) -> ShapePoint? {
      guard let x = row.real(column), let y = row.real(column + 1) else { return nil }
      return ShapePoint(longitude: x, latitude: y)
    }
    type = row.text(6) ?? ""
    (fix, navaid, center) = (place(7), place(9), place(11))
    isRight = row.text(13) != "L"
    (course, miles, minutes) = (row.real(14), row.real(15), row.real(16))
  }
}

/// Draws legs one after the other.
private struct CIFPPen {
  /// Nautical miles: of a turn at 210 knots; in a minute at that speed; of a line that has no fixed end; and of the parts of a
  /// procedure turn.
  private static let (turn, minute, open, leg) = (1.1, 3.5, 3.0, 3.0)

  private var lines: [[ShapePoint]] = []
  /// Where the last leg ended; nil if that is not known.
  private var at: ShapePoint?

  /// Begins another route; the missed approach of the same one begins where the approach ends.
  mutating func lift(isSame: Bool) {
    lines = at.flatMap { isSame ? [[$0]] : nil } ?? []
    if !isSame { at = nil }
  }

  mutating func draw(_ leg: CIFPLeg) {
    switch leg.type {
    case "RF": drawArc(leg, around: leg.center)
    case "AF": drawArc(leg, around: leg.navaid)
    case "HA", "HF", "HM": drawHold(leg)
    case "PI": drawTurn(leg)
    case "FA", "FC", "FD", "FM", "CA", "VA", "CD", "VD", "VM", "CR", "VR", "CI", "VI": drawOpen(leg)
    default: draw(to: leg.fix)
    }
  }

  private mutating func draw(to fix: ShapePoint?) {
    guard let fix else { return at = nil }
    let end = at.map(fix.near) ?? fix
    if let at { add(CIFPLine.geodesic(from: at, to: end).dropFirst() + [end]) } else { lines.append([end]) }
    at = end
  }

  private mutating func add(_ points: some Sequence<ShapePoint>) {
    if lines.isEmpty, let at { lines.append([at]) }
    if !lines.isEmpty { lines[lines.count - 1].append(contentsOf: points) }
  }

  private mutating func drawArc(_ leg: CIFPLeg, around center: ShapePoint?) {
    guard let at, let center, let fix = leg.fix?.near(at) else { return draw(to: leg.fix) }
    add(
      CIFPLine.arc(from: at, to: fix, around: center.near(at), isClockwise: leg.isRight).dropFirst() + [fix])
    self.at = fix
  }

  /// A line along the course without a fixed end.
  private mutating func drawOpen(_ leg: CIFPLeg) {
    if leg.fix != nil { draw(to: leg.fix) }
    guard let at, let course = leg.course else { return self.at = nil }
    let end = CIFPPlane(at, course)[leg.type == "FC" ? leg.miles ?? Self.open : Self.open, 0]
    add([end])
    self.at = leg.type == "FC" && leg.miles != nil ? end : nil
    if self.at == nil { lines.append([]) }
  }

  /// A racetrack whose inbound leg ends at the fix.
  private mutating func drawHold(_ leg: CIFPLeg) {
    draw(to: leg.fix)
    guard let at, let course = leg.course else { return }
    let length = leg.miles ?? (leg.minutes ?? 1) * Self.minute
    let (plane, side) = (CIFPPlane(at, course), leg.isRight ? 1.0 : -1.0)
    let half = { (along: Double, sign: Double) in
      (1...18).map { step in
        let angle = Double(step) * .pi / 18
        let across = sign > 0 ? 1 - cos(angle) : 1 + cos(angle)
        return plane[along + sign * sin(angle) * Self.turn, side * Self.turn * across]
      }
    }
    let points = half(0, 1) + half(-length, -1)
    lines.append([at] + points + CIFPLine.geodesic(from: points[points.count - 1], to: at).dropFirst() + [at])
    lines.append([at])
  }

  /// Outbound, 45 degrees off to one side, half a circle to the other, and back.
  private mutating func drawTurn(_ leg: CIFPLeg) {
    draw(to: leg.fix)
    guard let at, let course = leg.course else { return }
    let side = leg.isRight ? -1.0 : 1.0
    let plane = CIFPPlane(at, course - 45 * side)
    let (slant, out) = (0.5.squareRoot(), max(1, (leg.miles ?? 10) - 5))
    let far = out + Self.leg * slant
    let circle = (0...18).map { step in
      let angle = (45 + Double(step) * 10) * .pi / 180
      let center = (far + Self.turn * slant, Self.leg * slant - Self.turn * slant)
      return plane[center.0 - Self.turn * cos(angle), side * (center.1 + Self.turn * sin(angle))]
    }
    let end = plane[out + 4 * Self.turn * slant, 0]
    add([plane[out, 0]] + circle + [end])
    self.at = end
  }

  /// The lines, cut at 180 degrees. One of less than 6 metres is none.
  var drawn: [[ShapePoint]] {
    lines.flatMap(Self.cut).filter { line in
      line.contains { abs($0.x - line[0].x) > Self.shortest || abs($0.y - line[0].y) > Self.shortest }
    }
  }

  /// The parts of a line between -180 and 180 degrees. Each ends at the meridian at which the next one begins.
  private static func cut(_ line: [ShapePoint]) -> [[ShapePoint]] {
    let whole = 2 * ShapePoint.halfTurn
    var (parts, last, turn): ([[ShapePoint]], ShapePoint?, Int) = ([], nil, 0)
    func add(_ x: Int, _ y: Int) {
      let point = ShapePoint(x: x - turn * whole, y: y)
      if parts[parts.count - 1].last != point { parts[parts.count - 1].append(point) }
    }
    for point in line {
      let point = last.map(point.near) ?? point
      let next = Int((Double(point.x + ShapePoint.halfTurn) / Double(whole)).rounded(.down))
      if let last, next != turn {
        let edge = max(next, turn) * whole - ShapePoint.halfTurn
        let share = Double(edge - last.x) / Double(point.x - last.x)
        let y = last.y + Int((Double(point.y - last.y) * share).rounded())
        add(edge, y)
        (parts, turn) = (parts + [[]], next)
        add(edge, y)
      } else if last == nil {
        (parts, turn) = ([[]], next)
      }
      add(point.x, point.y)
      last = point
    }
    return parts
  }

  /// Millionths of a degree. Less is no line in a tile.
  private static let shortest = 50
}

/// Places in nautical miles along and to the right of a course from a point.
private struct CIFPPlane {
  let origin: ShapePoint
  let course: Double

  init(_ origin: ShapePoint, _ course: Double) { (self.origin, self.course) = (origin, course) }

  subscript(along: Double, right: Double) -> ShapePoint {
    let metres = (along * along + right * right).squareRoot() * CIFPBoundary.metresPerMile
    return GeodesicCircle(center: origin, metres: metres).point(
      azimuth: course + atan2(right, along) * 180 / .pi)
  }
}
