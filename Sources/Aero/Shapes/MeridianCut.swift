/// Cuts a ring in two along a meridian, in whole numbers.
///
/// Where the ring crosses the line, it falls apart into chains that lie on one side each. Between every second pair of
/// neighbouring crossings the line runs inside, and there the ends of the chains are joined.
struct MeridianCut {
  /// The one that begins at a crossing has the crossing's number.
  private struct Chain {
    let isEast: Bool
    var points: [MapPoint]
    /// The crossing at which it ends.
    var end = 0
  }

  private let meridian: Int

  init(_ meridian: Int) { self.meridian = meridian }

  func cut(_ ring: [MapPoint]) -> [[MapPoint]] {
    let (chains, crossings) = chains(of: ring)
    guard !chains.isEmpty else { return [ring] }
    let sorted = crossings.indices.sorted { (crossings[$0], $0) < (crossings[$1], $1) }
    var partners = Array(repeating: 0, count: crossings.count)
    for first in stride(from: 0, to: sorted.count - 1, by: 2) {
      let (left, right) = (sorted[first], sorted[first + 1])
      (partners[left], partners[right]) = (right, left)
    }
    return join(chains, partners)
  }

  /// Puts chains of a side together until they close.
  private func join(_ chains: [Chain], _ partners: [Int]) -> [[MapPoint]] {
    var used: Set<Int> = []
    var rings: [[MapPoint]] = []
    for first in chains.indices where !used.contains(first) {
      var ring: [MapPoint] = []
      var next: Int? = first
      while let index = next, used.insert(index).inserted {
        ring += chains[index].points
        let following = partners[chains[index].end]
        next = chains[following].isEast == chains[index].isEast ? following : nil
      }
      rings.append(ring)
    }
    return rings
  }

  /// The chains in the ring's order, and the heights of the crossings; a point on the line counts as west of it.
  private func chains(of ring: [MapPoint]) -> ([Chain], [Int]) {
    let isEast = { (point: MapPoint) in point.x > meridian }
    let edges = zip(ring, ring.dropFirst() + ring.prefix(1))
    guard let begin = edges.enumerated().first(where: { isEast($1.0) != isEast($1.1) })?.offset else {
      return ([], [])
    }
    let turned = ring[(begin + 1)...] + ring[...begin]
    var chains: [Chain] = []
    var crossings: [Int] = []
    var before = ring[begin]
    for point in turned {
      if isEast(point) != isEast(before) {
        let crossing = cross(before, point)
        if let last = chains.indices.last { end(&chains[last], at: crossing, crossings.count) }
        chains.append(Chain(isEast: isEast(point), points: [crossing]))
        crossings.append(crossing.y)
      }
      chains[chains.count - 1].points.append(point)
      before = point
    }
    end(&chains[chains.count - 1], at: MapPoint(x: meridian, y: crossings[0]), 0)
    return (chains, crossings)
  }

  private func end(_ chain: inout Chain, at point: MapPoint, _ crossing: Int) {
    chain.points.append(point)
    chain.end = crossing
  }

  private func cross(_ from: MapPoint, _ to: MapPoint) -> MapPoint {
    let (rise, run) = (to.y - from.y, to.x - from.x)
    return MapPoint(x: meridian, y: from.y + rise * (meridian - from.x) / run)
  }
}
