internal import Core

/// The outline of a finished chart on Web Mercator, as its archive tells it: how deep inside it a place lies.
///
/// A chart across 180 degrees is put together again, since that line is no edge of the map: what lies beyond it runs on
/// in the east.
struct SheetShape: Sendable {
  private struct Segment {
    let x: Double
    let y: Double
    let dx: Double
    let dy: Double
    /// One over the square of its length.
    let reciprocal: Double
  }

  private static let world = 2 * WebMercator.halfWorld

  private let segments: [Segment]
  /// Whoever asks for a place to the west of this means the one a whole turn farther east.
  private let west: Double
  /// As GeoJSON has them: polygons of rings of places.
  let polygons: [[[[Double]]]]

  init?(geoJSON text: String) {
    guard let polygons = GeoJSONPolygons(text: text)?.polygons else { return nil }
    self.polygons = polygons
    let places = polygons.joined().joined()
    let isCut = polygons.count > 1 && [-180, 180].allSatisfy { end in places.contains { $0.first == end } }
    segments = polygons.joined().flatMap { ring in
      zip(ring, ring.dropFirst()).compactMap { SheetShape.segment($0, $1, isCut: isCut) }
    }
    let ends = segments.map(\.x)
    west = ((ends.min() ?? 0) + (ends.max() ?? 0) - SheetShape.world) / 2
  }

  private static func segment(_ from: [Double], _ to: [Double], isCut: Bool) -> Segment? {
    guard from != to else { return nil }
    if isCut, abs(from[0]) == 180, from[0] == to[0] { return nil }
    let a = WebMercator.project(GeoPoint(longitude: from[0], latitude: from[1]))
    let b = WebMercator.project(GeoPoint(longitude: to[0], latitude: to[1]))
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let isBeyond = isCut && min(from[0], to[0]) < 0
    return Segment(
      x: isBeyond ? a.x + world : a.x, y: a.y, dx: dx, dy: dy, reciprocal: 1 / (dx * dx + dy * dy))
  }

  /// Metres of Web Mercator to the nearest edge; negative outside. At one place they are the same length for all charts.
  func depth(x: Double, y: Double) -> Double {
    var nearest = Double.infinity
    var isInside = false
    let x = x < west ? x + SheetShape.world : x >= west + SheetShape.world ? x - SheetShape.world : x
    for segment in segments {
      let (px, py) = (x - segment.x, y - segment.y)
      if (py < 0) != (py < segment.dy), (px - segment.dx * (py / segment.dy)) < 0 { isInside.toggle() }
      let share = min(1, max(0, (px * segment.dx + py * segment.dy) * segment.reciprocal))
      let (ex, ey) = (px - share * segment.dx, py - share * segment.dy)
      nearest = min(nearest, ex * ex + ey * ey)
    }
    return isInside ? nearest.squareRoot() : -nearest.squareRoot()
  }
}
