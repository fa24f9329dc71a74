internal import Core
internal import Foundation

/// Copies the site of one catalogue. The order makes it safe: first the files that the catalogue names, then its signature, then the
/// catalogue, and last the pages.
struct MirrorPass: Sendable {
  /// A file of the source that cannot be used.
  struct FileProblem: Error {
    var path: String
    var problem: String

    func error(_ source: PublishedSite) -> UserError {
      UserError(
        .refused, operation: "mirroring", path: "\(source.name)/\(path)", reason: problem,
        suggestion: (path == PublishedCatalogue.signature
          ? "Compare --public-key with the publisher's key, which may be a new one."
          : "Report it to the publisher; `chartpipe verify` lists all problems.")
          + " The mirror is unchanged.")
    }
  }

  let read: PublishedCatalogue
  let mirror: SiteMirror
  let folder: MirrorFolder
  let progress: any ProgressReporter
  private let signature: CatalogueSignature?
  /// Whether the mirror had this catalogue before, so that nothing of it should be missing.
  let isKnown: Bool

  /// Throws if the catalogue must not replace the mirror's own.
  init(
    _ mirror: SiteMirror, _ folder: MirrorFolder, _ bytes: CatalogueBytes,
    _ progress: any ProgressReporter
  ) throws {
    (self.mirror, self.folder, self.progress) = (mirror, folder, progress)
    isKnown = folder.note.seen(of: mirror.source.store)?.sha256 == bytes.sha256
    let own = try folder.catalogue()
    let sign = { try MirrorPass.signature(of: bytes, mirror, folder) }
    // With a key, nothing is decoded before it is verified.
    let verified = try mirror.verifier.flatMap { _ in try sign() }
    read = try withPath(PublishedCatalogue.path) { try PublishedCatalogue(bytes) }
    try MirrorPass.checkOrder(of: read, after: own, mirror, folder)
    signature = try verified ?? sign()
  }

  func run() throws -> SiteMirror.Outcome {
    let catalogue = read.catalogue
    let manifests = try catalogue.entries.map { entry in
      let stored = try withPath(entry.manifest.path) { try own { try entry.manifest(in: $0, of: catalogue) } }
      return (entry, stored.data)
    }
    let lists = try [catalogue.regions, catalogue.pages].compactMap(\.self).map { file in
      (file, try withPath(file.path) { try own { try $0.data(of: file) } })
    }
    let named = catalogue.productFiles.map(\.reference)
    let (copied, bytes) = try copy(named + replaced())
    for (file, data) in manifests.map({ ($0.manifest, $1) }) + lists {
      try folder.site.write(data, to: folder.file(file.path))
    }
    let pages = try downloadedPages()
    try flip()
    try folder.note.record(read, of: mirror.source.store)
    try write(pages, manifests: manifests.map { ($0.id, $1) })
    // A cache may confirm an old catalogue forever.
    for finding in CurrencyCheck(catalogue: catalogue, now: mirror.now).findings { warn(finding.message) }
    let removed = mirror.keepsOld ? 0 : try Retention.prune(folder.store, after: read)
    try folder.clear()
    return SiteMirror.Outcome(
      source: mirror.source.name, folder: folder.site.root.path, serial: catalogue.serial,
      cycles: catalogue.entries.map(\.id), files: named.count, bytes: named.expectedBytes, copied: copied,
      copiedBytes: bytes, removed: removed, key: signature?.keyName,
      isProved: signature != nil && mirror.verifier != nil)
  }

  /// Reads a file of a known hash from the mirror, or from the source if the mirror lacks it.
  private func own<Value>(_ body: (any ObjectStore) throws -> Value) throws -> Value {
    try (try? body(folder.store)) ?? body(mirror.source.store)
  }

  func warn(_ message: String) { progress.warn("mirror", message) }
  func warn(ofLost path: String) { warn("\(path) was missing or damaged in the mirror, and is copied again") }

  /// Returns the catalogue that this one replaced, if the source still has it.
  private func replaced() throws -> [FileReference] {
    guard let file = read.catalogue.replaces, file.problem == nil else { return [] }
    return try withPath(file.path) { try mirror.source.store.info(file.path) == nil ? [] : [file] }
  }

  /// Copies the signature of the catalogue that this one replaced, if the source still has it.
  private func copyReplacedSignature() throws {
    guard let file = read.catalogue.replaces,
      let replaced = try? CatalogueBytes(folder.store.data(of: file, "the previous catalogue"))
    else { return }
    let path = PublishedCatalogue.signature(of: replaced.sha256)
    do {
      let signature = try CatalogueSignature.find(
        of: replaced, isReplaced: true, in: mirror.source.store, by: mirror.verifier)
      try folder.site.write(signature.data, to: folder.file(path))
    } catch let error where error is Unreadable || error is UserError {
      let reason = (error as? Unreadable)?.problem ?? "\(error)"
      warn("\(path) is not copied: \(reason); so the mirror cannot go back to the catalogue before")
    }
  }

  /// The signature is there before its catalogue.
  private func flip() throws {
    if let signature {
      try copyReplacedSignature()
      try folder.site.write(
        signature.data, to: folder.file(PublishedCatalogue.signature(of: read.sha256)))
      try folder.site.write(signature.data, to: folder.site.signature)
    }
    if isKnown, (try? Data(contentsOf: folder.site.catalogue)) != read.data {
      warn(ofLost: PublishedCatalogue.path)
    }
    try folder.site.write(read.data, to: folder.site.catalogue)
  }

  // MARK: - Trust

  private static func checkOrder(
    of read: PublishedCatalogue, after own: PublishedCatalogue?, _ mirror: SiteMirror,
    _ folder: MirrorFolder
  ) throws {
    // The note knows the serial also if the catalogue was damaged.
    let seen = folder.note.seen(of: mirror.source.store) ?? own?.seen
    guard let objection = seen?.objection(to: read.seen) else { return }
    throw refusal(
      mirror, objection,
      "Try again later. If the publisher started a new site, mirror it into a new folder.")
  }

  /// Returns the signature for the mirror; nil for an unsigned site. Throws if the catalogue must not replace the mirror's own.
  private static func signature(
    of read: CatalogueBytes, _ mirror: SiteMirror, _ folder: MirrorFolder
  ) throws -> CatalogueSignature? {
    let found: CatalogueSignature?
    do {
      found = try CatalogueSignature.find(of: read, in: mirror.source.store, by: mirror.verifier)
    } catch let error as Unreadable {
      guard mirror.verifier == nil, folder.keyName() == nil else {
        throw FileProblem(path: PublishedCatalogue.signature, problem: error.problem)
      }
      return nil
    }
    if mirror.verifier == nil, let own = folder.keyName(), own != found?.keyName {
      throw refusal(
        mirror, "it is signed by key \(found?.keyName ?? ""), and the mirror's was by \(own)",
        "If the publisher announced a new key, give it with --public-key.")
    }
    return found
  }

  private static func refusal(
    _ mirror: SiteMirror, _ problem: String, _ suggestion: String
  ) -> UserError {
    UserError(
      .refused, operation: "mirroring", path: "\(mirror.source.name)/\(PublishedCatalogue.path)",
      reason: problem, suggestion: "\(suggestion) The mirror is unchanged.")
  }
}

/// Adds the path to an error about one file.
func withPath<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
  try Unreadable.explained({ MirrorPass.FileProblem(path: path, problem: $0) }, body)
}
