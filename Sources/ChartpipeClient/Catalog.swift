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
