internal import Core
internal import RasterIO

/// Finds where an image lies on the earth.
struct RasterSurvey {
  private let sheet: ChartSheet
  private let isCyclic: Bool
  private let isGeographic: Bool
  private let quarter: Double
  private let toPlace: CoordinateTransform

  /// Points along each side for a box around an image.
  private static let samples = 64

  init(_ sheet: ChartSheet, _ system: RasterSystem, isCyclic: Bool) throws {
    self.sheet = sheet
    self.isCyclic = isCyclic
    isGeographic = system.isGeographic
    quarter = system.reference.turnLength / 4
    toPlace = try CoordinateTransform(from: system.reference, to: try SpatialReference(epsg: 4326))
  }

  /// The middle of the values at some points of the image; nil if it is nowhere on the map.
  var resolution: Double? {
    let values = grid(count: 8).compactMap(resolution)
    return values.isEmpty ? nil : values.upperMedian
  }

  /// Nil if no part of the image is on the map. `isExact` if it is the rim, so that each tile inside must exist; otherwise it is a box
  /// around the image.
  func outline() throws -> (neatline: Neatline, isExact: Bool)? {
    let rim = isCyclic ? nil : try self.rim()
    guard let ring = rim ?? box(),
      let area = try NeatlineArea(
        polygons: try RasterSurvey.clipped([[ring]]), degreesPerPixel: RasterSurvey.sliver)
    else { return nil }
    return (Neatline(rimOf: sheet, area: area), isCyclic || rim != nil)
  }

  /// In degrees: a thousandth of a second.
  private static let sliver = 0.000_000_3

  private static func clipped(_ polygons: [[[GeoPoint]]]) throws -> [[[GeoPoint]]] {
    let points = polygons.joined().joined()
    let limit = WebMercator.maxLatitude
    guard points.contains(where: { abs($0.latitude) > limit }) else { return polygons }
    let (west, east) = (points.map(\.longitude).min() ?? 0, points.map(\.longitude).max() ?? 0)
    let band = try PlaneArea([
      (west - 1, -limit), (east + 1, -limit), (east + 1, limit), (west - 1, limit),
    ])
    return try polygons.flatMap { rings in
      let area = try PlaneArea(polygons: [rings.map { $0.map { ($0.longitude, $0.latitude) } }])
      return try area.intersection(band).polygons.map { rings in
        rings.map { $0.map { GeoPoint(longitude: $0.x, latitude: $0.y) } }
      }
    }
  }

  /// A box around all points of a grid that have a place.
  private func box() -> [GeoPoint]? {
    let points = grid(count: RasterSurvey.samples).compactMap(place)
    guard let south = points.map(\.latitude).min(), let north = points.map(\.latitude).max() else {
      return nil
    }
    let (west, east) = isCyclic ? (-180, 180) : RasterSurvey.span(points.map(\.longitude))
    return [(west, south), (east, south), (east, north), (west, north)].map {
      GeoPoint(longitude: $0.0, latitude: min(max($0.1, -90), 90))
    }
  }

  /// The shortest span of longitudes, without the widest gap between them.
  private static func span(_ longitudes: [Double]) -> (west: Double, east: Double) {
    let sorted = Set(longitudes.map { $0.remainder(dividingBy: 360) }).sorted()
    let gaps = sorted.indices.map { index in
      index + 1 < sorted.count ? sorted[index + 1] - sorted[index] : sorted[0] + 360 - sorted[index]
    }
    guard let widest = gaps.indices.max(by: { gaps[$0] < gaps[$1] }), gaps[widest] > 20 else {
      return (-180, 180)
    }
    let (east, west) = (sorted[widest], sorted[(widest + 1) % sorted.count])
    return (west, east < west ? east + 360 : east)
  }

  /// Points spread over the image, its rim included.
  private func grid(count: Int) -> [PixelPoint] {
    (0...count).flatMap { row in
      (0...count).map { column in
        PixelPoint(
          column: Double(sheet.width) * Double(column) / Double(count),
          row: Double(sheet.height) * Double(row) / Double(count))
      }
    }
  }
}

extension RasterSurvey {
  /// Nil for a pixel that is nowhere on the earth.
  private func place(of pixel: PixelPoint) -> GeoPoint? {
    var (x, y) = sheet.placing.projected(column: pixel.column, row: pixel.row)
    // The rim of a grid of points around the earth lies half a cell beyond the poles.
    if isGeographic { y = min(max(y, -quarter), quarter) }
    if !x.isFinite { x = 0 }
    guard let place = toPlace(x: x, y: y), abs(place.y) <= 90 else { return nil }
    return GeoPoint(longitude: place.x, latitude: place.y)
  }

  /// Metres of Web Mercator for a pixel; nil beyond the map.
  private func resolution(at pixel: PixelPoint) -> Double? {
    let column = min(pixel.column, Double(sheet.width) - 1), row = min(pixel.row, Double(sheet.height) - 1)
    let corners = [(0.0, 0.0), (1, 0), (0, 1)].map {
      place(of: PixelPoint(column: column + $0.0, row: row + $0.1))
    }
    guard let here = corners[0], let east = corners[1], let south = corners[2],
      [here, east, south].allSatisfy({ abs($0.latitude) < WebMercator.maxLatitude })
    else { return nil }
    let origin = WebMercator.project(here)
    func offset(_ place: GeoPoint) -> (x: Double, y: Double) {
      let near = GeoPoint(
        longitude: here.longitude + (place.longitude - here.longitude).remainder(dividingBy: 360),
        latitude: place.latitude)
      let point = WebMercator.project(near)
      return (point.x - origin.x, point.y - origin.y)
    }
    let (across, down) = (offset(east), offset(south))
    let area = abs(across.x * down.y - across.y * down.x)
    return area > 0 && area.isFinite ? area.squareRoot() : nil
  }
}

/// The rim of an image on the earth.
extension RasterSurvey {
  /// In pixels: how far a chord may be from the rim.
  private static let chordError = 0.25
  private static let leastDepth = 3
  private static let mostDepth = 11

  /// Nil if the rim is not one line on the earth.
  private func rim() throws -> [GeoPoint]? {
    let corners = sheet.corners
    var ring: [GeoPoint] = []
    for (index, corner) in corners.enumerated() {
      guard let side = side(corner, corners[(index + 1) % 4]) else { return nil }
      ring += side
    }
    guard let first = ring.first else { return nil }
    let unrolled = RasterSurvey.unrolled(ring + [first])
    let closing = unrolled[unrolled.count - 1].longitude - first.longitude
    if abs(closing) < 1 { ring = Array(unrolled.dropLast()) } else { ring = around(pole: unrolled) }
    return try PlaneArea(ring.map { ($0.longitude, $0.latitude) }).isValid ? ring : nil
  }

  /// The area between a rim that runs around a pole and the pole.
  private func around(pole rim: [GeoPoint]) -> [GeoPoint] {
    let mean = rim.map(\.latitude).reduce(0, +) / Double(rim.count)
    let pole = mean < 0 ? -90.0 : 90.0
    return rim + [rim[rim.count - 1], rim[0]].map { GeoPoint(longitude: $0.longitude, latitude: pole) }
  }

  private static func unrolled(_ ring: [GeoPoint]) -> [GeoPoint] {
    ring.reduce(into: []) { done, place in
      guard let last = done.last else { return done = [place] }
      let step = (place.longitude - last.longitude).remainder(dividingBy: 360)
      done.append(GeoPoint(longitude: last.longitude + step, latitude: place.latitude))
    }
  }

  /// The places from the first corner up to, but without, the next one; nil if one of them is nowhere.
  private func side(_ start: PixelPoint, _ end: PixelPoint) -> [GeoPoint]? {
    guard let first = place(of: start), let last = place(of: end),
      let between = between((start, first), (end, last), depth: 0)
    else { return nil }
    return [first] + between
  }

  private typealias Vertex = (pixel: PixelPoint, place: GeoPoint)

  private func between(_ start: Vertex, _ end: Vertex, depth: Int) -> [GeoPoint]? {
    let pixel = start.pixel.halfway(to: end.pixel)
    guard let place = place(of: pixel) else { return nil }
    if depth >= RasterSurvey.leastDepth,
      depth >= RasterSurvey.mostDepth || isStraight(start, (pixel, place), end)
    {
      return []
    }
    guard let before = between(start, (pixel, place), depth: depth + 1),
      let after = between((pixel, place), end, depth: depth + 1)
    else { return nil }
    return before + [place] + after
  }

  /// Whether the middle is as near to the chord as the ends show a pixel's length to be.
  private func isStraight(_ start: Vertex, _ middle: Vertex, _ end: Vertex) -> Bool {
    func offset(_ place: GeoPoint) -> PlanePoint {
      PlanePoint(
        x: (place.longitude - start.place.longitude).remainder(dividingBy: 360),
        y: place.latitude - start.place.latitude)
    }
    let (middlePoint, endPoint) = (offset(middle.place), offset(end.place))
    let pixels = start.pixel.distance(to: end.pixel)
    let chord = PlanePoint(x: endPoint.x / 2, y: endPoint.y / 2)
    let length = PlanePoint(x: 0, y: 0).distance(to: endPoint)
    return middlePoint.distance(to: chord) * pixels <= RasterSurvey.chordError * length
  }
}

extension ChartSheet {
  /// Anticlockwise on an image whose north is at the top.
  fileprivate var corners: [PixelPoint] {
    [(0, 0), (0, height), (width, height), (width, 0)].map {
      PixelPoint(column: Double($0.0), row: Double($0.1))
    }
  }
}

extension Neatline {
  /// The whole image, over an area on the earth.
  init(rimOf sheet: ChartSheet, area: NeatlineArea) {
    let corners = sheet.corners.map { Vertex(pixel: $0, place: area.extent.center) }
    self.init(
      sides: [Side(name: "rim", edge: .column(0), vertices: corners)], masks: [], area: area)
  }
}
