internal import Core
internal import CryptoIO
internal import ImageIO

/// Joins the tiles of overlapping charts. Each pixel is taken from one chart, since mixing would double the lettering along a
/// seam.
///
/// Where no chart covers a pixel completely, the parts are added. An exact seam takes the most opaque part unchanged.
struct Seam {
  struct Layer {
    let picture: RGBAImage
    let depths: DepthLattice
    let offsets: MiddleOffsets
  }

  enum Rule {
    /// The chart whose middle is nearest, in proportion to its size.
    case nearestMiddle
    /// The first chart where it is opaque; elsewhere the one of the others whose middle is nearest.
    case first
  }

  /// The depth of a pixel just beyond a chart's edge.
  private static let meetingDepth = -DepthLattice.pixel

  let rule: Rule
  let layers: [Layer]
  var isExact = false

  /// The layer that shows everything that any layer shows, so that no other is needed. If there are several, the one whose
  /// chart's middle is nearest to the middle of the tile, then the first.
  var completeLayer: Int? {
    layers.indices.filter { candidate in
      layers.allSatisfy { layers[candidate].picture.covers($0.picture) }
    }.min { (layers[$0].offsets.middle, $0) < (layers[$1].offsets.middle, $1) }
  }

  /// Returns the picture, and the only layer that contributed pixels; nil if several did.
  func join(side: Int) -> (picture: RGBAImage, onlyLayer: Int?) {
    var picture = RGBAImage(width: side, height: side)
    var isUsed = [Bool](repeating: false, count: layers.count)
    picture.pixels.withUnsafeMutableBytes { target in
      for row in 0..<side {
        for column in 0..<side {
          let place = (row * side + column) * 4
          let color: UInt32
          if let winner = winner(column, row, place) {
            isUsed[winner] = true
            color = layers[winner].picture.color(at: place)
          } else if isExact {
            color = mostOpaque(column, row, place, &isUsed)
          } else {
            let parts = sum(place, &isUsed)
            color = parts == 0 ? bridge(column, row, &isUsed) : parts
          }
          target.storeBytes(of: color, toByteOffset: place, as: UInt32.self)
        }
      }
    }
    let used = isUsed.indices.filter { isUsed[$0] }
    return (picture, used.count == 1 ? used[0] : nil)
  }

  /// The chart that covers the pixel completely; of several, the one that the rule prefers.
  private func winner(_ column: Int, _ row: Int, _ place: Int) -> Int? {
    var best: (layer: Int, offset: Double)?
    for layer in layers.indices where layers[layer].picture.pixels[place + 3] == 255 {
      if rule == .first, layer == 0 { return 0 }
      let offset = layers[layer].offsets.at(column, row)
      if let known = best, known.offset <= offset { continue }
      best = (layer, offset)
    }
    return best?.layer
  }

  /// The pixel with the largest alpha; of several, the one of the chart whose middle is nearest. 0 if none is visible.
  private func mostOpaque(_ column: Int, _ row: Int, _ place: Int, _ isUsed: inout [Bool]) -> UInt32 {
    let best = layers.indices.min {
      (layers[$1].picture.pixels[place + 3], layers[$0].offsets.at(column, row), $0)
        < (layers[$0].picture.pixels[place + 3], layers[$1].offsets.at(column, row), $1)
    }
    guard let best, layers[best].picture.pixels[place + 3] > 0 else { return 0 }
    isUsed[best] = true
    return layers[best].picture.color(at: place)
  }

  /// Fills a one-pixel hole where charts meet. In tiles with a palette a pixel is opaque or transparent, and each chart may
  /// have less than half of it. The hole gets the colour of a neighbouring pixel.
  private func bridge(_ column: Int, _ row: Int, _ isUsed: inout [Bool]) -> UInt32 {
    let meeting = layers.indices.filter { layers[$0].depths.at(column, row) > Seam.meetingDepth }
    guard meeting.count > 1 else { return 0 }
    let side = layers[0].depths.side
    for (x, y) in [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
      guard (0..<side).contains(column + x), (0..<side).contains(row + y) else { continue }
      let place = ((row + y) * side + column + x) * 4
      guard let layer = meeting.first(where: { layers[$0].picture.pixels[place + 3] == 255 }) else {
        continue
      }
      for layer in meeting { isUsed[layer] = true }
      return layers[layer].picture.color(at: place)
    }
    return 0
  }

  /// Adds charts that meet within a pixel: colours weighted by alpha, alphas added.
  private func sum(_ place: Int, _ isUsed: inout [Bool]) -> UInt32 {
    var colors = SIMD4<UInt32>.zero
    for layer in layers.indices {
      let pixels = layers[layer].picture.pixels
      let alpha = UInt32(pixels[place + 3])
      guard alpha > 0 else { continue }
      isUsed[layer] = true
      colors &+= SIMD4(
        UInt32(pixels[place]) * alpha, UInt32(pixels[place + 1]) * alpha, UInt32(pixels[place + 2]) * alpha,
        alpha)
    }
    let weight = colors.w
    guard weight > 0 else { return 0 }
    let bytes = (0..<3).map { UInt8((colors[$0] + weight / 2) / weight) } + [UInt8(min(255, weight))]
    return bytes.withUnsafeBytes { $0.load(as: UInt32.self) }
  }
}

extension RGBAImage {
  /// Whether no pixel is less opaque than in the other image.
  fileprivate func covers(_ other: RGBAImage) -> Bool {
    stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] >= other.pixels[$0] }
  }

  /// One pixel's four bytes in memory order.
  fileprivate func color(at byte: Int) -> UInt32 {
    pixels.withUnsafeBytes { $0.load(fromByteOffset: byte, as: UInt32.self) }
  }
}

/// How far the pixels of a tile are from the middle of a chart: the sum of the squares of both distances, each divided by half
/// of the chart's width or height.
///
/// Two charts have the same offset along one smooth line, which is the same in all zooms. The distances to the edges would not
/// decide everywhere: neighbouring charts often end at the same parallel.
struct MiddleOffsets: Sendable {
  private let columns: [Double]
  private let rows: [Double]

  init(_ shape: SheetShape, over tile: TileID, side: Int) {
    let corner = tile.mercator
    let pixel = corner.side / Double(side)
    columns = (0..<side).map { shape.offset(x: corner.west + (Double($0) + 0.5) * pixel) }
    rows = (0..<side).map { shape.offset(y: corner.north - (Double($0) + 0.5) * pixel) }
  }

  @inline(__always)
  func at(_ column: Int, _ row: Int) -> Double { columns[column] + rows[row] }

  /// At the middle of the tile.
  var middle: Double { at(columns.count / 2, rows.count / 2) }

  /// Whether this chart's middle is nearer in the whole tile.
  func isNearer(than other: MiddleOffsets) -> Bool {
    let across = zip(columns, other.columns).map { $0 - $1 }.max() ?? 0
    let down = zip(rows, other.rows).map { $0 - $1 }.max() ?? 0
    return across + down < 0
  }
}

/// How deep inside one chart the pixels of a tile lie. A lattice of exact depths is interpolated linearly.
///
/// Depths are integers, in sixteenths of a pixel, so that two machines whose square roots differ in the last digit agree.
struct DepthLattice: Sendable {
  /// Pixels from one node to the next.
  static let step = 8
  /// One pixel in the unit of `at`.
  static let pixel: Int32 = 256

  private let nodes: [Int32]
  private let nodesAcross: Int
  let side: Int

  init(_ shape: SheetShape, over tile: TileID, side: Int) {
    let corner = tile.mercator
    let pixel = corner.side / Double(side)
    let count = side / DepthLattice.step + 1
    self.side = side
    nodesAcross = count
    let edges = shape.edges(near: tile)
    nodes = (0..<count * count).map { node in
      let (down, across) = node.quotientAndRemainder(dividingBy: count)
      let depth = edges.depth(
        x: corner.west + Double(across * DepthLattice.step) * pixel,
        y: corner.north - Double(down * DepthLattice.step) * pixel)
      return Int32(max(-1e6, min(1e6, (depth / pixel * 16).rounded())))
    }
  }

  /// Whether the whole tile is inside the chart and clear of its edge.
  var isInside: Bool { nodes.allSatisfy { $0 > 16 * Int32(DepthLattice.step) } }

  /// The depth at the centre of a pixel.
  func at(_ column: Int, _ row: Int) -> Int32 {
    func weights(_ pixel: Int) -> (cell: Int, near: Int32, far: Int32) {
      let (cell, within) = pixel.quotientAndRemainder(dividingBy: DepthLattice.step)
      let far = Int32(2 * within + 1)
      return (cell, Int32(2 * DepthLattice.step) - far, far)
    }
    let (across, left, right) = weights(column)
    let (down, above, below) = weights(row)
    let node = down * nodesAcross + across
    let upper = nodes[node] * left + nodes[node + 1] * right
    let lower = nodes[node + nodesAcross] * left + nodes[node + nodesAcross + 1] * right
    return (upper >> 4) * above + (lower >> 4) * below
  }
}

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

  /// The square of a distance from the middle, in half widths of the chart.
  fileprivate func offset(x: Double) -> Double {
    let part = (turned(x) - middle.x) / reach.x
    return part * part
  }

  /// The square of a distance from the middle, in half heights of the chart.
  fileprivate func offset(y: Double) -> Double {
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
