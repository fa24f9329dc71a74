import Foundation
import Geo
import Pipeline
import TestSupport
import Testing

/// All sectionals of the FAA's definition, drawn far away and small.
@Suite(.serialized) struct SectionalFleetTests {
  /// Two pixels of the coarsest sheets, and the hundredths by which the definition rounds inwards.
  private static let tolerance = 0.06

  private static let flown = Result { () throws -> (fleet: DrawnFleet, work: TemporaryFolder) in
    let fleet = try DrawnFleet("vfr-sectional", metresPerPixel: 2500, fewestPixels: 200)
    let work = try TemporaryFolder()
    let ending = try fleet.chartpipe("run", work: work)
    try #require(ending.status == 0, "\(ending.errors)")
    return (fleet, work)
  }

  /// Drawn with the numbers of others, and built with the definition's.
  private static let independent = Result { () throws -> (fleet: DrawnFleet, work: TemporaryFolder) in
    let prints = SectionalPrints.outlines
    let fleet = try DrawnFleet(
      "vfr-sectional", metresPerPixel: 2500, fewestPixels: 200, printed: prints
    ) { family in
      family.charts.removeAll { prints[$0.id] == nil }
      (family.covers, family.mosaic, family.seam) = (nil, nil, .clean)
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
      let off = zip(extent(product), print).map { $0 - $1 }
      // Between its corners a level north runs farther north, by up to a tenth of a degree.
      let isFound =
        off.prefix(3).allSatisfy { abs($0) < Self.tolerance }
        && (-Self.tolerance...0.1 + Self.tolerance).contains(off[3])
      #expect(isFound || !flags.isEmpty, "\(chart.id) is off by \(off) degrees, and nothing is flagged")
    }
  }

  /// The definition differs from the others by hundredths: a difference of tenths must show.
  @Test func aWrongNumberOfTheDefinitionIsFlagged() throws {
    let fleet = try DrawnFleet(
      "vfr-sectional", metresPerPixel: 2500, fewestPixels: 200, printed: SectionalPrints.outlines
    ) { family in
      family.charts.removeAll { $0.id != "Denver" }
      family.charts[0].neatline?.outline[2] = .columnThrough(GeoPoint(longitude: -104.1, latitude: 40.05))
      (family.covers, family.mosaic, family.seam) = (nil, nil, .clean)
    }
    let work = try TemporaryFolder()
    let ending = try fleet.chartpipe("build", work: work)
    #expect(ending.status == 0, "\(ending.errors)")
    let edge = try #require(try fleet.product("Denver", in: work).cut?.edges[2])
    #expect(!edge.flags.isEmpty, "\(edge)")
  }

  @Test func theWholeFleetIsValidatedAndStaged() throws {
    let (fleet, work) = try Self.flown.get()
    let manifest = try String(contentsOf: work.file("site/cycles/2304/manifest.json"), encoding: .utf8)
    for id in fleet.family.charts.map(\.id) + ["United_States"] {
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
    #expect(charts.count == fleet.family.charts.count + 1)
    #expect(charts.allSatisfy { $0["trouble"] == nil && $0["outline"] is [Any] })
    for (chart, place) in [("United_States", (-98.0, 39.0)), ("San_Francisco", (-121.0, 38.0))] {
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

  /// West, south, east, north; the east of a chart across 180 degrees is west of 180.
  private func extent(_ product: Product) -> [Double] {
    let boxes = product.boundingBoxes ?? [product.boundingBox].compactMap(\.self)
    guard let first = boxes.first, let last = boxes.last else { return [] }
    return [first.west, boxes.map(\.south).min() ?? 0, last.east, boxes.map(\.north).max() ?? 0]
  }
}
