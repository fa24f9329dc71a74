internal import Core
internal import Foundation

extension ChartFamily: PipelineDefinition {
  static let kind = "charts"

  var items: [any PipelineItem] {
    charts.map { ChartItem(chart: $0, family: self) } + mosaics.map { MosaicItem(mosaic: $0, family: self) }
  }
}

/// One chart of a family: a zip of the FAA as a tile archive.
struct ChartItem: PipelineItem {
  let chart: ChartDefinition
  let family: ChartFamily

  var pipeline: String { family.name }
  var id: String { chart.id }
  var name: String { chart.name }
  var schedule: Schedule { family.cadence }
  var daysAhead: Int { 20 }
  var region: String? { family.region(of: chart) }
  var isOfCharts: Bool { true }
  var outline: [[Double]]? { chart.approximateOutline }

  var joining: JoinRole {
    if family.seam == .fill { return .completed }
    return family.mosaics.isEmpty ? .none : .part
  }

  func definitionText() throws -> Data {
    var family = family
    // The product contains the number of charts that cover the area.
    let size = family.covers == nil ? "" : "\(family.charts.count)"
    (family.charts, family.mosaics, family.notCharts, family.url) = ([chart], [], [], nil)
    return try CanonicalJSON.line(family) + Data(size.utf8)
  }

  func sources(for cycle: AiracCycle) -> [SourceRequirement] {
    let edition = cycle.edition(schedule)
    let url = family.url?.filled(name: chart.zip, day: edition.effectiveDay)
    let zip = SourceRequirement(
      alternatives: [[RequiredFile(path: chart.zip, url: url, edition: edition)]], products: [product]
    ) { [family] file, _ in
      try ChartZip.checkEdition(file, family, cycle)
    }
    return [zip]
  }

  func steps(_ context: StepContext) -> [Step] {
    let cut = Step(id: step, fromSources: { try prepare(context) })
    guard family.seam == .fill, context.joins else { return [cut] }
    return [cut, Step(id: seamStep, fromResults: { try prepareSeams($0, context) })]
  }
}

/// The cost of a chart.
extension ChartItem {
  /// In seconds on two cores of 2.8 GHz. A zip of 66 MB, whose sheet has 206 megapixels, takes 10.6 s as PNG with a palette.
  private static let perMegabyte = 0.16
  /// In seconds. The same sheet has 6094 tiles at zoom 12.
  private static let perTile = 0.0018
  /// In seconds, for a chart whose area is not known.
  private static let usual = 5.0

  /// Its share of the zip, which may contain several charts.
  func sourceBytes(_ sizes: SourceSizes) -> Int {
    let share = max(1, family.charts.count { $0.zip == chart.zip })
    return sizes.bytes([chart.zip]).map { $0 / share } ?? sizes.bytes([chart.tif]) ?? 0
  }

  func expectedSeconds(_ sizes: SourceSizes?) -> Double {
    let tiles = family.tiles(for: chart)
    let bytes = sizes.map(sourceBytes) ?? 0
    let plain =
      bytes > 0
      ? Double(bytes) / 1e6 * ChartItem.perMegabyte
      : deepestTiles(tiles.maxZoom).map { $0 * ChartItem.perTile } ?? ChartItem.usual
    return max(plain, 0.1) * ChartItem.factor(tiles.format)
  }

  /// Measured with the same sheet at zooms 6 to 12.
  private static func factor(_ format: TileSettings.Format) -> Double {
    switch format {
    case .png: 1
    case .png32: 1.7
    case .webp: 3.9
    case .webpLossless: 3.5
    }
  }

  /// The number of tiles of the deepest zoom in the box around the neatline; nil if an edge is given in pixels.
  ///
  /// Sums and products only: sine and cosine of the C library differ between processors, and the machines must agree.
  private func deepestTiles(_ zoom: Int) -> Double? {
    let values = (chart.neatline?.outline ?? []).map(\.notation)
    let longitudes = values.flatMap { ChartItem.degrees($0, "meridian", 0) }
    let latitudes = values.flatMap { ChartItem.degrees($0, "parallel", 1) }
    guard let west = longitudes.min(), let east = longitudes.max(), let south = latitudes.min(),
      let north = latitudes.max(), west < east, south < north
    else { return nil }
    let width = min(east - west, 360 - (east - west)) / 360
    let middle = (south + north) / 2 * 0.017453292519943295
    let square = middle * middle
    let cosine = max(0.05, 1 - square / 2 * (1 - square / 12 * (1 - square / 30)))
    return width * ((north - south) / 360 / cosine) * Double(1 << (2 * zoom))
  }

  /// The degrees of an edge of this kind, or of the places of an edge through places.
  private static func degrees(_ edge: (kind: String, values: [Double]), _ kind: String, _ axis: Int)
    -> [Double]
  {
    if edge.kind == kind { return edge.values }
    return stride(from: axis, to: edge.values.count, by: 2).compactMap {
      edge.values.count > 1 ? edge.values[$0] : nil
    }
  }
}
