internal import ChartpipeClient
internal import Core
internal import Foundation

/// `regions.json`: the charts of a site as a list of regions to download, in the form that a plain `JSONDecoder()` reads.
///
/// It depends on the catalogue alone, which names it by its hash. The copy at the site's root is for apps that read no
/// catalogue.
struct RegionList: Equatable {
  static let path = "regions.json"

  /// By id, as an app finds them in the catalogue.
  let regions: [ChartRegion]

  /// Lists for each region the edition that is in force, otherwise the last one that was, otherwise the first to come.
  ///
  /// - Parameter place: the site, for an error.
  init(_ catalogue: Catalog, in place: String) throws {
    let products = catalogue.products.filter { product in
      product.region != nil && product.files.contains { $0.role == .tiles && $0.path.hasSuffix(".mbtiles") }
    }
    try RegionList.checkUnique(products, in: place)
    var charts = catalogue
    charts.products.removeAll { $0.kind != .chart }
    let published = try UserError.wrapping(
      "listing the regions of", place, kind: .badInput, suggestion: "Build the product again."
    ) { try ChartpipeClient.Catalog(json: charts.data) }
    let shown = Dictionary(grouping: products, by: \.region).compactMap { catalogue.shown(of: $1) }
    regions = published.products.filter { product in
      shown.contains {
        $0.id == product.id && $0.cycle.identifier == product.cycle
          && Double($0.effectiveDate.secondsSince1970) == product.effectiveDate.timeIntervalSince1970
      }
    }.compactMap(published.region).sorted { $0.id < $1.id }
  }

  var data: Data { get throws { try CanonicalJSON.pretty(regions.map(Entry.init)) } }

  /// A region with the keys that an app's own declaration has besides.
  private struct Entry: Encodable {
    let region: ChartRegion

    private enum CodingKeys: String, CodingKey { case boundingBox, boundingBoxes, isDownloaded }

    func encode(to encoder: any Encoder) throws {
      try region.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(region.boundingBox.inBothForms, forKey: .boundingBox)
      try container.encodeIfPresent(region.boundingBoxes?.map(\.inBothForms), forKey: .boundingBoxes)
      // The app's own copy decides.
      try container.encode(false, forKey: .isDownloaded)
    }
  }

  /// Two products may have the same region id one after the other, as when a family gets a new name, but not at the same time.
  private static func checkUnique(_ products: [Product], in place: String) throws {
    for instant in Set(products.map(\.effectiveDate)).sorted() {
      let together = products.filter { $0.effectiveDate <= instant && instant < $0.expirationDate }
      try checkRegionIDs(together.compactMap { product in product.region.map { ($0, product.id) } }) {
        UserError(
          .badInput, operation: "listing the regions of", path: place, reason: $0,
          suggestion: "Give the family of one of them another `regionSuffix` and build it again.")
      }
    }
  }
}

extension GeoBox {
  /// The edges as the catalogue names them, and as OpenEFB does.
  fileprivate var inBothForms: [String: Double] {
    [
      "west": west, "south": south, "east": east, "north": north,
      "minLongitude": west, "minLatitude": south, "maxLongitude": east, "maxLatitude": north,
    ]
  }
}

extension Catalog {
  /// An instant at which the catalogue's roles apply. Derived files depend on it and not on a clock, so that every mirror derives
  /// the same files.
  private var reference: Instant? {
    // After an outage there may be no current cycle. Only the one that comes next is published ahead, so today is shortly before it.
    current?.effective ?? next?.effective.adding(-1) ?? previous?.expires
  }

  /// The entry that a client shows, of entries that follow each other.
  func shown(of entries: [Product]) -> Product? {
    guard let instant = reference else { return nil }
    let ordered = entries.enumerated().sorted {
      ($0.element.effectiveDate, $0.offset) < ($1.element.effectiveDate, $1.offset)
    }.map(\.element)
    return ordered.last { $0.effectiveDate <= instant && instant < $0.expirationDate }
      ?? ordered.last { $0.expirationDate <= instant } ?? ordered.first
  }
}
