internal import Core
internal import Foundation

/// The expected duration of each product's build, for dividing a plan among machines.
///
/// A duration is that of the last run that is in a journal. Otherwise it is estimated from the sizes of the sources or, where
/// these are not there, from the area of the chart and its deepest zoom.
struct ProductTimes {
  private let history: StepHistory?
  private let sizes: SourceSizes?
  /// The speed of the machine that measured some of the products, against the one of the estimates.
  private let slowness: Double

  /// - Parameters:
  ///   - history: nil to find the same durations on every machine.
  ///   - sizes: nil, likewise.
  init(_ plan: BuildPlan, history: StepHistory? = nil, sizes: SourceSizes? = nil) {
    self.history = history
    self.sizes = sizes
    let known = plan.items.compactMap { item in
      history?.seconds(of: item.step).map { (measured: $0, estimate: ProductTimes.estimate(item, sizes)) }
    }
    let estimates = known.map(\.estimate).reduce(0, +)
    slowness = estimates > 0 ? known.map(\.measured).reduce(0, +) / estimates : 1
  }

  func isMeasured(_ item: PipelineItem) -> Bool { history?.seconds(of: item.step) != nil }

  func milliseconds(_ item: PipelineItem) -> Int {
    let seconds = history?.seconds(of: item.step) ?? ProductTimes.estimate(item, sizes) * slowness
    return Int((min(max(seconds, 0), 1e6) * 1000).rounded())
  }
}

extension ProductTimes {
  /// In seconds on two cores of 2.8 GHz. A zip of 66 MB, whose sheet has 206 megapixels, takes 10.6 s as PNG with a palette.
  private static let chartPerMegabyte = 0.16
  /// In seconds. The same sheet has 6094 tiles at zoom 12.
  private static let perTile = 0.0018
  /// In seconds, for a chart whose area is not known.
  private static let usualChart = 5.0
  private static let database = (least: 0.5, perMegabyte: 0.05, usual: 12.0)
  private static let image = (least: 0.5, perMegabyte: 0.05, usual: 10.0)
  private static let obstacles = (least: 0.5, perMegabyte: 0.06, usual: 8.0)
  private static let export = (least: 0.2, perMegabyte: 0.02, usual: 3.0)

  static func estimate(_ item: PipelineItem, _ sizes: SourceSizes?) -> Double {
    func seconds(_ rate: (least: Double, perMegabyte: Double, usual: Double), _ bytes: Int?) -> Double {
      guard let bytes, bytes > 0 else { return rate.usual }
      return rate.least + Double(bytes) / 1e6 * rate.perMegabyte
    }
    switch item.content {
    case .chart(let chart, let family):
      let tiles = family.tiles(for: chart)
      let bytes = sizes?.bytes(of: chart, in: family) ?? 0
      let plain =
        bytes > 0
        ? Double(bytes) / 1e6 * chartPerMegabyte
        : deepestTiles(of: chart, tiles.maxZoom).map { $0 * perTile } ?? usualChart
      return max(plain, 0.1) * factor(tiles.format)
    case .mosaic: return 0
    case .nasr(let definition): return seconds(database, sizes?.bytes(of: definition.origin))
    case .obstacles(let definition):
      return seconds(obstacles, sizes?.unpackedBytes(of: definition.origin))
    case .raster(let image, _): return seconds(Self.image, sizes?.bytes(of: image))
    case .export(_, let origin): return seconds(export, sizes?.bytes(of: origin))
    }
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
  private static func deepestTiles(of chart: ChartDefinition, _ zoom: Int) -> Double? {
    let values = (chart.neatline?.outline ?? []).map(\.notation)
    let longitudes = values.flatMap { degrees($0, "meridian", 0) }
    let latitudes = values.flatMap { degrees($0, "parallel", 1) }
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
