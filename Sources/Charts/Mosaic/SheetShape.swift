internal import Core
internal import CryptoIO
internal import ImageIO

/// The outline of a finished chart on Web Mercator, from the archive's metadata. It computes how deep inside the chart a point
/// lies, and how far from its middle.
///
/// The two parts of a chart across 180 degrees are joined, since that line is not an edge of the map. The part beyond it
/// continues in the east.
struct SheetShape: Sendable {
  fileprivate struct Segment {
    let x: Double
    let y: Double
    let dx: Double
    let dy: Double
    /// One divided by the square of the length.
    let reciprocal: Double

    /// The square of the distance to a point at these offsets from the start.
    func squaredDistance(_ px: Double, _ py: Double) -> Double {
      let share = min(1, max(0, (px * dx + py * dy) * reciprocal))
      let (ex, ey) = (px - share * dx, py - share * dy)
      return ex * ex + ey * ey
    }
  }

  private static let world = 2 * WebMercator.halfWorld

  private let segments: [Segment]
  /// Points west of this are moved one full turn east.
  private let west: Double
  /// The middle and half the size of the box around the outline.
  private let middle: (x: Double, y: Double)
  private let reach: (x: Double, y: Double)
  /// As in GeoJSON: polygons of rings of points.
  let polygons: [[[[Double]]]]
  /// The hash of the text, which distinguishes outlines.
  let digest: String

  init?(geoJSON text: String) {
    guard let polygons = GeoJSONPolygons(text: text)?.polygons,
      let digest = try? SHA256Hex(of: Array(text.utf8)).text
    else { return nil }
    (self.polygons, self.digest) = (polygons, digest)
    let places = polygons.joined().joined()
    let isCut = polygons.count > 1 && [-180, 180].allSatisfy { end in places.contains { $0.first == end } }
    segments = polygons.joined().flatMap { ring in
      zip(ring, ring.dropFirst()).compactMap { SheetShape.segment($0, $1, isCut: isCut) }
    }
    let (xs, ys) = (segments.map(\.x), segments.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let bottom = ys.min(), let top = ys.max(), left < right,
      bottom < top
    else { return nil }
    west = (left + right - SheetShape.world) / 2
    middle = ((left + right) / 2, (bottom + top) / 2)
    reach = ((right - left) / 2, (top - bottom) / 2)
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

  /// The edges that decide the depth of points in a tile, or near it.
  func edges(near tile: TileID) -> NearEdges {
    let (tileWest, north, side) = tile.mercator
    let (x, y) = (turned(tileWest + side / 2), north - side / 2)
    let distances = segments.map { $0.squaredDistance(x - $0.x, y - $0.y).squareRoot() }
    // Half of the diagonal is 0.71 sides. No point of the tile is farther from its nearest edge than the middle by more than
    // that, and none is nearer to another edge by more than that. The rest is a margin for rounding. Where the world is cut
    // on the far side of the chart, all edges count.
    let isCut = abs(turned(tileWest + side) - turned(tileWest)) > 2 * side
    let limit = isCut ? .infinity : (distances.min() ?? 0) + 2 * side
    return NearEdges(
      shape: self, nearest: zip(segments, distances).filter { $0.1 <= limit }.map(\.0),
      crossing: segments.filter {
        min($0.y, $0.y + $0.dy) <= north + side && max($0.y, $0.y + $0.dy) >= north - 2 * side
      })
  }

  /// How deep inside the chart the pixels of a tile lie.
  func depths(over tile: TileID, side: Int) -> DepthLattice {
    let (west, north, width) = tile.mercator
    let pixel = width / Double(side)
    let edges = edges(near: tile)
    return DepthLattice(side: side) { column, row in
      edges.depth(x: west + Double(column) * pixel, y: north - Double(row) * pixel) / pixel
    }
  }

  /// How far the pixels of a tile are from the chart's middle.
  func offsets(over tile: TileID, side: Int) -> MiddleOffsets {
    let (west, north, width) = tile.mercator
    let pixel = width / Double(side)
    return MiddleOffsets(
      columns: (0..<side).map { offset(x: west + (Double($0) + 0.5) * pixel) },
      rows: (0..<side).map { offset(y: north - (Double($0) + 0.5) * pixel) })
  }

  /// The square of a distance from the middle, in half widths of the chart.
  private func offset(x: Double) -> Double {
    let part = (turned(x) - middle.x) / reach.x
    return part * part
  }

  /// The square of a distance from the middle, in half heights of the chart.
  private func offset(y: Double) -> Double {
    let part = (y - middle.y) / reach.y
    return part * part
  }

  /// The coordinate on the chart's side of 180 degrees.
  fileprivate func turned(_ x: Double) -> Double {
    x < west ? x + SheetShape.world : x >= west + SheetShape.world ? x - SheetShape.world : x
  }
}

/// The edges of an outline that decide the depth of points near a tile: a few of some hundreds.
struct NearEdges {
  fileprivate let shape: SheetShape
  /// At least one of them is the nearest edge of each point.
  fileprivate let nearest: [SheetShape.Segment]
  /// All edges that a line from a point to the east or the west can cross.
  fileprivate let crossing: [SheetShape.Segment]
  var nearestCount: Int { nearest.count }

  /// The distance to the nearest edge in metres of Web Mercator, negative outside. At one point the unit is the same for all
  /// charts.
  func depth(x: Double, y: Double) -> Double {
    var squared = Double.infinity
    var isInside = false
    let x = shape.turned(x)
    for segment in crossing {
      let (px, py) = (x - segment.x, y - segment.y)
      if (py < 0) != (py < segment.dy), (px - segment.dx * (py / segment.dy)) < 0 { isInside.toggle() }
    }
    for segment in nearest { squared = min(squared, segment.squaredDistance(x - segment.x, y - segment.y)) }
    return isInside ? squared.squareRoot() : -squared.squareRoot()
  }
}
