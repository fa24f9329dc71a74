internal import Core
internal import Foundation

/// The points, lines or areas of a row on the map. A unit of its plane is a unit of a tile of the deepest zoom, from the north-western
/// corner of the map, so that all zooms have the same plane.
struct TileShape: Sendable {
  typealias Point = SIMD2<Double>

  struct Path: Sendable {
    let points: [Point]
    /// The first zoom that needs each point.
    let firstZooms: [Int8]
  }

  let kind: VectorTileLayer.Shape
  /// Of areas, each part is a ring and its holes. Otherwise there is one part.
  private let parts: [[Path]]

  init(point: Point) {
    self.init(.points, [[Path(points: [point], firstZooms: [0])]])
  }

  init(lines: [[Point]]) { self.init(.lines, [lines.map { Path($0, isRing: false) }]) }

  private init(_ kind: VectorTileLayer.Shape, _ parts: [[Path]]) { (self.kind, self.parts) = (kind, parts) }

  /// Reads the lines or areas of a GeoJSON geometry; nil for any other text.
  init?(geoJSON text: String) {
    struct Lines: Decodable {
      let coordinates: [[[Double]]]
    }
    func points(_ positions: [[Double]]) -> [Point] {
      positions.map { Point(GeoPoint(longitude: $0[0], latitude: $0[1])) }
    }
    if let areas = GeoJSONPolygons(text: text) {
      let parts = areas.polygons.map { rings in
        rings.enumerated().map { index, ring in Path(ring: points(ring), isHole: index > 0) }
      }
      self.init(.areas, parts)
    } else if let lines = try? JSONDecoder().decode(Lines.self, from: Data(text.utf8)).coordinates,
      lines.joined().allSatisfy({ $0.count >= 2 })
    {
      self.init(lines: lines.map(points))
    } else {
      return nil
    }
  }

  /// The shape as a zoom shows it. It is simplified before it is cut, so that neighbouring tiles agree.
  func geometry(at zoom: Int) -> TileGeometry {
    TileGeometry(
      kind: kind,
      parts: parts.map { part in
        part.map { path in
          zip(path.points, path.firstZooms).lazy.filter { $0.1 <= zoom }.map { $0.0 }
        }
      })
  }
}

extension TileShape.Path {
  typealias Point = TileShape.Point

  /// - Parameter ring: the points of a ring, the first one repeated.
  fileprivate init(ring: [Point], isHole: Bool) {
    let points = Array(ring.dropLast())
    let isClockwise = points.area > 0
    self.init(isClockwise == isHole ? points.reversed() : points, isRing: true)
  }

  /// Finds the points of lines that are simplified by a unit of each zoom's tiles, with the algorithm of Douglas and Peucker. A zoom has all
  /// points of the zooms above.
  fileprivate init(_ points: [Point], isRing: Bool) {
    var zooms = [Int8](repeating: 0, count: points.count)
    var spans = [(first: 0, last: isRing ? points.count : points.count - 1, zoom: 0)]
    while let span = spans.popLast() {
      guard span.last - span.first > 1 else { continue }
      let (start, end) = (points[span.first], points[span.last % points.count])
      var (farthest, distance) = (span.first + 1, -1.0)
      for index in (span.first + 1)..<span.last {
        let other = points[index].squaredDistance(from: start, to: end)
        if other > distance { (farthest, distance) = (index, other) }
      }
      let zoom = max(span.zoom, TileGrid.firstZoom(of: distance))
      zooms[farthest] = Int8(zoom)
      spans += [(span.first, farthest, zoom), (farthest, span.last, zoom)]
    }
    self.init(points: points, firstZooms: zooms)
  }
}

/// The units of tiles.
enum TileGrid {
  /// The units by which shapes reach beyond the edges of a tile of 4096 units, so that lines and symbols are not cut there.
  static let bufferShare = 80.0 / 4096

  /// The units of a tile's side. Maps enlarge the tiles of the deepest zoom.
  static func extent(_ zoom: Int) -> Int { zoom == MapLayer.deepestZoom ? 16384 : 4096 }

  /// The side of a tile in the plane of shapes.
  static func side(_ zoom: Int) -> Double {
    Double(extent(MapLayer.deepestZoom) << (MapLayer.deepestZoom - zoom))
  }

  /// The columns and rows of the tiles of a map that touch a box with their buffers, from the north-west to the south-east.
  static func tiles(
    _ zoom: Int, from low: TileShape.Point, to high: TileShape.Point
  ) -> (first: SIMD2<Int>, last: SIMD2<Int>) {
    func numbers(_ corner: TileShape.Point, _ buffer: Double) -> SIMD2<Int> {
      SIMD2<Int>((corner / side(zoom) + buffer).rounded(.down))
        .clamped(lowerBound: .zero, upperBound: SIMD2(repeating: 1 << zoom - 1))
    }
    return (numbers(low, -bufferShare), numbers(high, bufferShare))
  }

  /// The first zoom with a unit that is smaller than a distance, whose square is given.
  fileprivate static func firstZoom(of square: Double) -> Int {
    MapLayer.zooms.dropLast().first { zoom in
      let unit = side(zoom) / Double(extent(zoom))
      return square > unit * unit
    } ?? MapLayer.deepestZoom
  }
}

extension SIMD2<Double> {
  /// A position in the plane of shapes.
  init(_ place: GeoPoint) {
    let (x, y) = WebMercator.project(place)
    let side = TileGrid.side(0)
    self = (SIMD2(x, -y) / WebMercator.halfWorld + 1) * (side / 2)
    // Shapes across 180 degrees reach into the next map.
    clamp(lowerBound: SIMD2(repeating: -side), upperBound: SIMD2(repeating: 2 * side))
  }

  fileprivate func squaredDistance(from start: Self, to end: Self) -> Double {
    let (way, along) = (self - start, end - start)
    let length = (along * along).sum()
    let share = length > 0 ? Swift.min(Swift.max((way * along).sum() / length, 0), 1) : 0
    let off = way - along * share
    return (off * off).sum()
  }
}

extension [SIMD2<Double>] {
  /// Positive for a ring that is clockwise on the map.
  fileprivate var area: Double {
    guard let first, var from = last else { return 0 }
    return reduce(0) { sum, to in
      defer { from = to }
      return sum + (from.x - first.x) * (to.y - first.y) - (to.x - first.x) * (from.y - first.y)
    }
  }
}
