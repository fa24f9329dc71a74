import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Shapes of boundaries and areas, at the antimeridian and in the database.
struct ShapeTests {
  private func shape(_ degrees: [(Double, Double)]) throws -> MapShape {
    try shape(degrees.compactMap { ShapePoint(longitude: $0.0, latitude: $0.1) })
  }

  private func shape(_ ring: ShapeRing) throws -> MapShape {
    try ShapeBuilder(toleranceInMetres: 0).shape(within: ring).shape
  }

  @Test func `a ring is anticlockwise and closed`() throws {
    let clockwise = try shape([(0, 0), (0, 1), (1, 1), (1, 0)])
    let text = clockwise.geoJSON
    #expect(text == #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}"#)
    #expect(clockwise.box == (south: 0, north: 1, west: 0, east: 1))
  }

  @Test func `a bay that crosses twice leaves two pieces on its side`() throws {
    // A U that opens to the east: its arms reach over the line, its middle does not.
    let ring = try shape([
      (175, 0), (-175, 0), (-175, 10), (178, 10), (178, 20), (-175, 20), (-175, 30), (175, 30),
    ])
    #expect(ring.polygons.map(\.count) == [1, 1, 1])
    // Twice the area of the complete U in square degrees.
    #expect(twiceArea(ring) == 460e12)
  }

  @Test(arguments: 1...40)
  func `a jagged ring loses nothing where it is cut`(seed: Int) throws {
    var state = UInt64(seed)
    func random(_ range: ClosedRange<Int>) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return range.lowerBound + Int((state >> 33) % UInt64(range.count))
    }
    // A star around a point on the line with rays of random lengths, whose edges never cross.
    let rays = [(1, 0), (3, 1), (1, 1), (1, 3), (0, 1), (-1, 3), (-1, 1), (-3, 1)]
    let whole = (rays + rays.map { (-$0.0, -$0.1) }).map { ray in
      let length = random(1...3_000_000)
      return ShapePoint(x: ShapePoint.halfTurn + ray.0 * length, y: ray.1 * length)
    }
    let rolled = whole.map { ShapePoint(x: $0.x > 180_000_000 ? $0.x - 360_000_000 : $0.x, y: $0.y) }
    let shape = try shape(rolled)
    let corners = shape.polygons.joined().joined()
    #expect(corners.allSatisfy { abs($0.x) >= 165_000_000 && abs($0.x) <= 180_000_000 })
    let lost = twiceArea(shape) - whole.doubledArea
    // A crossing is rounded by less than a millionth of a degree.
    #expect(abs(lost) <= 4 * 16 * 10_000_000)
  }

  private func twiceArea(_ shape: MapShape) -> Double {
    shape.polygons.joined().reduce(0) { $0 + $1.doubledArea }
  }

  @Test func `a point on the antimeridian cuts nothing off`() throws {
    let east = try shape([(-180, 10), (-170, 10), (-170, 20), (180, 20)])
    #expect(east.polygons.count == 1)
    #expect(east.box == (south: 10, north: 20, west: -180, east: -170))
    let west = try shape([(180, 10), (170, 10), (170, 20), (-180, 20)])
    #expect(west.box == (south: 10, north: 20, west: 170, east: 180))
    let beyond = try shape([(180, 10), (-170, 10), (-170, 20), (180, 20)])
    #expect(beyond == east)
  }

  @Test func `a ring around a pole reaches it`() throws {
    let north = try shape([(0, 70), (90, 75), (180, 70), (-90, 75)])
    #expect(north.box == (south: 70, north: 90, west: -180, east: 180))
    // Twice the area in square degrees: 15 to 20 degrees wide, and around the pole.
    #expect(twiceArea(north) == 12_600e12)
    #expect(try shape([(0, -70), (-90, -75), (180, -70), (90, -75)]).box.south == -90)
  }

  @Test(arguments: [[(0.0, 0.0), (1, 1)], [(0, 0), (1, 1), (2, 2)], [(5, 5), (5, 5), (5, 5)], []])
  func `rejects a boundary without area`(points: [(Double, Double)]) {
    #expect(throws: ShapeError.noArea) { try shape(points) }
  }

  @Test(arguments: [
    ("33-54-12.8500N", 33.903569444444443), ("087-19-53.7600W", -87.3316), ("00-00-00S", 0),
    ("180-00-00.0000W", -180),
  ])
  func `reads degrees with hyphens`(text: String, degrees: Double) {
    #expect(AngleColumns.exactDegrees(text) == degrees)
  }

  @Test(arguments: [
    "", "N", "33-54N", "33-54-12.85", "33-60-00N", "33-54-60.0N", "91-00-00N", "90-00-00.1N", "180-00-01W",
    "-3-54-12N", "33-54-1x.0N", "33-54-123N", "33--12N", "99999999999999999999-00-00N",
  ])
  func `rejects other forms of positions`(text: String) { #expect(AngleColumns.exactDegrees(text) == nil) }

  @Test func `boundaries are the rings of each stratum`() throws {
    let folder = TemporaryFolder()
    let built = try Subscription("2602-tables").build(in: folder)
    try built.expect(
      """
      SELECT c.identifier, b.stratum, b.type, b.part, json_extract(b.geometry, '$.type'), b.south, b.west, b.north, b.east
      FROM boundaries b JOIN centers c ON c.id = b.center ORDER BY b.id
      """,
      gives: [
        ["FIMM", "low", "artcc", "1", "Polygon", "-21.0", "57.0", "-20.0", "58.0"],
        ["ZAK", "high", "fir", "1", "MultiPolygon", "10.0", "-180.0", "30.0", "180.0"],
        ["ZAK", "high", "fir", "2", "Polygon", "40.0", "-150.0", "41.0", "-149.0"],
      ])
  }

  @Test func `an area has its shape, floor and ceiling`() throws {
    let folder = TemporaryFolder()
    let built = try Subscription("2602-tables").build(in: folder)
    try built.expect(
      """
      SELECT identifier, type, maxAltitude, maxAltitudeDatum, minAltitude, json_array_length(geometry, '$.coordinates[0]'),
        south, west, remarks FROM miscellaneousAreas ORDER BY identifier
      """,
      gives: [
        ["AAL001", "aerobatics", "5000", "agl", "0", "5", "33.891667", "-87.3316", "ASK FIRST."],
        ["ACO007", "aerobatics", "10000", "msl", "0", "NULL", "NULL", "NULL", "NULL"],
        ["LAK001", "ultralight", "NULL", "NULL", "NULL", "NULL", "70.194756", "-148.465164", "NULL"],
      ])
  }

  @Test func `repairs and reports a boundary that crosses itself`() throws {
    let folder = TemporaryFolder()
    let subscription = try Subscription("2602-tables")
    // In this order the sides cross.
    try subscription.replace("FIR,20,", with: "FIR,35,", in: "ARB_SEG")
    try subscription.replace("AAL001,2,", with: "AAL001,9,", in: "MAA_SHP")
    let built = try subscription.build(in: folder)
    #expect(built.problems(.shapeMended, of: "ARB_SEG.csv").map(\.value) == ["ZAK"])
    #expect(built.problems(.shapeMended, of: "MAA_BASE.csv").map(\.column) == ["LATITUDE"])
    try built.expect(
      "SELECT json_array_length(geometry, '$.coordinates') FROM miscellaneousAreas WHERE identifier = 'AAL001'",
      gives: ["2"])
  }

  @Test func `reports an unreadable shape`() throws {
    let folder = TemporaryFolder()
    let subscription = try Subscription("2602-tables")
    try subscription.replace("33-54-12.8500N,087-18", with: "33-54-12.8500Q,087-18", in: "MAA_SHP")
    try subscription.replace("5000AGL", with: "SOME", in: "MAA_BASE")
    let built = try subscription.build(in: folder)
    let columns = built.problems(.fieldDropped, of: "MAA_BASE.csv").map(\.column)
    #expect(columns == ["LATITUDE", "MAX_ALT"])
    try built.expect(
      "SELECT geometry, maxAltitude FROM miscellaneousAreas WHERE identifier = 'AAL001'",
      gives: [["NULL", "NULL"]])
  }
}

/// Compares the geometry with numbers of other programs.
struct AirspaceShapeTests {
  /// From PROJ's `geod` on GRS80: 50 nautical miles from a position in some directions.
  @Test(arguments: [
    (-122.0, 37.0, 0.0, -122.0, 37.8343434), (-122, 37, 45, -121.2586485, 37.5876747),
    (-122, 37, 270, -123.0402716, 36.9954414), (-150, 64, 200, -150.6297017, 63.2179901),
    (-150, 64, 90, -148.1081235, 63.9876732), (-75, 25, 135, -74.3544521, 24.4074775),
  ])
  func `a point of a circle is on the ellipsoid`(
    longitude: Double, latitude: Double, azimuth: Double, east: Double, north: Double
  ) throws {
    let center = try #require(ShapePoint(longitude: longitude, latitude: latitude))
    let point = GeodesicCircle(center: center, metres: 92_600).point(azimuth: azimuth)
    let expected = try #require(ShapePoint(longitude: east, latitude: north))
    // A millionth is a tenth of a metre.
    #expect(abs(point.x - expected.x) <= 1 && abs(point.y - expected.y) <= 1)
  }

  private func point(_ longitude: Double, _ latitude: Double) throws -> ShapePoint {
    try #require(ShapePoint(longitude: longitude, latitude: latitude))
  }

  @Test func `the sides of a circle stay within five metres of it`() throws {
    let center = try point(-120, 40)
    let ring = RingPath([.circle(center: center, metres: 92_600)]).ring
    #expect((150...400).contains(ring.count))
    #expect(Set(ring).count == ring.count)
    let circle = GeodesicCircle(center: center, metres: 92_600)
    for index in ring.indices {
      let (a, b) = (ring[index], ring[(index + 1) % ring.count])
      let middle = circle.point(azimuth: 90 - 360 * (Double(index) + 0.5) / Double(ring.count))
      let east = Double(a.x + b.x - 2 * middle.x) / 2 * cos(center.radians.latitude)
      let north = Double(a.y + b.y - 2 * middle.y) / 2
      // A side is straight on the map, which adds a metre or two on the ground.
      #expect(hypot(east, north) * 0.1113 < 8)
    }
  }

  @Test func `an arc starts and ends at the corners of its neighbours`() throws {
    let center = try point(-100, 40)
    // A quarter circle from east to north. Its angles are two degrees off, 650 metres at 10 miles.
    let east = GeodesicCircle(center: center, metres: 18_520).point(azimuth: 90)
    let north = GeodesicCircle(center: center, metres: 18_520).point(azimuth: 0)
    let path: [PathSegment] = [
      .line([north, center, east]), .arc(center: center, metres: 18_520, from: 2, to: 88),
    ]
    let ring = RingPath(path).ring
    #expect(ring.prefix(3) == [north, center, east])
    #expect(ring.count > 10)
    for corner in ring.dropFirst(3) {
      #expect(corner.x > center.x && corner.x < east.x && corner.y > center.y && corner.y < north.y)
    }
    // Reversed, it gives the same corners.
    let turned = RingPath([path[0], .arc(center: center, metres: 18_520, from: 88, to: 2)]).ring
    #expect(Set(turned) == Set(ring))
  }

  @Test func `removes only redundant corners`() throws {
    let ring = RingPath([.circle(center: try point(-100, 40), metres: 9260)]).ring
    let simple = RingSimplifier(metres: 30).simplified(ring)
    #expect(simple.count < ring.count * 3 / 4)
    #expect(Set(simple).isSubset(of: Set(ring)))
    #expect(abs(simple.doubledArea / ring.doubledArea - 1) < 0.01)
    #expect(RingSimplifier(metres: 0).simplified(ring) == ring)
    let turned = Array(ring[20...] + ring[..<20])
    #expect(Set(RingSimplifier(metres: 30).simplified(turned)) == Set(simple))
    // A ring that would vanish stays.
    #expect(RingSimplifier(metres: 50_000).simplified(ring) == ring)
  }

  private let maker = ShapeBuilder(toleranceInMetres: 0)

  private func ring(_ corners: [(Int, Int)]) -> ShapeRing {
    corners.map { ShapePoint(x: $0.0 * 1_000_000, y: $0.1 * 1_000_000) }
  }

  private func text(_ shape: MapShape) -> String { shape.geoJSON }

  @Test func `the same area has the same text for any first corner and direction`() throws {
    let square = ring([(0, 0), (4, 0), (4, 4), (0, 4)])
    let hole = ring([(1, 1), (3, 1), (3, 2), (1, 2)])
    let texts = try [
      [square, hole], [square.reversed(), hole.reversed()],
      [Array(square[2...] + square[..<2]), Array(hole[1...] + hole[..<1])],
    ].map { text(try maker.shape(of: [$0]).shape) }
    #expect(Set(texts).count == 1)
    #expect(
      texts[0]
        == "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[1,2],[3,2],[3,1],[1,1]]]}"
    )
  }

  @Test func `writes the shortest numbers`() throws {
    let corners = [
      ShapePoint(x: -122_115_056, y: 37_500_000), ShapePoint(x: -122_000_000, y: 37_000_001),
      ShapePoint(x: 120, y: -100_000),
    ]
    let shape = MapShape([[corners]])
    #expect(text(shape).contains("[-122.115056,37.5]"))
    #expect(text(shape).contains("[-122,37.000001]"))
    #expect(text(shape).contains("[0.00012,-0.1]"))
  }

  @Test func `cuts a boundary where it crosses itself`() throws {
    let bowtie = ring([(0, 0), (2, 2), (2, 0), (0, 2)])
    let made = try maker.shape(of: [[bowtie]])
    #expect(made.wasRepaired)
    #expect(made.shape.polygons.count == 2)
    #expect(made.shape.polygons.allSatisfy { $0[0].doubledArea == 2e12 })
  }

  @Test func `does not repair a scribble`() {
    // Each side crosses most of the others.
    let scribble = (0..<3000).map {
      ShapePoint(x: $0 * 7_919_000 % 90_000_007, y: $0 * 104_729_000 % 80_000_009)
    }
    #expect(throws: ShapeError.irreparable) { try maker.shape(of: [[scribble]]) }
  }

  @Test func `an area across 180 degrees becomes two parts`() throws {
    let ring = try #require(ring([(179, 0), (-179, 0), (-179, 1), (179, 1)]).unwound)
    let made = try maker.shape(of: [[ring]])
    #expect(!made.wasRepaired)
    #expect(
      text(made.shape)
        == "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[-180,0],[-179,0],[-179,1],[-180,1],[-180,0]]],[[[179,0],[180,0],[180,1],[179,1],[179,0]]]]}"
    )
    #expect(made.shape.box.west == -180 && made.shape.box.east == 180)
  }

  @Test func `rejects rings around the earth and rings with two corners`() {
    #expect(ring([(0, 0), (170, 0), (340, 0), (510, 0), (680, 0), (850, 0)]).unwound == nil)
    #expect(ring([(0, 0), (1, 0), (1, 0), (0, 0)]).unwound == nil)
  }
}
