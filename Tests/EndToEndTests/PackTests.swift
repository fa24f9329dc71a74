import Core
import Foundation
import ImageIO
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// `chartpipe pack` on the sample cycle's site.
@Suite(.slow, .blocking) struct PackTests {
  private static let day = ["--at", "2023-05-01"]
  private static let route = ["--route", "KPAO KSQL KHWD", "--width", "3nm"]

  private let folder = TemporaryFolder()
  private let work: TemporaryFolder

  init() async throws { work = try await Samples.cycle() }

  private func pack(_ options: [String], from source: String? = nil) throws -> Program.Ending {
    try Program().run(
      ["pack", source ?? work.file("site").path] + options, in: folder.url,
      environment: ["XDG_CACHE_HOME": folder.file("cache").path])
  }

  private func built(_ path: String) -> URL { work.file("build/2304").appending(path: path) }

  @Test func `contains exactly the tiles that the corridor touches`() throws {
    try pack(["a.mbtiles"] + Self.route + Self.day + ["--charts", "sample-sectional"]).expect(0)
    let pack = try MBTilesReader(opening: folder.file("a.mbtiles"))
    let charts = try ["West", "East"].map {
      try MBTilesReader(opening: built("sample-sectional/Sample_\($0).mbtiles"))
    }
    let corridor = SampledCorridor(
      [(37.46111111, -122.11505555), (37.51186111, -122.24953111), (37.65892852, -122.12173716)], halfWidth: 3
    )
    let held = Set(try pack.tileIDs())
    let there = try charts.reduce(into: Set<TileID>()) { $0.formUnion(try $1.tileIDs()) }
    #expect(held.isSubset(of: there) && held.count > 20)
    for id in there {
      guard let touches = corridor.touches(id) else { continue }
      #expect(held.contains(id) == touches, "\(id)")
      let owners = try charts.compactMap { try $0.tile(id) }
      if touches, owners.count == 1 { #expect(try pack.tile(id) == owners[0]) }
    }
  }

  @Test func `contains the airports of the corridor`() throws {
    try pack(["a.mbtiles"] + Self.route + Self.day).expect(0)
    let database = try SQLiteConnection(folder.file("a.airports.sqlite").path, mode: .readOnly)
    let whole = try SQLiteConnection(built("sample-nasr/aviation.sqlite").path, mode: .readOnly)
    let found = try database.prepare("SELECT icao FROM airports ORDER BY id").map { $0.text(0) ?? "" }
    let corridor = SampledCorridor(
      [(37.46111111, -122.11505555), (37.51186111, -122.24953111), (37.65892852, -122.12173716)], halfWidth: 3
    )
    let near = try whole.prepare("SELECT icao, latitude, longitude FROM airports ORDER BY id").map {
      ($0.text(0) ?? "", corridor.distance(to: ($0.double(1), $0.double(2))))
    }.filter { $0.1 <= 3 }.map(\.0)
    #expect(found == near && found.contains("KPAO") && found.contains("KHWD"))
    for table in ["runways", "frequencies"] {
      let sql = "SELECT count(*) FROM \(table) WHERE airport IN ('\(near.joined(separator: "','"))')"
      let counts = try [database.prepare("SELECT count(*) FROM \(table)"), whole.prepare(sql)].map {
        try $0.map { $0.int(0) }
      }
      #expect(counts[0] == counts[1] && counts[0] != [0])
    }
    let box = "r.minLat <= 37.6 AND r.maxLat >= 37.4 AND r.minLon <= -122.1 AND r.maxLon >= -122.3"
    let inBox = try database.prepare(
      "SELECT a.icao FROM airports_rtree r JOIN airports a ON a.id = r.id WHERE \(box) ORDER BY a.id"
    ).map { $0.text(0) }
    #expect(inBox.prefix(2) == ["KSQL", "KPAO"])
    let named = try database.prepare(
      "SELECT a.icao FROM airports_fts f JOIN airports a ON a.id = f.rowid WHERE airports_fts MATCH 'name:alto'"
    )
    #expect(try named.map { $0.text(0) } == ["KPAO"])
    #expect(try database.prepare("PRAGMA integrity_check").map { $0.text(0) } == ["ok"])
  }

  @Test func `describes itself in its metadata`() throws {
    try pack(["a.mbtiles", "--name", "To Hayward"] + Self.route + Self.day).expect(0)
    let rows = try MBTilesReader(opening: folder.file("a.mbtiles")).metadata()
    #expect(rows["name"] == "To Hayward" && rows["format"] == "png" && rows["type"] == "overlay")
    #expect(rows["minzoom"] == "6" && rows["maxzoom"] == "12" && rows["version"] == "2304")
    #expect(rows["attribution"] == "Synthetic chart, not for navigation")
    #expect(rows["chartpipe:expires"] == "2023-06-15T09:01:00Z")
    let origin = try #require(rows["chartpipe:pack"])
    #expect(origin.contains("\"nauticalMiles\":3") && origin.contains("sample-sectional/Sample_West"))
    try Program().run("validate \(folder.file("a.mbtiles").path)").expect(0)
  }

  @Test func `joined charts equal the mosaic`() async throws {
    let area = ["--bbox=-122.1,37.1,-121.8,37.7"] + Self.day
    let source = try await Samples.mosaic().file("build/2304").path
    let mosaic = try pack(["m.mbtiles"] + area, from: source)
    #expect(mosaic.output.contains("sample-mosaic/Bay_Area"), "\(mosaic.errors)")
    let joined = try pack(["j.mbtiles", "--charts", "Sample_West,Sample_East"] + area, from: source)
    #expect(joined.output.contains("sample-mosaic/Sample_West"), "\(joined.errors)")
    let readers = try ["m", "j"].map { try MBTilesReader(opening: folder.file("\($0).mbtiles")) }
    let ids = try Set(readers[0].tileIDs())
    #expect(try ids == Set(readers[1].tileIDs()) && ids.count > 8)
    for id in ids {
      // The charts' edge tiles are lossy WebP already, so joined tiles are encoded twice.
      let images = try readers.map { try TileImage.decode(try #require(try $0.tile(id))).pixels }
      let off = zip(images[0], images[1]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(off < images[0].count * 4, "\(id) differs by \(Double(off) / Double(images[0].count))")
    }
  }

  @Test func `the same call gives the same bytes`() throws {
    for (name, jobs) in [("a", "1"), ("b", "3")] {
      let options = ["\(name).pmtiles", "--jobs", jobs, "--around", "SJC", "--radius", "10nm"] + Self.day
      try pack(options).expect(0)
    }
    for ending in ["pmtiles", "airports.sqlite"] {
      let files = try ["a", "b"].map { try folder.file("\($0).\(ending)").data }
      #expect(files[0] == files[1] && !files[0].isEmpty)
    }
  }

  @Test func `the order of charts does not matter`() throws {
    let orders = ["Sample_West,Sample_East", "Sample_East,Sample_West,Sample_East"]
    let files = try orders.enumerated().map { number, order in
      let options = ["\(number).mbtiles", "--bbox=-122.1,37.1,-121.8,37.7", "--charts", order] + Self.day
      try pack(options, from: built("sample-sectional").path).expect(0)
      return try folder.file("\(number).mbtiles").data
    }
    #expect(files[0] == files[1])
  }

  @Test func `a dry run prints the size and writes nothing`() throws {
    let ending = try pack(["a.mbtiles", "--dry-run"] + Self.route + Self.day).expect(0)
    #expect(ending.output.hasPrefix("KPAO KSQL KHWD, 3nm either side: "), "\(ending.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test(arguments: [
    (["--route", "KPA0 KSQL", "--width", "5nm"], 2, "did you mean KPAO"),
    (["--route", "KPAO KSQL", "--width", "5"], 2, "distance with its unit"),
    (["--route", "KPAO KSQL"], 2, "--route needs --width"),
    (["--around", "KPAO", "--radius", "5nm", "--bbox", "1,2,3,4"], 2, "exclude each other"),
    (["--around", "KPAO", "--radius", "5nm", "--zooms", "5-14"], 2, "the charts have the zooms 6-12"),
    (
      ["--around", "KPAO", "--radius", "5nm", "--charts", "sample-sectinal"], 2,
      "Did you mean sample-sectional?"
    ),
    (["--bbox", "10,50,11,51"], 3, "none of the charts intersects the area"),
    (["--bbox", "10,51,11,50"], 2, "is not a box of west, south, east and north"),
    (["--route", "KPAO KMOD", "--width", "5nm", "--charts", "sample-sectional"], 3, "KPAO to KMOD: from 5"),
    (["--route", "KPAO 37.0N130.0W", "--width", "5nm"], 3, "no chart covers KPAO to 37.0N130.0W: from 4"),
  ])
  func `explains a wrong call`(options: [String], status: Int32, words: String) throws {
    try pack(["a.mbtiles"] + options + Self.day).expect(status, words)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func `refuses editions that are not in force`() throws {
    try pack(["a.mbtiles"] + Self.route).expect(4, "Sample_West expired on 2023-06-15T09:01:00Z")
    try pack(["a.mbtiles", "--allow-expired"] + Self.route).expect(0, "Do not navigate by it.")
    try pack(["b.mbtiles", "--at", "2023-04-19"] + Self.route).expect(
      4, "takes effect on 2023-04-20T09:01:00Z")
  }

  @Test func `--allow-gaps omits a part of the route`() throws {
    let ending = try pack(
      ["a.mbtiles", "--route", "KPAO KMOD", "--width", "5nm", "--allow-gaps", "--charts", "sample-sectional"]
        + Self.day)
    #expect(ending.status == 0 && ending.output.contains("gap       KPAO to KMOD"), "\(ending.errors)")
  }
}

/// A corridor, by samples of the route and of a tile's rim.
private struct SampledCorridor {
  /// On the unit sphere. `SIMD3` is slow without optimisation.
  private struct Vector {
    let x: Double
    let y: Double
    let z: Double

    init(_ place: (Double, Double)) {
      let (latitude, longitude) = (place.0 * .pi / 180, place.1 * .pi / 180)
      (x, y, z) = (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
  }

  private let places: [(Double, Double)]
  private let vectors: [Vector]
  private let halfWidth: Double

  init(_ route: [(Double, Double)], halfWidth: Double) {
    self.halfWidth = halfWidth
    // Legs of ten miles: the straight line in degrees is within a few metres of the great circle.
    places = zip(route, route.dropFirst()).flatMap { from, to in
      (0...400).map { step in
        let share = Double(step) / 400
        return (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
      }
    }
    vectors = places.map(Vector.init)
  }

  /// Nautical miles.
  func distance(to place: (Double, Double)) -> Double {
    let place = Vector(place)
    var least = 4.0
    for other in vectors {
      let (x, y, z) = (place.x - other.x, place.y - other.y, place.z - other.z)
      let square = x * x + y * y + z * z
      if square < least { least = square }
    }
    return 2 * 6_371_008.8 / 1852 * asin(least.squareRoot() / 2)
  }

  /// Nil where samples cannot decide.
  func touches(_ tile: TileID) -> Bool? {
    let box = tile.box
    if places.contains(where: { box.contains(GeoPoint(longitude: $0.1, latitude: $0.0)) }) { return true }
    let rim = (0...32).flatMap { step in
      let latitude = box.south + Double(step) / 32 * (box.north - box.south)
      let longitude = box.west + Double(step) / 32 * (box.east - box.west)
      return [(latitude, box.west), (latitude, box.east), (box.south, longitude), (box.north, longitude)]
    }
    // Only the near part of a large tile can matter.
    let least =
      rim.filter { abs($0.0 - 37.5) < 0.6 && abs($0.1 + 122.2) < 0.8 }.map(distance).min() ?? .infinity
    if least <= halfWidth { return true }
    return least > halfWidth + 0.02 + (box.north - box.south) * 0.2 ? false : nil
  }
}
