internal import Core

/// The edge of a chart from its archive's metadata, in metres of Web Mercator.
struct MercatorNeatline {
  /// The polygons of a mosaic's charts may overlap.
  let polygons: [PlanePolygon]

  /// The distance from the edge within which a tile may exist or not: the cut is made in pixels of the sheet, and the warp reads a few
  /// pixels beyond each.
  static func tolerance(zoom: Int) -> Double { 4 * WebMercator.resolution(zoom: zoom) }

  init(polygons: [PlanePolygon]) { self.polygons = polygons }

  /// Reads a Polygon or a MultiPolygon, with holes or without.
  init?(geoJSON text: String) {
    guard let shape = GeoJSONPolygons(text: text),
      shape.polygons.joined().joined().allSatisfy({ abs($0[0]) <= 360 && abs($0[1]) < 90 })
    else { return nil }
    polygons = shape.polygons.map { rings in
      let projected = rings.map { ring in
        PlaneRing(
          ring.dropLast().map {
            let (x, y) = WebMercator.project(GeoPoint(longitude: $0[0], latitude: $0[1]))
            return PlanePoint(x: x, y: y)
          })
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
    var inside = [Bool](repeating: false, count: count * count)
    var open = [(column: 0, row: 0, side: count)]
    while let square = open.popLast() {
      let side = (box.maxX - box.minX) / Double(count)
      let part = PlaneBox(
        minX: box.minX + Double(square.column) * side,
        minY: box.maxY - Double(square.row + square.side) * side,
        maxX: box.minX + Double(square.column + square.side) * side,
        maxY: box.maxY - Double(square.row) * side
      ).grown(by: MercatorNeatline.tolerance(zoom: tile.zoom) / 2)
      let relations = near.map { $0.relation(to: part) }.filter { $0 != .outside }
      if relations == [.inside] {
        for row in square.row..<square.row + square.side {
          for column in square.column..<square.column + square.side { inside[row * count + column] = true }
        }
      } else if !relations.isEmpty, square.side > 1 {
        let half = square.side / 2
        open += [(0, 0), (half, 0), (0, half), (half, half)].map {
          (square.column + $0.0, square.row + $0.1, half)
        }
      }
    }
    return inside
  }
}

extension MercatorNeatline {
  typealias Place = (x: Double, y: Double)

  /// The edges of outlines and holes, without those where the parts of a chart across 180 degrees meet.
  var edges: [(from: Place, to: Place)] {
    let (seam, slack) = (WebMercator.halfWorld, 1.0)
    let isAcross = polygons.contains { ($0.outline.box?.maxX ?? 0) > seam + slack }
    return polygons.flatMap { [$0.outline] + $0.holes }.flatMap { ring in
      ring.points.indices.compactMap { index in
        let (from, to) = (ring.points[index], ring.points[(index + 1) % ring.points.count])
        if isAcross, abs(from.x - seam) < slack, abs(to.x - seam) < slack { return nil }
        return (from: (x: from.x, y: from.y), to: (x: to.x, y: to.y))
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

  func contains(_ place: Place) -> Bool {
    polygons.contains { $0.contains(PlanePoint(x: place.x, y: place.y)) }
  }

  /// Returns where a horizontal line crosses the edges.
  func crossings(y: Double) -> [Double] {
    edges.compactMap { edge in
      guard (edge.from.y > y) != (edge.to.y > y) else { return nil }
      return edge.from.x + (y - edge.from.y) / (edge.to.y - edge.from.y) * (edge.to.x - edge.from.x)
    }
  }

  /// Returns where a vertical line crosses the edges.
  func crossings(x: Double) -> [Double] {
    edges.compactMap { edge in
      guard (edge.from.x > x) != (edge.to.x > x) else { return nil }
      return edge.from.y + (x - edge.from.x) / (edge.to.x - edge.from.x) * (edge.to.y - edge.from.y)
    }
  }
}

extension PlaneRing {
  /// The ring one turn farther east.
  fileprivate var turned: PlaneRing {
    PlaneRing(points.map { PlanePoint(x: $0.x + 2 * WebMercator.halfWorld, y: $0.y) })
  }
}

/// Places along the rings of a neatline: pairs of one point that is certainly inside of the chart and one that is certainly outside.
struct EdgePlaces {
  struct Place {
    let ring: Int
    let inside: PlanePoint
    let outside: PlanePoint
  }

  private(set) var places: [Place] = []
  private let neatline: MercatorNeatline
  private let pixel: Double

  /// Pixels from the edge, and around each point, since the real edge may be a pixel or two off.
  private static let distance = 6.0
  private static let clearance = 2.0
  private static let most = 1024.0
  private static let fewestOfRing = 32.0

  /// - Parameter pixel: in metres of Web Mercator.
  init(_ neatline: MercatorNeatline, pixel: Double) {
    (self.neatline, self.pixel) = (neatline, pixel)
    let rings = neatline.polygons.flatMap { [$0.outline] + $0.holes }
    let total = rings.reduce(0) { $0 + $1.length }
    for (number, ring) in rings.enumerated() where ring.length > 0 {
      let share = max(EdgePlaces.fewestOfRing, (EdgePlaces.most * ring.length / total).rounded())
      walk(ring, number, step: ring.length / share)
    }
  }

  private mutating func walk(_ ring: PlaneRing, _ number: Int, step: Double) {
    guard step > 0, step.isFinite, var a = ring.points.last else { return }
    var ahead = step / 2
    for b in ring.points {
      let length = a.distance(to: b)
      while ahead < length {
        add(a, b, share: ahead / length, number)
        ahead += step
      }
      ahead -= length
      a = b
    }
  }

  /// Tests on which side of the line the chart lies, since rings may have either direction.
  private mutating func add(_ a: PlanePoint, _ b: PlanePoint, share: Double, _ ring: Int) {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let reach = EdgePlaces.distance * pixel / a.distance(to: b)
    let sides = [1.0, -1.0].map {
      PlanePoint(x: a.x + share * dx - $0 * reach * dy, y: a.y + share * dy + $0 * reach * dx)
    }
    let relations = sides.map { relation($0) }
    guard let inside = relations.firstIndex(of: .inside), let outside = relations.firstIndex(of: .outside)
    else { return }
    places.append(Place(ring: ring, inside: sides[inside], outside: sides[outside]))
  }

  /// Points beyond 180 degrees belong to the other side of the chart, and are skipped.
  private func relation(_ point: PlanePoint) -> PlaneRelation {
    let spot = PlaneBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
      .grown(by: EdgePlaces.clearance * pixel)
    let isOnMap = max(abs(point.x), abs(point.y)) < WebMercator.halfWorld
    return isOnMap ? neatline.relation(to: spot) : .crossing
  }
}

extension PlaneBox {
  init(of tile: TileID) {
    let (west, north, side) = tile.mercator
    self.init(minX: west, minY: north - side, maxX: west + side, maxY: north)
  }

  init(mercator box: GeoBox) {
    let southWest = WebMercator.project(GeoPoint(longitude: box.west, latitude: box.south))
    let northEast = WebMercator.project(GeoPoint(longitude: box.east, latitude: box.north))
    self.init(minX: southWest.x, minY: southWest.y, maxX: northEast.x, maxY: northEast.y)
  }

  /// Returns the box a number of turns farther east.
  func turned(by turns: Int) -> PlaneBox {
    let distance = 2 * WebMercator.halfWorld * Double(turns)
    return PlaneBox(minX: minX + distance, minY: minY, maxX: maxX + distance, maxY: maxY)
  }
}
