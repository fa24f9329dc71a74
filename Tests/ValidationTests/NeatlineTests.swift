import Core
import Testing

@testable import Validation

@Suite struct NeatlineTests {
  @Test func aHoleIsOutsideAndEachPartIsInside() throws {
    let neatline = try #require(
      Neatline(
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

  @Test func theChartsOfAMosaicMayOverlap() throws {
    let neatline = try #require(
      Neatline(
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

  @Test func anEdgeThatOnlyPassesByDoesNotCross() throws {
    let triangle = try #require(
      Neatline(geoJSON: #"{"type":"Polygon","coordinates":[[[0,0],[10,0],[0,10],[0,0]]]}"#))
    #expect(triangle.relation(to: box(8, 8, 9, 9)) == .outside)
    #expect(triangle.relation(to: box(1, 1, 2, 2)) == .inside)
    #expect(triangle.relation(to: box(-1, -1, 11, 11)) == .crossing)
  }

  @Test(arguments: [
    "", "{}", #"{"type":"Point","coordinates":[1,2]}"#, #"{"type":"Polygon","coordinates":[]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1],[0,0]]]}"#,
  ])
  func whatIsNoClosedPolygonIsNone(text: String) {
    #expect(Neatline(geoJSON: text) == nil)
  }

  private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> PlaneBox {
    PlaneBox(mercator: GeoBox(west: west, south: south, east: east, north: north))
  }
}
