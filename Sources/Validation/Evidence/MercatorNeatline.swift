internal import Core

/// The edge of a chart from its archive's metadata, in metres of Web Mercator.
struct MercatorNeatline {
  /// The polygons of a mosaic's charts may overlap.
  let polygons: [PlanePolygon]
  /// The deepest zoom of each polygon; empty if all reach the archive's deepest one.
  private var zooms: [Int] = []

  /// The distance from the edge within which a tile may exist or not: the cut is made in pixels of the sheet, and the warp reads a few
  /// pixels beyond each.
  static func tolerance(zoom: Int) -> Double { 4 * WebMercator.resolution(zoom: zoom) }

  init(polygons: [PlanePolygon]) { self.polygons = polygons }

  /// Nil where an archive's metadata has none that can be read.
  init?(metadata: [String: String]) {
    guard let text = metadata["chartpipe:neatline"] else { return nil }
    self.init(geoJSON: text)
    guard let list = metadata[ArchiveMetadata.neatlineZooms] else { return }
    zooms = list.split(separator: ",").compactMap { Int($0) }
    guard zooms.count == polygons.count else { return nil }
  }

  /// The part of a mosaic whose charts have tiles at a zoom.
  func shown(at zoom: Int) -> MercatorNeatline {
    zooms.isEmpty ? self : MercatorNeatline(polygons: zip(polygons, zooms).filter { $1 >= zoom }.map(\.0))
  }

  /// The charts of a mosaic whose deepest zoom this is.
  func ending(at zoom: Int) -> MercatorNeatline {
    MercatorNeatline(polygons: zip(polygons, zooms).filter { $1 == zoom }.map(\.0))
  }

  /// The deepest zoom that all charts of a mosaic have; nil if all have the same.
  var commonZoom: Int? { zooms.min() }

  /// Reads a Polygon or a MultiPolygon, with holes or without.
  init?(geoJSON text: String) {
    guard let shape = GeoJSONPolygons(text: text),
      shape.polygons.joined().joined().allSatisfy({ abs($0[0]) <= 360 && abs($0[1]) < 90 })
    else { return nil }
    polygons = shape.polygons.map { rings in
      let projected = rings.map { ring in
        PlaneRing(ring.dropLast().map { GeoPoint(longitude: $0[0], latitude: $0[1]).mercator })
      }
      return PlanePolygon(outline: projected[0], holes: Array(projected.dropFirst()))
    }
  }

  /// The neatline of an archive that has only bounds.
  init(around box: PlaneBox) {
    let corners = [
      PlanePoint(x: box.minX, y: box.minY), PlanePoint(x: box.maxX, y: box.minY),
      PlanePoint(x: box.maxX, y: box.maxY), PlanePoint(x: box.minX, y: box.maxY),
    ]
    self.init(polygons: [PlanePolygon(outline: PlaneRing(corners))])
  }

  func contains(_ point: PlanePoint) -> Bool {
    polygons.contains { $0.outline.box?.contains(point) == true && $0.contains(point) }
  }

  func relation(to box: PlaneBox) -> PlaneRelation {
    var isCrossing = false
    for polygon in polygons {
      switch polygon.relation(to: box) {
      case .inside: return .inside
      case .crossing: isCrossing = true
      case .outside: continue
      }
    }
    return isCrossing ? .crossing : .outside
  }

  /// Whether enough of the chart lies in a tile that the tile must exist: a spot as wide as the tolerance.
  func mustShow(_ tile: TileID) -> Bool {
    let radius = MercatorNeatline.tolerance(zoom: tile.zoom) / 2
    let box = PlaneBox(of: tile)
    return polygons.contains { $0.hasRoom(forRadius: radius, in: box) }
  }
}

extension MercatorNeatline {
  /// Returns for each cell of a grid over a tile, row by row, whether it lies inside of one chart, by at least two pixels, and touches
  /// no other chart. Along seams two zooms may show different charts.
  ///
  /// - Parameter count: cells along a side, a power of two.
  func cellsOfOneChart(in tile: TileID, count: Int) -> [Bool] {
    let box = PlaneBox(of: tile)
    let near = polygons.filter {
      $0.relation(to: box.grown(by: MercatorNeatline.tolerance(zoom: tile.zoom))) != .outside
    }
    return cellsInside(columns: count, rows: count, side: count) { columns, rows in
      let part = box.part(columns, rows, of: count)
        .grown(by: MercatorNeatline.tolerance(zoom: tile.zoom) / 2)
      let relations = near.map { $0.relation(to: part) }.filter { $0 != .outside }
      return relations == [.inside] ? .inside : relations.isEmpty ? .outside : .crossing
    }
  }
}

extension PlaneBox {
  /// The part of a tile's box under some cells of a grid, counted from its north-western corner.
  ///
  /// - Parameter count: cells along a side.
  func part(_ columns: Range<Int>, _ rows: Range<Int>, of count: Int) -> PlaneBox {
    let side = (maxX - minX) / Double(count)
    return PlaneBox(
      minX: minX + Double(columns.lowerBound) * side, minY: maxY - Double(rows.upperBound) * side,
      maxX: minX + Double(columns.upperBound) * side, maxY: maxY - Double(rows.lowerBound) * side)
  }
}

/// Returns for each cell of a grid, row by row, whether it lies inside of something. Squares without an edge are filled at once.
///
/// - Parameters:
///   - side: of the first square, a power of two.
///   - relation: of the part of a square on the grid. A crossed square is quartered.
func cellsInside(
  columns: Int, rows: Int, side: Int, _ relation: (Range<Int>, Range<Int>) -> PlaneRelation
) -> [Bool] {
  var inside = [Bool](repeating: false, count: columns * rows)
  var open = [(column: 0, row: 0, side: side)]
  while let (left, top, side) = open.popLast() {
    let across = (left..<left + side).clamped(to: 0..<columns)
    let down = (top..<top + side).clamped(to: 0..<rows)
    guard !across.isEmpty, !down.isEmpty else { continue }
    switch relation(across, down) {
    case .outside: continue
    case .inside: for row in down { for column in across { inside[row * columns + column] = true } }
    case .crossing where side > 1:
      let half = side / 2
      open += [(0, 0), (half, 0), (0, half), (half, half)].map { (left + $0.0, top + $0.1, half) }
    case .crossing: continue
    }
  }
  return inside
}

extension MercatorNeatline {
  /// The edges of outlines and holes, without those where the parts of a chart across 180 degrees meet.
  var edges: [(from: PlanePoint, to: PlanePoint)] {
    let (seam, slack) = (WebMercator.halfWorld, 1.0)
    let isAcross = polygons.contains { ($0.outline.box?.maxX ?? 0) > seam + slack }
    return polygons.flatMap { [$0.outline] + $0.holes }.flatMap { ring in
      ring.points.indices.compactMap { index in
        let (from, to) = (ring.points[index], ring.points[(index + 1) % ring.points.count])
        if isAcross, abs(from.x - seam) < slack, abs(to.x - seam) < slack { return nil }
        return (from: from, to: to)
      }
    }
  }

  /// Returns the neatline with the polygons to the west of a line moved one turn eastward.
  func unrolled(from west: Double) -> MercatorNeatline {
    MercatorNeatline(
      polygons: polygons.map { polygon in
        guard let box = polygon.outline.box, box.center.x < west else { return polygon }
        return PlanePolygon(outline: polygon.outline.turned, holes: polygon.holes.map(\.turned))
      })
  }

  /// Returns where the line with a value of one coordinate crosses the edges: the values of the other coordinate.
  func crossings(
    _ axis: KeyPath<PlanePoint, Double>, at value: Double, _ other: KeyPath<PlanePoint, Double>
  ) -> [Double] {
    edges.compactMap { edge in
      let (from, to) = (edge.from[keyPath: axis], edge.to[keyPath: axis])
      guard (from > value) != (to > value) else { return nil }
      let (start, end) = (edge.from[keyPath: other], edge.to[keyPath: other])
      return start + (value - from) / (to - from) * (end - start)
    }
  }
}

extension PlaneRing {
  /// The ring one turn farther east.
  fileprivate var turned: PlaneRing {
    PlaneRing(points.map { PlanePoint(x: $0.x + 2 * WebMercator.halfWorld, y: $0.y) })
  }
}

extension MercatorNeatline {
  /// A point that is certainly inside of the chart and one beside it that is certainly outside.
  typealias EdgePlace = (ring: Int, inside: PlanePoint, outside: PlanePoint)

  /// Pixels from the edge, and around each point, since the real edge may be a pixel or two off.
  private static let distance = 6.0
  private static let clearance = 2.0
  private static let most = 1024.0
  private static let fewestOfRing = 32.0

  /// Returns places along the rings.
  ///
  /// - Parameter pixel: in metres of Web Mercator.
  func edgePlaces(pixel: Double) -> [EdgePlace] {
    let rings = polygons.flatMap { [$0.outline] + $0.holes }
    let total = rings.reduce(0) { $0 + $1.length }
    var places: [EdgePlace] = []
    for (number, ring) in rings.enumerated() where ring.length > 0 {
      let share = max(Self.fewestOfRing, (Self.most * ring.length / total).rounded())
      let step = ring.length / share
      guard step > 0, step.isFinite, var a = ring.points.last else { continue }
      var ahead = step / 2
      for b in ring.points {
        let length = a.distance(to: b)
        while ahead < length {
          if let (inside, outside) = sides(a, b, share: ahead / length, pixel) {
            places.append((number, inside, outside))
          }
          ahead += step
        }
        ahead -= length
        a = b
      }
    }
    return places
  }

  /// Tests on which side of the line the chart lies, since rings may have either direction.
  private func sides(
    _ a: PlanePoint, _ b: PlanePoint, share: Double, _ pixel: Double
  ) -> (inside: PlanePoint, outside: PlanePoint)? {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let reach = Self.distance * pixel / a.distance(to: b)
    let sides = [1.0, -1.0].map {
      PlanePoint(x: a.x + share * dx - $0 * reach * dy, y: a.y + share * dy + $0 * reach * dx)
    }
    let relations = sides.map { point in
      // Points beyond 180 degrees belong to the other side of the chart, and are skipped.
      let isOnMap = max(abs(point.x), abs(point.y)) < WebMercator.halfWorld
      let spot = PlaneBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
      return isOnMap ? relation(to: spot.grown(by: Self.clearance * pixel)) : .crossing
    }
    guard let inside = relations.firstIndex(of: .inside), let outside = relations.firstIndex(of: .outside)
    else { return nil }
    return (sides[inside], sides[outside])
  }
}

extension GeoPoint {
  /// In metres of Web Mercator.
  var mercator: PlanePoint {
    let (x, y) = WebMercator.project(self)
    return PlanePoint(x: x, y: y)
  }
}

extension PlaneBox {
  init(of tile: TileID) {
    let (west, north, side) = tile.mercator
    self.init(minX: west, minY: north - side, maxX: west + side, maxY: north)
  }

  init(mercator box: GeoBox) {
    let southWest = GeoPoint(longitude: box.west, latitude: box.south).mercator
    let northEast = GeoPoint(longitude: box.east, latitude: box.north).mercator
    self.init(minX: southWest.x, minY: southWest.y, maxX: northEast.x, maxY: northEast.y)
  }

  /// Returns the box a number of turns farther east.
  func turned(by turns: Int) -> PlaneBox {
    let distance = 2 * WebMercator.halfWorld * Double(turns)
    return PlaneBox(minX: minX + distance, minY: minY, maxX: maxX + distance, maxY: maxY)
  }
}
