internal import Core
internal import Pipeline
internal import RasterIO

/// The edge of the printed map: a closed line, in the sheet's pixels and on the earth, and the masks that are cut out of
/// what it encloses.
///
/// Chords stay within half a pixel of the true edges in both. Rings run anticlockwise, the outline of a usual sheet from
/// its north-western corner; the first vertex is not repeated. Longitudes have no jump: a chart across 180 degrees runs on
/// beyond it.
struct Neatline: Equatable, Sendable {
  struct Vertex: Equatable, Sendable {
    let pixel: PixelPoint
    let place: GeoPoint
  }

  /// One edge of the outline: from its first corner up to, but without, the corner where the next side begins.
  struct Side: Equatable, Sendable {
    /// `western edge`
    let name: String
    let edge: NeatlineDefinition.Edge
    let vertices: [Vertex]
    /// Whether the edge was given beyond the image, and follows the image's rim instead.
    var isClamped = false
  }

  typealias Relation = PlaneRelation

  /// In order, anticlockwise.
  let sides: [Side]
  /// The outline, from all sides.
  let ring: [Vertex]
  /// They may overlap each other, and reach beyond the outline.
  let masks: [[Vertex]]
  private let area: NeatlineArea
  private let shape: PlanePolygon

  init(sides: [Side], masks: [[Vertex]], area: NeatlineArea) {
    self.sides = sides
    self.masks = masks
    self.area = area
    ring = sides.flatMap(\.vertices)
    shape = PlanePolygon(
      outline: PlaneRing(ring.map(\.pixel.plane)), holes: masks.map { PlaneRing($0.map(\.pixel.plane)) })
  }

  /// How a window of the sheet lies to the map.
  func relation(to window: PixelWindow) -> Relation {
    shape.relation(
      to: PlaneBox(
        minX: Double(window.column), minY: Double(window.row), maxX: Double(window.column + window.width),
        maxY: Double(window.row + window.height)))
  }

  func contains(_ point: PixelPoint) -> Bool { shape.contains(point.plane) }

  /// 255 where a pixel's centre is inside, else 0.
  func mask(of window: PixelWindow) throws(GDALError) -> [UInt8] {
    func ring(_ vertices: [Vertex]) -> [(x: Double, y: Double)] {
      vertices.map { ($0.pixel.column - Double(window.column), $0.pixel.row - Double(window.row)) }
    }
    return try polygonMask(
      ring(self.ring), holes: masks.map(ring), width: window.width, height: window.height)
  }
}

/// Where the map lies on the earth.
extension Neatline {
  /// Never wraps: from -180 to 180 for a chart across that line.
  var bounds: GeoBox {
    let extent = area.extent
    return windows.count == 1
      ? extent : GeoBox(west: -180, south: extent.south, east: 180, north: extent.north)
  }

  /// The box around the map, or the two of a chart across 180 degrees, the one that ends there first.
  var windows: [GeoBox] { area.extent.windows }

  /// The box around a chart across 180 degrees, with an east beyond 180; nil for any other chart.
  var adjustedBounds: GeoBox? { windows.count == 1 ? nil : area.extent }

  /// A GeoJSON Polygon, or a MultiPolygon where the masks or 180 degrees leave several parts.
  var geoJSON: String { area.geoJSON }
}
