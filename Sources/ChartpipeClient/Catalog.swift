public import Foundation

/// What a site offers, as its `catalog.json` says: which products there are, for which time, and in which files.
///
/// ```swift
/// let catalog = try Catalog(json: try Data(contentsOf: file))
/// guard catalog.freshness(afterSerial: highestSerialSeen) != .replayed else { return }
/// ```
///
/// Fields that this version does not know are passed over. Fields that it knows must be as `docs/FORMATS.md` has them: a
/// date that cannot be read or a path that leads out of the site is refused, and never guessed.
public struct Catalog: Equatable, Sendable {
  /// The one format that this version reads.
  public static let format = "chartpipe-catalog-1"

  /// Goes up by one whenever anything else in the catalogue changes.
  public var serial: Int
  /// The roles are as of the staging. Decide by your own clock: ``cycle(inForceAt:)``.
  public var previous: Cycle?
  public var current: Cycle?
  public var next: Cycle?
  /// By cycle and then by id. A product has an entry for each cycle; an edition that stays in place of one that
  /// is held back has an entry with its own, earlier cycle.
  public var products: [Product]
  /// The catalogue before this one; nil where the publisher keeps none.
  public var replaces: FileReference?
  /// `regions.json` of this catalogue; nil in catalogues of earlier publishers.
  public var regions: FileReference?

  /// Reads `catalog.json`.
  public init(json: Data) throws(CatalogError) {
    do {
      let decoder = JSONDecoder()
      let format = try decoder.decode(Header.self, from: json).format
      guard format == Catalog.format else { throw CatalogError.unknownFormat(format) }
      self = try decoder.decode(Catalog.self, from: json)
    } catch let error as CatalogError {
      throw error
    } catch {
      throw .unreadable((error as? DecodingError)?.place ?? "\(error)")
    }
  }

  private struct Header: Decodable {
    let format: String
  }

  /// The cycles, the oldest first.
  public var cycles: [Cycle] {
    [previous, current, next].compactMap(\.self).sorted { $0.effective < $1.effective }
  }
}

/// Why a file is no catalogue that can be used.
public enum CatalogError: Error, Equatable, Sendable {
  /// It is of another format than this version reads: the app has to be updated.
  case unknownFormat(String)
  /// Where the trouble is, and what.
  case unreadable(String)
}

extension CatalogError: LocalizedError, CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownFormat(let format): "a catalogue of the format \"\(format)\", which this version cannot read"
    case .unreadable(let place): "no catalogue that can be read: \(place)"
    }
  }

  public var errorDescription: String? { description }
}

extension Catalog {
  /// One AIRAC cycle of 28 days. Products have dates of their own.
  public struct Cycle: Equatable, Sendable {
    /// `2612`
    public var id: String
    public var effective: Date
    public var expires: Date
    /// When it was published; nil where the publisher does not say.
    public var published: Date?
    /// All that the site holds of the cycle.
    public var manifest: FileReference
    /// The products that the cycle should have and does not have. Their previous editions may still be in ``Catalog/products``,
    /// with their own dates.
    public var held: [Held] = []
  }

  /// A product of which the publisher has no edition for a cycle.
  public struct Held: Equatable, Sendable {
    /// `vfr-sectional/Seattle`
    public var id: String
    public var reason: HeldReason
    /// The first validation rule that refused it; nil for other reasons.
    public var rule: String?
    /// The cycle of the earlier edition in ``Catalog/products``; nil when there is none.
    public var published: String?
  }

  /// Why a product is held back. There may come to be others than these.
  public struct HeldReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Validation refused it.
    public static let refused = HeldReason(rawValue: "refused")
    /// It contains parts of a product that validation refused.
    public static let contains = HeldReason(rawValue: "contains")
    /// It could not be made.
    public static let failed = HeldReason(rawValue: "failed")
  }

  /// A file of the site.
  public struct FileReference: SiteFile, Equatable {
    public var path: String
    public var sha256: String
    public var bytes: Int
  }
}

/// Something that can be downloaded, and what its bytes must be. A file of a site never changes under its path.
public protocol SiteFile: Sendable {
  /// Relative to the folder of `catalog.json`; it never leads out of it.
  var path: String { get }
  /// 64 lower-case hex digits.
  var sha256: String { get }
  var bytes: Int { get }
}

extension Catalog {
  /// One thing that an app can download, as it is in one cycle.
  public struct Product: Equatable, Sendable {
    /// `vfr-sectional/San_Francisco`, the same in every cycle.
    public var id: String
    public var kind: Kind
    /// For people.
    public var name: String
    /// The AIRAC cycle that it was built for. A chart is the same through two of them.
    public var cycle: String
    /// The effective day of the source.
    public var edition: String
    /// From when on it is the one in force, to the second: a cycle changes at 0901Z.
    public var effectiveDate: Date
    /// Until when. At that very second its successor is in force.
    public var expirationDate: Date
    /// Never crosses 180 degrees: what does goes from -180 to 180, and has ``boundingBoxes``.
    public var boundingBox: BoundingBox?
    public var boundingBoxes: [BoundingBox]?
    public var minZoom: Int?
    public var maxZoom: Int?
    /// The id of the region that the product is, such as `San_Francisco_TAC`: unique over all families, so that it is a file name.
    /// Nil for what is not a single chart with PNG tiles of 256 pixels, and in catalogues of earlier publishers.
    public var region: String?
    /// `png`, `webp`, `sqlite` …
    public var format: String
    /// Pixels a side of its tiles; nil for 256, and for what has no tiles.
    public var tileSize: Int?
    /// The product of which it is another form, such as the same chart as WebP; nil for a standard form.
    public var variantOf: String?
    public var files: [File]
    /// Ways to make the first of `files` from an older one.
    public var patches: [Patch]
    /// The ids of other charts whose pixels its tiles contain: of a mosaic those that it joins, of another chart the neighbours from
    /// which its edge tiles were completed.
    public var includes: [String] = []

    /// `vfr-sectional`
    public var pipeline: String { id.split(separator: "/", maxSplits: 1).first.map(String.init) ?? id }
    /// `San_Francisco`
    public var item: String { id.split(separator: "/", maxSplits: 1).last.map(String.init) ?? id }
  }

  /// What a product is. There may come to be others than these.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let chart = Kind(rawValue: "chart")
    public static let database = Kind(rawValue: "database")
    /// Another form of a database.
    public static let export = Kind(rawValue: "export")
  }

  public struct File: SiteFile, Equatable {
    public var path: String
    public var sha256: String
    public var bytes: Int
    public var mediaType: String
    public var role: Role
    /// The same file as gzip; nil where that saves next to nothing, and in catalogues of earlier publishers.
    public var gzip: FileReference?
  }

  /// What a file of a product is for. There may come to be others than these.
  public struct Role: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A chart as MBTiles.
    public static let tiles = Role(rawValue: "tiles")
    /// The same tiles as PMTiles.
    public static let pmtiles = Role(rawValue: "pmtiles")
    /// What proves a chart's place; no app needs it.
    public static let control = Role(rawValue: "control")
    /// What proves that its tiles show the sheet; no app needs it.
    public static let reference = Role(rawValue: "reference")
    /// Expected properties of a database's columns, for validation; no app needs it.
    public static let columns = Role(rawValue: "columns")
    public static let database = Role(rawValue: "database")
  }

  /// What makes the first file of a product out of an older one.
  public struct Patch: SiteFile, Equatable {
    /// The file that the device must have.
    public var fromSha256: String
    public var fromCycle: String?
    /// Of the patch itself.
    public var path: String
    public var sha256: String
    public var bytes: Int
  }
}

extension Catalog.Product {
  /// The files that an app needs of it: not the same tiles twice, and nothing that is only a proof.
  ///
  /// - Parameter asPMTiles: take a chart's PMTiles in place of its MBTiles, where there are any.
  public func filesToGet(asPMTiles: Bool = false) -> [Catalog.File] {
    let roles = Set(files.map(\.role))
    let doubled: Catalog.Role = asPMTiles && roles.contains(.pmtiles) ? .tiles : .pmtiles
    return files.filter {
      ![.control, .reference, .columns].contains($0.role)
        && ($0.role != doubled || !roles.isSuperset(of: [.tiles, .pmtiles]))
    }
  }

  /// The smallest patch that makes its first file out of one that the device has; nil when there is none.
  public func patch(fromAnyOf held: Set<String>) -> Catalog.Patch? {
    patches.filter { held.contains($0.fromSha256) }.min { $0.bytes < $1.bytes }
  }
}

/// Degrees, south and west negative.
public struct BoundingBox: Codable, Hashable, Sendable {
  public var west: Double
  public var south: Double
  public var east: Double
  public var north: Double

  public init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }
}

extension Catalog {
  /// The forms in which the catalogue has a chart of one edition: the standard form first, then its variants by their ids.
  ///
  /// An app that shows one form picks it by ``Product/format`` and ``Product/tileSize``.
  ///
  /// - Parameter product: any of the forms.
  public func forms(of product: Product) -> [Product] {
    let standard = product.variantOf ?? product.id
    return products.filter {
      ($0.variantOf ?? $0.id) == standard && $0.edition == product.edition && $0.cycle == product.cycle
    }
    .sorted { ($0.variantOf == nil ? "" : $0.id) < ($1.variantOf == nil ? "" : $1.id) }
  }
}
