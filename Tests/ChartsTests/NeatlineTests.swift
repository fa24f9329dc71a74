import Core
import Foundation
import RasterIO
import Testing

@testable import ChartpipeKit

@Suite("Neatlines")
struct NeatlineTests {
  @Test func `no chord is half a pixel from its edge, on the sheet or on the earth`() throws {
    let sheet = fullSize
    let neatline = try sheet.neatline(
      try definition(
        west: .meridian(-124), south: .parallel(34), east: .column(16_000), north: .row(500)))
    #expect(neatline.ring.count < 200)
    for (index, vertex) in neatline.ring.enumerated() {
      let next = neatline.ring[(index + 1) % neatline.ring.count]
      for share in [0.25, 0.5, 0.75] {
        let pixel = PixelPoint(
          column: vertex.pixel.column + share * (next.pixel.column - vertex.pixel.column),
          row: vertex.pixel.row + share * (next.pixel.row - vertex.pixel.row))
        #expect(sheet.distanceToEdge(pixel) < 0.5)
        let place = GeoPoint(
          longitude: vertex.place.longitude + share * (next.place.longitude - vertex.place.longitude),
          latitude: vertex.place.latitude + share * (next.place.latitude - vertex.place.latitude))
        #expect(sheet.distanceToEdge(sheet.pixel(of: place)) < 0.5)
      }
    }
  }

  @Test func `corners match the intersections of edges by the projection's formulas`() throws {
    let sheet = fullSize
    let neatline = try sheet.neatline(
      try definition(
        west: .meridian(-124), south: .parallel(34), east: .column(16_000), north: .row(500)))
    let northWest = neatline.ring[0]
    #expect(abs(northWest.pixel.row - 500) < 1e-6)
    #expect(abs(sheet.place(of: northWest.pixel).longitude + 124) < 1e-9)
    let southWest = try #require(neatline.ring.first { abs($0.place.latitude - 34) < 1e-9 })
    let truth = sheet.pixel(of: GeoPoint(longitude: -124, latitude: 34))
    #expect(southWest.pixel.distance(to: truth) < 0.001)
  }

  @Test func `classifies windows as inside, outside or crossing`() throws {
    let neatline = try fullSize.neatline(
      try definition(west: .column(1000), south: .row(9000), east: .column(9000), north: .row(1000)))
    func relation(_ column: Int, _ row: Int, _ side: Int) -> PlaneRelation {
      neatline.relation(to: PixelWindow(column: column, row: row, width: side, height: side))
    }
    #expect(relation(2000, 2000, 500) == .inside)
    #expect(relation(1001, 1001, 10) == .inside)
    #expect(relation(10, 10, 900) == .outside)
    #expect(relation(9001, 5000, 50) == .outside)
    #expect(relation(900, 4000, 200) == .crossing)
    #expect(relation(500, 500, 9000) == .crossing)
  }

  @Test func `a pixel is in the mask if its centre is inside`() throws {
    let neatline = try fullSize.neatline(
      try definition(west: .column(1000.6), south: .row(9000), east: .column(9000), north: .row(1000.4)))
    let mask = try neatline.mask(of: PixelWindow(column: 998, row: 998, width: 5, height: 5))
    #expect(
      mask == [0, 0, 0, 0, 0] + [0, 0, 0, 0, 0] + [0, 0, 0, 255, 255] + [0, 0, 0, 255, 255]
        + [0, 0, 0, 255, 255])
  }

  @Test func `rejects edges that form no map by name`() throws {
    let column = Edge.column(1000)
    let row = Edge.row(1000)
    for (edges, word) in [
      (try definition(west: .parallel(36), south: .row(9000), east: .column(9000), north: row), "western"),
      (try definition(west: column, south: .meridian(-121), east: .column(9000), north: row), "southern"),
      (try definition(west: column, south: .row(9000), east: .column(99_000), north: row), "eastern"),
      (try definition(west: column, south: .row(9000), east: .column(900), north: row), "nothing"),
      (try definition(west: column, south: .row(900), east: .column(9000), north: row), "nothing"),
      (try definition(west: .meridian(-129), south: .row(9000), east: .column(9000), north: row), "leaves"),
    ] {
      let fault = #expect(throws: UserError.self) { _ = try fullSize.neatline(edges) }
      #expect(fault?.kind == .badInput)
      #expect(fault?.reason.contains(word) == true, "\(fault?.reason ?? "none")")
    }
  }

  @Test func `GeoJSON has six digits, runs anticlockwise and is closed`() throws {
    let neatline = try fullSize.neatline(
      try definition(
        west: .meridian(-124), south: .parallel(34), east: .meridian(-119), north: .parallel(37)))
    let text = neatline.geoJSON
    #expect(text.hasPrefix("{\"type\":\"Polygon\",\"coordinates\":[[[-124.000000,37.000000],"))
    #expect(text.hasSuffix(",[-124.000000,37.000000]]]}"))
    #expect(neatline.bounds.west == -124 && neatline.bounds.north == 37)
    let places = neatline.ring.map(\.place)
    let area = places.indices.reduce(0.0) { sum, index in
      let next = places[(index + 1) % places.count]
      return sum + places[index].longitude * next.latitude - next.longitude * places[index].latitude
    }
    #expect(area > 0)
  }

  private var fullSize: FullSizeSheet { FullSizeSheet() }
}

private typealias Edge = NeatlineDefinition.Edge

/// Edges in the form of a definition file.
private func definition(west: Edge, south: Edge, east: Edge, north: Edge) throws -> NeatlineDefinition {
  let edges = ["west": west, "south": south, "east": east, "north": north]
  return try JSONDecoder().decode(NeatlineDefinition.self, from: try JSONEncoder().encode(edges))
}

extension FullSizeSheet {
  fileprivate func neatline(_ definition: NeatlineDefinition) throws -> Neatline {
    try builder.build(definition)
  }

  /// To the nearest of the edges 124 W, 34 N, column 16,000 and row 500, in pixels.
  fileprivate func distanceToEdge(_ pixel: PixelPoint) -> Double {
    let place = place(of: pixel)
    let onMeridian = self.pixel(of: GeoPoint(longitude: -124, latitude: place.latitude))
    let onParallel = self.pixel(of: GeoPoint(longitude: place.longitude, latitude: 34))
    return min(
      pixel.distance(to: onMeridian), pixel.distance(to: onParallel), abs(pixel.column - 16_000),
      abs(pixel.row - 500))
  }
}

/// Insets that are cut out of the map.
@Suite struct NeatlineMaskTests {
  private typealias Edge = NeatlineDefinition.Edge

  private let sheet = FullSizeSheet()
  private let outline: [Edge] = [.column(1000), .row(11_000), .column(15_000), .row(1000)]

  private func build(_ masks: [[NeatlineDefinition.Edge]]) throws -> Neatline {
    try sheet.neatline(outline, masks: masks)
  }

  private func isInOutline(_ pixel: PixelPoint) -> Bool {
    pixel.column > 1000 && pixel.column < 15_000 && pixel.row > 1000 && pixel.row < 11_000
  }

  @Test func `a mask inside is a hole`() throws {
    let neatline = try build([[.meridian(-122), .parallel(35), .meridian(-121), .parallel(36)]])
    try expectMaskAndArea(of: neatline, on: sheet) { place in
      let isMasked =
        place.longitude > -122 && place.longitude < -121 && place.latitude > 35 && place.latitude < 36
      return isInOutline(sheet.pixel(of: place)) && !isMasked
    }
    let parts = try Parts(neatline)
    #expect(parts.polygons.map(\.count) == [2])
    #expect(PlaneRing(parts.polygons[0][0]).signedArea > 0)
    #expect(abs(PlaneRing(parts.polygons[0][1]).signedArea + 1) < 1e-9)
    #expect(neatline.masks.count == 1)
    let middle = sheet.pixel(of: GeoPoint(longitude: -121.5, latitude: 35.5))
    let window = PixelWindow(column: Int(middle.column), row: Int(middle.row), width: 50, height: 50)
    #expect(neatline.relation(to: window) == .outside)
    #expect(neatline.relation(to: PixelWindow(column: 1100, row: 1100, width: 50, height: 50)) == .inside)
    #expect(
      neatline.relation(to: PixelWindow(column: 1100, row: 1100, width: 9000, height: 9000)) == .crossing)
  }

  @Test func `a mask across the edge removes area and adds none outside`() throws {
    let neatline = try build([[.column(-5000), .row(12_900), .column(4000), .row(9000)]])
    try expectMaskAndArea(of: neatline, on: sheet) { place in
      let pixel = sheet.pixel(of: place)
      return isInOutline(pixel) && !(pixel.column < 4000 && pixel.row > 9000)
    }
    let parts = try Parts(neatline)
    #expect(parts.polygons.map(\.count) == [1])
    // South-west of the mask's inner corner there is no map.
    let corner = sheet.place(of: PixelPoint(column: 3900, row: 9100))
    #expect(!parts.contain(corner))
    #expect(!parts.contain(sheet.place(of: PixelPoint(column: 500, row: 9500))))
    #expect(parts.contain(sheet.place(of: PixelPoint(column: 4100, row: 9100))))
  }

  @Test func `cuts out both of two overlapping masks`() throws {
    let neatline = try build([
      [.column(3000), .row(6000), .column(6000), .row(3000)],
      [.column(5000), .row(8000), .column(9000), .row(5000)],
    ])
    try expectMaskAndArea(of: neatline, on: sheet) { place in
      let pixel = sheet.pixel(of: place)
      let isInOne = pixel.column > 3000 && pixel.column < 6000 && pixel.row > 3000 && pixel.row < 6000
      let isInOther = pixel.column > 5000 && pixel.column < 9000 && pixel.row > 5000 && pixel.row < 8000
      return isInOutline(pixel) && !isInOne && !isInOther
    }
    #expect(try Parts(neatline).polygons.map(\.count) == [2])
  }

  @Test func `a mask with a shared edge leaves no sliver`() throws {
    for edge in [Edge.column(1000), .meridian(-123)] {
      let neatline = try sheet.neatline(
        [edge, .row(11_000), .column(15_000), .row(1000)],
        masks: [[edge, .row(8000), .column(6000), .row(5000)]])
      #expect(try Parts(neatline).polygons.map(\.count) == [1])
    }
  }

  @Test func `a band across the map leaves two parts`() throws {
    let neatline = try build([[.column(500), .row(7000), .column(16_000), .row(5000)]])
    #expect(neatline.geoJSON.hasPrefix("{\"type\":\"MultiPolygon\",\"coordinates\":[[[["))
    #expect(try Parts(neatline).polygons.map(\.count) == [1, 1])
    #expect(neatline.windows == [neatline.bounds])
  }

  @Test func `the bounds are those of the remaining area`() throws {
    let outline: [Edge] = [.meridian(-124), .parallel(34), .meridian(-119), .parallel(37)]
    let neatline = try sheet.neatline(
      outline, masks: [[.meridian(-125), .parallel(33), .meridian(-122), .parallel(38)]])
    #expect(neatline.bounds == GeoBox(west: -122, south: 34, east: -119, north: 37))
  }

  @Test func `rejects a mask that cuts nothing or everything`() throws {
    for (mask, words) in [
      ([Edge.column(100), .row(900), .column(900), .row(100)], "mask 1 lies outside its outline"),
      ([.column(0), .row(12_000), .column(16_000), .row(10)], "leave nothing"),
      ([.column(9000), .row(6000), .column(3000), .row(3000)], "mask 1's edges enclose nothing"),
      ([.column(3000), .row(6000)], "mask 1 has less than three edges"),
      ([.column(3000), .column(6000), .row(3000)], "mask 1's edge 1 and its mask 1's edge 2 do not meet"),
    ] {
      let fault = #expect(throws: UserError.self) { _ = try build([mask]) }
      #expect(fault?.reason.contains(words) == true, "\(fault?.reason ?? "none")")
    }
  }
}

/// The GeoJSON as other programs read it.
struct Parts {
  let polygons: [[[PlanePoint]]]

  private struct Polygon: Decodable { let coordinates: [[[Double]]] }
  private struct MultiPolygon: Decodable { let coordinates: [[[[Double]]]] }

  init(_ neatline: Neatline) throws {
    let data = Data(neatline.geoJSON.utf8)
    let isSingle = neatline.geoJSON.hasPrefix("{\"type\":\"Polygon\"")
    let coordinates =
      isSingle
      ? [try JSONDecoder().decode(Polygon.self, from: data).coordinates]
      : try JSONDecoder().decode(MultiPolygon.self, from: data).coordinates
    for ring in coordinates.joined() { try #require(ring.first == ring.last && ring.count >= 4) }
    polygons = coordinates.map { $0.map { $0.dropLast().map { PlanePoint(x: $0[0], y: $0[1]) } } }
  }

  func contain(_ place: GeoPoint) -> Bool {
    let point = PlanePoint(x: place.longitude, y: place.latitude)
    return polygons.contains { rings in rings.count { PlaneRing($0).contains(point) } % 2 == 1 }
  }
}
