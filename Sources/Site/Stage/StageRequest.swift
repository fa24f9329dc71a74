public import Core
public import Foundation
public import Pipeline
public import Validation

/// What is to be staged, and where.
public struct StageRequest: Sendable {
  /// Folders, which are searched, or single `.product.json`, `.mbtiles` or `.sqlite` files. All of one cycle.
  public var builds: [URL]
  public var site: URL
  /// Decides only which cycle the catalogue calls the current one.
  public var now: Instant
  /// The ids of products that should be there and could not be made.
  public var missing: [String]
  /// Why they could not, of those of which it is known.
  public var failures: [ProductFailure]
  /// Products that were not made because validation refused a chart that they would contain.
  public var unmade: [UnmadeProduct]
  /// What the run noticed of its sources.
  public var notes: [SourceNote]
  /// What may pass although a rule says no.
  public var accepted: [Acceptance]
  /// Whether one error in one product refuses all; otherwise only that product is held back.
  public var isStrict: Bool
  /// What the catalogue is signed with; nil for a site without signatures.
  public var key: SigningKey?
  /// Where the site will be to be had, for the links of its feed; nil for relative ones.
  public var siteURL: String?

  public init(
    builds: [URL], site: URL, now: Instant, missing: [String] = [], failures: [ProductFailure] = [],
    unmade: [UnmadeProduct] = [], notes: [SourceNote] = [], accepted: [Acceptance] = [],
    isStrict: Bool = false, key: SigningKey? = nil, siteURL: String? = nil
  ) {
    self.builds = builds
    self.site = site
    self.now = now
    self.missing = missing
    self.failures = failures
    self.unmade = unmade
    self.notes = notes
    self.accepted = accepted
    self.isStrict = isStrict
    self.key = key
    self.siteURL = siteURL
  }
}

/// A mosaic that was not made because validation refused one of its charts.
public struct UnmadeProduct: Sendable {
  public var id: String
  public var name: String
  /// The ids of the charts that it joins.
  public var parts: [String]

  public init(id: String, name: String, parts: [String]) {
    (self.id, self.name, self.parts) = (id, name, parts)
  }
}

/// What came of it.
public struct StagedSite: Equatable, Sendable {
  public var site: URL
  public var cycle: String
  /// How many products the site has of this cycle now.
  public var products: Int
  /// Of their files.
  public var bytes: Int
  /// What this staging held back, by id.
  public var held: [HeldProduct]
  public var catalogue: URL
  public var report: URL
}
