import ChartpipeClient
import Testing

@testable import Packs

@Suite("Points and distances as users write them")
struct RoutePointTests {
  @Test(
    "coordinates",
    arguments: [
      ("37.46N122.11W", 37.46, -122.11), ("37.46,-122.11", 37.46, -122.11),
      ("3728N12207W", 37.46667, -122.11667),
      ("372839N1220654W", 37.4775, -122.115), ("3728.5N12206.9W", 37.475, -122.115), ("5N17E", 5, 17),
      ("51.9n/174.1e", 51.9, 174.1), ("33.9S18.6E", -33.9, 18.6),
    ])
  func coordinates(text: String, latitude: Double, longitude: Double) throws {
    let place = try #require(RoutePoint(coordinates: text)).place
    #expect(abs(place.latitude - latitude) < 1e-5 && abs(place.longitude - longitude) < 1e-5, "\(place)")
  }

  @Test(
    "what is an identifier is no place",
    arguments: ["KPAO", "O20", "1C9", "E16", "3760N12207W", "37.46", "1,2,3"])
  func identifiers(text: String) { #expect(RoutePoint(coordinates: text) == nil) }

  @Test(
    "distances",
    arguments: [("25nm", 25.0), ("25 NM", 25), ("46.3km", 25), ("28.77mi", 25.0005), ("10sm", 8.68976)])
  func distances(text: String, miles: Double) throws {
    #expect(abs(try AreaText.nauticalMiles(text, "--width") - miles) < 1e-3)
  }

  @Test("a distance without a unit is refused", arguments: ["25", "nm", "25 ft", "", "nannm"])
  func noDistance(text: String) {
    #expect(throws: (any Error).self) { try AreaText.nauticalMiles(text, "--width") }
  }

  @Test("ranges that are near each other are one request, up to four megabytes")
  func requests() {
    #expect(ChartFiles.requests([]).isEmpty)
    #expect(ChartFiles.requests([0..<10, 10..<20, 500..<600]) == [0..<600])
    #expect(ChartFiles.requests([0..<10, 100_000..<100_010]) == [0..<10, 100_000..<100_010])
    let long = ChartFiles.requests((0..<100).map { $0 * 100_000..<($0 + 1) * 100_000 })
    #expect(long.allSatisfy { $0.count <= 4 << 20 } && long.map(\.count).reduce(0, +) == 10_000_000)
  }
}
