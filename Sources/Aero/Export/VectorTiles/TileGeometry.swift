internal import Core

/// A shape, or the part of it in some tiles, as one zoom shows it.
struct TileGeometry {
  typealias Point = TileShape.Point

  let kind: VectorTileLayer.Shape
  /// Of areas, the rings of each part are clockwise on the map, and its holes anticlockwise.
  private(set) var parts: [[[Point]]]

  private var isEmpty: Bool { parts.isEmpty }

  // MARK: - Cutting

  /// Passes the parts in the tiles of a zoom that are under another tile, each with its buffer.
  func divide(
    zoom: Int, under root: TileID, _ body: (TileID, TileGeometry) throws -> Void
  ) rethrows {
    guard let (first, last) = tiles(zoom, under: root) else { return }
    let (side, buffer) = (TileGrid.side(zoom), TileGrid.side(zoom) * TileGrid.bufferShare)
    var part = self
    for axis in 0...1 {
      part = part.cut(HalfPlane(axis, from: Double(first[axis]) * side - buffer))
        .cut(HalfPlane(axis, to: Double(last[axis] + 1) * side + buffer))
    }
    try part.divide(zoom, first, last, body)
  }

  /// The first and last column and row of the tiles that touch the box of the shape with their buffers.
  private func tiles(_ zoom: Int, under root: TileID) -> (SIMD2<Int>, SIMD2<Int>)? {
    let points = parts.joined().joined()
    guard var low = points.first else { return nil }
    var high = low
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let (start, end) = TileGrid.tiles(zoom, from: low, to: high)
    let depth = zoom - root.zoom
    let corner = SIMD2(root.column, root.row) &<< SIMD2(repeating: depth)
    let first = pointwiseMax(start, corner)
    let last = pointwiseMin(end, corner &+ (1 << depth - 1))
    return first.x <= last.x && first.y <= last.y ? (first, last) : nil
  }

  /// Cuts in the middle of the longer side, so each part is cut from a part that is twice as large.
  private func divide(
    _ zoom: Int, _ first: SIMD2<Int>, _ last: SIMD2<Int>, _ body: (TileID, TileGeometry) throws -> Void
  ) rethrows {
    guard !isEmpty else { return }
    guard first != last else {
      return try body(TileID(zoom: zoom, column: first.x, row: first.y), self)
    }
    let axis = last.x - first.x >= last.y - first.y ? 0 : 1
    var (end, start) = (last, first)
    end[axis] = (first[axis] + last[axis]) / 2
    start[axis] = end[axis] + 1
    let side = TileGrid.side(zoom)
    let (edge, buffer) = (Double(start[axis]) * side, side * TileGrid.bufferShare)
    try cut(HalfPlane(axis, to: edge + buffer)).divide(zoom, first, end, body)
    try cut(HalfPlane(axis, from: edge - buffer)).divide(zoom, start, last, body)
  }

  private func cut(_ plane: HalfPlane) -> TileGeometry {
    if parts.allSatisfy({ $0.allSatisfy { $0.allSatisfy(plane.contains) } }) { return self }
    var rest = self
    rest.parts = parts.compactMap { part in
      let inside = kind == .areas ? plane.area(part) : part.flatMap(plane.lines)
      return inside.isEmpty ? nil : inside
    }
    return rest
  }

  // MARK: - Rounding

  /// The paths in units of a tile. What is smaller than a unit is left out.
  func paths(in tile: TileID) -> [[VectorTileLayer.Point]] {
    let extent = TileGrid.extent(tile.zoom)
    let scale = Double(extent) / TileGrid.side(tile.zoom)
    let corner = SIMD2(tile.column, tile.row) &* extent
    let rounded = parts.map { part in
      part.map { path in path.map { SIMD2<Int>(($0 * scale + 0.5).rounded(.down)) &- corner } }
    }
    switch kind {
    case .points: return rounded.flatMap(\.self)
    case .lines: return rounded.joined().map(\.asLine).filter { $0.count > 1 }
    case .areas: return rounded.flatMap(TileGeometry.area)
    }
  }

  /// Each outer ring, and its holes after it.
  private static func area(_ part: [[VectorTileLayer.Point]]) -> [[VectorTileLayer.Point]] {
    let rings = part.map(\.asRing).map { (points: $0, area: $0.area) }
    let outer = rings.filter { $0.area > 0 }.map(\.points)
    let holes = rings.filter { $0.area < 0 }.map(\.points)
    guard outer.count > 1, !holes.isEmpty else { return outer.isEmpty ? [] : outer + holes }
    let owners = holes.map { hole in
      outer.indices.max { hole.count(inside: outer[$0]) < hole.count(inside: outer[$1]) }
    }
    return outer.indices.flatMap { index in
      [outer[index]] + zip(holes, owners).filter { $0.1 == index }.map(\.0)
    }
  }
}

/// The plane on one side of a column or row.
private struct HalfPlane {
  typealias Point = TileShape.Point

  let axis: Int
  let limit: Double
  let sign: Double

  init(_ axis: Int, from limit: Double) { (self.axis, self.limit, sign) = (axis, limit, 1) }
  init(_ axis: Int, to limit: Double) { (self.axis, self.limit, sign) = (axis, limit, -1) }

  func contains(_ point: Point) -> Bool { (point[axis] - limit) * sign >= 0 }

  private func crossing(_ from: Point, _ to: Point) -> Point {
    var point = from + (to - from) * ((limit - from[axis]) / (to[axis] - from[axis]))
    point[axis] = limit
    return point
  }

  /// The pieces of a line inside.
  func lines(_ line: [Point]) -> [[Point]] {
    var (pieces, piece): ([[Point]], [Point]) = ([], [])
    for (index, point) in line.enumerated() {
      let isInside = contains(point)
      if index > 0, contains(line[index - 1]) != isInside {
        piece.append(crossing(line[index - 1], point))
        if !isInside {
          pieces.append(piece)
          piece = []
        }
      }
      if isInside { piece.append(point) }
    }
    return piece.isEmpty ? pieces : pieces + [piece]
  }

  /// The rings of the part of an area inside. A part that falls apart has several outer rings, which no edges join.
  func area(_ rings: [[Point]]) -> [[Point]] {
    var (whole, pieces): ([[Point]], [[Point]]) = ([], [])
    for ring in rings {
      if let out = ring.indices.first(where: { !contains(ring[$0]) }) {
        pieces += lines(Array(ring[out...] + ring[...out]))
      } else {
        whole.append(ring)
      }
    }
    return whole + joined(pieces)
  }

  /// Joins the pieces of rings, which begin and end at the limit, along the limit. Between each odd end and the next one is the area. Ends in
  /// another order are those of a ring that crosses itself: then the ends of the inner loop are joined first.
  private func joined(_ pieces: [[Point]]) -> [[Point]] {
    typealias End = (piece: Int, isStart: Bool, place: Double)
    let ends: [End] = pieces.enumerated().flatMap { index, piece in
      [(index, true, piece[0][1 - axis]), (index, false, piece[piece.count - 1][1 - axis])]
    }
    var (open, next) = ([End](), pieces.indices.map(\.self))
    for end in ends.sorted(by: { $0.place < $1.place }) {
      if let other = open.last, other.isStart != end.isStart {
        open.removeLast()
        let (from, to) = end.isStart ? (other, end) : (end, other)
        next[from.piece] = to.piece
      } else {
        open.append(end)
      }
    }
    var (rings, isDone) = ([[Point]](), pieces.map { _ in false })
    for first in pieces.indices where !isDone[first] {
      var (ring, index) = ([Point](), first)
      repeat {
        isDone[index] = true
        ring += pieces[index]
        index = next[index]
      } while index != first
      rings.append(ring)
    }
    return rings
  }
}

extension [SIMD2<Int>] {
  /// Twice the area of a ring, positive if it is clockwise on the map.
  fileprivate var area: Int {
    guard var from = last else { return 0 }
    return reduce(0) { sum, to in
      defer { from = to }
      return sum + from.x * to.y - to.x * from.y
    }
  }

  /// A line without repeated points.
  fileprivate var asLine: Self { reduce(into: []) { if $1 != $0.last { $0.append($1) } } }

  /// A ring without points that it does not need and without spikes, which have no area.
  fileprivate var asRing: Self {
    var ring: Self = []
    func add(_ point: Element) {
      while ring.count > 1, ring.turn(to: point) == 0 { ring.removeLast() }
      if point != ring.last { ring.append(point) }
    }
    forEach(add)
    // The end of the ring and its start are neighbours.
    for point in ring.prefix(2) { add(point) }
    return ring.count > 4 ? Array(ring[1..<(ring.count - 1)]) : []
  }

  /// How the last two points and another one turn.
  private func turn(to point: Element) -> Int {
    let (way, on) = (self[count - 1] &- self[count - 2], point &- self[count - 1])
    return way.x * on.y - way.y * on.x
  }

  /// How many points are inside a ring.
  fileprivate func count(inside ring: Self) -> Int {
    let outline = PlaneRing(ring.map { PlanePoint(x: Double($0.x), y: Double($0.y)) })
    return count { outline.contains(PlanePoint(x: Double($0.x), y: Double($0.y))) }
  }
}
