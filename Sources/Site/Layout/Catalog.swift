internal import Core
public import CryptoIO
public import Pipeline

/// `catalog.json`: what a site offers. The one file of a site that clients ask for by name and that ever changes.
///
/// The roles of the cycles are as of the staging. Time goes on after that, so every cycle and every product carries
/// its dates, and a client decides by its own clock.
public struct Catalog: Codable, Equatable, Sendable {
  public enum Format: String, Codable, Sendable {
    case version1 = "chartpipe-catalog-1"
  }

  public var format: Format
  /// Goes up by one whenever the rest changes, so that a client notices an old copy.
  public var serial: Int
  public var previous: CycleEntry?
  public var current: CycleEntry?
  public var next: CycleEntry?
  /// Of the three cycles, the earlier editions that stay in place of what these hold back, and the previous edition of each
  /// product; by cycle and then by id.
  public var products: [Product]
  /// The catalogue that was there before, byte for byte, so that one can go back to it; nil for the first one, and in a site
  /// that is only staged.
  public var replaces: FileReference?
  /// `regions.json` of this catalogue; nil in catalogues of earlier versions.
  public var regions: FileReference?
  /// What rollbacks took out of the catalogue within the last year; nil where there is none, and in a site that is only staged.
  public var withdrawn: [WithdrawnCycle]?

  public init(
    format: Format = .version1, serial: Int, previous: CycleEntry?, current: CycleEntry?,
    next: CycleEntry?, products: [Product], replaces: FileReference? = nil, regions: FileReference? = nil
  ) {
    self.format = format
    self.serial = serial
    self.previous = previous
    self.current = current
    self.next = next
    self.products = products
    self.replaces = replaces
    self.regions = regions
  }

  /// A role without a cycle is written as null, so that it is seen to be empty.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(format, forKey: .format)
    try container.encode(serial, forKey: .serial)
    try container.encode(previous, forKey: .previous)
    try container.encode(current, forKey: .current)
    try container.encode(next, forKey: .next)
    try container.encode(products, forKey: .products)
    try container.encodeIfPresent(replaces, forKey: .replaces)
    try container.encodeIfPresent(regions, forKey: .regions)
    try container.encodeIfPresent(withdrawn, forKey: .withdrawn)
  }
}

/// The products of one cycle in a catalogue: its own, and the earlier editions that stay in place of what it holds back.
struct CycleProducts: Equatable {
  var own: [Product]
  var kept: [Product]

  init(own: [Product], kept: [Product]) {
    (self.own, self.kept) = (own, kept)
  }

  init(_ manifest: Manifest) {
    self.init(own: manifest.products, kept: manifest.kept ?? [])
  }

  var all: [Product] { own + kept }
}

extension [CycleProducts] {
  /// Each edition once, by cycle and then by id. A cycle that is listed knows its own products best.
  var listed: [Product] {
    var seen: Set<[String]> = []
    return (flatMap(\.own) + flatMap(\.kept)).filter { seen.insert([$0.id, $0.cycle]).inserted }
      .map { (AiracCycle(identifier: $0.cycle)?.effective, $0) }
      .sorted { one, two in
        let (first, second) = (one.0?.secondsSince1970 ?? 0, two.0?.secondsSince1970 ?? 0)
        return (first, one.1.id) < (second, two.1.id)
      }.map(\.1)
  }
}

extension Catalog {
  /// What the catalogue lists of a cycle. Clients find the same by the products' ids and dates.
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

/// A file of a site, and who names it.
struct NamedFile: Sendable {
  var reference: FileReference
  /// Nil where the catalogue does not say it.
  var mediaType: String?
  /// For people: `vfr-sectional/Seattle`, `cycle 2612`.
  var owner: String
}

extension Catalog {
  var entries: [CycleEntry] { [previous, current, next].compactMap(\.self) }

  /// What clients download, each file once.
  var productFiles: [NamedFile] {
    var seen: Set<String> = []
    return products.flatMap { product in
      product.allFiles.map { file in
        NamedFile(
          reference: FileReference(path: file.path, sha256: file.sha256, bytes: file.bytes),
          mediaType: file.mediaType, owner: product.id)
      }
    }.filter { seen.insert("\($0.reference.path) \($0.reference.sha256) \($0.reference.bytes)").inserted }
  }

  /// What the site itself needs besides.
  var ownFiles: [NamedFile] {
    entries.map {
      NamedFile(reference: $0.manifest, mediaType: "application/json", owner: "cycle \($0.id)")
    }
      + (regions.map {
        [NamedFile(reference: $0, mediaType: "application/json", owner: "the list of regions")]
      } ?? [])
  }
}

extension FileReference {
  /// More than any chart or database has, so nobody's disk is filled by a number.
  private static let largest = 1 << 40

  /// What makes it no file that a site may have; nil when all is well. The path becomes one of a disk and part of an address,
  /// so it is not looked at for what is bad in it: it must be the one that a file with these bytes has.
  var trouble: String? {
    guard (0...FileReference.largest).contains(bytes) else { return "its size makes no sense" }
    let ending = path.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard BlobStore.isPlain(ending), path == BlobStore.path(sha256, extension: ending) else {
      return "its path is not that of a file with its SHA-256"
    }
    return nil
  }
}

/// Which of the cycles of a site is in force, and its neighbours.
///
/// A cycle that has expired is never called current, whatever else the site lacks: better to have nothing current than
/// to be believed with last month's chart.
struct CycleRoles<Cycle> {
  let previous: Cycle?
  let current: Cycle?
  let next: Cycle?

  init(_ cycles: [(cycle: AiracCycle, value: Cycle)], at now: Instant) {
    let inForce = AiracCycle(at: now)
    let ordered = cycles.sorted { $0.cycle < $1.cycle }
    previous = ordered.last { $0.cycle < inForce }?.value
    current = ordered.first { $0.cycle == inForce }?.value
    next = ordered.first { $0.cycle > inForce }?.value
  }
}
