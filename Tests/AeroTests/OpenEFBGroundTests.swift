import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// What `openefb.sqlite` has of the ground, and of runways without surveyed ends.
@Suite(.slow) struct OpenEFBGroundTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2304", in: folder) }

  /// A raster of heights in metres, its first row in the north.
  private func grid(_ rows: [[Double]], west: Double, south: Double, cell: Double) throws -> URL {
    let url = folder.file("ground.asc")
    let lines = rows.map { $0.map { "\($0)" }.joined(separator: " ") }
    try url.put(
      """
      ncols \(rows[0].count)
      nrows \(rows.count)
      xllcorner \(west)
      yllcorner \(south)
      cellsize \(cell)
      NODATA_value -9999
      \(lines.joined(separator: "\n"))

      """)
    try folder.file("ground.prj").put(
      """
      GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]
      """)
    return url
  }

  @Test func `no point inside is above or below the range of the ground`() throws {
    var random = SystemRandomNumberGenerator()
    let rows = (0..<40).map { _ in
      (0..<60).map { _ in Double.random(in: -90...4000, using: &random).rounded() }
    }
    let terrain = try Terrain(try grid(rows, west: -123, south: 36, cell: 0.1))
    for _ in 0..<50 {
      let middle = PlanePoint(
        x: .random(in: -122...(-118), using: &random), y: .random(in: 37...39, using: &random))
      let ring = (0..<7).map { corner in
        let (size, angle) = (Double.random(in: 0.01...0.9, using: &random), Double(corner) * .pi * 2 / 7)
        return PlanePoint(x: middle.x + size * cos(angle), y: middle.y + size * sin(angle))
      }
      let range = try #require(try terrain.range(of: ring))
      let area = PlaneRing(ring)
      for _ in 0..<100 {
        let point = PlanePoint(
          x: middle.x + .random(in: -0.9...0.9, using: &random),
          y: middle.y + .random(in: -0.9...0.9, using: &random))
        guard area.contains(point) else { continue }
        let feet = rows[Int((40 - point.y) / 0.1)][Int((point.x + 123) / 0.1)] / 0.3048
        #expect(Double(range.lowerBound) <= feet && feet <= Double(range.upperBound), "\(point) in \(ring)")
      }
    }
  }

  @Test func `ground that the raster does not cover is not known, and water is at sea level`() throws {
    let terrain = try Terrain(
      try grid([[-9999, 10, -4000], [20, 30, 40], [50, 60, 70]], west: -1, south: 0, cell: 1))
    func range(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> ClosedRange<Int>? {
      try terrain.range(
        of: [(west, south), (east, south), (east, north), (west, north)].map(PlanePoint.init))
    }
    #expect(try range(-0.9, 0.1, -0.8, 0.2) == 65...197)
    #expect(try range(-0.9, 2.5, -0.8, 2.6) == 0...99)
    #expect(try range(-0.9, 0.1, 5, 0.2) == nil)
    try expectFault("not recognized", kind: .badInput, remedy: "raster of heights") {
      _ = try Terrain(fixtureFolder)
    }
  }

  @Test(arguments: [1e30, -20_000, .infinity]) func `a height that the earth does not have is an error`(
    height: Double
  ) throws {
    let terrain = try Terrain(try grid([[10, height], [20, 30]], west: 0, south: 0, cell: 1))
    try expectFault("no height of the earth", kind: .badInput, remedy: "raster of heights") {
      _ = try terrain.range(of: [(0.1, 0.1), (0.2, 0.1), (0.2, 0.2)].map(PlanePoint.init))
    }
  }

  /// The rasters of 2 x 2 cells have the values 100 to 400, a scale of 0.5, an offset of 10 and a unit.
  @Test func `heights have the unit, the scale and the offset of the raster`() throws {
    let ring = [(0.1, 0.1), (0.2, 0.1), (0.2, 0.2)].map(PlanePoint.init)
    #expect(try Terrain(fixtureFolder.appending(path: "terrain/feet.tif")).range(of: ring) == 60...210)
    try expectFault("in fathom", kind: .badInput, remedy: "raster of heights") {
      _ = try Terrain(fixtureFolder.appending(path: "terrain/fathoms.tif"))
    }
  }

  @Test func `terrain of another place is an error`() throws {
    try addAreas()
    let ground = try grid([[100, 200], [300, 400]], west: 10, south: 37, cell: 1)
    try expectFault("covers none of the 2 areas", kind: .badInput, remedy: "raster of heights") {
      _ = try Exported(.openefb, of: built, in: folder, terrain: ground)
    }
  }

  /// A class E area around KPAO from 700 feet above ground, and one of another kind without an airport.
  private func addAreas() throws {
    try built.execute(
      """
      DELETE FROM airspaces;
      INSERT INTO airspaces (id, area, kind, class, type, name, floor, floorDatum, floorText, ceiling, ceilingDatum, ceilingText,
        ceilingFeet, isComplete, geometry, south, north, west, east) VALUES
        (1, 1, 'class', 'echo', '', 'AROUND', 700, 'agl', '700 ft AGL', NULL, NULL, NULL, NULL, 1,
          '{"type":"Polygon","coordinates":[[[-122.12,37.45],[-122.11,37.45],[-122.11,37.47],[-122.12,37.45]]]}', 37, 38, -123, -122),
        (2, 2, 'specialUse', 'moa', '', 'HILLS', 500, 'agl', '500 ft AGL', 2000, 'agl', '2000 ft AGL', NULL, 1,
          '{"type":"Polygon","coordinates":[[[-122.42,37.45],[-122.41,37.45],[-122.41,37.47],[-122.42,37.45]]]}', 37, 38, -123, -122);
      UPDATE airports SET elevation = 6.8, latitude = 37.455, longitude = -122.112 WHERE icao = 'KPAO';
      """)
  }

  private static let limits =
    "SELECT name, floorAltitude, ceilingAltitude, floor, ceiling, lowestGround, highestGround, groundSource FROM airspaces"

  @Test func `limits above ground are above the lowest and the highest ground`() throws {
    try addAreas()
    let ground = try grid([[100, 200], [300, 400]], west: -123, south: 37, cell: 1)
    let export = try Exported(.openefb, of: built, in: folder, terrain: ground)
    try export.expect(
      OpenEFBGroundTests.limits,
      gives: [
        ["Around", "1028", "18000", "1028", "18000", "328", "1313", "terrain"],
        ["Hills", "828", "3313", "828", "3313", "328", "1313", "terrain"],
      ])
    #expect(export.outcome.product.sources.contains { $0.url == "ground.asc" })
    #expect(export.limits == ["limitsFromAirports": 0, "limitsFromTerrain": 3, "limitsLeftOut": 0])
    let mapped = try #require(export.outcome.problems).examples.filter { $0.column == "floor" }
    #expect(mapped.map(\.value) == ["700 ft AGL", "500 ft AGL"])
  }

  @Test func `without terrain class airspace has the ground of its airports`() throws {
    try addAreas()
    let export = try Exported(.openefb, of: built, in: folder)
    try export.expect(
      OpenEFBGroundTests.limits, gives: [["Around", "706", "18000", "706", "18000", "6", "7", "airports"]])
    let dropped = try #require(export.outcome.problems).examples.filter {
      $0.file == "airspaces" && $0.kind == .rowDropped
    }
    #expect(dropped.map(\.place) == ["Hills (row 2)"])
    #expect(export.limits == ["limitsFromAirports": 1, "limitsFromTerrain": 0, "limitsLeftOut": 2])
  }

  @Test func `a hole is joined to the ring by a cut that a point test does not see`() {
    let outer = [[0.0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]
    let holes = [
      [[2.0, 2], [2, 4], [4, 4], [4, 2], [2, 2]], [[6.0, 6], [6, 8], [8, 8], [8, 6], [6, 6]],
    ]
    let ring = AirspaceRing.cutOpen([outer] + holes)
    #expect(ring.first == ring.last && ring.count == 5 + 2 * 6)
    let area = PlaneRing(ring.map { PlanePoint(x: $0[0], y: $0[1]) })
    for x in stride(from: -0.55, to: 11, by: 0.5) {
      for y in stride(from: -0.55, to: 11, by: 0.5) {
        let isInHole = [2.0..<4, 6.0..<8].contains { $0.contains(x) && $0.contains(y) }
        let isInside = (0..<10).contains(x) && (0..<10).contains(y) && !isInHole
        #expect(area.contains(PlanePoint(x: x, y: y)) == isInside, "\(x) \(y)")
      }
    }
  }

  @Test func `runways without positions of their ends get estimated ones`() throws {
    try built.execute(
      """
      DELETE FROM runways;
      UPDATE airports SET latitude = 37, longitude = -122, magneticVariation = 15 WHERE icao = 'KPAO';
      INSERT INTO runways (airport, id, length, width, surface, lighting, baseEndID, reciprocalEndID, baseEndLatitude, baseEndLongitude,
        baseEndTrueHeading) VALUES
        ('KPAO', '03/21', 6076, 50, 'dirt', NULL, '03', '21', NULL, NULL, NULL),
        ('KPAO', '09/27', 6076, 50, 'snow', 'none', '09', '27', 37, -122, 90),
        ('KPAO', 'ALL/WAY', 9000, 500, 'water', 'none', 'ALL', 'WAY', NULL, NULL, NULL),
        ('KPAO', 'H1', 40, 40, 'concrete', 'fullTime', 'H1', NULL, NULL, NULL, NULL),
        ('KPAO', 'H2', 40, 40, 'concrete', 'fullTime', 'H2', NULL, 37.5, -122.5, NULL),
        ('KPAO', 'N/S', 6076, 50, 'turf', 'none', 'N', 'S', NULL, NULL, NULL),
        ('KPAO', 'WNW/ESE', 6076, 50, 'water', 'none', 'WNW', 'ESE', NULL, NULL, NULL);
      """)
    let export = try Exported(.openefb, of: built, in: folder)
    try export.expect(
      """
      SELECT id, surface, lighting, reciprocalEndID, round(baseEndLatitude, 3), round(baseEndLongitude, 3),
        round(reciprocalEndLatitude, 3), round(reciprocalEndLongitude, 3), isEstimated FROM runways ORDER BY rowid
      """,
      gives: [
        ["03/21", "dirt", "none", "21", "36.994", "-122.007", "37.006", "-121.993", "1"],
        ["09/27", "other", "none", "27", "37.0", "-122.0", "37.0", "-121.979", "1"],
        ["ALL/WAY", "water", "none", "WAY", "37.0", "-122.0", "37.0", "-122.0", "1"],
        ["H1", "concrete", "fullTime", "H1", "37.0", "-122.0", "37.0", "-122.0", "1"],
        ["H2", "concrete", "fullTime", "H2", "37.5", "-122.5", "37.5", "-122.5", "0"],
        ["N/S", "turf", "none", "S", "36.992", "-122.0", "37.008", "-122.0", "1"],
        ["WNW/ESE", "water", "none", "ESE", "36.997", "-121.99", "37.003", "-122.01", "1"],
      ])
    // The app's document has neither dirt nor another surface.
    try export.expect(
      "SELECT value ->> 'id', value ->> 'surface' FROM airports, json_each(runways) WHERE icao = 'KPAO' LIMIT 2",
      gives: [["03/21", "gravel"], ["ALL/WAY", "water"]])
  }
}

extension Exported {
  fileprivate var limits: [String: Int] {
    outcome.product.build.counts.filter { $0.key.hasPrefix("limits") }
  }
}
