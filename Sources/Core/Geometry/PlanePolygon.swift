/// An area of a plane: the inside of a ring without its holes. Holes may overlap and extend beyond the ring.
public struct PlanePolygon: Equatable, Sendable {
  public let outline: PlaneRing
  public let holes: [PlaneRing]

  public init(outline: PlaneRing, holes: [PlaneRing] = []) { (self.outline, self.holes) = (outline, holes) }

  public func contains(_ point: PlanePoint) -> Bool {
    outline.contains(point) && !holes.contains { $0.contains(point) }
  }

  public func relation(to box: PlaneBox) -> PlaneRelation {
    let outer = outline.relation(to: box)
    guard outer != .outside, !holes.isEmpty else { return outer }
    let inner = holes.map { $0.relation(to: box) }
    if inner.contains(.inside) { return .outside }
    return outer == .inside && inner.allSatisfy { $0 == .outside } ? .inside : .crossing
  }

  /// Whether a circle of this radius fits into the part of the area inside a box. In any area some point is at least the area divided by
  /// the length of its boundary away from the boundary, so this needs slightly more room than necessary.
  ///
  /// The holes must be inside the ring and must not overlap.
  public func hasRoom(forRadius radius: Double, in box: PlaneBox) -> Bool {
    guard let bounds = outline.box, bounds.intersects(box) else { return false }
    let rings = ([outline] + holes).map { $0.clipped(to: box) }
    let area = rings.dropFirst().reduce(abs(rings[0].signedArea)) { $0 - abs($1.signedArea) }
    return area > radius * rings.reduce(0) { $0 + $1.length }
  }
}

/// A closed line in a plane. The first point is not repeated.
public struct PlaneRing: Equatable, Sendable {
  public let points: [PlanePoint]
  /// Nil without points.
  public let box: PlaneBox?

  public init(_ points: [PlanePoint]) {
    self.points = points
    box = PlaneBox(around: points)
  }

  /// Positive when the ring runs anticlockwise, with y upward.
  public var signedArea: Double { sides { sum, a, b in sum + (a.x * b.y - b.x * a.y) / 2 } }

  public var length: Double { sides { sum, a, b in sum + a.distance(to: b) } }

  private func sides(_ add: (Double, PlanePoint, PlanePoint) -> Double) -> Double {
    guard var from = points.last else { return 0 }
    var sum = 0.0
    for to in points {
      sum = add(sum, from, to)
      from = to
    }
    return sum
  }

  /// Counts the sides to the right of the point.
  public func contains(_ point: PlanePoint) -> Bool {
    guard var a = points.last else { return false }
    var isInside = false
    for b in points {
      if (a.y > point.y) != (b.y > point.y) {
        let crossing = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
        if crossing > point.x { isInside.toggle() }
      }
      a = b
    }
    return isInside
  }

  public func relation(to other: PlaneBox) -> PlaneRelation {
    guard let box, box.intersects(other), var from = points.last else { return .outside }
    for to in points {
      if other.touches(from: from, to: to) { return .crossing }
      from = to
    }
    return contains(other.center) ? .inside : .outside
  }

  /// The part of the ring inside a box, as one ring (Sutherland and Hodgman). Several parts stay connected along the sides of the box,
  /// so the area is exact and the length is never too small.
  public func clipped(to box: PlaneBox) -> PlaneRing {
    var left = points
    for (isAcross, limit, sign) in [
      (true, box.minX, 1.0), (true, box.maxX, -1.0), (false, box.minY, 1.0), (false, box.maxY, -1.0),
    ] {
      left = PlaneRing.cut(left) { sign * ((isAcross ? $0.x : $0.y) - limit) }
    }
    return PlaneRing(left)
  }

  /// Keeps the part on the positive side of a line. The closure returns a point's signed distance from it.
  private static func cut(_ points: [PlanePoint], _ distance: (PlanePoint) -> Double) -> [PlanePoint] {
    guard var a = points.last else { return [] }
    var kept: [PlanePoint] = []
    var before = distance(a)
    for b in points {
      let after = distance(b)
      if (before < 0) != (after < 0) {
        let share = before / (before - after)
        kept.append(PlanePoint(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y)))
      }
      if after >= 0 { kept.append(b) }
      (a, before) = (b, after)
    }
    return kept
  }
}

extension PlaneRing {
  /// Whether two sides that are not adjacent intersect.
  public var meetsItself: Bool {
    let sides = points.indices.map { index in
      Side(index: index, from: points[index], to: points[(index + 1) % points.count])
    }.sorted { ($0.left, $0.index) < ($1.left, $1.index) }
    for (place, side) in sides.enumerated() {
      for other in sides[(place + 1)...] {
        // Sides are sorted by their left ends, so all following ones start farther to the right.
        if other.left > side.right { break }
        let apart = abs(side.index - other.index)
        guard apart != 1, apart != points.count - 1 else { continue }
        if side.meets(other) { return true }
      }
    }
    return false
  }

  private struct Side {
    let index: Int
    let from: PlanePoint
    let to: PlanePoint

    var left: Double { min(from.x, to.x) }
    var right: Double { max(from.x, to.x) }

    /// Whether each line has the ends of the other on its two sides or shares a point with it.
    func meets(_ other: Side) -> Bool {
      let boxes = [self, other].compactMap { PlaneBox(around: [$0.from, $0.to]) }
      guard boxes.count == 2, boxes[0].intersects(boxes[1]) else { return false }
      return turn(other.from) * turn(other.to) <= 0 && other.turn(from) * other.turn(to) <= 0
    }

    /// Positive for a point to the left, with y upward. It returns only the sign, so that no product underflows to 0.
    private func turn(_ point: PlanePoint) -> Double {
      let area = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
      return area == 0 ? 0 : area < 0 ? -1 : 1
    }
  }
}

/// A point of a plane: pixels of an image, or metres or degrees of a map.
public struct PlanePoint: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  public func distance(to other: PlanePoint) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// The position of a box relative to an area.
public enum PlaneRelation: Sendable {
  case inside
  case outside
  case crossing
}

/// An upright rectangle in a plane.
public struct PlaneBox: Hashable, Sendable {
  public var minX: Double
  public var minY: Double
  public var maxX: Double
  public var maxY: Double

  public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
  }

  /// The smallest box around the points; nil without points.
  public init?(around points: [PlanePoint]) {
    guard let first = points.first else { return nil }
    self = points.dropFirst().reduce(PlaneBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)) {
      box, point in
      PlaneBox(
        minX: min(box.minX, point.x), minY: min(box.minY, point.y), maxX: max(box.maxX, point.x),
        maxY: max(box.maxY, point.y))
    }
  }

  public var center: PlanePoint { PlanePoint(x: (minX + maxX) / 2, y: (minY + maxY) / 2) }

  public func grown(by margin: Double) -> PlaneBox {
    PlaneBox(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
  }

  public func union(_ other: PlaneBox) -> PlaneBox {
    PlaneBox(
      minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
      maxY: max(maxY, other.maxY))
  }

  public func contains(_ other: PlaneBox) -> Bool {
    minX <= other.minX && other.maxX <= maxX && minY <= other.minY && other.maxY <= maxY
  }

  public func contains(_ point: PlanePoint) -> Bool {
    minX <= point.x && point.x <= maxX && minY <= point.y && point.y <= maxY
  }

  public func intersects(_ other: PlaneBox) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }

  /// Whether any point of a line is inside.
  public func touches(from a: PlanePoint, to b: PlanePoint) -> Bool { share(from: a, to: b) != nil }

  /// The part of a line inside the box, as fractions of its length from 0 to 1 (Liang and Barsky); nil where it is outside.
  public func share(from a: PlanePoint, to b: PlanePoint) -> ClosedRange<Double>? {
    // Most lines are far away.
    guard max(a.x, b.x) >= minX, min(a.x, b.x) <= maxX, max(a.y, b.y) >= minY, min(a.y, b.y) <= maxY
    else { return nil }
    var (enters, leaves) = (0.0, 1.0)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    func cut(_ speed: Double, _ room: Double) {
      if speed < 0 { enters = max(enters, room / speed) }
      if speed > 0 { leaves = min(leaves, room / speed) }
    }
    cut(-dx, a.x - minX)
    cut(dx, maxX - a.x)
    cut(-dy, a.y - minY)
    cut(dy, maxY - a.y)
    return enters <= leaves ? enters...leaves : nil
  }
}
