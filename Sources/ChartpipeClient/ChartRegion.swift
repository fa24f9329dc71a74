public import Foundation

/// A chart as a list of regions to download shows it. An app adds what it alone knows, such as where its copy lies.
public struct ChartRegion: Codable, Hashable, Identifiable, Sendable {
  /// `San_Francisco`
  public var id: String
  /// `San Francisco`
  public var name: String
  public var effectiveDate: Date
  public var expirationDate: Date
  public var boundingBox: BoundingBox
  /// Millions of bytes.
  public var fileSizeMB: Double

  public init(
    id: String, name: String, effectiveDate: Date, expirationDate: Date, boundingBox: BoundingBox,
    fileSizeMB: Double
  ) {
    self.id = id
    self.name = name
    self.effectiveDate = effectiveDate
    self.expirationDate = expirationDate
    self.boundingBox = boundingBox
    self.fileSizeMB = fileSizeMB
  }

  /// Nil for what is no chart, or has no extent or no tiles.
  public init?(_ product: Catalog.Product) {
    guard product.kind == .chart, let box = product.boundingBox,
      let tiles = product.files.first(where: { $0.role == .tiles })
    else { return nil }
    self.init(
      id: product.item, name: product.name, effectiveDate: product.effectiveDate,
      expirationDate: product.expirationDate, boundingBox: box, fileSizeMB: Double(tiles.bytes) / 1_000_000)
  }
}

extension Catalog {
  /// The charts of a family, each as it should be shown at this instant: in force, else expired, else still to come.
  ///
  /// - Parameter pipeline: such as `vfr-sectional`. Two families may each have a San Francisco.
  public func chartRegions(of pipeline: String, at now: Date) -> [ChartRegion] {
    let ids = Set(products.filter { $0.pipeline == pipeline }.map(\.id)).sorted()
    return ids.compactMap { id in
      let offer = offer(of: id, at: now)
      return (offer.shown ?? offer.upcoming).flatMap(ChartRegion.init)
    }
  }
}
