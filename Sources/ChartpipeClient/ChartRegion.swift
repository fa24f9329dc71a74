public import Foundation

/// A chart as a list of regions to download shows it. An app adds what it alone knows, such as where its copy is.
///
/// A plain `JSONDecoder()` reads `regions.json` of a site as `[ChartRegion]`. An id that is no file name and a path that leads out
/// of the site are refused.
public struct ChartRegion: Codable, Hashable, Identifiable, Sendable {
  /// `San_Francisco`, `San_Francisco_TAC`: unique over all families of a site.
  public var id: String
  /// `San Francisco`
  public var name: String
  public var effectiveDate: Date
  public var expirationDate: Date
  public var boundingBox: BoundingBox
  /// Of what lies across 180 degrees, the two boxes that meet there.
  public var boundingBoxes: [BoundingBox]?
  /// Millions of bytes.
  public var fileSizeMB: Double
  /// The MBTiles archive, relative to the folder of `catalog.json`.
  public var path: String
  public var sha256: String
  public var bytes: Int

  enum CodingKeys: String, CodingKey {
    case id, name, effectiveDate, expirationDate, boundingBox, boundingBoxes, fileSizeMB, sha256, bytes
    case path = "url"
  }

  public init(
    id: String, name: String, effectiveDate: Date, expirationDate: Date, boundingBox: BoundingBox,
    boundingBoxes: [BoundingBox]? = nil, fileSizeMB: Double, path: String, sha256: String, bytes: Int
  ) {
    self.id = id
    self.name = name
    self.effectiveDate = effectiveDate
    self.expirationDate = expirationDate
    self.boundingBox = boundingBox
    self.boundingBoxes = boundingBoxes
    self.fileSizeMB = fileSizeMB
    self.path = path
    self.sha256 = sha256
    self.bytes = bytes
  }

  /// Nil for what is no chart, or has no extent or no MBTiles archive.
  ///
  /// A product without a region id, such as a chart as WebP, gets the id `vfr-sectional.San_Francisco`, which no other has.
  public init?(_ product: Catalog.Product) {
    guard product.kind == .chart, let box = product.boundingBox,
      let tiles = product.files.first(where: { $0.role == .tiles })
    else { return nil }
    self.init(
      id: product.region ?? product.id.split(separator: "/").joined(separator: "."),
      name: product.regionName, effectiveDate: product.effectiveDate, expirationDate: product.expirationDate,
      boundingBox: box,
      boundingBoxes: product.boundingBoxes, fileSizeMB: Double(tiles.bytes) / 1_000_000, path: tiles.path,
      sha256: tiles.sha256, bytes: tiles.bytes)
  }

  /// `San_Francisco_TAC.mbtiles`: the name under which an app keeps the archive.
  public var fileName: String { "\(id).mbtiles" }

  /// - Parameter site: the folder of `catalog.json`.
  public func url(at site: URL) -> URL { site.appendingPathComponent(path) }
}

extension ChartRegion: SiteFile {}

extension Catalog.Product {
  /// The chart's name with what its region id adds to its own, as in `regions.json`: `San Francisco TAC`.
  fileprivate var regionName: String {
    guard let region, region.hasPrefix(item) else { return name }
    let suffix = String(region.dropFirst(item.count).map { $0 == "_" ? " " : $0 })
    let words = suffix.drop { $0 == " " }
    return words.isEmpty || name.range(of: words) != nil ? name : name + suffix
  }
}

extension Catalog {
  /// The charts of a family, each as it should be shown at this instant: in force, else expired, else still to come.
  ///
  /// - Parameter pipeline: such as `vfr-sectional`.
  public func chartRegions(of pipeline: String, at now: Date) -> [ChartRegion] {
    regions(of: products.filter { $0.pipeline == pipeline }, at: now)
  }

  /// The regions of all families, by id: what `regions.json` lists, at this instant.
  public func chartRegions(at now: Date) -> [ChartRegion] {
    regions(of: products.filter { $0.region != nil }, at: now).sorted { $0.id < $1.id }
  }

  private func regions(of products: [Product], at now: Date) -> [ChartRegion] {
    Set(products.map(\.id)).sorted().compactMap { id in
      let offer = offer(of: id, at: now)
      return (offer.shown ?? offer.upcoming).flatMap(ChartRegion.init)
    }
  }
}
