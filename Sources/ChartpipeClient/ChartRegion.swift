public import Core
public import Foundation

/// A chart as a region to download.
///
/// A plain `JSONDecoder()` reads `regions.json` of a site as `[ChartRegion]`. It rejects an id that is not a file name and a path that
/// leads out of the site.
public struct ChartRegion: Codable, Hashable, Identifiable, Sendable {
  /// `San_Francisco`, `San_Francisco_TAC`: unique over all families of a site.
  public var id: String
  /// `San Francisco`
  public var name: String
  public var effectiveDate: Date
  public var expirationDate: Date
  public var boundingBox: BoundingBox
  /// For a chart across 180 degrees, the two boxes that meet there.
  public var boundingBoxes: [BoundingBox]?
  /// Nil in lists of earlier publishers, as is ``maxZoom``.
  public var minZoom: Int?
  public var maxZoom: Int?
  /// Millions of bytes.
  public var fileSizeMB: Double
  /// The MBTiles archive, relative to the folder of `catalog.json`.
  public var path: String
  public var sha256: SHA256Hex
  public var bytes: Int
  /// All archives of this edition, the standard form's first; empty in lists of earlier publishers.
  public var forms: [ChartForm]
  /// The product's id in the catalogue; nil for a region that was made without one.
  public var product: String?

  enum CodingKeys: String, CodingKey {
    case id, name, effectiveDate, expirationDate, boundingBox, boundingBoxes, minZoom, maxZoom, fileSizeMB,
      sha256, bytes, forms, product
    case path = "url"
  }

  public init(
    id: String, name: String, effectiveDate: Date, expirationDate: Date, boundingBox: BoundingBox,
    boundingBoxes: [BoundingBox]? = nil, minZoom: Int? = nil, maxZoom: Int? = nil, fileSizeMB: Double,
    path: String, sha256: SHA256Hex, bytes: Int, forms: [ChartForm] = [], product: String? = nil
  ) {
    (self.id, self.name, self.effectiveDate, self.expirationDate) = (id, name, effectiveDate, expirationDate)
    (self.boundingBox, self.boundingBoxes, self.fileSizeMB) = (boundingBox, boundingBoxes, fileSizeMB)
    (self.minZoom, self.maxZoom, self.forms, self.product) = (minZoom, maxZoom, forms, product)
    (self.path, self.sha256, self.bytes) = (path, sha256, bytes)
  }

  /// Returns nil for a product that is not a chart or has no bounding box or no MBTiles archive.
  ///
  /// A product without a region id, such as a chart as WebP, gets the unique id `vfr-sectional.San_Francisco`.
  ///
  /// - Parameter forms: The product in all its forms, from ``Catalog/forms(of:)``.
  public init?(_ product: Catalog.Product, forms: [Catalog.Product] = []) {
    guard product.kind == .chart, let box = product.boundingBox,
      let tiles = product.files.first(where: { $0.role == .tiles })
    else { return nil }
    self.init(
      id: product.region ?? product.id.split(separator: "/").joined(separator: "."),
      name: regionName(product.name, item: product.item, region: product.region ?? ""),
      effectiveDate: product.effectiveDate, expirationDate: product.expirationDate, boundingBox: box,
      boundingBoxes: product.boundingBoxes, minZoom: product.minZoom, maxZoom: product.maxZoom,
      fileSizeMB: Double(tiles.bytes) / 1_000_000, path: tiles.path, sha256: tiles.sha256, bytes: tiles.bytes,
      forms: forms.flatMap { form in form.files.compactMap { ChartForm($0, of: form) } }
        .sorted { ($0.variant ?? "", $0.archive) < ($1.variant ?? "", $1.archive) },
      product: product.id)
  }

  /// A file name for the archive: `San_Francisco_TAC.mbtiles`.
  public var fileName: String { "\(id).mbtiles" }

  /// - Parameter site: The folder of `catalog.json`.
  public func url(at site: URL) -> URL { site.appendingPathComponent(path) }
}

extension ChartRegion: SiteFile {}

/// One archive of a chart, in one of its forms: PNG or WebP, 256 or 512 pixels, MBTiles or PMTiles.
public struct ChartForm: Codable, Hashable, SiteFile {
  /// `webp`, `2x`, `lite`; nil for the standard form.
  public var variant: String?
  /// `png`, `webp`
  public var format: String
  /// `mbtiles`, `pmtiles`
  public var archive: String
  /// The width of its tiles in pixels; nil for 256.
  public var tileSize: Int?
  public var minZoom: Int?
  public var maxZoom: Int?
  public var path: String
  public var sha256: SHA256Hex
  public var bytes: Int

  private enum CodingKeys: String, CodingKey {
    case variant, format, archive, tileSize, minZoom, maxZoom, sha256, bytes
    case path = "url"
  }

  /// Returns nil for a file that is not an archive of tiles.
  fileprivate init?(_ file: ProductFile, of product: Catalog.Product) {
    guard let archive = [.tiles: "mbtiles", .pmtiles: "pmtiles"][file.role] else { return nil }
    variant = product.variantOf.map { String(product.pipeline.dropFirst($0.pipelineOfID.count + 1)) }
    (format, self.archive, tileSize) = (product.format, archive, product.tileSize)
    (minZoom, maxZoom) = (product.minZoom, product.maxZoom)
    (path, sha256, bytes) = (file.path, file.sha256, file.bytes)
  }
}

extension Catalog {
  /// Returns the charts of a family, each in the edition to show at this instant: the one in force, else an expired, else a future one.
  ///
  /// - Parameter pipeline: The chart family, such as `vfr-sectional`.
  public func chartRegions(of pipeline: String, at now: Date) -> [ChartRegion] {
    regions(of: products.filter { $0.pipeline == pipeline }, at: now)
  }

  /// Returns the regions of all families by id, as `regions.json` lists them, at this instant.
  public func chartRegions(at now: Date) -> [ChartRegion] {
    regions(of: products.filter { $0.region != nil }, at: now).sorted { $0.id < $1.id }
  }

  private func regions(of products: [Product], at now: Date) -> [ChartRegion] {
    Set(products.map(\.id)).sorted().compactMap { id in
      let offer = offer(of: id, at: now)
      return (offer.shown ?? offer.upcoming).flatMap(region)
    }
  }

  /// Returns a chart as a region with all its forms; nil for a product that is not a chart with MBTiles.
  public func region(of product: Product) -> ChartRegion? { ChartRegion(product, forms: forms(of: product)) }
}
