import Core
import Testing

@testable import Validation

struct ShapeOutlineTests {
  private func outline(_ text: String) -> GeoBox? {
    var text = text
    return text.withUTF8 { ShapeOutline($0)?.box }
  }

  @Test(arguments: [
    #"{"type":"Polygon","coordinates":[[[-122.5,37.25],[-122,37.25],[-122,38],[-122.5,37.25]]]}"#,
    #"{"type":"MultiPolygon","coordinates":[[[[-122.5,37.5],[-122,37.25],[-122,38],[-122.5,37.5]],[[-122.3,37.4],[-122.2,37.4],[-122.2,37.5],[-122.3,37.4]]]]}"#,
  ])
  func `the box of a shape is that around all of its corners`(text: String) throws {
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
  func `what does not close, or is not written as databases have it, has no outline`(text: String) {
    #expect(outline(text) == nil)
  }
}
