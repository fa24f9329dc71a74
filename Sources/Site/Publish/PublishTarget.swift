internal import Core
public import Foundation

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

  /// The same place for the publisher of another channel.
  func store(for channel: SiteChannel) -> any WritableObjectStore {
    folder.map { FolderStore(root: $0, for: channel) } ?? store
  }

  init(store: any WritableObjectStore) { (self.store, folder) = (store, nil) }

  /// Returns nil for a text that is not an S3 address.
  ///
  /// - Parameters:
  ///   - address: `s3://bucket/prefix`.
  ///   - endpoint: of a store other than Amazon's; nil for the one of the environment.
  ///   - environment: contains the keys.
  init?(address: String, endpoint: String?, environment: [String: String]) throws {
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
  /// All objects below the prefixes of `Retention`, by key.
  let objects: [String: ListedObject]
  /// When the publisher began to read it.
  let time: Instant
  /// The files that the catalogue in force or the one before it names. Only after another flip may a publisher remove one of them.
  let keptFiles: Set<String>
  /// `catalog.json.minisig`
  let signature: Data?
  /// The signature under the hash of the catalogue.
  let ownSignature: Data?
  /// The serial of the last catalogue, also if it was lost; 0 for a new target.
  let serial: Int
  let trust: CatalogueTrust
  /// What the catalogue lists if it is unsigned, and the publisher signs the next one for the first time; else nil.
  let adopted: [AdoptedCycle]?

  /// Throws a `UserError` unless the publisher may build on what is published.
  static func read(_ store: any WritableObjectStore, _ options: PublishOptions) throws -> TargetState {
    let start = options.clock.now()
    let stored = try store.read(PublishedCatalogue.path)
    do {
      let state = try TargetState(store, stored, at: start, options)
      // A new catalogue beside an old signature would be rejected by every client.
      guard options.isDryRun || !state.lacksKey(options) else {
        throw UserError(
          .badCall, operation: operation, path: store.name,
          reason: "its catalogue is signed, and there is no key to sign the new one with",
          suggestion: "Give --key FILE, or remove \(PublishedCatalogue.signature) there to continue unsigned."
        )
      }
      return state
    } catch let error as UserError where error.kind == .refused {
      // Another publisher may have replaced the catalogue before its signature was read.
      guard try store.read(PublishedCatalogue.path)?.tag != stored?.tag else { throw error }
      return try read(store, options)
    }
  }

  private init(
    _ store: any WritableObjectStore, _ stored: TaggedObject?, at start: Instant, _ options: PublishOptions
  ) throws {
    name = store.name
    time = start
    tag = stored?.tag
    let trust = CatalogueTrust(options)
    self.trust = trust
    // Unverified bytes are not decoded.
    let bytes = try stored.map { try CatalogueBytes($0.data) }
    let isAdopted = try bytes.map { try trust.adopts($0, in: store, TargetState.operation) } ?? false
    let remedy = "Replace it with a good copy. Nothing was changed."
    published = try bytes.map { bytes in
      try PublishedCatalogue.reading(in: store.name, remedy) { try PublishedCatalogue(bytes) }
    }
    cycles = published?.catalogue.listedCycles ?? []
    signature = try store.read(PublishedCatalogue.signature)?.data
    let unsigned = isAdopted ? published?.catalogue : nil
    adopted = try unsigned.map { try AdoptedCycle.all(of: $0, in: store, TargetState.operation) }
    ownSignature = try published.flatMap { try store.read(PublishedCatalogue.signature(of: $0.sha256))?.data }
    serial = try TargetState.serial(
      published, signature, trust, isAdopted: isAdopted, in: store, options)
    let listed = try Retention.prefixes.flatMap { try store.list($0) }
    objects = Dictionary(first: listed.map { ($0.key, $0) })
    let before = try published.flatMap { read in
      do { return try read.replaced(in: store) } catch is Unreadable { return nil }
    }
    keptFiles = TargetState.files(of: published?.catalogue).union(TargetState.files(of: before?.catalogue))
  }

  var catalogue: Catalog? { published?.catalogue }

  /// The files whose hashes were compared before the catalogue in force named them. Nothing is known of those of an unsigned one.
  var namedFiles: Set<String> { adopted == nil ? TargetState.files(of: catalogue) : [] }

  /// Whether no other publisher removes an object before a catalogue of this publication can name it.
  func keeps(_ object: ListedObject) -> Bool {
    keptFiles.contains(object.key) || PublishTimes.isNew(object, at: time)
  }

  private static func files(of catalogue: Catalog?) -> Set<String> {
    guard let catalogue else { return [] }
    let files = (catalogue.productFiles + catalogue.ownFiles).map(\.reference)
    return Set((files + [catalogue.replaces].compactMap(\.self)).map(\.path))
  }

  private static let operation = "publishing to"

  /// A serial that no key has signed is used by a publisher without a key only.
  private static func serial(
    _ published: PublishedCatalogue?, _ signature: Data?, _ trust: CatalogueTrust, isAdopted: Bool,
    in store: any WritableObjectStore, _ options: PublishOptions
  ) throws -> Int {
    guard let serial = published?.catalogue.serial else {
      let lost = try LostCatalogue.serial(in: store, operation: operation)
      return max(trust.verifies ? try trust.lastSerial(in: store) : lost, options.lastSerial ?? 0)
    }
    try Catalog.check(serial, Catalog.serials.contains(serial), in: store.name)
    let last = max(trust.serial(signedIn: signature) ?? 0, options.lastSerial ?? 0)
    // Nobody has signed the serial of an adopted catalogue.
    if isAdopted { try Catalog.check(serial, serial <= last + Catalog.longestStep, in: store.name) }
    guard serial >= last else {
      throw oldCatalogue(serial, last, in: store)
    }
    return serial
  }

  static func oldCatalogue(_ serial: Int, _ last: Int, in store: any ObjectStore) -> UserError {
    UserError(
      .refused, operation: operation, path: store.name,
      reason: "its serial is \(serial), and \(last) was published before: it is an old catalogue",
      suggestion: "See \"Recover a target\" in OPERATIONS.md.")
  }

  /// Whether the catalogue is signed, and the new one could not be.
  func lacksKey(_ options: PublishOptions) -> Bool { options.key == nil && signature != nil }
}

extension PublishedSite {
  public init(_ target: PublishTarget) { (folder, store) = (target.folder, target.store) }
}
