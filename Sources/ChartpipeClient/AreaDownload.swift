public import Core
public import Foundation

/// The charts and tiles that a device needs for a flight, computed from the catalogue without network access.
///
/// ```swift
/// let corridor = try FlightArea(route: [paloAlto, sanCarlos, monterey], eitherSide: 25)
/// let download = catalog.download(for: corridor, of: "vfr-sectional", at: .now)
/// print(download.regions.map(\.name), download.regionBytes, download.tiles.bytes)
/// ```
public struct AreaDownload: Equatable, Sendable {
  /// The charts whose bounding boxes intersect the area, ordered by id, each in the edition to show at that time.
  public var products: [Catalog.Product]
  /// The same charts as regions.
  public var regions: [ChartRegion]
  /// The tiles of the area and their approximate bytes, as in a pack of the area. A pack does not contain charts that another chart
  /// surrounds, such as insets at a larger scale, so their tiles do not count.
  public var tiles: AreaEstimate

  /// The bytes of the complete archives.
  public var regionBytes: Int {
    products.compactMap { $0.tileFile?.bytes }.reduce(0, +)
  }
}

extension Catalog {
  /// Returns the charts and tiles that an area needs.
  ///
  /// It leaves out a mosaic whose charts are in the catalogue. A chart may not cover the whole area inside its bounding box, since its
  /// neatline can be smaller; only the archive contains that information.
  ///
  /// - Parameters:
  ///   - pipeline: The chart family, such as `vfr-sectional`.
  ///   - zooms: Nil for all zooms of the charts.
  public func download(
    for area: FlightArea, of pipeline: String, zooms: ClosedRange<Int>? = nil, at now: Date
  ) -> AreaDownload {
    let ids = Set(products.filter { $0.pipeline == pipeline && $0.kind == .chart }.map(\.id)).sorted()
    let shown = ids.compactMap { id in
      let offer = offer(of: id, at: now)
      return offer.shown ?? offer.upcoming
    }
    let charts = shown.filter { product in
      !product.isMosaic(of: shown) && product.boxes.contains(where: area.intersects)
    }
    let singles = shown.filter { !$0.isMosaic(of: shown) }
    let joined = charts.filter { chart in !singles.contains { $0.surrounds(chart) } }
    return AreaDownload(
      products: charts, regions: charts.compactMap(region),
      tiles: AreaEstimate(of: area, from: joined.compactMap(\.areaArchive), zooms: zooms))
  }
}

extension Catalog.Product {
  fileprivate var boxes: [BoundingBox] { boundingBoxes ?? boundingBox.map { [$0] } ?? [] }

  fileprivate var tileFile: Catalog.File? {
    files.first { $0.role == .tiles } ?? files.first { $0.role == .pmtiles }
  }

  fileprivate var areaArchive: AreaEstimate.Archive? {
    guard let minZoom, let maxZoom, minZoom <= maxZoom, let tileFile, (0...29).contains(minZoom),
      maxZoom <= 29
    else { return nil }
    return (boxes, minZoom...maxZoom, tileFile.bytes)
  }

  fileprivate func surrounds(_ other: Catalog.Product) -> Bool {
    id != other.id && contains(other) && !other.contains(self)
  }

  private func contains(_ other: Catalog.Product) -> Bool {
    !other.boxes.isEmpty && other.boxes.allSatisfy { inner in boxes.contains { $0.contains(inner) } }
  }

  /// The box of a mosaic contains those of its charts. The box of a chart never contains those of its neighbours.
  fileprivate func isMosaic(of charts: [Catalog.Product]) -> Bool {
    let parts = charts.filter { includes.contains($0.id) }
    guard let own = boundingBox, !parts.isEmpty else { return false }
    return parts.allSatisfy { $0.boundingBox.map(own.contains) ?? false }
  }
}

/// The number of tiles that archives have in an area, and their approximate bytes, computed from the catalogue.
///
/// It assumes that the bytes of an archive are spread evenly over the tiles of its bounding box.
public struct AreaEstimate: Equatable, Sendable {
  /// The number of tiles by zoom. An archive may have fewer where its neatline is smaller than its bounding box.
  public private(set) var tiles: [Int: Int] = [:]
  public private(set) var bytes = 0

  /// The description of an archive in a catalogue. It has two boxes across 180 degrees.
  public typealias Archive = (boxes: [BoundingBox], zooms: ClosedRange<Int>, bytes: Int)

  /// - Parameters:
  ///   - archives: Archives of one family. A tile in several of them counts once.
  ///   - zooms: Nil for all zooms of the archives.
  public init(of area: FlightArea, from archives: [Archive], zooms: ClosedRange<Int>? = nil) {
    let known = archives.map { boxes, zooms, bytes in
      let tiles = zooms.flatMap { zoom in boxes.map { TileRange(zoom: zoom, covering: $0).count } }
      return (
        zooms: zooms, cells: boxes.map { GraticuleCell($0) },
        weight: Double(bytes) / Double(max(1, tiles.reduce(0, +)))
      )
    }
    let lowest = known.map(\.zooms.lowerBound).min() ?? 0
    let highest = known.map(\.zooms.upperBound).max() ?? 0
    var sum = 0.0
    area.forEachTile(zooms: zooms ?? lowest...highest) { tile in
      let cell = GraticuleCell(tile)
      return known.contains { $0.cells.contains { $0.overlaps(cell) } }
    } _: { tile in
      let cell = GraticuleCell(tile)
      let weights = known.filter { known in
        known.zooms.contains(tile.zoom) && known.cells.contains { $0.overlaps(cell) }
      }.map(\.weight)
      guard !weights.isEmpty else { return }
      tiles[tile.zoom, default: 0] += 1
      sum += weights.reduce(0, +) / Double(weights.count)
    }
    bytes = Int(sum.rounded())
  }
}
