public import Core
public import Foundation

/// The contents of a site from its `catalog.json`: its products, their dates and their files. `live.json` has the same form.
///
/// ```swift
/// let catalog = try Catalog(json: try Data(contentsOf: file))
/// guard catalog.freshness(afterSerial: highestSerialSeen) != .replayed else { return }
/// ```
///
/// Unknown fields are ignored. Known fields must conform to `docs/formats`: an invalid date or a path that leads out of the site is
/// rejected.
public struct Catalog: Equatable, Sendable {
  /// The format that this version reads.
  public static let format = "chartpipe-catalog-1"

  /// No catalogue has more bytes.
  static let limit = 4_000_000

  /// Increases by one with each change of the catalogue.
  public var serial: Int
  /// When the publisher signed this catalogue; nil where it does not state it.
  public var issued: Date?
  /// When the publisher will have replaced this catalogue: see ``validity(at:)``. Nil where it does not state it.
  public var expires: Date?
  /// The roles are those at the time of staging. To use your own clock, call ``cycle(inForceAt:)``.
  public var previous: Cycle?
  public var current: Cycle?
  public var next: Cycle?
  /// Ordered by cycle and id. A product has an entry for each edition, with the latest of the cycles that have it. The earlier edition of a
  /// product that is held back has an entry with its earlier cycle.
  public var products: [Product]
  /// The previous catalogue; nil where the publisher keeps none.
  public var replaces: FileReference?
  /// `regions.json` of this catalogue; nil in catalogues of earlier publishers.
  public var regions: FileReference?
  /// The snapshots that the live channel lacks.
  public var held: [Held] = []

  /// Reads `catalog.json`. An error of the code ``ChartpipeError/Code/format`` means that the app needs an update.
  public init(json: Data) throws(ChartpipeError) {
    guard json.count <= Catalog.limit else {
      throw .unreadableCatalog("it has more than \(Catalog.limit) bytes")
    }
    // Foundation's decoder takes the last of two equal keys, and other parsers the first.
    if let flaw = JSONText(json, .json).flaw { throw .unreadableCatalog("it is not valid JSON: \(flaw)") }
    do {
      self = try JSONDecoder().decode(Catalog.self, from: json)
    } catch let error as ChartpipeError {
      throw error
    } catch {
      throw .unreadableCatalog((error as? DecodingError)?.summary ?? "\(error)")
    }
  }

  /// The cycles, the oldest first.
  public var cycles: [Cycle] {
    [previous, current, next].compactMap(\.self).sorted { $0.effective < $1.effective }
  }
}

extension ChartpipeError {
  static let readingCatalog = "reading the catalogue"

  fileprivate static func unreadableCatalog(_ problem: String) -> ChartpipeError {
    ChartpipeError(.invalid, readingCatalog, problem)
  }
}

extension Catalog {
  /// A file of the site.
  public typealias FileReference = Core.FileReference
  /// A file of a product. ``FileReference/path`` is relative to the site.
  public typealias File = ProductFile
  /// The kind of a product. Future versions may add values.
  public typealias Kind = ProductKind
  /// The purpose of a file. Future versions may add values.
  public typealias Role = FileRole

  /// One AIRAC cycle of 28 days. Products have their own dates.
  public struct Cycle: Equatable, Sendable {
    /// `2612`
    public var id: String
    public var effective: Date
    public var expires: Date
    /// When it was published; nil where the publisher does not state it.
    public var published: Date?
    /// The list of all files of the cycle.
    public var manifest: FileReference
    /// The products that are missing from the cycle. Their previous editions may still be in ``Catalog/products``, with their own dates.
    public var held: [Held] = []
  }

  /// A product of which the publisher has no edition for a cycle, or a snapshot that it withdrew.
  public struct Held: Decodable, Equatable, Sendable {
    /// `vfr-sectional/Seattle`
    public var id: String
    public var reason: HeldReason
    /// The first validation rule that rejected it; nil for other reasons.
    public var rule: String?
    /// The cycle of the earlier edition in ``Catalog/products``; nil when there is none.
    public var published: String?
  }

  /// Why a product is held back. Future versions may add values.
  public struct HeldReason: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Validation rejected it.
    public static let refused = HeldReason(rawValue: "refused")
    /// It contains parts of a product that validation rejected.
    public static let contains = HeldReason(rawValue: "contains")
    /// The build failed.
    public static let failed = HeldReason(rawValue: "failed")
    /// The time of the snapshot is over.
    public static let expired = HeldReason(rawValue: "expired")
  }
}

/// A file to download, with its expected size and hash. The file at a path never changes.
public protocol SiteFile: Sendable {
  /// Relative to the folder of `catalog.json`. It never leads out of that folder.
  var path: String { get }
  var sha256: SHA256Hex { get }
  var bytes: Int { get }
  /// The same file as gzip; nil for most files.
  var gzip: Catalog.FileReference? { get }
}

extension SiteFile {
  public var gzip: Catalog.FileReference? { nil }
}

extension FileReference: SiteFile {}
extension ProductFile: SiteFile {}

extension FileRole {
  /// Expected properties of a database's columns, for validation, in catalogues of earlier publishers.
  public static let columns = FileRole(rawValue: "columns")
}

extension Catalog {
  /// One edition of a chart, a database or an export.
  public struct Product: Equatable, Sendable {
    /// `vfr-sectional/San_Francisco`, the same in every cycle.
    public var id: String
    public var kind: Kind
    /// The name to display.
    public var name: String
    /// The AIRAC cycle that it was built for. A chart is valid for two cycles.
    public var cycle: String
    /// The effective day of the source.
    public var edition: String
    /// The first second in force. Cycles change at 0901Z.
    public var effectiveDate: Date
    /// The first second in which its successor is in force.
    public var expirationDate: Date
    /// When the publisher last confirmed a snapshot at its source; nil for other products.
    public var fetched: Date?
    /// The box never crosses 180 degrees: a product that does has a box from -180 to 180, and ``boundingBoxes``.
    public var boundingBox: BoundingBox?
    public var boundingBoxes: [BoundingBox]?
    public var minZoom: Int?
    public var maxZoom: Int?
    /// The id of the chart as a region, such as `San_Francisco_TAC`. It is unique over all families and usable as a file name. Only single
    /// charts with PNG tiles of 256 pixels have one; nil in catalogues of earlier publishers.
    public var region: String?
    /// `png`, `webp`, `sqlite` …
    public var format: String
    /// The width of its tiles in pixels; nil for 256 and for products without tiles.
    public var tileSize: Int?
    /// The standard form of this variant, such as the PNG chart of a WebP chart; nil for a standard form.
    public var variantOf: String?
    public var files: [File]
    /// The ids of other charts whose pixels are in its tiles: the charts of a mosaic, or the neighbours that complete the edge tiles of
    /// a chart.
    public var includes: [String] = []

    /// `vfr-sectional`
    public var pipeline: String { id.pipelineOfID }
    /// `San_Francisco`
    public var item: String { id.itemOfID }
  }
}

extension Catalog.Product {
  /// Returns the files that an app needs: one archive of the tiles, and no files for validation.
  ///
  /// - Parameter asPMTiles: Prefer PMTiles to MBTiles.
  public func filesToGet(asPMTiles: Bool = false) -> [Catalog.File] {
    let roles = Set(files.map(\.role))
    let doubled: Catalog.Role = asPMTiles && roles.contains(.pmtiles) ? .tiles : .pmtiles
    return files.filter {
      !$0.isEvidence && $0.role != .columns
        && ($0.role != doubled || !roles.isSuperset(of: [.tiles, .pmtiles]))
    }
  }
}

extension Catalog {
  /// Returns the forms of a chart of one edition, each as the latest cycle has it: the standard form first, then its variants by id.
  ///
  /// An app chooses one by ``Product/format`` and ``Product/tileSize``.
  ///
  /// - Parameter product: Any of the forms.
  public func forms(of product: Product) -> [Product] {
    let standard = product.variantOf ?? product.id
    let same = products.filter { ($0.variantOf ?? $0.id) == standard && $0.edition == product.edition }
    return Dictionary(same.map { ($0.id, $0) }) { $1 }.values.sorted {
      ($0.variantOf == nil ? "" : $0.id) < ($1.variantOf == nil ? "" : $1.id)
    }
  }
}
