import ChartpipeClient
import Foundation
import Testing

/// What a flight needs, by nothing but a catalogue.
@Suite struct AreaDownloadTests {
  private static func chart(
    _ id: String, _ west: Double, _ east: Double, _ letter: Character, _ more: String = ""
  )
    -> String
  {
    let file = CatalogText.file(letter, role: "tiles", bytes: 50_000_000, ending: "mbtiles")
    return CatalogText.product(
      cycle: "2612", from: CatalogText.october, until: CatalogText.december, files: [file],
      id: "vfr-sectional/\(id)"
    ).replacing("\"west\": -125", with: "\"west\": \(west)").replacing(
      "\"east\": -118", with: "\"east\": \(east)"
    )
    .replacing("\"sources\": []", with: "\(more)\"sources\": []")
  }

  private func catalog(and more: String...) throws -> Catalog {
    let all = "\"includes\": [\"vfr-sectional/West\", \"vfr-sectional/East\"], "
    let products =
      [
        Self.chart("East", -118, -111, "a", "\"includes\": [\"vfr-sectional/West\"], "),
        Self.chart("West", -125, -118, "b", "\"includes\": [\"vfr-sectional/East\"], "),
        Self.chart("Whole", -125, -111, "c", all),
        Self.chart("Far", -90, -80, "d"),
      ] + more
    let cycle = CatalogText.cycle("2612", from: CatalogText.november, until: CatalogText.december)
    return try Catalog(
      json: Data(
        """
        { "format": "chartpipe-catalog-1", "serial": 7, "previous": null, "current": \(cycle), "next": null,
          "products": [\(products.joined(separator: ","))] }
        """.utf8))
  }

  private func corridor(_ route: [(Double, Double)]) throws -> FlightArea {
    try FlightArea(
      route: route.map { Coordinate(latitude: $0.0, longitude: $0.1) }, eitherSide: 25)
  }

  private var now: Date { Date(timeIntervalSince1970: 1_796_100_000) }

  @Test func `a route needs the charts that it crosses, and no mosaic`() throws {
    let (one, two) = (
      try corridor([(37.46, -122.11), (36.59, -121.84)]), try corridor([(37.46, -122.11), (38.6, -113)])
    )
    let near = try catalog().download(for: one, of: "vfr-sectional", at: now)
    #expect(near.products.map(\.item) == ["West"] && near.regionBytes == 50_000_000)
    #expect(near.regions.map(\.name) == ["San Francisco"])
    let far = try catalog().download(for: two, of: "vfr-sectional", at: now)
    #expect(far.products.map(\.item) == ["East", "West"] && far.regionBytes == 100_000_000)
    #expect(try catalog().download(for: one, of: "vfr-terminal", at: now).products.isEmpty)
  }

  @Test func `its tiles are those of the area, and its bytes their share of the archives`() throws {
    let area = try corridor([(37.46, -122.11), (36.59, -121.84)])
    let download = try catalog().download(for: area, of: "vfr-sectional", zooms: 8...12, at: now)
    for zoom in 8...12 {
      #expect(download.tiles.tiles[zoom] == area.tiles(zooms: zoom...zoom).count)
    }
    #expect(download.tiles.tiles[7] == nil)
    // The corridor is about a twentieth of the chart.
    #expect((2_500_000...4_500_000).contains(download.tiles.bytes), "\(download.tiles.bytes)")
    let whole = try FlightArea(BoundingBox(west: -125, south: 36, east: -118, north: 40.5))
    let all = try catalog().download(for: whole, of: "vfr-sectional", at: now)
    #expect(all.products.map(\.item) == ["West"])
    #expect((48_000_000...52_000_000).contains(all.tiles.bytes), "\(all.tiles.bytes)")
  }

  @Test func `the tiles of a chart inside of another one do not count, but it is a region`() throws {
    let inset = Self.chart("Inset", -122.5, -121.5, "e").replacing("\"north\": 40.5", with: "\"north\": 39")
      .replacing("\"maxZoom\": 12", with: "\"maxZoom\": 13")
    let area = try corridor([(37.46, -122.11), (36.59, -121.84)])
    let with = try catalog(and: inset).download(for: area, of: "vfr-sectional", at: now)
    let without = try catalog().download(for: area, of: "vfr-sectional", at: now)
    #expect(with.products.map(\.item) == ["Inset", "West"] && with.tiles == without.tiles)
    #expect(with.products.first?.maxZoom == 13 && without.tiles.tiles[13] == nil)
  }
}
