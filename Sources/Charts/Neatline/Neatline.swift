internal import Core
internal import RasterIO

/// The outline of the printed map and the masks that are cut out of it, in sheet pixels and on the earth.
///
/// Chords stay within half a pixel of the true edges in both. Rings run anticlockwise; the outline of a usual sheet starts at
/// its north-western corner. The first vertex is not repeated. Longitudes are continuous: those of a chart across 180 degrees
/// continue beyond it.
struct Neatline: Equatable, Sendable {
  struct Vertex: Equatable, Sendable {
    let pixel: PixelPoint
    let place: GeoPoint
  }

  /// One edge of the outline: from its first corner up to, but excluding, the corner where the next side begins.
  struct Side: Equatable, Sendable {
    /// `western edge`
    let name: String
    let edge: NeatlineDefinition.Edge
    let vertices: [Vertex]
    /// Whether the edge was given beyond the image, and follows the image's rim instead.
    var isClamped = false
  }

  /// In order, anticlockwise.
  let sides: [Side]
  /// The outline, from all sides.
  let ring: [Vertex]
  /// The masks may overlap each other, and reach beyond the outline.
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

  /// How a window of the sheet lies relative to the map.
  func relation(to window: PixelWindow) -> PlaneRelation {
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

extension SheetProjection {
  /// Nil for a pixel that is nowhere on the earth.
  func vertex(at pixel: PixelPoint) -> Neatline.Vertex? {
    place(of: pixel).map { Neatline.Vertex(pixel: pixel, place: $0) }
  }
}

extension NeatlineDefinition.Edge {
  /// The place on a meridian or parallel beside another place; nil for other edges.
  func graticulePlace(beside place: GeoPoint) -> GeoPoint? {
    switch self {
    case .meridian(let degrees): GeoPoint(longitude: degrees, latitude: place.latitude)
    case .parallel(let degrees): GeoPoint(longitude: place.longitude, latitude: degrees)
    case .column, .row, .columnThrough, .rowThrough, .straight: nil
    }
  }

  /// The line of the same kind at other degrees; nil for an edge that is not of the graticule.
  func graticuleLine(_ degrees: (_ own: Double, KeyPath<GeoPoint, Double>) -> Double) -> NeatlineDefinition
    .Edge?
  {
    switch self {
    case .meridian(let own): .meridian(degrees(own, \.longitude))
    case .parallel(let own): .parallel(degrees(own, \.latitude))
    case .column, .row, .columnThrough, .rowThrough, .straight: nil
    }
  }
}

extension Neatline {
  /// Never crosses 180 degrees: from -180 to 180 for a chart across that line.
  var bounds: GeoBox {
    let extent = area.extent
    return windows.count == 1
      ? extent : GeoBox(west: -180, south: extent.south, east: 180, north: extent.north)
  }

  /// The box around the map, or two for a chart across 180 degrees: first the one that ends there.
  var windows: [GeoBox] { area.extent.windows }

  /// The box around a chart across 180 degrees, with an east beyond 180; nil for any other chart.
  var adjustedBounds: GeoBox? { windows.count == 1 ? nil : area.extent }

  /// A GeoJSON Polygon, or a MultiPolygon if the masks or 180 degrees leave several parts.
  var geoJSON: String { area.geoJSON }
}

/// The area of a chart on the earth: the outline without the masks, to a millionth of a degree.
struct NeatlineArea: Equatable, Sendable {
  /// Between -180 and 180, cut where the chart crosses that line. In each polygon the outer ring is first and runs
  /// anticlockwise, holes run clockwise. The first point is not repeated.
  let polygons: [[[GeoPoint]]]
  /// The box around all, with its west between -180 and 180. Its east continues beyond 180 if the chart does.
  let extent: GeoBox
  /// The degrees added to the given longitudes to get there.
  let turn: Double

  /// The longitudes of the rings may be in any turn, as long as they are continuous.
  init(
    outline: [GeoPoint], masks: [[GeoPoint]], degreesPerPixel: Double,
    userError: (_ problem: String) -> UserError
  ) throws {
    let outline = outline.map { $0.turned(by: 0) }
    let masks = masks.map { $0.map { $0.turned(by: 0) } }
    let overlay = Overlay(sliver: degreesPerPixel)
    if let outside = try overlay.firstOutside(outline, masks) {
      throw userError("its mask \(outside + 1) lies outside its outline")
    }
    let whole = masks.isEmpty ? [[outline]] : try overlay.difference(outline, masks)
    guard let area = try NeatlineArea(whole, overlay) else {
      throw userError("its masks leave nothing of it")
    }
    self = area
  }

  /// An area of polygons, each an outer ring and its holes. The longitudes may be in any turn, as long as they are continuous.
  /// Nil if nothing is left of them.
  init?(polygons: [[[GeoPoint]]], degreesPerPixel: Double) throws {
    let overlay = Overlay(sliver: degreesPerPixel)
    try self.init(overlay.tidy(polygons.map { $0.map(\.overlayRing) }), overlay)
  }

  private init?(_ whole: [[[GeoPoint]]], _ overlay: Overlay) throws {
    guard let box = GeoBox(around: whole.flatMap { $0.flatMap(\.self) }) else { return nil }
    turn = -360 * ((box.west + 180) / 360).rounded(.down)
    let turned = whole.map { [turn] in $0.map { $0.map { $0.turned(by: turn) } } }
    let around = GeoBox(around: turned.flatMap { $0.flatMap(\.self) }) ?? box
    self.polygons = around.east <= 180 ? turned : try overlay.split(turned, in: around)
    extent =
      around.east - around.west < 360 - overlay.sliver
      ? around : GeoBox(west: -180, south: around.south, east: 180, north: around.north)
  }

  /// A GeoJSON geometry. Six digits are a tenth of a metre.
  var geoJSON: String {
    let texts = polygons.map { rings in
      "["
        + rings.map { "[" + ($0 + $0.prefix(1)).map(\.json).joined(separator: ",") + "]" }
        .joined(separator: ",") + "]"
    }
    return texts.count == 1
      ? "{\"type\":\"Polygon\",\"coordinates\":\(texts[0])}"
      : "{\"type\":\"MultiPolygon\",\"coordinates\":[\(texts.joined(separator: ","))]}"
  }
}

/// Subtracts areas from each other, and returns the result in a fixed order.
private struct Overlay {
  /// In degrees. Two chords of one edge may be this far apart. The remainder between them is not part of the chart.
  let sliver: Double

  /// The index of the first mask that lies completely outside the chart.
  func firstOutside(_ outline: [GeoPoint], _ masks: [[GeoPoint]]) throws -> Int? {
    guard !masks.isEmpty else { return nil }
    let whole = try PlaneArea(outline.overlayRing)
    return try masks.firstIndex {
      tidy(try whole.intersection(try PlaneArea($0.overlayRing)).polygons).isEmpty
    }
  }

  func difference(_ outline: [GeoPoint], _ masks: [[GeoPoint]]) throws -> [[[GeoPoint]]] {
    var left = try PlaneArea(outline.overlayRing)
    for mask in masks { left = try left.subtracting(try PlaneArea(mask.overlayRing)) }
    return tidy(left.polygons)
  }

  /// Splits polygons at 180 degrees. The eastern part is moved back by a full turn.
  func split(_ polygons: [[[GeoPoint]]], in extent: GeoBox) throws -> [[[GeoPoint]]] {
    func part(_ west: Double, _ east: Double) throws -> [[[GeoPoint]]] {
      let window = try PlaneArea([
        (west, extent.south - 1), (east, extent.south - 1), (east, extent.north + 1),
        (west, extent.north + 1),
      ])
      return try polygons.flatMap { rings in
        var area = try PlaneArea(rings[0].overlayRing)
        for hole in rings.dropFirst() { area = try area.subtracting(try PlaneArea(hole.overlayRing)) }
        return tidy(try area.intersection(window).polygons)
      }
    }
    return try part(-180, 180) + part(180, 540).map { $0.map { $0.map { $0.turned(by: -360) } } }
  }

  func tidy(_ polygons: [[PlaneArea.Ring]]) -> [[[GeoPoint]]] {
    let shapes = polygons.map { $0.map { PlaneRing($0.map { PlanePoint(x: $0.x, y: $0.y) }) } }
    return shapes.filter { !isSliver($0[0]) }.map { rings in
      let holes = rings.dropFirst().filter { !isSliver($0) }.map { ordered($0, isHole: true) }
      return [ordered(rings[0], isHole: false)] + holes.sorted { precedes($0, $1) }
    }.sorted { precedes($0[0], $1[0]) }
  }

  /// By its mean width.
  private func isSliver(_ ring: PlaneRing) -> Bool {
    2 * abs(ring.signedArea) <= sliver * ring.length
  }

  /// From its westernmost point on, anticlockwise or, as a hole, clockwise.
  private func ordered(_ ring: PlaneRing, isHole: Bool) -> [GeoPoint] {
    let isClockwise = ring.signedArea < 0
    let places = (isClockwise == isHole ? ring.points : ring.points.reversed())
      .map { GeoPoint(longitude: $0.x, latitude: $0.y).turned(by: 0) }
    let first = places.indices.min { precedes([places[$0]], [places[$1]]) } ?? 0
    return Array(places[first...] + places[..<first])
  }

  private func precedes(_ one: [GeoPoint], _ other: [GeoPoint]) -> Bool {
    one.lexicographicallyPrecedes(other) {
      ($0.longitude, -$0.latitude) < ($1.longitude, -$1.latitude)
    }
  }
}

extension [GeoPoint] {
  fileprivate var overlayRing: PlaneArea.Ring { map { ($0.longitude, $0.latitude) } }
}

extension GeoPoint {
  /// Moved by some degrees of longitude, and rounded to a millionth of a degree. Further digits of a computed corner are noise.
  fileprivate func turned(by degrees: Double) -> GeoPoint {
    GeoPoint(
      longitude: ((longitude + degrees) * 1_000_000).rounded() / 1_000_000,
      latitude: (latitude * 1_000_000).rounded() / 1_000_000)
  }

  fileprivate var json: String { "[\(sixDigits(longitude)),\(sixDigits(latitude))]" }
}

/// Six digits after the point.
private func sixDigits(_ degrees: Double) -> String {
  let millionths = Int((degrees * 1_000_000).rounded())
  let fraction = String(abs(millionths) % 1_000_000)
  let padding = String(repeating: "0", count: 6 - fraction.count)
  return "\(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000).\(padding)\(fraction)"
}
