/// A corner of a shape in whole millionths of a degree (a tenth of a metre): what is equal is equal on every
/// processor. A longitude may run on beyond 180 degrees, so that the sides of a ring are all short.
struct ShapePoint: Hashable, Comparable, Sendable {
  static let perDegree = 1_000_000
  static let halfTurn = 180 * perDegree

  /// Longitude.
  var x: Int
  /// Latitude.
  var y: Int

  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// Nil for what is no place on the earth.
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
  static func millionths(radians: Double) -> Int { Int((radians * Double(halfTurn) / .pi).rounded()) }

  /// The same place, at most half a turn from another one.
  func near(_ other: ShapePoint) -> ShapePoint {
    let turn = 2 * ShapePoint.halfTurn
    let turns = (Double(other.x - x) / Double(turn)).rounded()
    return ShapePoint(x: x + Int(turns) * turn, y: y)
  }
}

/// A closed line; its first point is not repeated.
typealias ShapeRing = [ShapePoint]

extension ShapeRing {
  /// Each point near the one before, none of them twice in a row; a ring around a pole is led over the pole. Nil for a ring
  /// that goes around the earth again and again, and for one of less than three corners.
  var unwound: ShapeRing? {
    var ring: ShapeRing = []
    ring.reserveCapacity(count)
    for point in self {
      let next = ring.last.map(point.near) ?? point
      guard abs(next.x) <= 3 * ShapePoint.halfTurn else { return nil }
      ring.append(next)
    }
    return ring.ledOverPole?.withoutRepeats
  }

  /// Without the points that stand still; nil for a ring of less than three corners.
  var withoutRepeats: ShapeRing? {
    var ring: ShapeRing = []
    ring.reserveCapacity(count)
    for point in self where point != ring.last { ring.append(point) }
    if let first = ring.first, first == ring.last { ring.removeLast() }
    return ring.count < 3 ? nil : ring
  }

  /// A ring that comes back to its first corner one turn farther on goes around the pole that is on its side of the equator.
  private var ledOverPole: ShapeRing? {
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

  /// Twice the area, positive when it runs anticlockwise.
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

  /// From its first corner in the order of places, anticlockwise or not.
  func normal(anticlockwise: Bool) -> ShapeRing {
    let turned = (doubledArea > 0) == anticlockwise ? self : reversed()
    guard let start = turned.indices.min(by: { turned[$0] < turned[$1] }) else { return [] }
    return Array(turned[start...] + turned[..<start])
  }
}
