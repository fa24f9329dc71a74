internal import Core
internal import Foundation

/// `regions.json`: the charts of a site as a list of regions to download, in the form that a plain `JSONDecoder()` reads.
///
/// It depends on the catalogue alone, which names it by its hash. The copy at the site's root is for apps that read no
/// catalogue.
struct RegionList: Equatable {
  struct Region: Codable, Equatable {
    /// `San_Francisco_TAC`
    var id: String
    var name: String
    /// Seconds since 2001-01-01T00:00:00Z, as all dates here.
    var effectiveDate: Int
    var expirationDate: Int
    /// Each edge under two names.
    var boundingBox: [String: Double]
    var boundingBoxes: [[String: Double]]?
    var minZoom: Int?
    var maxZoom: Int?
    /// Millions of bytes.
    var fileSizeMB: Double
    /// Always false: the app's own copy decides.
    var isDownloaded: Bool
    /// Relative to the site's root.
    var url: String
    var sha256: SHA256Hex
    var bytes: Int
    /// The product's id in the catalogue.
    var product: String
    /// The archives of the same edition, the standard form's first.
    var forms: [ChartForm]
  }

  static let path = "regions.json"
  private static let epoch = 978_307_200

  /// By id.
  let regions: [Region]

  /// Lists for each region the edition that is in force, otherwise the last one that was, otherwise the first to come.
  ///
  /// - Parameter place: the site, for an error.
  init(_ catalogue: Catalog, in place: String) throws {
    let products = catalogue.products.filter { $0.region != nil && RegionList.archive(of: $0) != nil }
    try RegionList.checkUnique(products, in: place)
    let ids = Set(products.compactMap(\.region)).sorted()
    regions = ids.compactMap { id in
      catalogue.shown(of: products.filter { $0.region == id }).flatMap { Region($0, catalogue) }
    }
  }

  var data: Data { get throws { try CanonicalJSON.pretty(regions) } }

  fileprivate static func archive(of product: Product) -> Product.File? {
    product.files.first { $0.role == .tiles && $0.path.hasSuffix(".mbtiles") }
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

  /// Returns the seconds since the reference date of Foundation's `Date`.
  fileprivate static func seconds(_ time: Instant) -> Int { time.secondsSince1970 - epoch }
}

extension RegionList.Region {
  fileprivate init?(_ product: Product, _ catalogue: Catalog) {
    guard let region = product.region, let box = product.boundingBox,
      let archive = RegionList.archive(of: product)
    else { return nil }
    self.init(
      id: region,
      name: regionName(product.name, item: product.id.itemOfID, region: region),
      effectiveDate: RegionList.seconds(product.effectiveDate),
      expirationDate: RegionList.seconds(product.expirationDate), boundingBox: box.inBothForms,
      boundingBoxes: product.boundingBoxes?.map(\.inBothForms), minZoom: product.minZoom,
      maxZoom: product.maxZoom,
      fileSizeMB: Double(archive.bytes) / 1_000_000, isDownloaded: false, url: archive.path,
      sha256: archive.sha256, bytes: archive.bytes, product: product.id, forms: catalogue.forms(of: product))
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
  /// The archives of a standard form and of its variants, in this edition. Of several builds, the last cycle's count.
  fileprivate func forms(of standard: Product) -> [ChartForm] {
    let same = products.filter {
      ($0.variantOf ?? $0.id) == standard.id && $0.edition == standard.edition
    }
    return Dictionary(same.map { ($0.id, $0) }) { $1 }.values.flatMap { form in
      form.files.compactMap {
        ChartForm(
          $0, of: form.id, standard: form.variantOf, format: form.format, tileSize: form.tileSize,
          minZoom: form.minZoom, maxZoom: form.maxZoom)
      }
    }.sorted()
  }

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
    // All snapshots are later than the beginning of their cycle.
    if let last = ordered.last, last.isSnapshot { return last }
    return ordered.last { $0.effectiveDate <= instant && instant < $0.expirationDate }
      ?? ordered.last { $0.expirationDate <= instant } ?? ordered.first
  }
}
