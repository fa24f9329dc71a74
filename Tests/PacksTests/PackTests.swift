import Core
import Foundation
import ImageIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Packs of a single archive, also across 180 degrees.
struct DateLinePackTests {
  private let folder = TemporaryFolder()
  private let source: URL

  /// Zooms 4 to 6 of a chart from 165 E to 165 W, without a neatline.
  init() throws {
    source = folder.file("aleutians.mbtiles")
    try DateLinePackTests.write(source)
  }

  private static func write(_ source: URL, _ more: [String: String] = [:]) throws {
    let writer = try MBTilesWriter(creating: source)
    let windows = GeoBox(west: 165, south: 48, east: 195, north: 58).windows
    for zoom in 4...6 {
      for range in windows.map({ TileRange(zoom: zoom, covering: $0) }) {
        for column in range.columns {
          for row in range.rows {
            let id = TileID(zoom: zoom, column: column, row: row)
            try writer.add(Tile(id: id, data: try DateLinePackTests.image(id)))
          }
        }
      }
    }
    _ = try writer.finish(
      ArchiveMetadata(
        name: "Aleutians", format: "png", bounds: GeoBox(west: -180, south: 48, east: 180, north: 58),
        adjustedBounds: GeoBox(west: 165, south: 48, east: 195, north: 58), minZoom: 4, maxZoom: 6,
        attribution: "FAA", description: "Islands", version: "2611",
        extra: [
          "chartpipe:cycle": "2611", "chartpipe:effective": "2026-10-29T09:01:00Z",
          "chartpipe:expires": "2026-12-24T09:01:00Z",
        ].merging(more) { $1 }))
  }

  /// Each tile has its own color.
  private static func image(_ id: TileID) throws -> [UInt8] {
    let color: [UInt8] = [UInt8(id.column * 3 % 256), UInt8(id.row * 5 % 256), UInt8(id.zoom * 40), 255]
    let pixels = (0..<16 * 16).flatMap { _ in color }
    return try PNG.encode(RGBAImage(width: 16, height: 16, pixels: pixels))
  }

  private func pack(_ area: AreaText, at time: String = "2026-11-22T12:00:00Z") throws -> MBTilesReader {
    let instant = try #require(Instant(time))
    let request = PackRequest(
      source: .archive(source), area: area, time: instant, now: instant, cache: folder.file("cache"))
    let packer = try Packer(request, scratch: folder.url, progress: SilentProgress())
    let file = folder.file("\(UUID().uuidString).mbtiles")
    let outcome = try packer.write(to: file, airports: nil)
    #expect(outcome.tiles == packer.plan.tiles && outcome.airports == nil)
    return try MBTilesReader(opening: file)
  }

  @Test func `a box across 180 degrees has the tiles of both sides`() throws {
    let reader = try pack(.box("177,50,-178,54"))
    let ids = Set(try reader.tileIDs())
    #expect(Set(ids.filter { $0.zoom == 4 }.map(\.column)) == [0, 15])
    #expect(Set(ids.filter { $0.zoom == 6 }.map(\.column)) == [0, 63])
    let rows = try reader.metadata()
    let bounds = try #require(rows["bounds"].flatMap { GeoBox(metadata: $0) })
    let adjusted = try #require(GeoBox(adjustedIn: rows))
    #expect(bounds.west == -180 && bounds.east == 180)
    #expect(adjusted.west == 174.375 && adjusted.east == 185.625 && adjusted.south == bounds.south)
    let source = try MBTilesReader(opening: source)
    for id in ids { #expect(try reader.tile(id) == source.tile(id)) }
  }

  @Test func `a route across 180 degrees follows the great circle`() throws {
    let reader = try pack(.route("52.0N170.0E 52.0N170.0W", width: "10nm"))
    let columns = Set(try reader.tileIDs().filter { $0.zoom == 6 }.map(\.column))
    #expect(columns == [62, 63, 0, 1])
    // Halfway the great circle is 26 NM north of the parallel: the tangent of its latitude is tan 52° / cos 10°.
    let latitude = atan(tan(52 * Double.pi / 180) / cos(10 * Double.pi / 180)) * 180 / .pi
    let middle = GeoPoint(longitude: 179.99, latitude: latitude)
    #expect(try reader.tileIDs().contains(TileID(zoom: 6, containing: middle)))
    #expect(try reader.metadata()["name"] == "52.0N170.0E 52.0N170.0W, 10nm either side")
  }

  @Test(arguments: ["52N180E", "52N180W", "52,180", "52,-180", "52,179.9999"])
  func `a point at 180 degrees is on the chart that crosses it`(point: String) throws {
    let halves = [(165, 180), (-180, -165)].map { west, east in
      "[[[\(west),48],[\(east),48],[\(east),58],[\(west),58],[\(west),48]]]"
    }
    let shape = "{\"type\":\"MultiPolygon\",\"coordinates\":[\(halves.joined(separator: ","))]}"
    try source.remove()
    try DateLinePackTests.write(source, ["chartpipe:neatline": shape])
    let columns = Set(try pack(.around(point, radius: "20nm")).tileIDs().map(\.column))
    #expect(columns.contains(0) && columns.contains(63))
    #expect(throws: UserError.self) { _ = try pack(.around("47N180E", radius: "20nm")) }
  }

  @Test func `refuses an edition that is not in force, with its dates`() throws {
    for time in ["2026-12-24T09:01:00Z", "2026-10-29T09:00:59Z"] {
      try expectFault("aleutians", kind: .refused) {
        _ = try pack(.around("52N180W", radius: "50nm"), at: time)
      }
    }
  }
}

/// Points and distances on the command line.
struct RoutePointTests {
  @Test(arguments: [
    ("37.46N122.11W", 37.46, -122.11), ("37.46,-122.11", 37.46, -122.11),
    ("3728N12207W", 37.46667, -122.11667),
    ("372839N1220654W", 37.4775, -122.115), ("3728.5N12206.9W", 37.475, -122.115), ("5N17E", 5, 17),
    ("51.9n/174.1e", 51.9, 174.1), ("33.9S18.6E", -33.9, 18.6),
  ])
  func `reads coordinates`(text: String, latitude: Double, longitude: Double) throws {
    let place = try #require(RoutePoint(coordinates: text)).place
    #expect(abs(place.latitude - latitude) < 1e-5 && abs(place.longitude - longitude) < 1e-5, "\(place)")
  }

  @Test(arguments: ["KPAO", "O20", "1C9", "E16", "3760N12207W", "37.46", "1,2,3"])
  func `an identifier is not a position`(text: String) { #expect(RoutePoint(coordinates: text) == nil) }

  @Test(arguments: [("25nm", 25.0), ("25 NM", 25), ("46.3km", 25), ("28.77mi", 25.0005), ("10sm", 8.68976)])
  func `reads distances`(text: String, miles: Double) throws {
    #expect(abs(try AreaText.nauticalMiles(text, "--width") - miles) < 1e-3)
  }

  @Test(arguments: ["25", "nm", "25 ft", "", "nannm"])
  func `refuses a distance without a unit`(text: String) {
    #expect(throws: (any Error).self) { try AreaText.nauticalMiles(text, "--width") }
  }

  @Test func `joins near ranges into requests of up to four megabytes`() {
    #expect(PackFiles.requests([]).isEmpty)
    #expect(PackFiles.requests([0..<10, 10..<20, 500..<600]) == [0..<600])
    #expect(PackFiles.requests([0..<10, 100_000..<100_010]) == [0..<10, 100_000..<100_010])
    let long = PackFiles.requests((0..<100).map { $0 * 100_000..<($0 + 1) * 100_000 })
    #expect(long.allSatisfy { $0.count <= 4 << 20 } && long.map(\.count).reduce(0, +) == 10_000_000)
  }
}
