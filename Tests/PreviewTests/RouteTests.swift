import Core
import Testing

@testable import Preview

@Suite struct RouteTests {
  private func route(_ address: String) throws -> Route { try Route(try Target(Substring(address))) }

  private func refusal(_ address: String) -> Status? {
    do {
      _ = try route(address)
      return nil
    } catch {
      return (error as? Refusal)?.status
    }
  }

  @Test func addressesBecomeValues() throws {
    #expect(try route("/") == .page(.page))
    #expect(try route("/page/main.js") == .page(.main))
    #expect(try route("/leaflet/leaflet.css") == .leaflet(.style))
    #expect(try route("/site.json") == .site)
    #expect(
      try route("/tiles/2304/vfr-sectional/San_Francisco/12/656/1586")
        == .tile(
          cycle: "2304", product: "vfr-sectional/San_Francisco", TileID(zoom: 12, column: 656, row: 1586)))
    #expect(try route("/airport.json?cycle=2304&icao=KPAO") == .airport(cycle: "2304", icao: "KPAO"))
  }

  @Test(arguments: [
    "/..", "/../etc/passwd", "/page/../main.js", "/page/PageFile.swift", "/page/", "/leaflet/../leaflet.js",
    "/leaflet/..%2F..%2Fetc%2Fpasswd", "/leaflet/leaflet.js.map", "/leaflet", "//", "/catalog.json",
    "/blobs/ab/abc",
    "/tiles/2304/a/b/12/656", "/tiles/2304/a/b/3/8/0", "/tiles/2304/a/b/3/-1/0", "/tiles/2304/a/b/25/0/0",
    "/tiles/2304/a/b/3/0x1/0", "/tiles/2304/a/b/99999999999999999999/0/0", "/site.json/",
  ])
  func anythingElseIsNotThere(address: String) {
    #expect(refusal(address) == .notFound)
  }

  @Test(arguments: [
    "/airports.json", "/airports.json?box=1,2,3", "/airports.json?box=1,2,3,4,5",
    "/airports.json?box=3,0,1,1",
    "/airports.json?box=0,3,1,1", "/airports.json?box=nan,0,1,1", "/airports.json?box=0,0,inf,1",
    "/airports.json?box=0,0,1e300,1", "/airports.json?box=0,0,1,1&limit=0",
    "/airports.json?box=0,0,1,1&limit=1001",
    "/airports.json?box=0,0,1,1&limit=99999999999999999999", "/airspace.json?box=0,0,a,1",
  ])
  func hostileNumbersAreRefused(address: String) {
    #expect(refusal(address) == .badRequest)
  }

  @Test(arguments: [
    ("-123,37,-122,38", [GeoBox(west: -123, south: 37, east: -122, north: 38)]),
    ("237,37,238,38", [GeoBox(west: -123, south: 37, east: -122, north: 38)]),
    ("-843,37,-842,38", [GeoBox(west: -123, south: 37, east: -122, north: 38)]),
    (
      "179,50,182,52",
      [
        GeoBox(west: 179, south: 50, east: 180, north: 52),
        GeoBox(west: -180, south: 50, east: -178, north: 52),
      ]
    ),
    ("-400,-90,400,90", [GeoBox(west: -180, south: -90, east: 180, north: 90)]),
  ])
  func aMapThatWasDraggedAroundTheWorldStillAsksForAPlace(box: String, windows: [GeoBox]) throws {
    #expect(try MapView(["box": box]).windows == windows)
  }

  @Test func onlyKnownClassesAreAskedFor() throws {
    let view = try MapView(["box": "0,0,1,1"])
    #expect(
      try route("/airspace.json?cycle=2304&box=0,0,1,1&classes=echo,bravo,x'--")
        == .airspace(cycle: "2304", view, classes: [.bravo, .echo]))
  }
}
