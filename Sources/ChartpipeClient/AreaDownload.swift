public import Foundation

/// What a device needs for a flight, answered from the catalogue alone, without a network.
///
/// ```swift
/// let corridor = try FlightArea(route: [paloAlto, sanCarlos, monterey], eitherSide: 25)
/// let download = catalog.download(for: corridor, of: "vfr-sectional", at: .now)
/// print(download.regions.map(\.name), download.regionBytes, download.tiles.bytes)
/// ```
public struct AreaDownload: Equatable, Sendable {
  /// The charts whose bounding boxes intersect the area, each as it should be shown at the time, by id.
  public var products: [Catalog.Product]
  /// The same charts as regions.
  public var regions: [ChartRegion]
  /// The tiles of the area, and about how many bytes they take: what a pack of the area would be. A chart that another one
  /// surrounds, such as an inset at a larger scale, is not in a pack, so its tiles do not count.
  public var tiles: AreaEstimate

  /// The bytes of the whole archives.
  public var regionBytes: Int {
    products.compactMap { $0.tileFile?.bytes }.reduce(0, +)
  }
}

extension Catalog {
  /// The charts and tiles that an area needs.
  ///
  /// A mosaic is left out where its charts are there. Whether a chart reaches into all of the area, only its archive knows: its
  /// neatline may lie inside of its bounding box.
  ///
  /// - Parameters:
  ///   - pipeline: such as `vfr-sectional`.
  ///   - zooms: nil for all that the charts have.
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
      products: charts, regions: charts.compactMap(ChartRegion.init),
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
    return AreaEstimate.Archive(boxes: boxes, zooms: minZoom...maxZoom, bytes: tileFile.bytes)
  }

  fileprivate func surrounds(_ other: Catalog.Product) -> Bool {
    id != other.id && contains(other) && !other.contains(self)
  }

  private func contains(_ other: Catalog.Product) -> Bool {
    !other.boxes.isEmpty && other.boxes.allSatisfy { inner in boxes.contains { $0.contains(inner) } }
  }

  /// A mosaic's box contains those of its charts; that of a chart never contains its neighbours'.
  fileprivate func isMosaic(of charts: [Catalog.Product]) -> Bool {
    let parts = charts.filter { includes.contains($0.id) }
    guard let own = boundingBox, !parts.isEmpty else { return false }
    return parts.allSatisfy { $0.boundingBox.map(own.contains) ?? false }
  }
}

extension BoundingBox {
  fileprivate func contains(_ other: BoundingBox) -> Bool {
    west <= other.west && other.east <= east && south <= other.south && other.north <= north
  }
}
