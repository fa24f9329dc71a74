internal import Geo
internal import Pipeline
internal import RasterIO

/// The edge of the printed map: a closed line, in the sheet's pixels and on the earth.
///
/// Its chords stay within half a pixel of the true edges in both. It runs anticlockwise from the north-western corner,
/// as GeoJSON wants it; the first vertex is not repeated.
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
  }

  /// In order, anticlockwise.
  let sides: [Side]
  let bounds: GeoBox
  /// The outline, from all sides.
  let ring: [Vertex]

  init(sides: [Side], bounds: GeoBox) {
    self.sides = sides
    self.bounds = bounds
    ring = sides.flatMap(\.vertices)
  }

  enum Relation {
    case inside
    case outside
    case crossing
  }

  /// How a window of the sheet lies to the map.
  func relation(to window: PixelWindow) -> Relation {
    let box = PixelBox(window)
    for (index, vertex) in ring.enumerated() {
      let next = ring[(index + 1) % ring.count]
      if box.touches(vertex.pixel, next.pixel) { return .crossing }
    }
    return contains(box.center) ? .inside : .outside
  }

  /// By the number of edges that lie to the right of the point.
  func contains(_ point: PixelPoint) -> Bool {
    var isInside = false
    for (index, vertex) in ring.enumerated() {
      let (a, b) = (vertex.pixel, ring[(index + 1) % ring.count].pixel)
      guard (a.row > point.row) != (b.row > point.row) else { continue }
      let crossing = a.column + (point.row - a.row) / (b.row - a.row) * (b.column - a.column)
      if crossing > point.column { isInside.toggle() }
    }
    return isInside
  }

  /// 255 where a pixel's centre is inside, else 0.
  func mask(of window: PixelWindow) throws(GDALError) -> [UInt8] {
    try polygonMask(
      ring.map { ($0.pixel.column - Double(window.column), $0.pixel.row - Double(window.row)) },
      width: window.width, height: window.height)
  }

  /// A GeoJSON polygon; six digits are a tenth of a metre.
  var geoJSON: String {
    let places = (ring + ring.prefix(1)).map {
      "[\(sixDigits($0.place.longitude)),\(sixDigits($0.place.latitude))]"
    }
    return "{\"type\":\"Polygon\",\"coordinates\":[[\(places.joined(separator: ","))]]}"
  }
}

/// Six digits after the point, without what a shortest representation would add.
private func sixDigits(_ degrees: Double) -> String {
  let millionths = Int((degrees * 1_000_000).rounded())
  let fraction = String(abs(millionths) % 1_000_000)
  let padding = String(repeating: "0", count: 6 - fraction.count)
  return "\(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000).\(padding)\(fraction)"
}

/// A window as a rectangle between pixel corners.
private struct PixelBox {
  let left: Double
  let top: Double
  let right: Double
  let bottom: Double

  init(_ window: PixelWindow) {
    left = Double(window.column)
    top = Double(window.row)
    right = Double(window.column + window.width)
    bottom = Double(window.row + window.height)
  }

  var center: PixelPoint { PixelPoint(column: (left + right) / 2, row: (top + bottom) / 2) }

  /// Whether any point of a segment lies in the rectangle: the segment is cut by each side in turn (Liang and Barsky).
  func touches(_ a: PixelPoint, _ b: PixelPoint) -> Bool {
    let (across, down) = (b.column - a.column, b.row - a.row)
    var enters = 0.0
    var leaves = 1.0
    for (step, room) in [
      (-across, a.column - left), (across, right - a.column), (-down, a.row - top), (down, bottom - a.row),
    ] {
      if step == 0 {
        if room < 0 { return false }
      } else if step < 0 {
        enters = max(enters, room / step)
      } else {
        leaves = min(leaves, room / step)
      }
    }
    return enters <= leaves
  }
}
