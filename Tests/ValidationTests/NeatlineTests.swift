import Core
import Testing

@testable import ChartpipeKit

@Suite struct NeatlineTests {
  @Test func `excludes holes and includes each part`() throws {
    let neatline = try #require(
      MercatorNeatline(
        geoJSON: """
          {"type":"MultiPolygon","coordinates":[
            [[[0,0],[30,0],[30,30],[0,30],[0,0]],[[10,10],[10,20],[20,20],[20,10],[10,10]]],
            [[[170,50],[180,50],[180,60],[170,60],[170,50]]]]}
          """))
    #expect(neatline.relation(to: box(2, 2, 4, 4)) == .inside)
    #expect(neatline.relation(to: box(14, 14, 16, 16)) == .outside)
    #expect(neatline.relation(to: box(172, 52, 174, 54)) == .inside)
    #expect(neatline.relation(to: box(-174, 52, -172, 54)) == .outside)
    #expect(neatline.relation(to: box(19, 14, 21, 16)) == .crossing)
  }

  @Test func `accepts overlapping charts of a mosaic`() throws {
    let neatline = try #require(
      MercatorNeatline(
        geoJSON: """
          {"type":"MultiPolygon","coordinates":[
            [[[0,0],[20,0],[20,20],[0,20],[0,0]],[[12,5],[12,15],[18,15],[18,5],[12,5]]],
            [[[10,0],[30,0],[30,20],[10,20],[10,0]]]]}
          """))
    #expect(neatline.relation(to: box(14, 8, 16, 12)) == .inside)
    #expect(neatline.relation(to: box(19, 8, 21, 12)) == .inside)
    #expect(neatline.relation(to: box(31, 8, 33, 12)) == .outside)
    #expect(neatline.relation(to: box(9, 8, 31, 12)) == .crossing)
  }

  @Test func `does not cross a box that an edge only passes`() throws {
    let triangle = try #require(
      MercatorNeatline(geoJSON: #"{"type":"Polygon","coordinates":[[[0,0],[10,0],[0,10],[0,0]]]}"#))
    #expect(triangle.relation(to: box(8, 8, 9, 9)) == .outside)
    #expect(triangle.relation(to: box(1, 1, 2, 2)) == .inside)
    #expect(triangle.relation(to: box(-1, -1, 11, 11)) == .crossing)
  }

  @Test(arguments: [
    "", "{}", #"{"type":"Point","coordinates":[1,2]}"#, #"{"type":"Polygon","coordinates":[]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1],[0,0]]]}"#,
  ])
  func `rejects text that is not a closed polygon`(text: String) {
    #expect(MercatorNeatline(geoJSON: text) == nil)
  }

  private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> PlaneBox {
    PlaneBox(mercator: GeoBox(west: west, south: south, east: east, north: north))
  }
}

struct AuditShapeTests {
  /// Nil for a text that is no shape.
  private func outline(_ text: String) -> GeoBox? {
    var text = text
    let shape = text.withUTF8 { AuditShape(geoJSON: $0) }
    return GeoBox(
      around: shape.polygons.joined().joined().map {
        GeoPoint(longitude: Double($0.x) / 1e6, latitude: Double($0.y) / 1e6)
      })
  }

  @Test(arguments: [
    #"{"type":"Polygon","coordinates":[[[-122.5,37.25],[-122,37.25],[-122,38],[-122.5,37.25]]]}"#,
    #"{"type":"MultiPolygon","coordinates":[[[[-122.5,37.5],[-122,37.25],[-122,38],[-122.5,37.5]],[[-122.3,37.4],[-122.2,37.4],[-122.2,37.5],[-122.3,37.4]]]]}"#,
  ])
  func `has a box around all corners`(text: String) throws {
    #expect(outline(text) == GeoBox(west: -122.5, south: 37.25, east: -122, north: 38))
    let slow = try #require(GeoJSONPolygons(text: text))
    let points = slow.polygons.joined().joined().map { GeoPoint(longitude: $0[0], latitude: $0[1]) }
    #expect(outline(text) == GeoBox(around: points))
  }

  @Test(arguments: [
    "", "{}", #"{"type":"Polygon","coordinates":[[["#,
    #"{"type":"Polygon","coordinates":[[[-122.5,37.25],[-122,37.25],[-122,38],[-122.5,37.26]]]}"#,
    #"{"type":"Polygon","coordinates":[[[-122.5,37.25],[-122,37.25],[-122.5,37.25]]]}"#,
    #"{"type":"Polygon","coordinates":[[[-122.5,37.25],[-122,37.25],[-122,38],[-122.5,37.25]]]"#,
    #"{"type":"Polygon","coordinates":[[[-122.5,37.25],[-122,37.25],[-122,1e9],[-122.5,37.25]]]}"#,
    #"{"type":"Polygon","coordinates":[[[-122.5],[-122],[-122],[-122.5]]]}"#,
    #"{"type":"Polygon","coordinates":[[[1234567890123456789,1],[1,1],[1,2],[1234567890123456789,1]]]}"#,
  ])
  func `rejects open rings and other forms of GeoJSON`(text: String) { #expect(outline(text) == nil) }
}
