/// An area of a plane: what lies in a ring and in none of its holes. Holes may overlap, and reach beyond the ring.
public struct PlanePolygon: Equatable, Sendable {
  public let outline: PlaneRing
  public let holes: [PlaneRing]

  public init(outline: PlaneRing, holes: [PlaneRing] = []) {
    self.outline = outline
    self.holes = holes
  }

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

  /// Whether a round spot of this radius finds room in what a box has of the area. In any area some point is as far from
  /// the rim as the area divided by the rim's length, so this asks for a little more room than there must be.
  ///
  /// The holes must lie inside the ring and apart from each other.
  public func hasRoom(forRadius radius: Double, in box: PlaneBox) -> Bool {
    guard let rim = outline.box, rim.intersects(box) else { return false }
    let rings = ([outline] + holes).map { $0.clipped(to: box) }
    let area = rings.dropFirst().reduce(abs(rings[0].signedArea)) { $0 - abs($1.signedArea) }
    return area > radius * rings.reduce(0) { $0 + $1.length }
  }
}
