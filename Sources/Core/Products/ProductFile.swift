/// The kind of a product. Kinds can be added. Rules about charts and databases do not apply to them.
public struct ProductKind: RawRepresentable, Hashable, Codable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let chart = ProductKind(rawValue: "chart")
  public static let database = ProductKind(rawValue: "database")
  /// A database in another format.
  public static let export = ProductKind(rawValue: "export")
}

/// The purpose of a file. Other versions may know others.
public struct FileRole: RawRepresentable, Hashable, Codable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A chart as MBTiles.
  public static let tiles = FileRole(rawValue: "tiles")
  /// The same tiles as PMTiles.
  public static let pmtiles = FileRole(rawValue: "pmtiles")
  public static let database = FileRole(rawValue: "database")
  public static let json = FileRole(rawValue: "json")
  /// The compressed form of another file.
  public static let gzip = FileRole(rawValue: "gzip")
  /// Patches of a chart's sheet, for the validation of its placement.
  public static let control = FileRole(rawValue: "control")
  /// A coarse picture of a chart's sheet, for the validation of its tiles.
  public static let reference = FileRole(rawValue: "reference")
  /// Pixels of an image that is not a chart, for the validation of its tiles.
  public static let samples = FileRole(rawValue: "samples")
}

/// A file with its size and its hash.
public struct FileReference: Codable, Hashable, Sendable {
  /// Relative: to the product's JSON in a build folder, to the site's root in a site.
  public var path: String
  public var sha256: SHA256Hex
  public var bytes: Int

  public init(path: String, sha256: SHA256Hex, bytes: Int) {
    (self.path, self.sha256, self.bytes) = (path, sha256, bytes)
  }
}

/// A file of a product.
public struct ProductFile: Codable, Hashable, Sendable {
  /// As in a reference.
  public var path: String
  public var sha256: SHA256Hex
  public var bytes: Int
  public var mediaType: String
  public var role: FileRole
  /// In a site, the same file as gzip; nil if compression saves little, and in a build folder.
  public var gzip: FileReference?

  public init(
    path: String, sha256: SHA256Hex, bytes: Int, mediaType: String, role: FileRole,
    gzip: FileReference? = nil
  ) {
    (self.path, self.sha256, self.bytes) = (path, sha256, bytes)
    (self.mediaType, self.role, self.gzip) = (mediaType, role, gzip)
  }

  /// Whether it is evidence for validation, which no app needs.
  public var isEvidence: Bool { [.control, .reference, .samples].contains(role) }
}
