import Core
import Foundation
import RasterIO
import Testing

@testable import ChartpipeKit

/// Outlines other than the usual four edges, and sheets outside California.
@Suite struct NeatlineShapeTests {
  private let sheet = FullSizeSheet()

  @Test func `a stepped border has its corners on the graticule`() throws {
    let neatline = try sheet.neatline([
      .meridian(-123), .parallel(34.5), .meridian(-121), .parallel(34), .meridian(-119.5), .parallel(35),
      .meridian(-118.5), .parallel(37.5),
    ])
    #expect(neatline.sides.count == 8)
    #expect(neatline.sides[2].name == "edge 3")
    let corners: [(Double, Double)] = [
      (-123, 37.5), (-123, 34.5), (-121, 34.5), (-121, 34), (-119.5, 34), (-119.5, 35), (-118.5, 35),
      (-118.5, 37.5),
    ]
    for (side, (longitude, latitude)) in zip(neatline.sides, corners) {
      let truth = sheet.pixel(of: GeoPoint(longitude: longitude, latitude: latitude))
      #expect(side.vertices[0].pixel.distance(to: truth) < 0.001)
    }
    try expectMaskAndArea(of: neatline, on: sheet) { place in
      let (x, y) = (place.longitude, place.latitude)
      let floor = x < -121 ? 34.5 : x < -119.5 ? 34 : 35
      return x > -123 && x < -118.5 && y > floor && y < 37.5
    }
    #expect(neatline.bounds == GeoBox(west: -123, south: 34, east: -118.5, north: 37.5))
  }

  @Test func `draws an L of pixel and graticule edges`() throws {
    let neatline = try sheet.neatline([
      .column(1000), .row(11_000), .column(9000), .row(6000), .column(15_000), .row(900),
    ])
    try expectMaskAndArea(of: neatline, on: sheet) { place in
      let pixel = sheet.pixel(of: place)
      guard pixel.column > 1000, pixel.column < 15_000, pixel.row > 900 else { return false }
      return pixel.row < 6000 || pixel.row < 11_000 && pixel.column < 9000
    }
    func relation(_ column: Int, _ row: Int) -> PlaneRelation {
      neatline.relation(to: PixelWindow(column: column, row: row, width: 100, height: 100))
    }
    #expect(relation(8800, 10_000) == .inside)
    #expect(relation(9100, 6100) == .outside)
    #expect(relation(8950, 7000) == .crossing)
  }

  @Test func `draws a triangle of tilted edges`() throws {
    let (a, b, c) = (
      GeoPoint(longitude: -123, latitude: 37.5), GeoPoint(longitude: -122, latitude: 34.2),
      GeoPoint(longitude: -118.6, latitude: 36)
    )
    let neatline = try sheet.neatline([.straight(a, b), .straight(b, c), .straight(c, a)])
    let corners = [a, b, c].map { sheet.pixel(of: $0) }
    for (side, truth) in zip(neatline.sides, corners) {
      #expect(side.vertices[0].pixel.distance(to: truth) < 0.001)
    }
    try expectMaskAndArea(of: neatline, on: sheet) { place in
      let pixel = sheet.pixel(of: place)
      return corners.indices.allSatisfy { index in
        let (from, to) = (corners[index], corners[(index + 1) % 3])
        return (to.column - from.column) * (pixel.row - from.row)
          - (to.row - from.row) * (pixel.column - from.column) < 0
      }
    }
  }

  @Test func `an edge through a place is the column or row that contains it`() throws {
    let place = GeoPoint(longitude: -118.4, latitude: 37.4)
    let neatline = try sheet.neatline([
      .meridian(-123), .parallel(34), .columnThrough(place), .rowThrough(place),
    ])
    #expect(neatline.sides[3].vertices[0].pixel.distance(to: sheet.pixel(of: place)) < 0.001)
  }

  /// The six bands of latitude whose sheets have their own standard parallels.
  @Test(arguments: [24.0, 32, 40, 48, 56, 64])
  func `corners are exact in every band of projections`(south: Double) throws {
    let sheet = FullSizeSheet(
      cone: LambertConformal(
        standardParallels: (south + 6 + 2.0 / 3, south + 1 + 1.0 / 3),
        origin: GeoPoint(longitude: -150, latitude: south + 4)))
    let neatline = try sheet.neatline([
      .meridian(-152), .parallel(south + 3), .meridian(-147.5), .parallel(south + 5),
    ])
    for (side, (longitude, latitude)) in zip(
      neatline.sides, [(-152.0, 5.0), (-152, 3), (-147.5, 3), (-147.5, 5)])
    {
      let truth = sheet.pixel(of: GeoPoint(longitude: longitude, latitude: south + latitude))
      #expect(side.vertices[0].pixel.distance(to: truth) < 0.001)
    }
    try expectMaskAndArea(of: neatline, on: sheet) {
      $0.longitude > -152 && $0.longitude < -147.5 && $0.latitude > south + 3 && $0.latitude < south + 5
    }
  }

  @Test func `on a rotated sheet columns and rows are the image's own`() throws {
    let sheet = FullSizeSheet(tilt: 25)
    let neatline = try sheet.neatline([.column(2000), .parallel(35.2), .column(13_000), .row(1500)])
    let (northWest, northEast) = (neatline.sides[0].vertices[0], neatline.sides[3].vertices[0])
    #expect(northWest.pixel.distance(to: PixelPoint(column: 2000, row: 1500)) < 1e-6)
    #expect(northEast.pixel.distance(to: PixelPoint(column: 13_000, row: 1500)) < 1e-6)
    #expect(abs(northWest.place.latitude - sheet.place(of: northWest.pixel).latitude) < 1e-9)
    try expectMaskAndArea(of: neatline, on: sheet) { place in
      let pixel = sheet.pixel(of: place)
      return pixel.column > 2000 && pixel.column < 13_000 && pixel.row > 1500 && place.latitude > 35.2
    }
  }

  @Test func `a side moves along its normal and the others stay`() throws {
    let usual = NeatlineDefinition(outline: [.meridian(-123), .parallel(34), .column(15_000), .row(900)])
    let plain = try sheet.builder.build(usual)
    let moved = try sheet.builder.build(usual, offsets: [12, -7.5, 0, 3])
    #expect(moved.sides.map(\.edge) == plain.sides.map(\.edge))
    for vertex in moved.sides[0].vertices {
      // 12 pixels west of the meridian, measured along the parallel, which crosses it at a right angle.
      let foot = sheet.pixel(of: GeoPoint(longitude: -123, latitude: vertex.place.latitude))
      #expect(abs(vertex.pixel.distance(to: foot) - 12) < 0.01)
      #expect(vertex.place.longitude < -123)
    }
    for vertex in moved.sides[1].vertices {
      let foot = sheet.pixel(of: GeoPoint(longitude: vertex.place.longitude, latitude: 34))
      #expect(abs(vertex.pixel.distance(to: foot) - 7.5) < 0.01)
      #expect(vertex.place.latitude > 34)
    }
    #expect(moved.sides[2].vertices.allSatisfy { abs($0.pixel.column - 15_000) < 1e-6 })
    #expect(moved.sides[3].vertices.allSatisfy { abs($0.pixel.row - 897) < 1e-6 })
    #expect(try sheet.builder.build(usual, offsets: [0, 0, 0, 0]) == plain)
  }

  @Test(arguments: [
    ([NeatlineDefinition.Edge.meridian(-123), .parallel(34)], "at least three"),
    ([.meridian(-123), .parallel(34), .parallel(35)], "its edge 2 and its edge 3 do not meet"),
    ([.column(1000), .row(11_000), .column(9000), .row(6000), .column(500), .row(900)], "crosses itself"),
    (
      [.column(1000), .row(900), .column(15_000), .row(6000), .column(9000), .row(11_000)],
      "they must run anticlockwise"
    ),
    ([.column(1000), .row(11_000), .column(9000), .row(6000), .column(17_000), .row(900)], "edge 5 leaves"),
    (
      [.column(1000), .row(11_000), .column(9000), .row(-400)],
      "northern edge leaves the image: it goes to row -400"
    ),
    ([.column(-1e300), .row(11_000), .column(9000), .row(10)], "its western edge"),
    ([.column(.infinity), .row(11_000), .column(9000), .row(10)], "do not meet"),
    ([.column(.nan), .row(11_000), .column(9000), .row(10)], "do not meet"),
    (
      [
        .straight(GeoPoint(longitude: -121, latitude: 36), GeoPoint(longitude: -121, latitude: 36)),
        .row(11_000), .column(9000), .row(10),
      ], "its western edge crosses a point"
    ),
    (
      [
        .straight(GeoPoint(longitude: 59, latitude: -90), GeoPoint(longitude: -121, latitude: 36)),
        .row(11_000), .column(9000), .row(10),
      ], "its western edge"
    ),
    ([.column(1000), .row(9000), .column(1000.001), .row(9000.5), .column(5000), .row(10)], "has no length"),
  ])
  func `describes why edges form no outline`(outline: [NeatlineDefinition.Edge], words: String) throws {
    let fault = #expect(throws: UserError.self) { _ = try sheet.neatline(outline) }
    #expect(fault?.kind == .badInput)
    #expect(fault?.reason.contains(words) == true, "\(fault?.reason ?? "none")")
  }

  @Test func `rejects an offset that turns the map inside out`() throws {
    let edges: [NeatlineDefinition.Edge] = [.column(1000), .row(9000), .column(9000), .row(1000)]
    for offsets in [[-9000.0, 0, 0, 0], [.nan], [.infinity]] {
      #expect(throws: UserError.self) { _ = try sheet.neatline(edges, offsets: offsets) }
    }
  }
}
