import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// All sectionals of the FAA's definition, as small drawn sheets.
@Suite(.blocking, .slow) struct SectionalFleetTests {
  /// Two pixels of the coarsest sheets, and the hundredths by which the definition rounds inwards.
  private static let tolerance = 0.06

  /// Charts without seams and mosaic, which `FleetTests` covers.
  private static let built = Samples.shared { () -> (fleet: DrawnFleet, work: TemporaryFolder) in
    let fleet = try DrawnFleet("vfr-sectional", metresPerPixel: 3500, fewestPixels: 150, change: setApart)
    let work = TemporaryFolder()
    try fleet.chartpipe("run", work: work).expect(0)
    return (fleet, work)
  }

  private static func setApart(_ family: inout ChartFamily) {
    (family.covers, family.mosaics, family.seam) = (nil, [], .clean)
  }

  /// Drawn with independently measured numbers, and built with the definition's.
  private static let independent = Samples.shared { () -> (fleet: DrawnFleet, work: TemporaryFolder) in
    let prints = SectionalPrints.outlines
    let fleet = try DrawnFleet(
      "vfr-sectional", metresPerPixel: 2500, fewestPixels: 200, printed: prints
    ) { family in
      family.charts.removeAll { prints[$0.id] == nil }
      setApart(&family)
    }
    let work = TemporaryFolder()
    try fleet.chartpipe("build", work: work).expect(0)
    return (fleet, work)
  }

  /// Four edges, none of them tilted: the steps of other small sheets are too short to measure.
  private func isPlain(_ chart: ChartDefinition) -> Bool {
    guard let outline = chart.neatline?.outline, outline.count == 4 else { return false }
    return !outline.contains { if case .straight = $0 { true } else { false } }
  }

  @Test func `cuts every plain sheet without a flag`() async throws {
    let (fleet, work) = try await Self.built.value
    let plain = fleet.family.charts.filter(isPlain)
    #expect(plain.count == 49)
    for chart in plain {
      let cut = try #require(try fleet.product(chart.id, in: work).cut, "\(chart.id)")
      for edge in cut.edges { #expect(edge.flags.isEmpty, "\(chart.id), \(edge.name): \(edge.flags)") }
    }
  }

  @Test func `finds or flags every independently measured print`() async throws {
    let (fleet, work) = try await Self.independent.value
    #expect(fleet.family.charts.count == 53)
    for chart in fleet.family.charts {
      let product = try fleet.product(chart.id, in: work)
      let flags = try #require(product.cut, "\(chart.id)").edges.flatMap(\.flags)
      guard let print = SectionalPrints.extents[chart.id] else { continue }
      let isFound = isCut(product, at: print)
      #expect(isFound || !flags.isEmpty, "\(chart.id) is cut at \(extent(product)), and nothing is flagged")
    }
  }

  /// The build finds an edge that is tenths of a degree away, and flags one that is degrees away.
  @Test(arguments: [(-104.1, true), (-105.9, false)])
  func `finds or flags a wrong number in the definition`(east: Double, isFound: Bool) throws {
    let fleet = try DrawnFleet(
      "vfr-sectional", metresPerPixel: 2500, fewestPixels: 200, printed: SectionalPrints.outlines
    ) { family in
      family.charts.removeAll { $0.id != "Denver" }
      family.charts[0].neatline?.outline[2] = .columnThrough(GeoPoint(longitude: east, latitude: 40.05))
      Self.setApart(&family)
    }
    let work = TemporaryFolder()
    try fleet.chartpipe("build", work: work).expect(0)
    let product = try fleet.product("Denver", in: work)
    #expect(isCut(product, at: try #require(SectionalPrints.extents["Denver"])) == isFound)
    #expect(try #require(product.cut?.edges[2]).flags.isEmpty == isFound)
  }

  @Test func `validates and stages all charts`() async throws {
    let (fleet, work) = try await Self.built.value
    let manifest = try work.file("site/cycles/2304/manifest.json").text
    for id in fleet.family.charts.map(\.id) {
      #expect(manifest.contains("\"vfr-sectional/\(id)\""), "\(id) is not staged")
    }
  }

  @Test func `previews all charts`() async throws {
    let (fleet, work) = try await Self.built.value
    let preview = try await PreviewProgram(work.file("site"))
    #expect(try preview.get("").status == 200)
    let catalogue = try preview.object("catalog.json")
    let shown = try #require(catalogue["preview"] as? [String: Any])
    #expect(shown["problems"] as? [String] == [PreviewProgram.lacksVectorTiles])
    let archives = try #require(shown["archives"] as? [String: [String: Any]])
    #expect(archives.count == fleet.family.charts.count)
    let products = try #require(catalogue["products"] as? [[String: Any]])
    for (chart, place) in [("Denver", (-107.0, 39.0)), ("San_Francisco", (-121.0, 38.0))] {
      let tile = tile(longitude: place.0, latitude: place.1, zoom: fleet.family.tiles.maxZoom)
      let product = try #require(products.first { $0["id"] as? String == "vfr-sectional/\(chart)" })
      let paths = (product["files"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
      let archive = try #require(paths.first { archives[$0] != nil })
      let (status, body) = try preview.get("tiles/\(archive)/\(tile.zoom)/\(tile.column)/\(tile.row)")
      #expect(status == 200 && body.starts(with: Data([0x89, 0x50, 0x4E, 0x47])), "\(chart)")
    }
  }

  private func tile(longitude: Double, latitude: Double, zoom: Int) -> TileID {
    let (x, y) = WebMercator.project(GeoPoint(longitude: longitude, latitude: latitude))
    let side = 2 * WebMercator.halfWorld / Double(1 << zoom)
    return TileID(
      zoom: zoom, column: Int((x + WebMercator.halfWorld) / side),
      row: Int((WebMercator.halfWorld - y) / side))
  }

  /// Between its corners a straight north or south edge runs farther north than the corners.
  private func isCut(_ product: Product, at print: [Double]) -> Bool {
    let found = extent(product)
    let halfWidth = (print[2] - print[0]).remainder(dividingBy: 360) / 2 * .pi / 180
    let bulge = sin(2 * print[3] * .pi / 180) * halfWidth * halfWidth / 4 * 180 / .pi
    return zip(found, print).prefix(3).allSatisfy { abs($0 - $1) < Self.tolerance }
      && (-Self.tolerance...bulge + Self.tolerance).contains(found[3] - print[3])
  }

  /// West, south, east, north; the east of a chart across 180 degrees is west of 180.
  private func extent(_ product: Product) -> [Double] {
    let boxes = product.boundingBoxes ?? [product.boundingBox].compactMap(\.self)
    guard let first = boxes.first, let last = boxes.last else { return [] }
    return [first.west, boxes.map(\.south).min() ?? 0, last.east, boxes.map(\.north).max() ?? 0]
  }
}

/// The extents of the printed sectionals, measured independently of `pipelines/vfr-sectional.json5`.
///
/// The numbers are facts, in degrees, rounded to hundredths (some 20 pixels of a real sheet). A north or a level south is the
/// latitude of a corner. The charts of the Pacific are missing: their maps are tilted or lack a corner.
enum SectionalPrints {
  /// West, south, east, north.
  static let extents: [String: [Double]] = [
    "Albuquerque": [-109, 32, -101.78, 36.23], "Anchorage": [-151.5, 60, -139.35, 64.18],
    "Atlanta": [-88, 32, -80.78, 36.21], "Bethel": [-173.18, 59.55, -160.32, 64.18],
    "Billings": [-109, 44.41, -100.27, 49.03], "Brownsville": [-103, 24, -96.58, 28.24],
    "Cape_Lisburne": [-171.5, 68, -154.95, 72.18], "Charlotte": [-82, 32, -74.94, 36.24],
    "Cheyenne": [-109, 40, -100.62, 44.54], "Chicago": [-93, 40, -84.64, 44.2],
    "Cincinnati": [-85, 36, -77.72, 40.25], "Cold_Bay": [-164, 53.84, -154.09, 56.18],
    "Dallas-Ft_Worth": [-102, 32, -94.78, 36.23], "Dawson": [-145, 64, -130.72, 68.18],
    "Denver": [-111, 35.58, -103.72, 40.07], "Detroit": [-85, 40, -76.64, 44.21],
    "Dutch_Harbor": [-173, 52, -163.09, 56.17], "El_Paso": [-109, 28, -102.45, 32.23],
    "Fairbanks": [-158, 64, -143.73, 68.18], "Great_Falls": [-117, 44.41, -108.28, 49.03],
    "Green_Bay": [-93, 44, -84.32, 48.35], "Houston": [-97, 28, -90.45, 32.23],
    "Jacksonville": [-85, 28, -78.44, 32.25], "Juneau": [-141, 56, -129.71, 60.17],
    "Kansas_City": [-97, 36, -89.71, 40.23], "Ketchikan": [-139, 52, -129.26, 56.18],
    "Klamath_Falls": [-125, 40, -116.63, 44.54], "Lake_Huron": [-85, 44, -76.34, 48.23],
    "Las_Vegas": [-118, 35.58, -110.7, 40.07], "McGrath": [-162, 60, -149.9, 64.17],
    "Memphis": [-95, 32, -87.77, 36.24], "Montreal": [-77, 44, -68.34, 48.23],
    "New_Orleans": [-91, 28, -84.44, 32.24], "New_York": [-77, 40, -68.65, 44.22],
    "Nome": [-171.5, 64, -156.67, 68.17], "Omaha": [-101, 40, -92.63, 44.53],
    "Phoenix": [-116, 31.27, -108.75, 35.7], "Point_Barrow": [-157, 68, -139.15, 72.18],
    "Salt_Lake_City": [-117, 40, -108.62, 44.53], "San_Antonio": [-103, 28, -96.41, 32.24],
    "San_Francisco": [-125, 36, -117.65, 40.24], "Seattle": [-125, 44.4, -116.27, 49.03],
    "Seward": [-152.5, 59.11, -139.96, 61.47], "St_Louis": [-91, 36, -83.74, 40.24],
    "Twin_Cities": [-101, 44.4, -92.27, 49.04], "Washington": [-79, 36, -71.66, 40.23],
    "Western_Aleutian_Islands_East": [178, 51, -172.36, 53.18],
    "Western_Aleutian_Islands_West": [169.16, 51, 178.64, 53.12], "Wichita": [-104, 36, -96.65, 40.24],
  ]

  /// The south of these is cut straight instead of along a parallel.
  private static let levelSouth: Set = [
    "Billings", "Bethel", "Cold_Bay", "Denver", "Great_Falls", "Las_Vegas", "Phoenix", "Seattle", "Seward",
    "Twin_Cities",
  ]

  /// The west of this one is cut straight instead of along a meridian.
  private static let levelWest: Set = ["Western_Aleutian_Islands_West"]

  /// Sheets whose borders go down in steps.
  private static let stepped: [String: [NeatlineDefinition.Edge]] = [
    "Halifax": [
      .meridian(-69), .parallel(44), .meridian(-66.4), row(-65.5, 43.62), .meridian(-65.5), .parallel(44),
      column(-60.63, 48.23), row(-69, 48.23),
    ],
    "Los_Angeles": [
      column(-121.62, 36.1), row(-121.55, 34.24), .meridian(-122), row(-122, 33.55), column(-120.1, 32),
      .parallel(32), column(-114.55, 36.11), row(-121.62, 36.11),
    ],
    "Miami": [
      .meridian(-83), .parallel(24), column(-76.41, 28.1), row(-82, 28.14), .meridian(-82), .parallel(28.5),
    ],
    "Kodiak": [
      .meridian(-162), .parallel(56), column(-153.3, 57), row(-153.3, 57), column(-150.71, 60.18),
      row(-162, 60.18),
    ],
  ]

  /// By chart.
  static let outlines = extents.reduce(into: stepped) { outlines, print in
    let (id, box) = print
    let (west, south, east, north) = (box[0], box[1], box[2], box[3])
    outlines[id] = [
      levelWest.contains(id) ? column(west, north) : .meridian(west),
      levelSouth.contains(id) ? row(east, south) : .parallel(south), column(east, north), row(west, north),
    ]
  }

  private static func column(_ longitude: Double, _ latitude: Double) -> NeatlineDefinition.Edge {
    .columnThrough(GeoPoint(longitude: longitude, latitude: latitude))
  }

  private static func row(_ longitude: Double, _ latitude: Double) -> NeatlineDefinition.Edge {
    .rowThrough(GeoPoint(longitude: longitude, latitude: latitude))
  }
}
