import Core
import Foundation
import ImageIO
import SQLiteIO
import SyntheticSheet
import TestSupport
import Testing

@testable import ChartpipeKit

/// The result of a run of the sample cycle.
@Suite(.slow, .blocking) struct SampleCycleTests {
  private let work: TemporaryFolder

  init() async throws { work = try await Samples.cycle() }

  private func built(_ path: String) -> URL { work.file("build/2304").appending(path: path) }

  private func design(_ name: String) throws -> SheetDesign {
    let day = try #require(CalendarDay(SheetDesign.sampleCycleDay))
    let cycle = try #require(AiracCycle(effective: day))
    let samples = try SampleSet(samples: samplesFolder, cycle: cycle)
    return try #require(samples.charts.map(\.design).first { $0.name == name })
  }

  /// Our own formulas draw the marks, so they are evidence independent of PROJ, GDAL and the tiler.
  @Test(arguments: [
    ("Sample West", "sample-sectional/Sample_West"), ("Sample East", "sample-sectional/Sample_East"),
    ("Sample Bay", "sample-terminal/Sample_Bay"),
  ])
  func `control marks lie where they were drawn`(chart: String, product: String) throws {
    let archive = try MBTilesReader(opening: built(product + ".mbtiles"))
    let zoom = try #require(try archive.summary().zooms.last?.zoom)
    let marks = try design(chart).controlMarks()
    var measured = 0
    for mark in marks {
      guard let found = try darkness(around: mark.point, zoom: zoom, in: archive) else { continue }
      measured += 1
      #expect(abs(found.x) < 1 && abs(found.y) < 1, "\(mark.point) is off by \(found)")
    }
    #expect(measured >= 4, "of \(marks.count) marks")
  }

  @Test func `Palo Alto has the values of its rows`() throws {
    let database = try SQLiteConnection(built("sample-nasr/aviation.sqlite").path, mode: .readOnly)
    let airport = try database.prepare(
      "SELECT name, elevation, fuelTypes, ctafFrequency, isTowered, longestRunway FROM airports WHERE icao = 'KPAO'"
    ).map { row in [row.text(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5)] }
    #expect(airport == [["PALO ALTO", "6.8", "[\"100LL\",\"JetA\"]", "118.6", "1", "2443"]])
    let runways = try database.prepare(
      "SELECT id, length, width, surface, baseEndTraffic, reciprocalEndTraffic FROM runways WHERE airport = 'KPAO'"
    ).map { row in (0..<6).map { row.text($0) } }
    #expect(runways == [["13/31", "2443", "70", "asphalt", "left", "right"]])
  }

  @Test func `the report shows every chart of the cycle`() throws {
    let report = work.file("site/cycles/2304/report.html")
    let page = try report.text
    let charts = page.matches(of: /id="(sample-(?:sectional|terminal)\/[^"]+)"/).count
    #expect(charts == 3 && page.ranges(of: "<img ").count == 5 * charts)
    #expect(page.contains("<strong>Good to publish</strong>"))
  }

  @Test func `validate --html writes a page`() throws {
    let folder = TemporaryFolder()
    let page = folder.file("report.html")
    try Program().run("validate \(built("").path) --html \(page.path)").expect(0)
    #expect(try page.text.contains("<title>Cycle 2304: Good to publish</title>"))
    let archive = built("sample-terminal/Sample_Bay.mbtiles").path
    #expect(try Program().run("validate \(archive) --html \(archive)").status == 2)
  }

  @Test func `finds the airspaces at a place by their shapes`() throws {
    let database = try SQLiteConnection(built("sample-nasr/aviation.sqlite").path, mode: .readOnly)
    let airspace = try database.prepare(
      """
      SELECT a.class, a.name, a.floorText, a.ceilingText FROM airspaces_rtree r JOIN airspaces a ON a.id = r.id
      WHERE a.designator IN ('PAO', 'R-9901', 'SAMPLEHLS') ORDER BY a.id
      """
    ).map { row in (0..<4).map { row.text($0) } }
    #expect(
      airspace == [
        ["delta", "PALO ALTO CLASS D", "SFC", "2000 ft MSL"],
        ["delta", "PALO ALTO CLASS D", "SFC", "1500 ft MSL"],
        ["restricted", "R-9901 SAMPLE COAST, CA", "SFC", "FL180"],
        ["moa", "SAMPLE HILLS MOA, CA", "500 ft AGL", "9000 ft MSL"],
        ["moa", "SAMPLE HILLS MOA, CA", "1500 ft AGL", "9000 ft MSL"],
      ])
    let arc = try database.prepare(
      "SELECT json_array_length(geometry, '$.coordinates[0]') > 10, round(north, 2) FROM airspaces WHERE designator = 'R-9901'"
    ).map { row in [row.text(0), row.text(1)] }
    #expect(arc == [["1", "37.48"]])
  }

  @Test func `obstacles are a separate product`() throws {
    let database = try SQLiteConnection(built("sample-obstacles/obstacles.sqlite").path, mode: .readOnly)
    let tower = try database.prepare(
      "SELECT type, heightAGL, heightMSL, lighting FROM obstacles WHERE oas = '99-000001'"
    ).map { row in (0..<4).map { row.text($0) } }
    #expect(tower == [["TOWER", "285", "345", "red"]])
  }

  @Test(arguments: [
    ("sample-nasr/airspaces", "\"Palo Alto Class D\""), ("sample-nasr/airspaces", "Sample Hills MOA"),
    ("sample-obstacles/obstacles", "99-000001"),
  ])
  func `the map layers contain airspaces and obstacles`(layer: String, words: String) throws {
    let file = built("\(layer).geojson")
    #expect(try file.text.contains(words))
  }

  @Test(arguments: [("\"KPAO\"*", "KPAO"), ("\"PAO\"*", "PAO"), ("\"palo\" \"alto\"*", "PALO ALTO")])
  func `each kind of search finds Palo Alto first`(match: String, typed: String) throws {
    let database = try SQLiteConnection(built("sample-nasr/aviation.sqlite").path, mode: .readOnly)
    let found = try database.prepare(
      """
      SELECT a.icao FROM airports_fts f INNER JOIN airports a ON a.id = f.rowid WHERE airports_fts MATCH ?
      ORDER BY ? IN (a.icao, a.faaID) DESC, f.rank, a.icao LIMIT 20
      """
    ).map([.text(match), .text(typed)]) { $0.text(0) }
    #expect(found.first == "KPAO")
  }

  @Test func `an acceptance of a mistyped product is a warning that names the right one`() throws {
    let folder = work.file("build/2304/sample-terminal")
    try Program().run("validate \(folder.path) --accept place-evidence@sample-terminal/Sample_Boy:known")
      .expect(
        0,
        "warning: place-evidence@sample-terminal/Sample_Boy has no findings, so there was nothing to accept. ",
        "Did you mean place-evidence@sample-terminal/Sample_Bay?")
  }

  @Test func `the staged site is complete and valid`() throws {
    let site = work.file("site")
    try Program().run("validate \(site.path) --strict --json").expect(0)
    let catalogue = try site.appending(path: "catalog.json").text
    for id in [
      "sample-sectional/Sample_West", "sample-sectional/Sample_East", "sample-terminal/Sample_Bay",
      "sample-nasr/aviation", "sample-nasr/airports", "sample-nasr/identifiers", "sample-nasr/map",
      "sample-nasr/openefb", "sample-nasr/vector",
    ] { #expect(catalogue.contains("\"id\":\"\(id)\"")) }
    #expect(catalogue.contains("\"current\":null"), "the cycle of 2023 has expired")
  }

  /// The offset of the centre of a mark's ink from its place, in pixels of the zoom; nil where a tile's edge cuts it.
  private func darkness(
    around place: GeoPoint, zoom: Int, in archive: MBTilesReader
  ) throws -> (x: Double, y: Double)? {
    let id = TileID(zoom: zoom, containing: place)
    let (west, north, side) = id.mercator
    let (x, y) = WebMercator.project(place)
    let center = (x: (x - west) / side * 256, y: (north - y) / side * 256)
    guard (10...246).contains(center.x), (10...246).contains(center.y) else { return nil }
    let data = try #require(try archive.tile(id), "no tile at \(place)")
    let image = try PNG.decode(data)
    var sum = (weight: 0.0, x: 0.0, y: 0.0)
    for row in Int(center.y) - 4...Int(center.y) + 4 {
      for column in Int(center.x) - 4...Int(center.x) + 4 {
        let start = (row * image.width + column) * 4
        let ink = max(0, 160 - Double(image.pixels[start..<start + 3].map(Int.init).reduce(0, +)) / 3)
        sum.weight += ink
        sum.x += ink * (Double(column) + 0.5 - center.x)
        sum.y += ink * (Double(row) + 0.5 - center.y)
      }
    }
    try #require(sum.weight > 0, "no ink at \(place)")
    return (sum.x / sum.weight, sum.y / sum.weight)
  }
}

/// The sample cycle's catalogue and manifest, checked against the schemas.
@Suite(.slow, .blocking, .enabled(if: SchemaCheck.isInstalled)) struct PublishedSchemaTests {
  @Test(arguments: [("catalog", "catalog.json"), ("manifest", "cycles/2304/manifest.json")])
  func `the staged catalogue and manifest match their schemas`(schema: String, path: String) async throws {
    let file = try await Samples.cycle().file("site").appending(path: path)
    #expect(try SchemaCheck(schema).verdicts([file]) == ["\(file.lastPathComponent) ok"])
  }
}

/// Every library that the program is linked with is recorded in the manifest, or this list says why it cannot change a byte. A new
/// library fails the test until it is in one of the two lists.
@Suite(.slow, .blocking) struct RecordedVersionsTests {
  /// The names in a manifest. GDAL brings GEOS, libtiff and libgeotiff.
  private static let recorded = [
    "libgdal": ["gdal", "geos", "libtiff", "libgeotiff"], "libproj": ["proj", "proj.db"],
    "libsqlite3": ["sqlite"], "libdeflate": ["libdeflate"], "libwebp": ["libwebp"], "libzip": ["libzip"],
    "libc": ["libc"], "libm": ["libc"], "libFoundation": ["swift"], "libswift": ["swift"], "lib_": ["swift"],
    "libdispatch": ["swift"], "libBlocksRuntime": ["swift"],
  ]

  private static let harmless = [
    "libpng":
      "only reads PNG, which is lossless; the program encodes PNG itself and compresses with libdeflate",
    "libz": "comes with libpng and only inflates",
    "libcrypto": "hashes and signs: the standards fix each bit",
    "libstdc++": "the C++ of other libraries", "libgcc_s": "the unwinding of errors",
    "ld-linux": "loads the program",
    "libTesting": "tests only", "libXCTest": "tests only",
  ]

  /// `libgdal` of `libgdal.so.32`.
  private func linked() throws -> [String] {
    let ending = try RunningProgram(URL(filePath: "/usr/bin/readelf"), ["-d", Program().url.path]).wait()
    return ending.output.matches(of: /\(NEEDED\).*\[([^\]]+?)\.so/).map { String($0.1) }
  }

  private func entry<Value>(_ library: String, _ table: [String: Value]) -> Value? {
    table.filter { library.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }?.value
  }

  private static let hasReader = FileManager.default.isExecutableFile(atPath: "/usr/bin/readelf")

  @Test(.enabled(if: hasReader)) func `every linked library is recorded or cannot change a byte`() throws {
    let libraries = try linked()
    try #require(libraries.contains("libgdal"))
    for library in libraries {
      #expect(entry(library, Self.recorded) != nil || entry(library, Self.harmless) != nil, "\(library)")
    }
  }

  @Test func `every product records its libraries`() async throws {
    let file = try await Samples.cycle().file("site/cycles/2304/manifest.json")
    let products = try file.decoded(Manifest.self).products
    for product in products {
      let both: Set = ["sqlite", "libc", "swift", "gdal", "geos"]
      let own: Set =
        product.kind == .chart
        ? ["proj", "proj.db", "libtiff", "libgeotiff", "libdeflate", "libwebp", "warp"]
        : product.format == "vectortiles" ? ["libzip", "libdeflate"] : ["libzip"]
      #expect(Set(product.build.libraries.keys) == both.union(own), "\(product.id)")
      #expect(product.build.libraries.values.allSatisfy { $0.contains(where: \.isNumber) || $0 == "kernel" })
    }
    let names = Set(products.flatMap(\.build.libraries.keys)).subtracting(["warp"])
    #expect(names == Set(Self.recorded.values.flatMap(\.self)))
  }
}
