/// An area: valid polygons between -180 and 180 degrees in a canonical form. Outer rings are anticlockwise and holes clockwise (RFC
/// 7946). Rings start with their westernmost corner, and polygons and holes are ordered by it.
struct MapShape: Equatable {
  /// The rings of each polygon, the outer one first.
  let polygons: [[ShapeRing]]

  init(_ polygons: [[ShapeRing]]) {
    self.polygons = polygons.filter { !$0.isEmpty }.map { rings in
      let holes = rings.dropFirst().map { $0.normal(anticlockwise: false) }
      return [rings[0].normal(anticlockwise: true)] + holes.sorted { $0.lexicographicallyPrecedes($1) }
    }.sorted { $0[0].lexicographicallyPrecedes($1[0]) }
  }

  /// South, north, west and east in degrees.
  var box: (south: Double, north: Double, west: Double, east: Double) {
    let points = polygons.lazy.map { $0[0] }.joined()
    func degrees(_ millionths: Int?) -> Double { ShapePoint.degrees(millionths ?? 0) }
    return (
      degrees(points.lazy.map(\.y).min()), degrees(points.lazy.map(\.y).max()),
      degrees(points.lazy.map(\.x).min()), degrees(points.lazy.map(\.x).max())
    )
  }

  /// A GeoJSON geometry without spaces, with coordinates as the shortest decimal numbers.
  var geoJSON: String {
    func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }
    let parts = polygons.map { rings in
      list(rings.map { ring in list((ring + ring.prefix(1)).map(\.json)) })
    }
    return parts.count == 1
      ? #"{"type":"Polygon","coordinates":\#(parts[0])}"#
      : #"{"type":"MultiPolygon","coordinates":\#(list(parts))}"#
  }
}

extension ShapePoint {
  var json: String { "[\(ShapePoint.text(x)),\(ShapePoint.text(y))]" }

  private static func text(_ millionths: Int) -> String {
    let (whole, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: UInt(perDegree))
    var digits = String(UInt(perDegree) + rest).utf8.dropFirst()
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return "\(millionths < 0 ? "-" : "")\(whole)\(digits.isEmpty ? "" : ".")\(Substring(digits))"
  }
}

/// A corner of a shape in integer millionths of a degree (a tenth of a metre), so that results are equal on every processor. A longitude
/// can be beyond 180 degrees, so that all sides of a ring are short.
struct ShapePoint: Hashable, Comparable, Sendable {
  static let perDegree = 1_000_000
  static let halfTurn = 180 * perDegree

  /// Longitude.
  var x: Int
  /// Latitude.
  var y: Int

  init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

  /// Returns nil for a position that is not on the earth.
  init?(longitude: Double, latitude: Double) {
    guard (-180...180).contains(longitude), (-90...90).contains(latitude) else { return nil }
    let scale = Double(ShapePoint.perDegree)
    self.init(x: Int((longitude * scale).rounded()), y: Int((latitude * scale).rounded()))
  }

  /// From west to east.
  static func < (left: ShapePoint, right: ShapePoint) -> Bool { (left.x, left.y) < (right.x, right.y) }

  var radians: (longitude: Double, latitude: Double) {
    let unit = Double.pi / Double(ShapePoint.halfTurn)
    return (Double(x) * unit, Double(y) * unit)
  }

  static func degrees(_ millionths: Int) -> Double { Double(millionths) / Double(perDegree) }
  static func millionths(_ degrees: Double) -> Int { Int((degrees * Double(perDegree)).rounded()) }

  /// The same position, at most half a turn from another one.
  func near(_ other: ShapePoint) -> ShapePoint {
    let turn = 2 * ShapePoint.halfTurn
    let turns = (Double(other.x - x) / Double(turn)).rounded()
    return ShapePoint(x: x + Int(turns) * turn, y: y)
  }
}

/// A closed line. Its first point is not repeated.
typealias ShapeRing = [ShapePoint]

extension ShapeRing {
  /// The ring with each point near the previous one, without repeated points. A ring around a pole goes over the pole. Nil for a ring that
  /// goes around the earth several times, and for fewer than three corners.
  var unwound: ShapeRing? {
    var ring: ShapeRing = []
    ring.reserveCapacity(count)
    for point in self {
      let next = ring.last.map(point.near) ?? point
      guard abs(next.x) <= 3 * ShapePoint.halfTurn else { return nil }
      ring.append(next)
    }
    return ring.closedOverPole?.withoutRepeats
  }

  /// The ring without repeated points; nil for fewer than three corners.
  var withoutRepeats: ShapeRing? {
    var ring: ShapeRing = []
    ring.reserveCapacity(count)
    for point in self where point != ring.last { ring.append(point) }
    if let first = ring.first, first == ring.last { ring.removeLast() }
    return ring.count < 3 ? nil : ring
  }

  /// A ring whose end is one turn from its start goes around the pole on its side of the equator.
  private var closedOverPole: ShapeRing? {
    guard let first, let last else { return nil }
    let end = first.near(last)
    switch abs(end.x - first.x) {
    case 0: return self
    case 2 * ShapePoint.halfTurn:
      let pole = (reduce(0) { $0 + $1.y }).signum() * ShapePoint.halfTurn / 2
      return self + [end, ShapePoint(x: end.x, y: pole), ShapePoint(x: first.x, y: pole)]
    default: return nil
    }
  }

  /// Twice the area, positive for an anticlockwise ring.
  var doubledArea: Double {
    guard var from = last else { return 0 }
    var sum = 0.0
    for to in self {
      // Relative to one corner, so that the products stay exact.
      sum += Double((from.x - self[0].x) * (to.y - self[0].y) - (to.x - self[0].x) * (from.y - self[0].y))
      from = to
    }
    return sum
  }

  func moved(by x: Int) -> ShapeRing { x == 0 ? self : map { ShapePoint(x: $0.x + x, y: $0.y) } }

  /// The ring from its westernmost corner, in the given direction.
  func normal(anticlockwise: Bool) -> ShapeRing {
    let turned = (doubledArea > 0) == anticlockwise ? self : reversed()
    guard let start = turned.indices.min(by: { turned[$0] < turned[$1] }) else { return [] }
    return Array(turned[start...] + turned[..<start])
  }
}
