import Core
import Foundation
import Pipeline
import TestSupport
import Testing

/// All sectionals of the FAA's definition, drawn far away and small.
@Suite(.serialized) struct SectionalFleetTests {
  /// Two pixels of the coarsest sheets, and the hundredths by which the definition rounds inwards.
  private static let tolerance = 0.06

  /// Each chart alone: what neighbours add at a seam, and the mosaic, are the matter of `FleetTests`.
  private static let flown = Result { () throws -> (fleet: DrawnFleet, work: TemporaryFolder) in
    let fleet = try DrawnFleet("vfr-sectional", metresPerPixel: 3500, fewestPixels: 150, change: setApart)
    let work = try TemporaryFolder()
    let ending = try fleet.chartpipe("run", work: work)
    try #require(ending.status == 0, "\(ending.errors)")
    return (fleet, work)
  }

  private static func setApart(_ family: inout ChartFamily) {
    (family.covers, family.mosaic, family.seam) = (nil, nil, .clean)
  }

  /// Drawn with the numbers of others, and built with the definition's.
  private static let independent = Result { () throws -> (fleet: DrawnFleet, work: TemporaryFolder) in
    let prints = SectionalPrints.outlines
    let fleet = try DrawnFleet(
      "vfr-sectional", metresPerPixel: 2500, fewestPixels: 200, printed: prints
    ) { family in
      family.charts.removeAll { prints[$0.id] == nil }
      setApart(&family)
    }
    let work = try TemporaryFolder()
    let ending = try fleet.chartpipe("build", work: work)
    try #require(ending.status == 0, "\(ending.errors)")
    return (fleet, work)
  }

  /// A step is shorter here than the strips in which edges are measured, and so is the rest of a tilted sheet's rim.
  private func isPlain(_ chart: ChartDefinition) -> Bool {
    guard let outline = chart.neatline?.outline, outline.count == 4 else { return false }
    return !outline.contains { if case .straight = $0 { true } else { false } }
  }

  @Test func everyPlainSheetOfTheDefinitionsOwnNumbersIsCutWithoutAFlag() throws {
    let (fleet, work) = try Self.flown.get()
    let plain = fleet.family.charts.filter(isPlain)
    #expect(plain.count == 49)
    for chart in plain {
      let cut = try #require(try fleet.product(chart.id, in: work).cut, "\(chart.id)")
      for edge in cut.edges { #expect(edge.flags.isEmpty, "\(chart.id), \(edge.name): \(edge.flags)") }
    }
  }

  @Test func everyIndependentPrintIsFoundOrFlagged() throws {
    let (fleet, work) = try Self.independent.get()
    #expect(fleet.family.charts.count == 53)
    for chart in fleet.family.charts {
      let product = try fleet.product(chart.id, in: work)
      let flags = try #require(product.cut, "\(chart.id)").edges.flatMap(\.flags)
      guard let print = SectionalPrints.extents[chart.id] else { continue }
      let isFound = isCut(product, at: print)
      #expect(isFound || !flags.isEmpty, "\(chart.id) is cut at \(extent(product)), and nothing is flagged")
    }
  }

  /// The definition differs from the others by hundredths. An edge tenths of a degree away is found, and one that is degrees
  /// away is flagged.
  @Test(arguments: [(-104.1, true), (-105.9, false)])
  func aWrongNumberOfTheDefinitionIsFoundOrFlagged(east: Double, isFound: Bool) throws {
    let fleet = try DrawnFleet(
      "vfr-sectional", metresPerPixel: 2500, fewestPixels: 200, printed: SectionalPrints.outlines
    ) { family in
      family.charts.removeAll { $0.id != "Denver" }
      family.charts[0].neatline?.outline[2] = .columnThrough(GeoPoint(longitude: east, latitude: 40.05))
      Self.setApart(&family)
    }
    let work = try TemporaryFolder()
    let ending = try fleet.chartpipe("build", work: work)
    #expect(ending.status == 0, "\(ending.errors)")
    let product = try fleet.product("Denver", in: work)
    #expect(isCut(product, at: try #require(SectionalPrints.extents["Denver"])) == isFound)
    #expect(try #require(product.cut?.edges[2]).flags.isEmpty == isFound)
  }

  @Test func theWholeFleetIsValidatedAndStaged() throws {
    let (fleet, work) = try Self.flown.get()
    let manifest = try String(contentsOf: work.file("site/cycles/2304/manifest.json"), encoding: .utf8)
    for id in fleet.family.charts.map(\.id) {
      #expect(manifest.contains("\"vfr-sectional/\(id)\""), "\(id) is not staged")
    }
  }

  @Test(.enabled(if: PreviewProgram.hasLeaflet, "Leaflet is not installed (libjs-leaflet)"))
  func theWholeFleetIsPreviewed() async throws {
    let (fleet, work) = try Self.flown.get()
    let preview = try await PreviewProgram(work.file("site"))
    #expect(try preview.get("").status == 200)
    let site = try preview.object("site.json")
    let cycle = try #require((site["cycles"] as? [[String: Any]])?.first)
    #expect((cycle["held"] as? [Any])?.isEmpty == true && (cycle["missing"] as? [Any])?.isEmpty == true)
    let charts = try #require(cycle["charts"] as? [[String: Any]])
    #expect(charts.count == fleet.family.charts.count)
    #expect(charts.allSatisfy { $0["trouble"] == nil && $0["outline"] is [Any] })
    for (chart, place) in [("Denver", (-107.0, 39.0)), ("San_Francisco", (-121.0, 38.0))] {
      let tile = tile(longitude: place.0, latitude: place.1, zoom: fleet.family.tiles.maxZoom)
      let (status, body) = try preview.get(
        "tiles/2304/vfr-sectional/\(chart)/\(tile.zoom)/\(tile.column)/\(tile.row)")
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

  /// Between its corners a level north runs farther north than they are, and a level south as well.
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
