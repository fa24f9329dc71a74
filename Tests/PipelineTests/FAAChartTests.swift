import Core
import Testing

@testable import ChartpipeKit

/// The definitions of the FAA's charts.
@Suite struct FAAChartTests {
  static let names = [
    "vfr-sectional", "vfr-terminal", "vfr-helicopter", "caribbean", "grand-canyon", "planning", "ifr-low",
    "ifr-high", "ifr-area",
  ]

  @Test(arguments: [
    ("ifr-low", 43, 47), ("ifr-high", 15, 19), ("ifr-area", 6, 20), ("vfr-sectional", 53, 57),
    ("vfr-terminal", 30, 55), ("vfr-helicopter", 9, 18), ("caribbean", 2, 2),
    ("grand-canyon", 1, 2), ("planning", 2, 2),
  ])
  func `every zip and image exists`(name: String, zips: Int, images: Int) throws {
    let family = try family(name)
    #expect(family.name == name)
    #expect(Set(family.charts.map { $0.zip.lowercased() }).count == zips)
    #expect(Set(family.charts.map { $0.tif.lowercased() }).count == images)
    #expect(family.charts.count == images)
    let day = try #require(CalendarDay("2026-10-29"))
    let url = try #require(family.url?.filled(name: "A.zip", day: day))
    #expect(
      url.wholeMatch(
        of: /https:\/\/aeronav\.faa\.gov\/(visual\/10-29-2026\/[A-Za-z_-]+|enroute\/10-29-2026)\/A\.zip/)
        != nil)
    #expect(family.attribution.contains("not for navigation"))
  }

  @Test func `terminal zips contain charts and flyways`() throws {
    let terminal = try family("vfr-terminal")
    let flyways = terminal.charts.filter { $0.tif.hasSuffix(" FLY.tif") }
    #expect(terminal.charts.count { $0.tif.hasSuffix(" TAC.tif") } == 34)
    #expect(flyways.count == 21)
    #expect(flyways.allSatisfy { $0.id.hasSuffix("_FLY") })
    #expect(terminal.mosaics.map { Set($0.without ?? []) } == [Set(flyways.map(\.id))])
  }

  @Test func `region ids are unique over all families`() throws {
    let regions = try FAAChartTests.names.map { try family($0) }.flatMap { family in
      family.charts.compactMap { chart in
        family.region(of: chart).map { (id: $0, product: "\(family.name)/\(chart.id)") }
      }
    }
    #expect(regions.count == 136 + 86)
    #expect(throws: Never.self) {
      try checkRegionIDs(regions) { UserError(.badInput, operation: "checking", reason: $0) }
    }
    let own = regions.map(\.id).filter { $0.hasPrefix("San_Francisco") }
    #expect(own.sorted() == ["San_Francisco", "San_Francisco_FLY", "San_Francisco_TAC"])
  }

  @Test(arguments: ["ifr-low", "ifr-high", "ifr-area"])
  func `each enroute chart is in one family of its zip`(name: String) throws {
    let own = try family(name)
    #expect(own.undated == true)
    #expect(own.mosaics.map(\.order) == [.scale])
    #expect(own.fit == .grid && own.charts.allSatisfy { $0.neatline == nil })
    let others = try FAAChartTests.names.filter { $0 != name }.flatMap { try family($0).charts }
    let zips = Set(own.charts.map(\.zip))
    let beside = Set(others.filter { zips.contains($0.zip) }.map(\.tif))
    #expect(beside.isSubset(of: own.notCharts))
  }

  /// The sectionals that OpenEFB lists by itself, until it reads a list.
  @Test(arguments: [
    "San_Francisco", "Los_Angeles", "Seattle", "Phoenix", "Salt_Lake_City", "Denver", "Dallas-Ft_Worth",
    "Chicago", "Atlanta", "New_York", "Miami", "Charlotte", "Detroit", "St_Louis", "Kansas_City",
  ])
  func `each sectional of the app's own list is a region of the same id`(id: String) throws {
    let family = try family("vfr-sectional")
    #expect(family.charts.compactMap(family.region).filter { $0 == id }.count == 1)
  }

  @Test func `each image is in its zip`() throws {
    for chart in try FAAChartTests.names.flatMap({ try family($0).charts }) {
      #expect(chart.zip.hasSuffix(".zip"), "\(chart.id)")
      #expect(chart.tif.hasSuffix(".tif"), "\(chart.id)")
      #expect(!chart.name.contains("_"), "\(chart.id)")
    }
    for chart in try family("vfr-sectional").charts {
      #expect(chart.tif == "\(chart.name) SEC.tif")
      #expect(chart.id == chart.name.replacing(" ", with: "_"))
    }
  }

  /// A file is found under any spelling of its name, so no other file may have a name that is only spelled in another way.
  @Test func `no two names are spellings of the same name`() throws {
    let families = try FAAChartTests.names.map(family)
    let zips = Set(families.flatMap { $0.charts.map(\.zip) })
    #expect(Set(zips.map(PublishedName.key)).count == zips.count)
    let tifs = Set(families.flatMap { $0.charts.map(\.tif) + $0.notCharts })
    #expect(Set(tifs.map(PublishedName.key)).count == tifs.count)
  }

  @Test(arguments: names)
  func `no file is both a chart and not a chart`(name: String) throws {
    let family = try family(name)
    #expect(Set(family.notCharts).isDisjoint(with: family.charts.map(\.tif)))
  }

  @Test func `each sectional chart is in one mosaic, besides those on top of others or unproved`() throws {
    let family = try family("vfr-sectional")
    let mosaics = family.mosaics.map { family.charts(of: $0).map(\.id) }
    #expect(family.mosaics.map(\.id) == ["United_States", "Alaska"] && mosaics.map(\.count) == [39, 16])
    #expect(Set(mosaics.joined()).count == 55)
    let apart = family.charts.filter { !family.completesEdges($0) }.map(\.id)
    #expect(apart == ["Hawaiian_Islands", "Honolulu_Inset"])
    #expect(family.mosaics.map { family.tiles(for: $0).maxZoom } == [12, 11])
    #expect(family.mosaics.map { family.tiles(for: $0).minZoom } == [5, 5])
  }

  @Test(arguments: names.filter { !$0.hasPrefix("ifr") })
  func `zooms follow the scale`(name: String) throws {
    let family = try family(name)
    let deepest = [
      "Honolulu_Inset": 13, "US_Gulf_Coast": 11, "Washington_Inset": 15, "Boston_Downtown": 15,
      "Downtown_Manhattan": 15, "Eastern_Long_Island": 13, "AK_Wall": 10,
    ]
    // Web Mercator enlarges Alaska.
    let north = Set(family.mosaics.first { $0.id == "Alaska" }?.charts ?? [])
    for chart in family.charts {
      let settings = family.tiles(for: chart)
      let expected = deepest[chart.id] ?? family.tiles.maxZoom - (north.contains(chart.id) ? 1 : 0)
      #expect(settings.maxZoom == expected, "\(chart.id)")
      #expect(settings.minZoom <= 6 && settings.minZoom == family.tiles.minZoom)
    }
  }

  /// The edges of an outline go round anticlockwise from the west: upright and level ones in turn, except for slanted ones.
  @Test func `the sides are in order`() throws {
    for chart in try FAAChartTests.names.flatMap({ try family($0).charts }) {
      guard let outline = chart.neatline?.outline, !outline.contains(where: \.isStraight) else { continue }
      #expect(outline.count >= 4 && outline.count.isMultiple(of: 2), "\(chart.id)")
      for (index, edge) in outline.enumerated() {
        #expect(edge.isUpright == index.isMultiple(of: 2), "\(chart.id), edge \(index + 1)")
      }
    }
  }

  /// Where no two sources agree, the build looks for the edges.
  @Test func `the charts without neatlines are known`() throws {
    let bare = try FAAChartTests.names.filter { !$0.hasPrefix("ifr-") }.flatMap { name in
      try family(name).charts.filter { $0.neatline == nil }.map { "\(name)/\($0.id)" }
    }
    #expect(
      bare == [
        "vfr-sectional/Mariana_Islands_Inset", "vfr-terminal/Colorado_Springs",
        "vfr-helicopter/Eastern_Long_Island", "planning/US_Wall", "planning/AK_Wall",
      ])
  }

  /// A flyway chart shows the ground of its terminal area chart, and their edges were read from different sources.
  @Test func `flyways have the edges of their terminal area charts`() throws {
    let charts = try family("vfr-terminal").charts
    for flyway in charts where flyway.id.hasSuffix("_FLY") {
      let terminal = try #require(charts.first { $0.id + "_FLY" == flyway.id })
      let pairs = try zip(#require(flyway.neatline).outline, #require(terminal.neatline).outline)
      for (one, other) in pairs {
        let (one, other) = (try #require(one.place), try #require(other.place))
        #expect(abs(one.longitude - other.longitude) < 0.0101, "\(flyway.id)")
        #expect(abs(one.latitude - other.latitude) < 0.0101, "\(flyway.id)")
      }
    }
  }

  @Test(arguments: RealSheet.all)
  func `edges are within the images of real sheets`(sheet: RealSheet) throws {
    let charts = try family("vfr-sectional").charts + family("caribbean").charts
    let neatline = try #require(charts.first { $0.id == sheet.id }?.neatline)
    let west = try #require(neatline.outline[0].place)
    // The last column and row that meet are those of the north-eastern corner.
    let corner = try #require(
      neatline.outline.indices.dropLast().last {
        neatline.outline[$0].isColumn && neatline.outline[$0 + 1].isRow
      })
    let north = try sheet.pixel(of: #require(neatline.outline[corner + 1].place))
    let east = try sheet.pixel(of: #require(neatline.outline[corner].place))
    #expect((0...north.x).contains(sheet.pixel(of: west.at(north, sheet)).x))
    #expect((0...Double(sheet.height) / 8).contains(north.y))
    // The sheet ends at its eastern cut, but for some ragged paper.
    #expect((Double(sheet.width) - 300...Double(sheet.width)).contains(east.x))
    // The corner in which the eastern edge was read is the one with the northern.
    #expect(abs(east.y - north.y) < 40)
    guard neatline.outline.count == 4, case .rowThrough(let place) = neatline.outline[1] else { return }
    let south = sheet.pixel(of: place)
    #expect((Double(sheet.height) * 0.9...Double(sheet.height)).contains(south.y))
    #expect(abs(south.x - east.x) < 40)
  }
}

extension GeoPoint {
  /// The place of the same longitude in about the row of a pixel.
  fileprivate func at(_ pixel: (x: Double, y: Double), _ sheet: RealSheet) -> GeoPoint {
    GeoPoint(longitude: longitude, latitude: sheet.latitude(atRow: pixel.y))
  }
}

extension NeatlineDefinition.Edge {
  fileprivate var isColumn: Bool { if case .columnThrough = self { true } else { false } }
  fileprivate var isRow: Bool { if case .rowThrough = self { true } else { false } }
  fileprivate var isStraight: Bool { if case .straight = self { true } else { false } }
  fileprivate var isUpright: Bool {
    switch self {
    case .meridian, .column, .columnThrough: true
    case .parallel, .row, .rowThrough, .straight: false
    }
  }
}

/// A sheet of the FAA's as the page beside its image describes it.
struct RealSheet: Sendable, CustomTestStringConvertible {
  let id: String
  let projection: LambertConformal
  let width: Int
  let height: Int
  private let metres: (x: Double, y: Double)
  private let left: Double
  private let top: Double

  var testDescription: String { id }

  /// The northernmost place of an image is in its first row, at the central meridian; the westernmost in its first
  /// corner.
  private init(
    _ id: String, middle: Double, band: Double, size: (Int, Int), metres: (Double, Double), west: Double,
    north: Double
  ) {
    self.id = id
    (width, height) = size
    self.metres = metres
    projection = LambertConformal(
      standardParallels: (band + 20.0 / 3, band + 4.0 / 3),
      origin: GeoPoint(longitude: middle, latitude: band + 4))
    top = projection.project(GeoPoint(longitude: middle, latitude: north)).y
    var corner = GeoPoint(longitude: west, latitude: north)
    for _ in 0..<30 {
      corner.latitude = projection.unproject(x: projection.project(corner).x, y: top).latitude
    }
    left = projection.project(corner).x
  }

  func pixel(of place: GeoPoint) -> (x: Double, y: Double) {
    let (x, y) = projection.project(place)
    return ((x - left) / metres.x, (top - y) / metres.y)
  }

  func latitude(atRow row: Double) -> Double {
    projection.unproject(x: left, y: top - row * metres.y).latitude
  }

  static let all = [
    RealSheet(
      "Atlanta", middle: -84.5, band: 32, size: (17_951, 12_354), metres: (42.333684, 42.332068),
      west: -89.244486, north: 36.621420),
    RealSheet(
      "Caribbean_2", middle: -66.725, band: 16, size: (17_814, 12_255), metres: (84.649361, 84.651652),
      west: -74.851295, north: 22.253764),
    RealSheet(
      "Denver", middle: -107.5, band: 32, size: (16_635, 12_391), metres: (42.334666, 42.334857),
      west: -111.954316, north: 40.125550),
    RealSheet(
      "Houston", middle: -94, band: 24, size: (16_572, 12_218), metres: (42.336111, 42.334605),
      west: -97.872848, north: 32.274675),
    RealSheet(
      "Jacksonville", middle: -82, band: 24, size: (16_617, 12_412), metres: (42.334327, 42.333834),
      west: -85.883729, north: 32.276964),
    RealSheet(
      "Los_Angeles", middle: -118 - 28.0 / 60, band: 32, size: (16_645, 12_349),
      metres: (42.335031, 42.335971), west: -122.395266, north: 36.672355),
    RealSheet(
      "Miami", middle: -79 - 55.0 / 60, band: 24, size: (17_198, 12_313), metres: (42.333644, 42.33512),
      west: -83.777984, north: 28.549194),
    RealSheet(
      "New_York", middle: -72.966667, band: 40, size: (17_885, 12_377), metres: (42.334022, 42.335828),
      west: -78.136657, north: 44.294169),
    RealSheet(
      "San_Francisco", middle: -121 - 25.0 / 60, band: 32, size: (16_658, 12_340),
      metres: (42.3366, 42.337168), west: -125.946499, north: 40.639460),
    RealSheet(
      "Washington", middle: -75.5, band: 32, size: (16_708, 12_341), metres: (42.331926, 42.330773),
      west: -79.948223, north: 40.279218),
  ]
}
