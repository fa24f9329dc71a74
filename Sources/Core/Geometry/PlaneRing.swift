/// A closed line in a plane; the first point is not repeated.
public struct PlaneRing: Equatable, Sendable {
  public let points: [PlanePoint]
  /// Nil without points.
  public let box: PlaneBox?

  public init(_ points: [PlanePoint]) {
    self.points = points
    box = PlaneBox(around: points)
  }

  /// Positive when the ring runs anticlockwise, with y upward.
  public var signedArea: Double {
    sides { sum, a, b in sum + (a.x * b.y - b.x * a.y) / 2 }
  }

  public var length: Double {
    sides { sum, a, b in sum + a.distance(to: b) }
  }

  private func sides(_ add: (Double, PlanePoint, PlanePoint) -> Double) -> Double {
    guard var from = points.last else { return 0 }
    var sum = 0.0
    for to in points {
      sum = add(sum, from, to)
      from = to
    }
    return sum
  }

  /// By the number of sides that lie to the right of the point.
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

  /// What of the ring's area lies in a box, as one ring: parts of it may hang together along the box's sides (Sutherland
  /// and Hodgman), so its area is exact and its length is never too small.
  public func clipped(to box: PlaneBox) -> PlaneRing {
    var left = points
    for (isAcross, limit, sign) in [
      (true, box.minX, 1.0), (true, box.maxX, -1.0), (false, box.minY, 1.0), (false, box.maxY, -1.0),
    ] {
      left = PlaneRing.cut(left) { sign * ((isAcross ? $0.x : $0.y) - limit) }
    }
    return PlaneRing(left)
  }

  /// Keeps what is not beyond a straight line, from which each point has this signed distance.
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
  /// Whether two sides that are not neighbours meet.
  public var meetsItself: Bool {
    let sides = points.indices.map { index in
      Side(index: index, from: points[index], to: points[(index + 1) % points.count])
    }.sorted { ($0.left, $0.index) < ($1.left, $1.index) }
    for (place, side) in sides.enumerated() {
      for other in sides[(place + 1)...] {
        // Sorted by their left ends, all that follow begin farther to the right.
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

    /// Each line has the other's ends on its two sides, or a point in common with it.
    func meets(_ other: Side) -> Bool {
      let boxes = [self, other].compactMap { PlaneBox(around: [$0.from, $0.to]) }
      guard boxes.count == 2, boxes[0].intersects(boxes[1]) else { return false }
      return turn(other.from) * turn(other.to) <= 0 && other.turn(from) * other.turn(to) <= 0
    }

    /// Positive where a point lies to the left, with y upward; only the sign, so that no product vanishes.
    private func turn(_ point: PlanePoint) -> Double {
      let area = (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
      return area == 0 ? 0 : area < 0 ? -1 : 1
    }
  }
}
