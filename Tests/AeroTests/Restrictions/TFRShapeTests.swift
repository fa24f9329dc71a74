import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The shapes of TFRs: nothing of the area by the law is left out.
@Suite struct TFRShapeTests {
  private func area(
    _ recipe: [(String, [String])], merged: [String] = []
  ) throws -> (shape: TFRShape, box: GeoBox) {
    let made = MadeTFR(areas: [.init(recipe: recipe, merged: merged)])
    let shape = try #require(try made.notice().areas.first?.shape)
    let box = shape.map.box
    return (shape, GeoBox(west: box.west, south: box.south, east: box.east, north: box.north))
  }

  private func contains(_ shape: TFRShape, _ latitude: Double, _ longitude: Double) -> Bool {
    shape.map.closedRings.contains { rings in
      let inside = rings.map { ring in
        PlaneRing(ring.map { PlanePoint(x: $0[0], y: $0[1]) }).contains(PlanePoint(x: longitude, y: latitude))
      }
      return inside[0] && !inside.dropFirst().contains(true)
    }
  }

  /// In square degrees, with longitudes at the scale of the middle latitude.
  private func size(_ shape: TFRShape) -> Double {
    let scale = cos((shape.map.box.south + shape.map.box.north) / 2 * .pi / 180)
    return shape.map.polygons.joined().reduce(0) { $0 + $1.doubledArea / 2 } * scale / 1e12
  }

  /// Whether all points on a circle, drawn densely, are inside.
  private func contains(_ shape: TFRShape, circle center: (Double, Double), _ nauticalMiles: Double) throws
    -> Bool
  {
    let middle = try #require(ShapePoint(longitude: center.1, latitude: center.0))
    let circle = GeodesicCircle(center: middle, metres: nauticalMiles * 1852)
    return (0..<720).allSatisfy { step in
      let place = circle.point(azimuth: Double(step) / 2 + 0.013).degrees
      return contains(shape, place.latitude, place.longitude)
    }
  }

  @Test(arguments: [0.5, 3, 30, 100]) func `a circle is a circle, and its polygon is around it`(
    radius: Double
  ) throws {
    let (shape, _) = try area([("BASE", [circle(48.35, -120.83333333, radius)])])
    #expect(
      shape.circle?.metres == radius * 1852
        && shape.circle?.center == ShapePoint(x: -120_833_333, y: 48_350_000))
    #expect(try contains(shape, circle: (48.35, -120.83333333), radius))
    #expect(try !(contains(shape, circle: (48.35, -120.83333333), radius * 1.001)))
  }

  @Test func `the real circle contains the finished polygon of the FAA`() throws {
    for (number, radius) in [("6/6654", 3.0), ("6/4045", 0.5)] {
      let file = fixtureFolder.appending(path: "tfr/detail_\(number.replacing("/", with: "_")).xml")
      let detail = try TFRDetail(file.data, of: #require(TFRNumber(number)))
      let shape = try #require(detail.areas.first?.shape)
      #expect(shape.circle?.metres == radius * 1852 && !shape.differs && shape.isRecipe)
      let element = try #require(try AIXMElement.read(Array(file.data), wanted: ["abdMergedArea"]).first)
      let merged = try #require(ShapeRing(tfr: element))
      for point in merged { #expect(contains(shape, point.degrees.latitude, point.degrees.longitude)) }
      #expect(merged.count == 36)
    }
  }

  @Test func `parts are joined and cut out in their order`() throws {
    let union = try area([("BASE", [circle(40, -100, 10)]), ("UNION", [circle(40, -99.8, 8)])])
    #expect(union.shape.circle == nil && union.shape.map.polygons.count == 1)
    #expect(
      try contains(union.shape, circle: (40, -100), 10) && contains(union.shape, circle: (40, -99.8), 8))
    let cut = try area([("BASE", [circle(40, -100, 30)]), ("SUBTR", [circle(40, -100, 10)])])
    #expect(cut.shape.map.polygons.map(\.count) == [2])
    #expect(
      try contains(cut.shape, circle: (40, -100), 30) && contains(cut.shape, circle: (40, -100), 10.001))
    #expect(!contains(cut.shape, 40, -100))
    #expect(try !contains(cut.shape, circle: (40, -100), 9.95))
    let apart = try area([("BASE", [circle(40, -100, 5)]), ("UNION", [circle(42, -100, 5)])])
    #expect(apart.shape.map.polygons.count == 2)
  }

  @Test func `arcs go the stated way around their centre`() throws {
    let (west, east) = ((40.1665, -100.376), (40.1665, -99.624))
    let radius = 20.0
    func sector(_ type: String, from: (Double, Double), to: (Double, Double)) throws -> TFRShape {
      try area([
        (
          "BASE",
          [
            corner(type, from.0, from.1, arc: (40, -100), radius: radius), corner("GRC", to.0, to.1),
            corner("GRC", 40, -100),
          ]
        )
      ]).shape
    }
    let north = try sector("CWA", from: west, to: east)
    #expect(contains(north, 40.3, -100) && !contains(north, 39.8, -100) && !north.differs)
    let south = try sector("CCA", from: west, to: east)
    #expect(contains(south, 39.8, -100) && !contains(south, 40.3, -100))
    let same = try sector("CCA", from: east, to: west)
    #expect(abs(size(same) / size(north) - 1) < 1e-5)
    #expect(abs(size(north) + size(south) - .pi * pow(20 / 60.04, 2)) < 0.002)
  }

  @Test func `lines are the shortest on the earth`() throws {
    let (shape, box) = try area([("BASE", lines([(48, -120), (48, -90), (30, -90), (30, -120)]))])
    #expect(box.north > 48.9 && box.north < 49.2, "\(box)")
    #expect(contains(shape, 48.9, -105) && contains(shape, 47.99, -119.9) && !contains(shape, 30.5, -105))
    #expect(shape.map.polygons[0][0].count < 2000)
  }

  @Test func `an area across 180 degrees is cut there`() throws {
    let (shape, box) = try area([("BASE", [circle(52, 179.9, 30)])])
    #expect(shape.circle != nil && shape.map.polygons.count == 2)
    #expect(box.west == -180 && box.east == 180)
    #expect(contains(shape, 52, 179.5) && contains(shape, 52, -179.9) && !contains(shape, 52, 0))
    let islands = try area([("BASE", [circle(51.9, -176.6, 10)]), ("UNION", [circle(52.2, 179, 30)])])
    #expect(islands.shape.map.polygons.count == 2)
    #expect(contains(islands.shape, 52.2, 179.5) && contains(islands.shape, 51.9, -176.6))
    let square = try area([("BASE", lines([(51, 178), (51, -178), (53, -178), (53, 178)]))])
    #expect(
      square.shape.map.polygons.count == 2 && contains(square.shape, 52, 179)
        && contains(square.shape, 52, -179))
  }

  @Test func `a boundary that crosses itself is repaired`() throws {
    let (shape, _) = try area([("BASE", lines([(40, -100), (41, -99), (40, -99), (41, -100)]))])
    #expect(contains(shape, 40.5, -99.9) && contains(shape, 40.5, -99.1))
  }

  @Test func `without a readable recipe the polygon of the FAA counts, widened to the circle`() throws {
    let center = try #require(ShapePoint(longitude: -100, latitude: 40))
    let ring = GeodesicCircle(center: center, metres: 30 * 1852)
    let merged = (0...36).map { step in
      let place = ring.point(azimuth: Double(step % 36) * 10).degrees
      return corner("GRC", place.latitude, place.longitude)
    }
    for recipe in [
      [], [("BASE", [corner("FNT", 40, -100), corner("GRC", 41, -100)])], [("XOR", [circle(40, -100, 30)])],
      [("SUBTR", [circle(40, -100, 30)])], [("BASE", [circle(40, -100, -3)])],
      [("BASE", [circle(40, -100, 1e300)])],
    ] {
      let (shape, _) = try area(recipe, merged: merged)
      #expect(!shape.isRecipe && shape.circle == nil)
      #expect(try contains(shape, circle: (40, -100), 30))
      #expect(try !(contains(shape, circle: (40, -100), 30.4)))
    }
    let square = try area([], merged: lines([(40, -100), (40, -99), (41, -99), (41, -100)]))
    #expect(square.box.south > 39.9999, "a polygon without arcs grows by its rounding only")
  }

  @Test func `where recipe and polygon differ, both count`() throws {
    let other = lines([(44, -100), (44, -99), (45, -99), (45, -100), (44, -100)])
    let made = MadeTFR(areas: [.init(recipe: [("BASE", [circle(40, -100, 30)])], merged: other)])
    let notice = try made.notice()
    let shape = try #require(notice.areas.first?.shape)
    #expect(shape.differs && shape.circle == nil && notice.doubts == [.shapesDiffer])
    #expect(contains(shape, 44.5, -99.5) && contains(shape, 40, -100))
  }

  @Test func `areas of one NOTAM stay separate`() throws {
    let made = MadeTFR(areas: [
      .init(recipe: [("BASE", [circle(40, -100, 10)])]),
      .init(ceiling: ("STD", "180", "FL"), recipe: [("BASE", [circle(40, -100, 30)])]),
    ])
    let areas = try made.notice().areas
    #expect(areas.map(\.number) == [1, 2] && areas.map(\.feet.ceiling) == [10_000, 18_000])
    #expect(areas.compactMap(\.shape?.circle?.metres) == [18_520, 55_560])
  }

  @Test(
    arguments: [
      [("BASE", [circle(89.9, -100, 30)])], [("BASE", lines([(40, -100), (41, -100)]))],
      [("BASE", [String]())],
      [("BASE", lines([(95, -100), (41, -100), (41, -99)]))],
      [("BASE", [corner("CWA", 40, -100, arc: (50, -100), radius: 5), corner("GRC", 41, -100)])],
    ] as [[(String, [String])]])
  func `an area without a usable place is named without one`(recipe: [(String, [String])]) throws {
    let notice = try MadeTFR(areas: [.init(recipe: recipe)]).notice()
    #expect(notice.areas.count == 1 && notice.areas[0].shape == nil && notice.doubts == [.noShape])
  }
}
