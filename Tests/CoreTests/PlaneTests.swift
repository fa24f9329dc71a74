import Core
import Testing

@Suite struct PlaneTests {
  private let square = PlaneRing([(0, 0), (10, 0), (10, 10), (0, 10)].map { PlanePoint(x: $0.0, y: $0.1) })

  private func ring(_ points: [(Double, Double)]) -> PlaneRing {
    PlaneRing(points.map { PlanePoint(x: $0.0, y: $0.1) })
  }

  private func box(_ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double) -> PlaneBox {
    PlaneBox(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
  }

  @Test func `the sign of the area is that of the orientation`() {
    #expect(square.signedArea == 100)
    #expect(PlaneRing(square.points.reversed()).signedArea == -100)
    #expect(square.length == 40)
    #expect(PlaneRing([]).signedArea == 0)
  }

  @Test func `a ring clipped to a box has the exact area`() {
    #expect(square.clipped(to: box(5, 5, 20, 20)).signedArea == 25)
    #expect(square.clipped(to: box(-5, -5, 20, 20)) == square)
    #expect(square.clipped(to: box(11, 0, 20, 20)).points.isEmpty)
    // The two legs of a U, with its bottom out of sight.
    let legs = ring([(0, 0), (9, 0), (9, 9), (6, 9), (6, 3), (3, 3), (3, 9), (0, 9)])
    #expect(legs.clipped(to: box(0, 5, 9, 20)).signedArea == 24)
  }

  @Test func `a box is inside, outside or crossing`() {
    let polygon = PlanePolygon(
      outline: square,
      holes: [ring([(2, 2), (2, 5), (5, 5), (5, 2)]), ring([(8, 8), (8, 12), (12, 12), (12, 8)])])
    #expect(polygon.relation(to: box(6, 6, 7, 7)) == .inside)
    #expect(polygon.relation(to: box(3, 3, 4, 4)) == .outside)
    #expect(polygon.relation(to: box(4, 4, 6, 6)) == .crossing)
    #expect(polygon.relation(to: box(8.5, 8.5, 9, 9)) == .outside)
    #expect(polygon.relation(to: box(10.5, 10.5, 11, 11)) == .outside)
    #expect(polygon.relation(to: box(-1, -1, 11, 11)) == .crossing)
    #expect(polygon.contains(PlanePoint(x: 1, y: 1)) && !polygon.contains(PlanePoint(x: 11, y: 11)))
  }

  @Test func `a circle fits by the width of an area and not by its length`() {
    let strip = PlanePolygon(outline: ring([(0, 0), (100, 0), (100, 4), (0, 4)]))
    #expect(strip.hasRoom(forRadius: 1.9, in: box(-10, -10, 110, 110)))
    #expect(!strip.hasRoom(forRadius: 2.1, in: box(-10, -10, 110, 110)))
    #expect(!strip.hasRoom(forRadius: 1, in: box(-10, 3, 110, 110)))
    #expect(!strip.hasRoom(forRadius: 1, in: box(200, 0, 300, 10)))
    let ring = PlanePolygon(outline: square, holes: [ring([(1, 1), (1, 9), (9, 9), (9, 1)])])
    #expect(!ring.hasRoom(forRadius: 1, in: box(0, 0, 10, 10)))
  }

  @Test func `detects a ring that crosses or touches itself`() {
    #expect(!square.meetsItself)
    #expect(ring([(0, 0), (10, 10), (10, 0), (0, 10)]).meetsItself)
    #expect(ring([(0, 0), (10, 0), (10, 10), (5, 0), (0, 10)]).meetsItself)
    #expect(!ring([(0, 0), (10, 0), (10, 10)]).meetsItself)
  }

  @Test func `a box beyond 180 degrees has two windows`() {
    let box = GeoBox(west: 178, south: 51, east: 187.64, north: 53)
    #expect(
      box.windows == [
        GeoBox(west: 178, south: 51, east: 180, north: 53),
        GeoBox(west: -180, south: 51, east: -172.36, north: 53),
      ])
    #expect(box.center == GeoPoint(longitude: -177.18, latitude: 52))
    let plain = GeoBox(west: 170, south: 51, east: 180, north: 53)
    #expect(plain.windows == [plain])
  }
}
