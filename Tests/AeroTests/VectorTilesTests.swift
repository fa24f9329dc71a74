import Core
import CryptoIO
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The export of vector tiles.
struct VectorTilesTests {
  let folder = TemporaryFolder()

  /// A database with class airspace, and special-use airspace across 180 degrees.
  private func database() throws -> Built {
    var bench = try AirspaceBench(shapes: "airspace")
    bench.special = [("AREA, CA.xml", SpecialUseSample.file([VectorTilesTests.acrossTheDateLine]))]
    return try bench.build()
  }

  private static let acrossTheDateLine = SpecialUseSample.airspace(
    "W-1", type: "WA",
    [
      SpecialUseSample.component(
        "BASE", 1, "GND", "180 FL STD",
        SpecialUseSample.surface(SpecialUseSample.circle("179.8 52", miles: "40")))
    ])

  private func export(
    _ built: Built, name: String = "vector", jobs: Int = 2, archives: [TileSettings.Archive]? = nil
  ) throws -> ExportOutcome {
    try VectorTilesTests.export(built.file, of: built.outcome.product, in: folder, name, jobs: jobs, archives)
  }

  static func export(
    _ database: URL, of product: Product, in folder: TemporaryFolder, _ name: String, jobs: Int = 2,
    _ archives: [TileSettings.Archive]?
  ) throws -> ExportOutcome {
    let definition = ExportDefinition(id: name, format: .vectortiles, title: "Test", archives: archives)
    let request = ExportRequest(
      export: definition, definitionSha256: try SHA256Hex(of: []), product: "nasr/\(name)",
      database: database, base: product, world: nil)
    return try ExportBuilder.build(request, jobs: jobs) { folder.file("\(name)-\(jobs)-\($0)") }
  }

  @Test func `writes PMTiles unless the definition asks for MBTiles`() throws {
    let built = try Subscription("2304").build(in: folder)
    let usual = try export(built).product
    #expect(usual.files.map(\.path) == ["vector.pmtiles", "vector-airports.json"])
    #expect(usual.files.map(\.role.rawValue) == ["pmtiles", "json"])
    #expect(usual.format == "vectortiles" && usual.minZoom == 4 && usual.maxZoom == MapLayer.deepestZoom)
    let both = try export(built, name: "both", archives: [.pmtiles, .mbtiles])
    #expect(both.product.files.map(\.role.rawValue) == ["tiles", "pmtiles", "json"])
    #expect(both.product.build.counts["airports"] == 21)
  }

  @Test func `the same database gives the same bytes with any number of threads`() throws {
    let built = try database()
    let hashes = try [1, 1, 2, 5].enumerated().map { index, jobs in
      try export(built, name: "v\(index)", jobs: jobs, archives: [.mbtiles, .pmtiles]).product.files.map(
        \.sha256)
    }
    #expect(hashes.allSatisfy { $0 == hashes[0] })
  }

  @Test func `every airport is in the tile under it`() throws {
    let built = try Subscription("2304").build(in: folder)
    let archive = try PMTilesReader(opening: try #require(try export(built).files.first))
    for row in try built.rows("SELECT icao, longitude, latitude, name FROM airports") {
      let place = GeoPoint(longitude: try #require(Double(row[1])), latitude: try #require(Double(row[2])))
      let tile = try #require(try archive.tile(TileID(zoom: MapLayer.deepestZoom, containing: place)))
      let layers = try VectorTile(stored: tile).layers
      let airports = try #require(layers.first { $0.name == "airports" })
      let airport = try #require(airports.features.first { airports.text("icao", of: $0) == row[0] })
      let name = try #require(airports.text("name", of: airport))
      #expect(name == TitleCase.name(row[3]) && airports.text("city", of: airport) != nil)
    }
  }

  @Test func `a list has all airports for a search, the most important first`() throws {
    struct List: Decodable {
      let format, cycle, columns: String
      let airports: [[JSONValue]]
    }
    let built = try Subscription("2304").build(in: folder)
    let list = try export(built).files[1].decoded(List.self)
    #expect(list.format == "chartpipe-airports-1" && list.cycle == "2304" && list.airports.count == 21)
    #expect(list.columns == "icao, faaID, name, city, state, longitude, latitude, searchWords")
    let icao = try built.rows("SELECT icao FROM airports ORDER BY id").map { JSONValue.string($0[0]) }
    #expect(list.airports.map { $0[0] } == icao && list.airports.allSatisfy { $0.count == 8 })
    let obstacles = try ObstacleSource().build(
      [UInt8](fixtureFolder.appending(path: "obstacles/DOF.CSV").data), in: folder, name: "obstacles.sqlite")
    #expect(try export(obstacles, name: "obstacles").product.files.count == 1)
  }

  @Test func `the deepest tiles alone have the frequencies and remarks of airports`() throws {
    let built = try Subscription("2304").build(in: folder)
    try SQLiteConnection(built.file.path, mode: .create).execute(
      """
      DELETE FROM frequencies; DELETE FROM remarks;
      INSERT INTO frequencies (airport, number, type, frequency, vhf, receiveOnly) VALUES
        ('KPAO', 1, 'tower', 118.6, 1, 0), ('KPAO', 2, 'tower', 257.6, 0, 0), ('KPAO', 3, 'tower', 118.6, 1, 0),
        ('KPAO', 4, 'ground', 125, 1, 0), ('KPAO', 5, 'other', 121.3, 1, 0);
      INSERT INTO remarks (airport, number, subject, element, field, remark) VALUES
        ('KPAO', 1, 'AIRPORT', NULL, 'GENERAL_REMARK', 'BIRDS.'), ('KPAO', 2, 'RUNWAY_END', '13', 'VGSI_CODE', 'ASK.'),
        ('KPAO', 3, 'AIRPORT_CONTACT', NULL, 'PHONE_NO', '555'), ('KPAO', 4, 'AIRPORT', NULL, 'ASP_ANLYS_DTRM_CODE', 'NO');
      """)
    let archive = try PMTilesReader(opening: try #require(try export(built).files.first))
    var found: [[String?]] = []
    try archive.forEachTile { tile in
      for layer in try VectorTile(stored: tile.data).layers where layer.name == "airportNotes" {
        #expect(tile.id.zoom == MapLayer.deepestZoom)
        found += layer.features.map { feature in
          ["airport", "frequencies", "remarks"].map { layer.text($0, of: feature) }
        }
      }
    }
    #expect(found.contains(["KPAO", "tower 118.6; ground 125.0", "BIRDS.\n13: ASK."]))
    #expect(Set(found.map { $0[0] }).count == 21 && found.contains { $0[1] == nil && $0[2] == nil })
  }

  @Test func `what the map cannot show is listed, and does not stop the export`() throws {
    let built = try database()
    let before = try export(built, name: "before").product.build.counts
    let places = [
      (179.99999, 50, -179.99999, 50), (10, 86, 11, 87),
    ].map {
      "baseEndLongitude = \($0), baseEndLatitude = \($1), reciprocalEndLongitude = \($2), reciprocalEndLatitude = \($3)"
    }
    let shapes = ["south = 86, north = 87", "west = 10, east = 10.00001, south = 50, north = 50.00001"]
    let connection = try SQLiteConnection(built.file.path, mode: .create)
    for (index, place) in places.enumerated() {
      try connection.execute(
        """
        UPDATE runways SET \(place) WHERE (airport, id) = (SELECT airport, id FROM runways
          WHERE baseEndLongitude + reciprocalEndLongitude IS NOT NULL ORDER BY airport, id LIMIT 1 OFFSET \(index))
        """)
    }
    for (index, shape) in shapes.enumerated() {
      try connection.execute(
        "UPDATE airspaces SET \(shape) WHERE id = (SELECT id FROM airspaces ORDER BY id LIMIT 1 OFFSET \(index))"
      )
    }
    let counts = try export(built).product.build.counts
    for layer in ["runways", "airspaces"] {
      #expect(counts[layer] == before[layer].map { $0 - 2 }, "\(layer)")
    }
  }

  @Test func `a map opens inside of its bounds`() throws {
    let files = try export(try database(), archives: [.mbtiles, .pmtiles]).files
    let metadata = try MBTilesReader(opening: files[0]).metadata()
    let numbers = { (key: String) in (metadata[key] ?? "").split(separator: ",").compactMap { Double($0) } }
    let (center, bounds) = (numbers("center"), numbers("bounds"))
    #expect((bounds[0]...bounds[2]).contains(center[0]) && (bounds[1]...bounds[3]).contains(center[1]))
  }

  @Test func `shapes across 180 degrees are on both sides`() throws {
    let built = try database()
    try VectorTilesTests.addAirway(to: built.file)
    let outcome = try export(built)
    let archive = try PMTilesReader(opening: outcome.files[0])
    let sides = [GeoPoint(longitude: 179.9, latitude: 52), GeoPoint(longitude: -179.9, latitude: 52)]
    for side in sides {
      let tile = try #require(try archive.tile(TileID(zoom: MapLayer.deepestZoom, containing: side)))
      let layers = try VectorTile(stored: tile).layers
      #expect(layers.map(\.name) == ["airspaces", "airways"])
    }
    #expect(try archive.tileIDs().allSatisfy { $0.column < 1 << $0.zoom })
    #expect(try archive.metadata()["antimeridian_adjusted_bounds"] != nil)
  }

  /// Adds an airway along 52 degrees north, from 179 degrees east to 179 degrees west.
  private static func addAirway(to database: URL) throws {
    let connection = try SQLiteConnection(database.path, mode: .create)
    try connection.execute(
      """
      INSERT INTO airways (id, identifier, region) VALUES (900, 'R1', 'alaska');
      INSERT INTO airwaySegments (id, airway, sequence, fromPoint, fromLatitude, fromLongitude, toPoint, toLatitude, toLongitude)
      VALUES (900, 900, 10, 'EAST', 52, 179, 'WEST', 52, -179)
      """)
    try connection.close()
  }

  @Test(.enabled(if: python != nil)) func `an independent reader finds what the database has`() throws {
    let built = try database()
    try VectorTilesTests.addAirway(to: built.file)
    let files = try export(built, archives: [.mbtiles, .pmtiles]).files
    try runPython(
      VectorTilesTests.python, "Independent/check_vector_tiles.py", [built.file.path] + files.map(\.path))
  }

  private static let python = TestEnvironment.python(with: "mapbox_vector_tile")

  @Test func `an obstacle appears by its height`() throws {
    let file = [UInt8](try fixtureFolder.appending(path: "obstacles/DOF.CSV").data)
    let obstacles = try ObstacleSource().build(file, in: folder, name: "obstacles.sqlite")
    let outcome = try export(obstacles)
    #expect(outcome.product.build.counts["obstacles"] == 5)
    let archive = try PMTilesReader(opening: outcome.files[0])
    var heights: [Int: Int] = [:]
    try archive.forEachTile { tile in
      for layer in try VectorTile(stored: tile.data).layers {
        heights[tile.id.zoom, default: 0] += layer.features.count
      }
    }
    let low = try obstacles.rows("SELECT count(*) FROM obstacles WHERE heightAGL < 300")
    #expect(low != [["0"]] && (heights[9] ?? 0) > (heights[8] ?? 0))
  }
}
