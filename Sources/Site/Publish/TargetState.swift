internal import Core
internal import CryptoIO
public import Foundation
internal import Pipeline

/// Where a site is published to.
public struct PublishTarget: Sendable {
  let store: any ObjectStore
  /// Of a target on this machine.
  let folder: URL?

  public var name: String { store.name }

  public init(folder: URL) {
    self.folder = folder
    store = FolderStore(root: folder)
  }

  init(store: any ObjectStore) {
    self.store = store
    folder = nil
  }

  /// Nil for what is no address of a store.
  ///
  /// - Parameters:
  ///   - address: `s3://bucket/prefix`.
  ///   - endpoint: of a store that is not Amazon's; nil for the one of the environment.
  ///   - environment: where the keys are.
  public init?(
    address: String, endpoint: String?, environment: [String: String]
  ) throws {
    guard address.hasPrefix(S3Target.scheme) else { return nil }
    let target = try S3Target(address, endpoint: endpoint, environment: environment)
    let keys = try S3Keys(environment: environment)
    self.init(store: S3Store(target, keys: keys))
  }
}

/// What is published at a target now.
struct TargetState {
  let name: String
  /// Nil where nothing is published yet.
  let catalogue: Catalog?
  let stored: StoredObject?
  /// By their cycles.
  let offered: [OfferedCycle]
  /// What is there under `blobs/`, `cycles/` and `signatures/`, by key.
  let objects: [String: Int]
  let signature: Data?

  static let catalogueKey = "catalog.json"
  static let signatureKey = "catalog.json.minisig"
  /// All that publishing ever removes from lies in these.
  static let folders = ["blobs/", "cycles/", "signatures/"]

  init(_ store: any ObjectStore) throws {
    name = store.name
    stored = try store.read(TargetState.catalogueKey)
    catalogue = try stored.map { try TargetState.catalogue($0.data, in: store.name) }
    offered = try catalogue?.offered(in: store.name) ?? []
    signature = try store.read(TargetState.signatureKey)?.data
    var objects: [String: Int] = [:]
    for folder in TargetState.folders {
      for object in try store.list(folder) { objects[object.key] = object.bytes }
    }
    self.objects = objects
  }

  /// The manifest of a cycle, whose bytes must be those that the catalogue tells; nil when they are not there.
  func manifest(of offer: OfferedCycle, in store: any ObjectStore) throws -> StoredManifest? {
    guard let data = try TargetState.data(of: offer.entry.manifest, in: store),
      let manifest = try? JSONDecoder().decode(Manifest.self, from: data), manifest.cycle == offer.entry.id
    else { return nil }
    return StoredManifest(manifest: manifest, data: data)
  }

  /// Nil where there is none, or another one.
  static func data(of file: FileReference, in store: any ObjectStore) throws -> Data? {
    guard file.trouble == nil, let data = try store.read(file.path)?.data,
      try SHA256Hex(of: Array(data)) == file.sha256
    else { return nil }
    return data
  }

  static func catalogue(_ data: Data, in place: String) throws -> Catalog {
    do {
      return try JSONDecoder().decode(Catalog.self, from: data)
    } catch {
      throw UserError(
        .badInput, operation: "reading the catalogue of", path: place,
        reason: (error as? DecodingError)?.whereAndWhy() ?? "it cannot be read",
        suggestion: "Put a good copy in its place. Nothing was changed.", causes: [error])
    }
  }

  /// A new catalogue beside an old signature would be refused by every client.
  func checkKey(_ key: SigningKey?) throws {
    guard key == nil, signature != nil else { return }
    throw UserError(
      .badCall, operation: "publishing to", path: name,
      reason: "its catalogue is signed, and there is no key to sign the new one with",
      suggestion: "Give --key FILE, or remove \(TargetState.signatureKey) there to go on without signatures.")
  }
}

/// A cycle as a catalogue offers it.
struct OfferedCycle: Equatable {
  var cycle: AiracCycle
  var entry: CycleEntry
  var products: CycleProducts
}

extension Catalog {
  /// Of all cycles that there are, those that have a role at a time.
  ///
  /// - Parameter editions: of other cycles, from which the previous editions come.
  init(
    serial: Int, offering cycles: [OfferedCycle], beside editions: [Product] = [], at now: Instant,
    replaces: FileReference? = nil
  ) {
    let roles = CycleRoles(cycles.map { (cycle: $0.cycle, value: $0) }, at: now)
    let listed = [roles.previous, roles.current, roles.next].compactMap(\.self)
    let kept = EditionRetention(beside: listed, at: now).kept(of: editions)
    self.init(
      serial: serial, previous: roles.previous?.entry, current: roles.current?.entry,
      next: roles.next?.entry,
      products: (listed.map(\.products) + [CycleProducts(own: [], kept: kept)]).listed, replaces: replaces)
  }

  /// By cycle.
  func offered(in place: String) throws -> [OfferedCycle] {
    try entries.map { entry in
      guard let cycle = AiracCycle(identifier: entry.id) else {
        throw UserError(
          .badInput, operation: "reading the catalogue of", path: place,
          reason: "\"\(entry.id)\" is no AIRAC cycle", suggestion: "Put a good copy in its place.")
      }
      return OfferedCycle(
        cycle: cycle, entry: entry, products: products(of: entry))
    }
  }

  /// Everything that must be there for as long as this catalogue is.
  func namedFiles(in place: String) throws -> [NamedFile] {
    let files = productFiles + ownFiles
    guard let bad = files.first(where: { $0.reference.trouble != nil }) else { return files }
    throw UserError(
      .badInput, operation: "reading the catalogue of", path: place,
      reason: "of \(bad.owner) it names \(bad.reference.path): \(bad.reference.trouble ?? "")",
      suggestion: "Stage that cycle again.")
  }

  /// The same catalogue, but for when it was made.
  func offersTheSame(as other: Catalog) -> Bool {
    var twin = self
    (twin.serial, twin.replaces) = (other.serial, other.replaces)
    return twin == other
  }

  func serialAfter(_ other: Int, in place: String) throws -> Int {
    let (next, isTooLarge) = max(serial, other).addingReportingOverflow(1)
    guard !isTooLarge else {
      throw UserError(
        .badInput, operation: "publishing to", path: place, reason: "the catalogue's serial is at its end",
        suggestion: "Put a good catalogue in its place.")
    }
    return next
  }
}
