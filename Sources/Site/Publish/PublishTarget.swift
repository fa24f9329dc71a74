internal import Core
internal import CryptoIO
public import Foundation
internal import Pipeline

/// Where a site is published to.
public struct PublishTarget: Sendable {
  let store: any WritableObjectStore
  /// Nil for a target that is not on this machine.
  let folder: URL?

  public var name: String { store.name }

  public init(folder: URL) {
    self.folder = folder
    store = FolderStore(root: folder)
  }

  init(store: any WritableObjectStore) {
    self.store = store
    folder = nil
  }

  /// Returns nil for a text that is not an S3 address.
  ///
  /// - Parameters:
  ///   - address: `s3://bucket/prefix`.
  ///   - endpoint: of a store other than Amazon's; nil for the one of the environment.
  ///   - environment: contains the keys.
  public init?(
    address: String, endpoint: String?, environment: [String: String]
  ) throws {
    guard address.hasPrefix(S3Target.scheme) else { return nil }
    let target = try S3Target(address, endpoint: endpoint, environment: environment)
    let keys = try S3Keys(environment: environment)
    self.init(store: S3Store(target, keys: keys))
  }
}

extension PublishTarget {
  /// Refuses a target within a folder of a build or a staged site.
  public func checkOutside(of source: URL) throws {
    guard let folder, folder.isWithin(source) else { return }
    throw overlap(folder, "it is or lies in \(source.path)")
  }

  /// Refuses a target around the site, too.
  func checkApart(from site: URL) throws {
    try checkOutside(of: site)
    guard let folder, site.isWithin(folder) else { return }
    throw overlap(folder, "the site, \(site.path), lies in it")
  }

  private func overlap(_ folder: URL, _ problem: String) -> UserError {
    UserError(
      .badCall, operation: "publishing to", path: folder.path, reason: problem,
      suggestion: "Name another folder.")
  }
}

extension URL {
  /// Whether it is a folder or lies in it, as the links on both lead.
  func isWithin(_ folder: URL) -> Bool {
    let (inner, outer) = (resolvingSymlinksInPath().path, folder.resolvingSymlinksInPath().path)
    return inner == outer || inner.hasPrefix(outer == "/" ? outer : outer + "/")
  }
}

/// The published state of a target, read before anything is changed.
struct TargetState {
  let name: String
  /// Nil if nothing is published yet.
  let published: PublishedCatalogue?
  /// Of the catalogue.
  let tag: ObjectTag?
  /// By cycle.
  let cycles: [ListedCycle]
  /// The sizes of all objects below the prefixes of `Retention`, by key.
  let objects: [String: Int]
  /// `catalog.json.minisig`
  let signature: Data?
  /// The signature under the hash of the catalogue.
  let ownSignature: Data?
  /// The serial of the last catalogue, also if it was lost; 0 for a new target.
  let serial: Int

  init(_ store: any WritableObjectStore) throws {
    name = store.name
    let stored = try store.read(PublishedCatalogue.path)
    tag = stored?.tag
    published = try stored.map {
      try PublishedCatalogue(
        $0.data, in: store.name, suggestion: "Replace it with a good copy. Nothing was changed.")
    }
    cycles = try published?.catalogue.listedCycles(in: store.name) ?? []
    signature = try store.read(PublishedCatalogue.signature)?.data
    ownSignature = try published.flatMap { try store.read(PublishedCatalogue.signature(of: $0.sha256))?.data }
    serial =
      try published?.catalogue.serial ?? LostCatalogue.serial(in: store, operation: "publishing to")
    var objects: [String: Int] = [:]
    for prefix in Retention.prefixes {
      for object in try store.list(prefix) { objects[object.key] = object.bytes }
    }
    self.objects = objects
  }

  var catalogue: Catalog? { published?.catalogue }

  /// A new catalogue beside an old signature would be rejected by every client, and one with another signature by every client that
  /// knows the old key. A dry run signs nothing and needs no key.
  func checkKey(_ options: PublishOptions) throws {
    guard !options.isDryRun else { return }
    if lacksKey(options) {
      throw error(
        "its catalogue is signed, and there is no key to sign the new one with",
        "Give --key FILE, or remove \(PublishedCatalogue.signature) there to continue unsigned.")
    }
    guard !options.changesKey, let own = options.key?.verifier.name, let present = keyName, own != present
    else {
      return
    }
    throw error(
      "its catalogue is signed with key \(present), and the given key is \(own)",
      "Give the key of the site. To change it, share the new public key with the readers, then run `chartpipe publish` "
        + "with --new-key.")
  }

  private func error(_ problem: String, _ remedy: String) -> UserError {
    UserError(.badCall, operation: "publishing to", path: name, reason: problem, suggestion: remedy)
  }

  /// The name of the key that signed the catalogue; nil for an unsigned or unreadable one.
  private var keyName: String? {
    signature.flatMap { MinisignSignature(String(decoding: $0, as: UTF8.self)) }?.keyName
  }

  /// Whether the catalogue is signed, and the new one could not be.
  func lacksKey(_ options: PublishOptions) -> Bool { options.key == nil && signature != nil }
}

/// A cycle with its entry and its products in a catalogue.
struct ListedCycle: Equatable {
  var cycle: AiracCycle
  var entry: CycleEntry
  var products: CycleProducts
}

extension Catalog {
  /// Lists those of the cycles that have a role at a time.
  ///
  /// - Parameter editions: of other cycles; the previous edition of each product comes from these.
  init(
    serial: Int, listing cycles: [ListedCycle], beside editions: [Product] = [], at now: Instant,
    replaces: FileReference? = nil
  ) {
    let roles = CycleRoles(cycles.map { (cycle: $0.cycle, value: $0) }, at: now)
    let listed = [roles.previous, roles.current, roles.next].compactMap(\.self)
    let kept = Retention.editions(of: editions, beside: listed, at: now)
    self.init(
      serial: serial, previous: roles.previous?.entry, current: roles.current?.entry,
      next: roles.next?.entry,
      products: (listed.map(\.products) + [CycleProducts(own: [], kept: kept)]).listed.map(\.inCatalogue),
      replaces: replaces)
  }

  /// Returns the cycles in order.
  func listedCycles(in place: String) throws -> [ListedCycle] {
    try entries.map { entry in
      guard let cycle = AiracCycle(identifier: entry.id) else {
        throw UserError(
          .badInput, operation: "reading the catalogue of", path: place,
          reason: "\"\(entry.id)\" is not an AIRAC cycle", suggestion: "Replace it with a good copy.")
      }
      return ListedCycle(cycle: cycle, entry: entry, products: products(of: entry))
    }
  }

  /// Returns all files that the catalogue names.
  func namedFiles(in place: String) throws -> [NamedFile] {
    let files = productFiles + ownFiles
    guard let bad = files.first(where: { $0.reference.problem != nil }) else { return files }
    throw UserError(
      .badInput, operation: "reading the catalogue of", path: place,
      reason: "\(bad.reference.path), a file of \(bad.owner): \(bad.reference.problem ?? "")",
      suggestion: "Stage that cycle again.")
  }

  /// Whether two catalogues differ in their serial, their term, their pages and their predecessor at most.
  func listsTheSame(as other: Catalog) -> Bool {
    var twin = self
    (twin.serial, twin.replaces) = (other.serial, other.replaces)
    (twin.term, twin.pages) = (other.term, other.pages)
    return twin == other
  }

  func serialAfter(_ other: Int, in place: String) throws -> Int {
    let (next, isTooLarge) = max(serial, other).addingReportingOverflow(1)
    guard !isTooLarge else {
      throw UserError(
        .badInput, operation: "publishing to", path: place,
        reason: "the catalogue's serial is the largest possible number",
        suggestion: "Replace it with a good catalogue.")
    }
    return next
  }
}
