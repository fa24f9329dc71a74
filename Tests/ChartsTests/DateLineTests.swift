import Core
import Testing

@testable import ChartpipeKit

/// Charts across 180 degrees, or near it.
@Suite struct DateLineTests {
  /// The eastern sheet of the Western Aleutian Islands.
  private let aleutian = FullSizeSheet(
    width: 17_400,
    cone: LambertConformal(
      standardParallels: (54 + 2.0 / 3, 49 + 1.0 / 3),
      origin: GeoPoint(longitude: -177.5, latitude: 52.1667)))
  private let edges: [NeatlineDefinition.Edge] = [
    .meridian(178), .parallel(51), .meridian(-172.36), .parallel(53.18),
  ]

  @Test func `a chart across 180 degrees has two windows and continuous longitudes`() throws {
    let neatline = try aleutian.neatline(edges)
    #expect(
      neatline.windows == [
        GeoBox(west: 178, south: 51, east: 180, north: 53.18),
        GeoBox(west: -180, south: 51, east: -172.36, north: 53.18),
      ])
    #expect(neatline.bounds == GeoBox(west: -180, south: 51, east: 180, north: 53.18))
    #expect(neatline.adjustedBounds == GeoBox(west: 178, south: 51, east: 187.64, north: 53.18))
    for (vertex, next) in zip(neatline.ring, neatline.ring.dropFirst()) {
      #expect(abs(vertex.place.longitude - next.place.longitude) < 5)
      #expect(vertex.pixel.distance(to: aleutian.pixel(of: vertex.place)) < 0.001)
    }
    try expectMaskAndArea(of: neatline, on: aleutian) { place in
      let east = place.longitude < 0 ? place.longitude + 360 : place.longitude
      return east > 178 && east < 187.64 && place.latitude > 51 && place.latitude < 53.18
    }
  }

  @Test func `its GeoJSON is cut into two parts without a gap`() throws {
    let text = try aleutian.neatline(edges).geoJSON
    #expect(text.hasPrefix("{\"type\":\"MultiPolygon\""))
    let parts = try Parts(try aleutian.neatline(edges))
    #expect(parts.polygons.map(\.count) == [1, 1])
    let rings = parts.polygons.map { PlaneRing($0[0]) }
    #expect(rings[0].box == PlaneBox(minX: 178, minY: 51, maxX: 180, maxY: 53.18))
    #expect(rings[1].box == PlaneBox(minX: -180, minY: 51, maxX: -172.36, maxY: 53.18))
    // Both run anticlockwise, and in degrees they are rectangles.
    #expect(abs(rings[0].signedArea - 2 * 2.18) < 1e-4)
    #expect(abs(rings[1].signedArea - 7.64 * 2.18) < 1e-4)
  }

  @Test func `cuts a mask and a stepped border across 180 degrees`() throws {
    let neatline = try aleutian.neatline(
      [
        .meridian(178), .parallel(51), .meridian(179), .parallel(51.5), .meridian(-179), .parallel(51),
        .meridian(-173), .parallel(53),
      ], masks: [[.meridian(179.5), .parallel(52), .meridian(-179.5), .parallel(52.5)]])
    let parts = try Parts(neatline)
    // The hole crosses the line, so it opens into both parts.
    #expect(parts.polygons.map(\.count) == [1, 1])
    let area = parts.polygons.reduce(0.0) { $0 + PlaneRing($1[0]).signedArea }
    #expect(abs(area - 16.5) < 1e-3)
    let places: [(Double, Double, Bool)] = [
      (178.5, 51.2, true), (179.5, 51.2, false), (-179.5, 51.2, false), (-178.5, 51.2, true),
      (179.7, 52.2, false), (-179.7, 52.2, false), (179.7, 51.8, true), (-179.7, 51.8, true),
    ]
    for (longitude, latitude, isMap) in places {
      let place = GeoPoint(longitude: longitude, latitude: latitude)
      #expect(parts.contain(place) == isMap)
      #expect(neatline.contains(aleutian.pixel(of: place)) == isMap)
    }
  }

  @Test(arguments: [(-179.0, -178.0), (180, -179), (179, 180), (178, 179)])
  func `a chart that only touches 180 degrees has one window`(west: Double, east: Double) throws {
    // The sheets' middles are on either side of the line, independent of the charts.
    for middle in [179.2, -179.2] {
      let sheet = FullSizeSheet(
        cone: LambertConformal(
          standardParallels: aleutian.cone.standardParallels,
          origin: GeoPoint(longitude: middle, latitude: 52)))
      let neatline = try sheet.neatline([.meridian(west), .parallel(51), .meridian(east), .parallel(53)])
      let start = west == 180 ? -180 : west
      #expect(neatline.bounds == GeoBox(west: start, south: 51, east: east, north: 53))
      #expect(neatline.windows == [neatline.bounds])
      #expect(neatline.adjustedBounds == nil)
      #expect(
        neatline.ring.allSatisfy { $0.place.longitude > start - 1e-6 && $0.place.longitude < east + 1e-6 })
      #expect(neatline.geoJSON.hasPrefix("{\"type\":\"Polygon\""))
    }
  }
}
