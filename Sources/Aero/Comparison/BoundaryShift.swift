internal import Core
internal import Foundation
internal import Pipeline

/// How far the boundary of an airspace has moved: of all corners of both shapes, the one that lies farthest from the other
/// shape's boundary.
enum BoundaryShift {
  /// Below it nobody would see a difference; sources are rounded and cleaned anew now and then.
  static let leastMetres = 10.0
  private static let metresPerDegree = 111_195.0
  /// A shape that would take minutes to be held against another is only said to have changed.
  private static let mostComparisons = 20_000_000

  /// Nil where it has moved less than that.
  @Sendable static func difference(_ old: ComparedRow, _ new: ComparedRow) -> FieldDifference? {
    let text: String
    if let before = rings(old), let after = rings(new), let metres = metres(before, after) {
      guard metres >= leastMetres else { return nil }
      text = "boundary moved by up to \(Counts.grouped(Int(min(metres, 1e8)))) m"
    } else {
      text = "boundary changed"
    }
    return FieldDifference(field: "geometry", text: text, old: nil, new: nil)
  }

  private static func metres(_ old: [[GeoPoint]], _ new: [[GeoPoint]]) -> Double? {
    let counts = [old, new].map { $0.map(\.count).reduce(0, +) }
    guard counts[0] > 0, counts[1] > 0, counts[0] * counts[1] <= mostComparisons else { return nil }
    return max(farthest(of: old, from: new), farthest(of: new, from: old))
  }

  private static func farthest(of corners: [[GeoPoint]], from rings: [[GeoPoint]]) -> Double {
    let standing = Set(rings.joined())
    return corners.joined().reduce(0) { farthest, corner in
      standing.contains(corner) ? farthest : max(farthest, distance(corner, rings))
    }
  }

  /// In metres on a plane around the corner, which is good enough for what lies near it.
  private static func distance(_ corner: GeoPoint, _ rings: [[GeoPoint]]) -> Double {
    let squeeze = cos(corner.latitude * .pi / 180)
    var least = Double.infinity
    for ring in rings {
      for (start, end) in zip(ring, ring.dropFirst()) {
        let from = offset(start, corner, squeeze)
        let to = offset(end, corner, squeeze)
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let length = dx * dx + dy * dy
        let along = length > 0 ? min(1, max(0, -(from.x * dx + from.y * dy) / length)) : 0
        let (x, y) = (from.x + along * dx, from.y + along * dy)
        least = min(least, x * x + y * y)
      }
    }
    return least.squareRoot() * metresPerDegree
  }

  private static func offset(
    _ point: GeoPoint, _ corner: GeoPoint, _ squeeze: Double
  ) -> (x: Double, y: Double) {
    ((point.longitude - corner.longitude) * squeeze, point.latitude - corner.latitude)
  }

  /// All rings of a GeoJSON polygon or of several; nil where the text is none.
  private static func rings(_ row: ComparedRow) -> [[GeoPoint]]? {
    row.text("geometry").flatMap(GeoJSONPolygons.init(text:))?.polygons.joined().map { ring in
      ring.map { GeoPoint(longitude: $0[0], latitude: $0[1]) }
    }
  }
}
