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

/// How many tiles of an area some archives have, and how many bytes these take, from what a catalogue says of the archives.
///
/// An archive's bytes are taken to be spread evenly over the tiles of its bounding box.
public struct AreaEstimate: Equatable, Sendable {
  /// An archive as a catalogue describes it.
  public struct Archive: Sendable {
    /// Two for a chart across 180 degrees.
    public var boxes: [BoundingBox]
    public var zooms: ClosedRange<Int>
    public var bytes: Int

    public init(boxes: [BoundingBox], zooms: ClosedRange<Int>, bytes: Int) {
      (self.boxes, self.zooms, self.bytes) = (boxes, zooms, bytes)
    }

    /// Tiles that touch a box, of all zooms.
    var tileCount: Int {
      zooms.reduce(0) { sum, zoom in sum + boxes.map { $0.tileCount(zoom: zoom) }.reduce(0, +) }
    }
  }

  /// By zoom. An archive may lack some of them where its neatline lies inside of its bounding box.
  public private(set) var tiles: [Int: Int] = [:]
  public private(set) var bytes = 0

  /// - Parameters:
  ///   - archives: of one family. A tile that several of them have counts once.
  ///   - zooms: nil for all that the archives have.
  public init(of area: FlightArea, from archives: [Archive], zooms: ClosedRange<Int>? = nil) {
    let lowest = archives.map(\.zooms.lowerBound).min() ?? 0
    let highest = archives.map(\.zooms.upperBound).max() ?? 0
    let known = archives.map {
      (
        archive: $0, cells: $0.boxes.map { GraticuleCell($0) },
        weight: Double($0.bytes) / Double(max(1, $0.tileCount))
      )
    }
    var sum = 0.0
    area.forEachTile(zooms: zooms ?? lowest...highest) { tile in
      let cell = GraticuleCell(tile.box)
      return known.contains { $0.cells.contains { $0.overlaps(cell) } }
    } _: { tile in
      let cell = GraticuleCell(tile.box)
      let weights = known.filter { known in
        known.archive.zooms.contains(tile.zoom) && known.cells.contains { $0.overlaps(cell) }
      }.map(\.weight)
      guard !weights.isEmpty else { return }
      tiles[tile.zoom, default: 0] += 1
      sum += weights.reduce(0, +) / Double(weights.count)
    }
    bytes = Int(sum.rounded())
  }
}

extension BoundingBox {
  func tileCount(zoom: Int) -> Int {
    let first = MapTile(zoom: zoom, containing: Coordinate(latitude: north, longitude: west))
    let last = MapTile(zoom: zoom, containing: Coordinate(latitude: south, longitude: east))
    return (last.column - first.column + 1) * (last.row - first.row + 1)
  }
}
