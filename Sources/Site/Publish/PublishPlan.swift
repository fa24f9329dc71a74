internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// An object that is to be at the target, and how it comes there.
struct Shipment: Sendable {
  enum Standing: String, Codable, Sendable {
    case new, changed
    /// It is there already.
    case there
  }

  var key: String
  var bytes: Int
  var sha256: SHA256Hex
  /// Nil of what is there and could not be sent.
  var body: ObjectBody?
  var headers: ObjectHeaders
  var standing: Standing

  /// A small one, whose bytes are at hand.
  init(_ data: Data, at key: String, _ headers: ObjectHeaders, standing: Standing) throws {
    (self.key, self.headers, self.standing) = (key, headers, standing)
    (bytes, sha256, body) = (data.count, try SHA256Hex(of: Array(data)), .data(data))
  }

  init(_ file: NamedFile, _ body: ObjectBody?, standing: Standing) {
    (key, bytes, sha256) = (file.reference.path, file.reference.bytes, file.reference.sha256)
    (self.body, self.standing, headers) = (body, standing, .blob(file.mediaType))
  }
}

/// All that a publication or a rollback will do, decided before it does any of it.
struct PublishPlan {
  /// What stands there now.
  let target: TargetState
  /// What is to stand there; the one that does, when nothing changes.
  let catalogue: Catalog
  let data: Data
  let isChanged: Bool
  /// Everything that the catalogue names.
  let blobs: [Shipment]
  let pages: [Shipment]
  /// Of the catalogue; nil where it is not to be signed.
  let signature: Data?
  /// `regions.json`, `latest.json` and `feed.xml`; written after the catalogue, since they say what is there.
  let rootPages: [Shipment]
  var removals: [ListedObject]
  /// Why nothing is removed; nil when all is well.
  let doubt: String?
  /// The cycles of the site that the catalogue does not list.
  var unsent: [UnsentCycle] = []
  /// The withdrawn cycles that are published again.
  var comebacks: [Comeback] = []

  var signatureShipment: Shipment? {
    get throws {
      guard let signature else { return nil }
      let key = try SigningKey.path(of: data)
      let standing: Shipment.Standing = target.objects[key] == signature.count ? .there : .new
      return try Shipment(signature, at: key, .signature, standing: standing)
    }
  }

  var aliasIsStale: Bool { signature != nil && signature != target.signature }

  var sendings: [Shipment] {
    get throws {
      (blobs + pages + [try signatureShipment].compactMap(\.self)).filter { $0.standing != .there }
    }
  }

  /// Whether all is as it should be.
  var isIdle: Bool {
    get throws {
      try !isChanged && sendings.isEmpty && removals.isEmpty && !aliasIsStale
        && rootPages.allSatisfy { $0.standing == .there }
    }
  }
}

/// Makes a plan of what is to be offered: compares it with what the target has.
struct PlanDraft {
  let target: TargetState
  let store: any ObjectStore
  let now: Instant
  let key: SigningKey?
  let siteURL: String?
  let keepsOld: Bool
  /// What was withdrawn there and is not published again.
  let withdrawn: [WithdrawnCycle]

  /// What the cycles bring along besides the products' files.
  struct Bundle {
    /// By the keys of blobs.
    var data: [String: Data] = [:]
    /// A product's file, where somebody has it.
    var file: (FileReference) -> URL? = { _ in nil }
    /// By the cycle; nil of one whose pages stay as they are.
    var pages: [String: Pages] = [:]
  }

  struct Pages {
    var files: [(name: String, data: Data)]
    /// Whether no other page of the cycle has a meaning any more.
    var areAll: Bool
  }

  /// - Parameters:
  ///   - editions: of other cycles, of which the previous edition of each product stays.
  ///   - serial: of another catalogue that has been seen, which the new one must exceed.
  func plan(
    _ cycles: [OfferedCycle], beside editions: [Product], above serial: Int, _ bundle: Bundle
  ) throws -> PublishPlan {
    var bundle = bundle
    var catalogue = Catalog(
      serial: 0, offering: cycles, beside: editions.filter { isThere($0, bundle) }, at: now)
    catalogue.withdrawn = withdrawn.isEmpty ? nil : withdrawn
    let regions = try list(of: &catalogue, &bundle)
    let isChanged = target.catalogue.map { !catalogue.offersTheSame(as: $0) } ?? true
    (catalogue.serial, catalogue.replaces) = (target.catalogue?.serial ?? 0, target.catalogue?.replaces)
    if isChanged {
      catalogue.serial = try catalogue.serialAfter(serial, in: target.name)
      catalogue.replaces = try replaced(&bundle)
    }
    let data = try isChanged ? CanonicalJSON.pretty(catalogue) : target.stored?.data ?? Data()
    let blobs = try blobs(of: catalogue, bundle)
    let pages = try pages(of: catalogue, bundle)
    let retention = Retention(
      target: target, catalogue: catalogue, data: data, pages: bundle.pages, store: store)
    let (removals, doubt) = keepsOld ? ([], nil) : try retention.removals(isChanged: isChanged)
    return PublishPlan(
      target: target, catalogue: catalogue, data: data, isChanged: isChanged, blobs: blobs, pages: pages,
      signature: try key?.signature(of: catalogue, data),
      rootPages: try rootPages(of: catalogue, data, regions: regions), removals: removals, doubt: doubt)
  }

  /// Whether all files of an edition are at the target or can be sent there.
  private func isThere(_ product: Product, _ bundle: Bundle) -> Bool {
    product.allFiles.allSatisfy { file in
      target.objects[file.path] == file.bytes
        || bundle.file(FileReference(path: file.path, sha256: file.sha256, bytes: file.bytes)) != nil
    }
  }

  /// Names the list of regions in the catalogue, and returns its bytes.
  private func list(of catalogue: inout Catalog, _ bundle: inout Bundle) throws -> Data {
    let list = try RegionList(catalogue, in: target.name)
    let (data, reference) = (try list.data, try list.reference())
    catalogue.regions = reference
    bundle.data[reference.path] = data
    return data
  }

  private func replaced(_ bundle: inout Bundle) throws -> FileReference? {
    guard let data = target.stored?.data else { return nil }
    let sha256 = try SHA256Hex(of: Array(data))
    let path = BlobStore.path(sha256, extension: "json")
    bundle.data[path] = data
    return FileReference(path: path, sha256: sha256, bytes: data.count)
  }

  /// One that is there at its full size is there: a store takes whole objects only, and proves their hashes.
  private func blobs(of catalogue: Catalog, _ bundle: Bundle) throws -> [Shipment] {
    var files = try catalogue.namedFiles(in: target.name)
    if let replaced = catalogue.replaces, bundle.data[replaced.path] != nil {
      files.append(NamedFile(reference: replaced, mediaType: "application/json", owner: "the catalogue"))
    }
    var seen: Set<String> = []
    return try files.filter { seen.insert($0.reference.path).inserted }.map { file in
      let reference = file.reference
      let standing = target.objects[reference.path]
      let body: ObjectBody? =
        bundle.data[reference.path].map { .data($0) }
        ?? bundle.file(reference).map { .file($0, bytes: reference.bytes, sha256: reference.sha256) }
      if standing == reference.bytes { return Shipment(file, body, standing: .there) }
      guard let body else { throw lost(file) }
      return Shipment(file, body, standing: standing == nil ? .new : .changed)
    }.sorted { $0.key < $1.key }
  }

  private func pages(of catalogue: Catalog, _ bundle: Bundle) throws -> [Shipment] {
    try catalogue.entries.flatMap { entry in
      try (bundle.pages[entry.id]?.files ?? []).map { name, data in
        let key = "cycles/\(entry.id)/\(name)"
        var standing = Shipment.Standing.new
        if let bytes = target.objects[key] {
          let isSame = try bytes == data.count && store.read(key)?.data == data
          standing = isSame ? .there : .changed
        }
        return try Shipment(data, at: key, .page(name), standing: standing)
      }
    }
  }

  /// What repeats or describes the catalogue at the site's root.
  private func rootPages(of catalogue: Catalog, _ data: Data, regions: Data) throws -> [Shipment] {
    let copies = try RootCopies(catalogue, data, regions: regions).files.map { ($0.name, $0.data) }
    let feed = (CycleFeed.path, CycleFeed(catalogue, site: siteURL).data)
    return try (copies + [feed]).map { path, data in
      let standing = try store.read(path)?.data
      return try Shipment(
        data, at: path, path == CycleFeed.path ? .feed : .rootCopy,
        standing: standing == nil ? .new : standing == data ? .there : .changed)
    }
  }

  private func lost(_ file: NamedFile) -> UserError {
    UserError(
      .badInput, operation: "publishing to", path: target.name,
      reason: "\(file.reference.path), a file of \(file.owner), is not there",
      suggestion: "Publish a site that holds it. What is published was left as it was.")
  }
}
