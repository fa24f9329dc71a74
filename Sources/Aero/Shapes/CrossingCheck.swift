/// How often boundaries cross themselves: a scribble of ten thousand corners does so millions of times, and mending it
/// would take all memory.
enum CrossingCheck {
  /// The FAA's own mistakes cross a few times.
  private static let mostCrossings = 1000
  private static let mostComparisons = 50_000_000

  private struct Side {
    let from: ShapePoint
    let to: ShapePoint

    var west: Int { min(from.x, to.x) }
    var east: Int { max(from.x, to.x) }

    /// Whether each lies on both sides of the other.
    func crosses(_ other: Side) -> Bool {
      guard max(from.y, to.y) >= min(other.from.y, other.to.y),
        max(other.from.y, other.to.y) >= min(from.y, to.y)
      else { return false }
      return turn(other.from) * turn(other.to) < 0 && other.turn(from) * other.turn(to) < 0
    }

    /// 1 where a place lies to the left, -1 to the right.
    private func turn(_ place: ShapePoint) -> Int {
      let area = (to.x - from.x) * (place.y - from.y) - (to.y - from.y) * (place.x - from.x)
      return area.signum()
    }
  }

  /// Whether it can be mended.
  static func isMendable(_ polygons: [[ShapeRing]]) -> Bool {
    let sides = polygons.joined().flatMap { ring in
      ring.indices.map { Side(from: ring[$0], to: ring[($0 + 1) % ring.count]) }
    }.sorted { $0.west < $1.west }
    var (crossings, comparisons) = (0, 0)
    for (index, side) in sides.enumerated() {
      for other in sides[(index + 1)...] {
        // Sorted by their western ends, all that follow begin farther east.
        if other.west > side.east { break }
        comparisons += 1
        if side.crosses(other) { crossings += 1 }
        if crossings > mostCrossings || comparisons > mostComparisons { return false }
      }
    }
    return true
  }
}
