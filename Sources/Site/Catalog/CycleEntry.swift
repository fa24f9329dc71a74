public import CryptoIO

/// A cycle in the catalogue.
public struct CycleEntry: Codable, Equatable, Sendable {
  /// `2612`
  public var id: String
  public var effective: String
  public var expires: String
  public var manifest: FileReference
  /// When this very manifest was first published; nil in a site that is only staged.
  public var published: String?
  /// The products that the cycle should have and does not have, by id; nil when it has all.
  public var held: [Held]?

  public init(
    id: String, effective: String, expires: String, manifest: FileReference, published: String? = nil
  ) {
    self.id = id
    self.effective = effective
    self.expires = expires
    self.manifest = manifest
    self.published = published
  }

  /// The entry of a cycle whose manifest is stored in `file`.
  init(_ manifest: Manifest, in file: FileReference, published: String? = nil) {
    self.init(
      id: manifest.cycle, effective: manifest.effective, expires: manifest.expires, manifest: file,
      published: published)
    held = manifest.heldInCatalogue
  }
}

/// A file of the site, and what its bytes must be.
public struct FileReference: Codable, Equatable, Sendable {
  /// Relative to the site's root.
  public var path: String
  public var sha256: SHA256Hex
  public var bytes: Int

  public init(path: String, sha256: SHA256Hex, bytes: Int) {
    self.path = path
    self.sha256 = sha256
    self.bytes = bytes
  }
}
