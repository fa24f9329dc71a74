public import Core
internal import Foundation

/// `catalog.json`: the cycles and products of a site. It is the only file that clients request by name, and it changes with each
/// publication.
///
/// The roles of the cycles are those at the time of staging. Every cycle and every product has its dates, so a client decides by its
/// own clock.
public struct Catalog: Codable, Equatable, Sendable {
  public enum Format: String, Codable, Sendable {
    case version1 = "chartpipe-catalog-1"
  }

  public var format: Format = .version1
  /// Increases by one with every change, so a client recognizes an old copy.
  public var serial: Int
  /// When it was published, and until when it is valid; nil in a site that is only staged, and in catalogues of earlier versions.
  var issued: Instant?
  var expires: Instant?
  public var previous: CycleEntry?
  public var current: CycleEntry?
  public var next: CycleEntry?
  /// The products of the three cycles, the earlier editions that stay in place of held ones, and the previous edition of each product;
  /// by cycle and then by id.
  public var products: [Product]
  /// The last catalogue with other products or cycles, byte for byte, for a rollback; nil for the first one, and in a site that is only
  /// staged.
  public var replaces: FileReference?
  /// `regions.json` of this catalogue; nil in catalogues of earlier versions.
  public var regions: FileReference?
  /// The list of the site's pages with their hashes; nil in catalogues of earlier versions.
  public var pages: FileReference?
  /// What rollbacks withdrew within the last year; nil if there is none, and in a site that is only staged.
  public var withdrawn: [WithdrawnCycle]?
  /// The snapshots that `live.json` lacks, by id; nil if there is none, and in `catalog.json`.
  public var held: [CycleEntry.Held]?
}

extension Catalog {
  enum CodingKeys: CodingKey {
    case format, serial, issued, expires, previous, current, next, products, replaces, regions, pages,
      withdrawn, held
  }

  /// Nil for a catalogue that does not expire.
  public var term: CatalogueTerm? {
    get { issued ?? expires == nil ? nil : CatalogueTerm(issued: issued, expires: expires) }
    set { (issued, expires) = (newValue?.issued, newValue?.expires) }
  }
}

/// The initializer that the compiler writes uses this.
extension KeyedDecodingContainer where Key == Catalog.CodingKeys {
  func decode(_ type: [Product].Type, forKey key: Key) throws -> [Product] {
    CatalogueEntry.unfolding(try decode([CatalogueEntry].self, forKey: key))
  }
}

extension KeyedEncodingContainer where Key == Catalog.CodingKeys {
  mutating func encode(_ products: [Product], forKey key: Key) throws {
    try encode(CatalogueEntry.folding(products), forKey: key)
  }

  /// A role without a cycle is written as null, so it is explicitly empty.
  mutating func encodeIfPresent(_ entry: CycleEntry?, forKey key: Key) throws {
    try encode(entry, forKey: key)
  }
}

/// The products of one cycle in a catalogue: its own, and the earlier editions that stay in place of held ones.
struct CycleProducts: Equatable {
  var own: [Product]
  var kept: [Product]

  var all: [Product] { own + kept }
}

extension [CycleProducts] {
  /// Returns each edition once, by cycle and then by id. A cycle's own entry of a product takes precedence.
  var listed: [Product] {
    var seen: Set<[String]> = []
    return (flatMap(\.own) + flatMap(\.kept)).filter { seen.insert([$0.id, $0.cycle.identifier]).inserted }
      .byCycle
  }
}

extension Product {
  /// The entry of the catalogue: what an app needs to choose and verify files. The manifest has the whole description, which would
  /// make the catalogue ten times as large.
  var inCatalogue: Product {
    var product = self
    (product.cut, product.control, product.placement, product.family) = (nil, nil, nil, nil)
    // Later editions are compared with the hashes of the sheet and of a database's sources, also when no manifest has them any more.
    product.reference?.blanks = []
    product.reference?.repeats = nil
    product.sources = kind == .database ? sources : []
    product.build.libraries = [:]
    (product.build.definitionSha256, product.build.maxMegabytes) = (nil, nil)
    (product.build.rowLoss, product.build.tileLoss) = (nil, nil)
    // As in the JSON, which lists the evidence apart.
    product.files = files.filter { !$0.isEvidence } + files.filter(\.isEvidence)
    guard kind == .chart else { return product }
    product.build.counts = build.counts.filter { $0.key == "tiles" }
    // A mosaic lists its charts. The neighbours that complete the edges of a chart do not matter to an app.
    if region != nil || cut != nil { product.includes = nil }
    return product
  }
}

extension Catalog {
  /// The bytes of `catalog.json`: one line without spaces, since apps poll it.
  var data: Data {
    get throws { try CanonicalJSON.line(self) + Data("\n".utf8) }
  }

  /// Returns the products of a cycle. Clients find the same by identifiers and dates.
  func products(of entry: CycleEntry) -> CycleProducts {
    let held = entry.held ?? []
    let ids = Set(held.map(\.id))
    let kept = held.compactMap { held in
      products.first { $0.id == held.id && $0.cycle == held.published }
    }
    return CycleProducts(own: products.filter { $0.cycle == entry.id && !ids.contains($0.id) }, kept: kept)
  }
}

/// A cycle in the catalogue.
public struct CycleEntry: Codable, Equatable, Sendable {
  /// `2612`
  public var id: AiracCycle
  public var effective: Instant
  public var expires: Instant
  public var manifest: FileReference
  /// When this manifest was first published; nil in a site that is only staged.
  public var published: Instant?
  /// The products that the cycle lacks, by id; nil if it is complete.
  public var held: [Held]?
}

extension Catalog {
  var entries: [CycleEntry] { [previous, current, next].compactMap(\.self) }

  /// The files that clients download, each once.
  var productFiles: [NamedFile] {
    var seen: Set<String> = []
    return products.flatMap { product in
      let names = product.downloadNames
      return product.allFiles.map { file in
        NamedFile(
          reference: FileReference(file), mediaType: file.mediaType, owner: product.id,
          downloadName: file.isEvidence ? nil : names[file.path])
      }
    }.filter { seen.insert("\($0.reference.path) \($0.reference.sha256) \($0.reference.bytes)").inserted }
  }

  /// The manifests, the list of regions and the list of pages.
  var ownFiles: [NamedFile] {
    let lists = [regions, pages].compactMap(\.self).map { ($0, "the catalogue") }
    return (entries.map { ($0.manifest, "cycle \($0.id)") } + lists).map {
      NamedFile(reference: $0, mediaType: "application/json", owner: $1)
    }
  }
}

extension Collection<AiracCycle> {
  /// The cycle in force and its neighbours; nil for a role without a cycle.
  ///
  /// An expired cycle is never current, even if the site has no other: no current chart is better than last month's chart that is taken
  /// for a current one.
  func roles(at now: Instant) -> [AiracCycle?] {
    let inForce = AiracCycle(at: now)
    return [filter { $0 < inForce }.max(), first { $0 == inForce }, filter { $0 > inForce }.min()]
  }
}

extension CycleEntry {
  /// A product that a cycle or the live catalogue lacks.
  public struct Held: Codable, Equatable, Sendable {
    public enum Reason: String, Codable, Sendable {
      /// Validation refused it.
      case refused
      /// It contains a product that validation refused.
      case contains
      /// It could not be built.
      case failed
      /// It is a snapshot that was withdrawn because its time is over.
      case expired
    }

    public var id: String
    public var reason: Reason
    /// The first rule that refused it; nil for other reasons.
    public var rule: String?
    /// The cycle of the edition that stays in `products` in its place; nil if there is none.
    public var published: AiracCycle?
  }
}
