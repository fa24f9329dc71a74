public import Core
internal import CryptoIO
internal import Foundation

/// The bytes of a catalogue, before anything is decoded. The signature is verified over them first.
struct CatalogueBytes: Sendable {
  let data: Data
  let sha256: SHA256Hex
  let headers: ServedHeaders?
  let channel: SiteChannel

  init(_ data: Data, headers: ServedHeaders? = nil, of channel: SiteChannel = .cycles) throws {
    (self.data, self.headers, self.channel) = (data, headers, channel)
    sha256 = try SHA256Hex(of: Array(data))
  }

  /// Returns nil if nothing is published. Throws `Unreadable` for a catalogue that is too large.
  static func find(_ channel: SiteChannel = .cycles, in store: any ObjectStore) throws -> CatalogueBytes? {
    try store.data(channel.path, limit: PublishedCatalogue.limit)
      .map { try CatalogueBytes($0.data, headers: $0.headers, of: channel) }
  }

  /// Throws `Unreadable` if nothing is published, too.
  static func read(_ channel: SiteChannel = .cycles, from store: any ObjectStore) throws -> CatalogueBytes {
    guard let found = try find(channel, in: store) else {
      throw Unreadable("there is no catalogue: nothing is published, or the address is another one")
    }
    return found
  }

  /// Whether another catalogue was published since; false if that cannot be found out.
  func isOutdated(in store: any ObjectStore) -> Bool {
    let now = try? CatalogueBytes.read(channel, from: store)
    return now.map { $0.sha256 != sha256 } ?? false
  }
}

/// A catalogue as it was read. The bytes identify it, so they are kept beside the decoded value.
///
/// Publish, mirror, verify, due and prune read catalogues through this type.
struct PublishedCatalogue: Sendable {
  let catalogue: Catalog
  let bytes: CatalogueBytes

  var data: Data { bytes.data }
  var sha256: SHA256Hex { bytes.sha256 }
  var headers: ServedHeaders? { bytes.headers }

  static let path = SiteChannel.cycles.path
  static let signature = SiteChannel.cycles.signature
  static func signature(of sha256: SHA256Hex) -> String { SiteChannel.cycles.signature(of: sha256) }

  /// The catalogue of the whole country has 166 kB. All readers have the same limit.
  static let limit = 4_000_000

  /// Throws `Unreadable` for bytes that are not a catalogue.
  init(_ data: Data) throws { try self.init(CatalogueBytes(data)) }

  /// Throws `Unreadable` for bytes that are not a catalogue, and for those that two parsers could read differently.
  init(_ bytes: CatalogueBytes) throws {
    self.bytes = bytes
    guard bytes.data.count <= PublishedCatalogue.limit else {
      throw Unreadable.tooLarge(PublishedCatalogue.limit)
    }
    if let flaw = JSONText(bytes.data, .json).flaw {
      throw Unreadable("it is not a catalogue that this version can read: not valid JSON: \(flaw)")
    }
    do {
      catalogue = try JSONDecoder().decode(Catalog.self, from: bytes.data)
    } catch {
      let reason = (error as? DecodingError)?.whereAndWhy(in: bytes.data) ?? "it cannot be read"
      throw Unreadable("it is not a catalogue that this version can read: \(reason)")
    }
    // One key signs both, so a server could send one in place of the other.
    guard bytes.channel == .live ? catalogue.entries.isEmpty : !catalogue.isOfSnapshots else {
      throw Unreadable("it is the catalogue of another channel than \(bytes.channel.path)")
    }
    if let number = catalogue.negativeNumber { throw Unreadable("it has a negative number: \(number)") }
  }

  /// Returns nil if nothing is published. Throws `Unreadable` for an unusable catalogue.
  static func find(in store: any ObjectStore) throws -> PublishedCatalogue? {
    try CatalogueBytes.find(in: store).map(PublishedCatalogue.init)
  }

  /// The same for messages: throws a `UserError` for an unusable catalogue.
  static func find(in store: any ObjectStore, suggestion: String) throws -> PublishedCatalogue? {
    try reading(in: store.name, suggestion) { try find(in: store) }
  }

  /// Decodes a catalogue, and throws a `UserError` if it is unusable.
  init(_ data: Data, in place: String, suggestion: String) throws {
    self = try PublishedCatalogue.reading(in: place, suggestion) { try PublishedCatalogue(data) }
  }

  static func reading<T>(in place: String, _ suggestion: String, _ body: () throws -> T) throws -> T {
    let operation = "reading the catalogue of"
    return try Unreadable.explained(
      { UserError(.badInput, operation: operation, path: place, reason: $0, suggestion: suggestion) }, body)
  }

  /// Reads the catalogue that this one replaced; nil for the first one. Throws `Unreadable` if it is absent or damaged.
  func replaced(in store: any ObjectStore) throws -> PublishedCatalogue? {
    try catalogue.replaces.map { try PublishedCatalogue(store.data(of: $0)) }
  }

  var seen: SeenCatalogue { SeenCatalogue(serial: catalogue.serial, sha256: sha256) }
}

/// The catalogue with the highest serial that a reader has seen. An old copy is recognized by comparison with it.
public struct SeenCatalogue: Codable, Equatable, Sendable {
  public var serial: Int
  public var sha256: SHA256Hex
  /// The name of the site, in the note of a reader.
  var source: String?

  /// Returns why another catalogue cannot be a later one; nil if it can.
  func objection(to later: SeenCatalogue) -> String? {
    if later.serial < serial {
      return "its serial is \(later.serial), and \(serial) was seen before: it is an old copy"
    }
    if later.serial == serial, later.sha256 != sha256 {
      return "its serial is \(serial), and so was that of another catalogue that was seen before"
    }
    return nil
  }
}

extension Catalog {
  /// Whether it lists snapshots, or says which ones are missing.
  fileprivate var isOfSnapshots: Bool { held != nil || products.contains { $0.fetched != nil } }

  /// The first negative number where none makes sense.
  fileprivate var negativeNumber: Int? {
    let products = products.flatMap { [$0.minZoom, $0.maxZoom, $0.tileSize] }
    let sizes = (productFiles + ownFiles).map(\.reference.bytes) + [replaces?.bytes ?? 0]
    return ([serial] + products.compactMap(\.self) + sizes).first { $0 < 0 }
  }
}

extension CycleEntry {
  /// Reads the manifest, and verifies that its hash and its content agree with the catalogue.
  func manifest(in store: any ObjectStore, of catalogue: Catalog) throws -> StoredManifest {
    let data = try store.data(of: manifest, "the manifest of cycle \(id)")
    guard let read = try? JSONDecoder().decode(Manifest.self, from: data), read.cycle == id else {
      throw Unreadable("it is not a manifest of cycle \(id)")
    }
    let listed = catalogue.products(of: self)
    // Catalogues of earlier versions have whole descriptions, or none of the hashes that later editions are compared with.
    let known = { (product: Product) in
      var product = product.inCatalogue
      (product.reference, product.sources) = (nil, [])
      return product
    }
    guard read.products.map(known) == listed.own.map(known) else {
      throw Unreadable("its products are not those that the catalogue has of cycle \(id)")
    }
    // Catalogues of earlier versions do not list held products.
    let isListed = held != nil || read.held != nil || read.kept != nil
    guard !isListed || read.heldInCatalogue == held && (read.kept ?? []).count == listed.kept.count else {
      throw Unreadable("its held products are not those that the catalogue has of cycle \(id)")
    }
    return StoredManifest(manifest: read, data: data)
  }
}

/// The signature of a catalogue.
///
/// It is stored in two places: in `catalog.json.minisig`, where `minisign -V` looks, and under the catalogue's hash, where it fits at
/// every instant of a publication.
struct CatalogueSignature {
  let data: Data
  let keyName: String
  /// What is wrong with `catalog.json.minisig`; nil if it fits.
  let aliasProblem: String?
  /// What is wrong with the one under the hash; nil if it fits or is absent.
  let ownProblem: String?

  /// Throws `Unreadable` without a signature that fits; it is absent for an unsigned catalogue.
  ///
  /// - Parameters:
  ///   - isReplaced: whether `catalog.json.minisig` belongs to a later catalogue.
  ///   - verifier: the key that must have signed; nil to verify nothing.
  static func find(
    of catalogue: CatalogueBytes, isReplaced: Bool = false, in store: any ObjectStore,
    by verifier: PublicKey?
  ) throws -> CatalogueSignature {
    let own = catalogue.channel.signature(of: catalogue.sha256)
    let paths = isReplaced ? [own] : [own, catalogue.channel.signature]
    let candidates = try paths.map { try Candidate(store.data($0, limit: limit)?.data, catalogue, verifier) }
    let problems = candidates.map(\.problem)
    for case .good(let data, let keyName) in candidates {
      return CatalogueSignature(
        data: data, keyName: keyName, aliasProblem: isReplaced ? nil : problems[1],
        ownProblem: problems[0].flatMap { $0 == unsigned ? nil : $0 })
    }
    let problem = problems.compactMap(\.self).last { $0 != unsigned }
    throw Unreadable(problem ?? unsigned, isAbsent: problem == nil)
  }

  /// minisign's comments have at most 9 kB.
  static let limit = 16 << 10
  private static let unsigned = "the catalogue is not signed"

  private enum Candidate {
    case good(Data, keyName: String)
    case bad(String)

    init(_ data: Data?, _ catalogue: CatalogueBytes, _ verifier: PublicKey?) throws {
      guard let data else {
        self = .bad(unsigned)
        return
      }
      // Bytes that nothing signs, such as more lines, would go to mirrors too.
      let read = Signature(minisign: String(decoding: data, as: UTF8.self))
      guard let signature = read, Data(signature.text.utf8) == data else {
        self = .bad("it is not a signature in minisign's format, or more than one")
        return
      }
      do {
        if let verifier { try signature.verify([UInt8](catalogue.data), by: verifier) }
        self = .good(data, keyName: signature.keyName)
      } catch let refusal as Signature.Refusal {
        self = .bad(refusal.reason)
      }
    }

    var problem: String? {
      if case .bad(let problem) = self { problem } else { nil }
    }
  }
}

extension Signature.Refusal {
  fileprivate var reason: String {
    switch self {
    case .otherKey(let has, let needs): "it is of key \(has) and should be of key \(needs)"
    case .wrong: "it is not the signature of this catalogue: one of the two was changed"
    case .wrongComment: "its comment was changed"
    }
  }
}
