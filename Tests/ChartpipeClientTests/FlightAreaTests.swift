import ChartpipeClient
import Foundation
import TestSupport
import Testing

/// A flight, and the zooms at which its tiles are few enough to be sampled.
private struct Flight: CustomTestStringConvertible, Sendable {
  var name: String
  var route: [(Double, Double)]
  var halfWidth: Double
  var zooms: ClosedRange<Int>
  var testDescription: String { name }

  static let all = [
    Flight(
      name: "KPAO KSQL KMRY", route: [(37.461, -122.115), (37.512, -122.249), (36.587, -121.843)],
      halfWidth: 25, zooms: 6...9),
    Flight(name: "around KPAO", route: [(37.461, -122.115)], halfWidth: 40, zooms: 5...9),
    Flight(
      name: "a narrow corridor", route: [(37.461, -122.115), (37.512, -122.249)], halfWidth: 1, zooms: 9...12),
    Flight(
      name: "across 180 degrees", route: [(51.878, -176.646), (52.712, 174.114), (53.9, -166.5)],
      halfWidth: 30,
      zooms: 4...7),
    Flight(name: "around Point Barrow", route: [(71.285, -156.766)], halfWidth: 60, zooms: 5...8),
    Flight(
      name: "the north slope", route: [(71.285, -156.766), (70.195, -148.465), (70.134, -143.577)],
      halfWidth: 20, zooms: 5...8),
    Flight(
      name: "a great circle far from its rhumb line", route: [(61.174, -149.996), (64.13, -21.94)],
      halfWidth: 50, zooms: 2...5),
    Flight(name: "along a meridian", route: [(30, -90), (45, -90)], halfWidth: 10, zooms: 3...6),
    Flight(name: "along the equator", route: [(0, 10), (0, 20)], halfWidth: 15, zooms: 3...6),
    Flight(
      name: "there and back", route: [(37.461, -122.115), (38.5, -121.5), (37.461, -122.115)],
      halfWidth: 5, zooms: 7...9),
  ]

  var area: FlightArea {
    get throws {
      try FlightArea(route: route.map { Coordinate(latitude: $0.0, longitude: $0.1) }, eitherSide: halfWidth)
    }
  }
}

/// An independent answer from samples of the route and of a tile's edge.
private struct Samples {
  /// `SIMD3` is slow in debug builds.
  private struct Vector {
    var x: Double
    var y: Double
    var z: Double
  }

  /// Nautical miles.
  private static let radius = 6_371_008.8 / 1852
  private let places: [Vector]
  private let halfWidth: Double

  init(_ flight: Flight) {
    let ends = flight.route.map { Samples.vector($0.0, $0.1) }
    let spacing = flight.halfWidth / 16
    var places = [ends[0]]
    for (from, to) in zip(ends, ends.dropFirst()) {
      places += Samples.between(from, to, spacing: spacing) + [to]
    }
    self.places = places
    halfWidth = flight.halfWidth
  }

  /// Whether the tile is in the corridor; nil when the samples cannot decide.
  func holds(_ tile: MapTile) -> Bool? {
    let box = tile.box
    let center = Samples.vector((box.south + box.north) / 2, (box.west + box.east) / 2)
    let edge = (0...24).flatMap { step in
      let latitude = box.south + Double(step) / 24 * (box.north - box.south)
      let longitude = box.west + Double(step) / 24 * (box.east - box.west)
      return [
        Samples.vector(latitude, box.west), Samples.vector(latitude, box.east),
        Samples.vector(box.south, longitude), Samples.vector(box.north, longitude),
      ]
    }
    let reach = edge.map { Samples.distance($0, center) }.max() ?? 0
    let (near, wide) = (Samples.square(halfWidth * 1.1 + reach), Samples.square(halfWidth))
    var least = Double.infinity
    for place in places where Samples.square(place, center) <= near {
      if Samples.isInside(place, box) { return true }
      for point in edge { least = min(least, Samples.square(point, place)) }
      // Samples are a little too far away, never too near.
      if least <= wide { return true }
    }
    return least > Samples.square(halfWidth * 1.002 + reach * 0.001) ? false : nil
  }

  private static func isInside(_ place: Vector, _ box: BoundingBox) -> Bool {
    let latitude = asin(place.z) * 180 / .pi
    let longitude = atan2(place.y, place.x) * 180 / .pi
    return box.south <= latitude && latitude <= box.north && box.west <= longitude && longitude <= box.east
  }

  private static func vector(_ latitude: Double, _ longitude: Double) -> Vector {
    let (up, round) = (latitude * .pi / 180, longitude * .pi / 180)
    return Vector(x: cos(up) * cos(round), y: cos(up) * sin(round), z: sin(up))
  }

  private static func distance(_ a: Vector, _ b: Vector) -> Double {
    2 * radius * asin(min(1, square(a, b).squareRoot() / 2))
  }

  /// The square of the chord between two places.
  private static func square(_ a: Vector, _ b: Vector) -> Double {
    let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
    return x * x + y * y + z * z
  }

  /// The square of the chord of a distance.
  private static func square(_ distance: Double) -> Double {
    let half = sin(min(distance / (2 * radius), .pi / 2))
    return 4 * half * half
  }

  /// By halving, until the samples are near enough.
  private static func between(_ a: Vector, _ b: Vector, spacing: Double) -> [Vector] {
    guard distance(a, b) > spacing else { return [] }
    let (x, y, z) = (a.x + b.x, a.y + b.y, a.z + b.z)
    let length = (x * x + y * y + z * z).squareRoot()
    let middle = Vector(x: x / length, y: y / length, z: z / length)
    return between(a, middle, spacing: spacing) + [middle] + between(middle, b, spacing: spacing)
  }
}

@Suite(.slow) struct FlightAreaTests {
  @Test(arguments: Flight.all)
  fileprivate func `finds exactly the tiles that samples of the corridor touch`(_ flight: Flight) throws {
    let found = Set(try flight.area.tiles(zooms: flight.zooms))
    let samples = Samples(flight)
    var doubtful = 0
    for zoom in flight.zooms {
      #expect(found.contains { $0.zoom == zoom })
      for tile in candidates(flight, zoom) {
        guard let isHeld = samples.holds(tile) else {
          doubtful += 1
          continue
        }
        #expect(found.contains(tile) == isHeld, "\(tile)")
      }
    }
    #expect(doubtful <= 2)
  }

  /// All tiles of a band around the route that is far wider than the corridor; of few zooms, all of the world.
  private func candidates(_ flight: Flight, _ zoom: Int) -> [MapTile] {
    let count = 1 << zoom
    guard zoom > 5 else {
      return (0..<count).flatMap { row in (0..<count).map { MapTile(zoom: zoom, column: $0, row: row) } }
    }
    var tiles: Set<MapTile> = []
    let points = flight.route.map {
      MapTile(zoom: zoom, containing: Coordinate(latitude: $0.0, longitude: $0.1))
    }
    let (columns, rows) = (points.map(\.column), points.map(\.row))
    let spread = (columns.max() ?? 0) - (columns.min() ?? 0)
    // Points on both sides of 180 degrees: their columns are counted on beyond the last one.
    let turned = spread > count / 2 ? columns.map { $0 < count / 2 ? $0 + count : $0 } : columns
    let room = count / 40 + 2
    for column in ((turned.min() ?? 0) - room)...((turned.max() ?? 0) + room) {
      for row in ((rows.min() ?? 0) - room)...((rows.max() ?? 0) + room) where (0..<count).contains(row) {
        tiles.insert(MapTile(zoom: zoom, column: (column + count) % count, row: row))
      }
    }
    return tiles.sorted()
  }

  @Test func `a tile has its parent and is listed once`() throws {
    for flight in Flight.all {
      let tiles = try flight.area.tiles(zooms: flight.zooms)
      let all = Set(tiles)
      #expect(all.count == tiles.count)
      for tile in tiles where tile.zoom > flight.zooms.lowerBound {
        #expect(all.contains(MapTile(zoom: tile.zoom - 1, column: tile.column / 2, row: tile.row / 2)))
      }
    }
  }

  @Test func `a box has the tiles with which it shares more than an edge`() throws {
    let quarter = try FlightArea(BoundingBox(west: -90, south: 0, east: 0, north: 40))
    #expect(quarter.tiles(zooms: 2...2) == [MapTile(zoom: 2, column: 1, row: 1)])
    let pacific = try FlightArea(BoundingBox(west: 170, south: 50, east: -170, north: 60))
    #expect(Set(pacific.tiles(zooms: 3...3).map(\.column)) == [0, 7])
    #expect(pacific.contains(Coordinate(latitude: 55, longitude: 180)))
    #expect(pacific.contains(Coordinate(latitude: 55, longitude: -180)))
    #expect(!pacific.contains(Coordinate(latitude: 55, longitude: 0)))
    let world = try FlightArea(BoundingBox(west: -180, south: -90, east: 180, north: 90))
    #expect(world.tiles(zooms: 0...3).count == 1 + 4 + 16 + 64)
  }

  @Test func `rejects an invalid area`() throws {
    let place = Coordinate(latitude: 37, longitude: -122)
    #expect(throws: FlightAreaError.emptyRoute) { try FlightArea(route: [], eitherSide: 5) }
    #expect(throws: FlightAreaError.invalidDistance(0)) { try FlightArea(around: place, radius: 0) }
    #expect(throws: FlightAreaError.self) { try FlightArea(around: place, radius: .nan) }
    #expect(throws: FlightAreaError.self) {
      try FlightArea(around: Coordinate(latitude: 91, longitude: 0), radius: 5)
    }
    let opposite = Coordinate(latitude: -37, longitude: 58)
    #expect(throws: FlightAreaError.antipodalLeg(place, opposite)) {
      try FlightArea(route: [place, opposite], eitherSide: 5)
    }
    #expect(throws: FlightAreaError.self) {
      try FlightArea(BoundingBox(west: 0, south: 40, east: 10, north: 40))
    }
    #expect(throws: FlightAreaError.self) {
      try FlightArea(BoundingBox(west: 180, south: 40, east: -180, north: 50))
    }
  }

  @Test func `distances are those of the mean sphere`() throws {
    let (palo, monterey) = (
      Coordinate(latitude: 37.461, longitude: -122.115), Coordinate(latitude: 36.587, longitude: -121.843)
    )
    #expect(abs(palo.distance(to: monterey) - 54.0709) < 0.0001)
    let middle = palo.point(at: 0.5, to: monterey)
    #expect(abs(middle.distance(to: palo) - middle.distance(to: monterey)) < 1e-6)
    let tile = MapTile(zoom: 12, containing: palo)
    #expect(tile == MapTile(zoom: 12, column: 658, row: 1587) && tile.tmsRow == 2508)
  }
}

/// The charts of a flight, computed from the catalogue.
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
    try FlightArea(route: route.map { Coordinate(latitude: $0.0, longitude: $0.1) }, eitherSide: 25)
  }

  private var now: Date { Date(timeIntervalSince1970: 1_796_100_000) }

  @Test func `a route needs the charts that it crosses but no mosaic`() throws {
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

  @Test func `an estimate has the tiles of the area and their share of the bytes`() throws {
    let area = try corridor([(37.46, -122.11), (36.59, -121.84)])
    let download = try catalog().download(for: area, of: "vfr-sectional", zooms: 8...12, at: now)
    for zoom in 8...12 { #expect(download.tiles.tiles[zoom] == area.tiles(zooms: zoom...zoom).count) }
    #expect(download.tiles.tiles[7] == nil)
    // The corridor is about a twentieth of the chart.
    #expect((2_500_000...4_500_000).contains(download.tiles.bytes), "\(download.tiles.bytes)")
    let whole = try FlightArea(BoundingBox(west: -125, south: 36, east: -118, north: 40.5))
    let all = try catalog().download(for: whole, of: "vfr-sectional", at: now)
    #expect(all.products.map(\.item) == ["West"])
    #expect((48_000_000...52_000_000).contains(all.tiles.bytes), "\(all.tiles.bytes)")
  }

  @Test func `a chart inside another is a region but its tiles do not count`() throws {
    let inset = Self.chart("Inset", -122.5, -121.5, "e").replacing("\"north\": 40.5", with: "\"north\": 39")
      .replacing("\"maxZoom\": 12", with: "\"maxZoom\": 13")
    let area = try corridor([(37.46, -122.11), (36.59, -121.84)])
    let with = try catalog(and: inset).download(for: area, of: "vfr-sectional", at: now)
    let without = try catalog().download(for: area, of: "vfr-sectional", at: now)
    #expect(with.products.map(\.item) == ["Inset", "West"] && with.tiles == without.tiles)
    #expect(with.products.first?.maxZoom == 13 && without.tiles.tiles[13] == nil)
  }
}
