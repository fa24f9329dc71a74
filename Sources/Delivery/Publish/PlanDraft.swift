internal import Airac
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// Makes a plan of what is to be offered: compares it with what the target has.
struct PlanDraft {
  let target: TargetState
  let store: any ObjectStore
  let now: Instant
  let key: SigningKey?
  let keepsOld: Bool
  let siteURL: String?

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

  /// - Parameter serial: of another catalogue that has been seen, which the new one must exceed.
  func plan(_ cycles: [OfferedCycle], above serial: Int, _ bundle: Bundle) throws -> PublishPlan {
    var bundle = bundle
    var catalogue = Catalog(serial: 0, offering: cycles, at: now, replaces: nil)
    let isChanged = target.catalogue.map { !catalogue.offersTheSame(as: $0) } ?? true
    (catalogue.serial, catalogue.replaces) = (target.catalogue?.serial ?? 0, target.catalogue?.replaces)
    if isChanged {
      catalogue.serial = try catalogue.serialAfter(serial, in: target.name)
      catalogue.replaces = try replaced(&bundle)
    }
    let data = try isChanged ? CanonicalJSON.pretty(catalogue) : target.stored?.data ?? Data()
    let blobs = try blobs(of: catalogue, bundle)
    let pages = try pages(of: catalogue, bundle) + [feed(of: catalogue)]
    let retention = Retention(
      target: target, catalogue: catalogue, data: data, pages: bundle.pages, store: store)
    let (removals, doubt) = keepsOld ? ([], nil) : try retention.removals(isChanged: isChanged)
    return PublishPlan(
      target: target, catalogue: catalogue, data: data, isChanged: isChanged, blobs: blobs, pages: pages,
      signature: try key?.signature(of: catalogue, data), removals: removals, doubt: doubt)
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

  private func feed(of catalogue: Catalog) throws -> Shipment {
    let data = CycleFeed(catalogue, site: siteURL).data
    let there = try store.read(CycleFeed.path)?.data
    return try Shipment(
      data, at: CycleFeed.path, .feed, standing: there == data ? .there : there == nil ? .new : .changed)
  }

  private func lost(_ file: NamedFile) -> Fault {
    Fault(
      .badInput, doing: "publishing to", subject: target.name,
      problem: "\(file.reference.path), a file of \(file.owner), is not there",
      remedy: "Publish a site that holds it. What is published was left as it was.")
  }
}
