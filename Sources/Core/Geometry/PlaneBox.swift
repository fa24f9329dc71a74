/// A point of a plane: of an image's pixels, or of a map's metres or degrees.
public struct PlanePoint: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  public func distance(to other: PlanePoint) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// How a box lies to an area.
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
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// The smallest one around some points; nil without points.
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

  /// Whether any point of a line lies inside.
  public func touches(from a: PlanePoint, to b: PlanePoint) -> Bool { share(from: a, to: b) != nil }

  /// From which to which share of its way a line lies inside: each side cuts off what is beyond it, and something may
  /// be left (Liang and Barsky).
  public func share(from a: PlanePoint, to b: PlanePoint) -> ClosedRange<Double>? {
    // Most lines are nowhere near.
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
