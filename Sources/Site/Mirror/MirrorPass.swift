internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import Validation

/// Copies the site of one catalogue. The order makes it safe: first the files that the catalogue names, then the pages, the signature,
/// and the catalogue last.
struct MirrorPass {
  /// A file of the source that cannot be used.
  struct FileProblem: Error {
    var path: String
    var problem: String

    init(_ path: String, _ error: Unreadable) {
      (self.path, problem) = (path, error.problem)
    }

    func error(_ source: PublishedSite) -> UserError {
      UserError(
        .refused, operation: "mirroring", path: "\(source.name)/\(path)", reason: problem,
        suggestion:
          "Report it to the publisher; `chartpipe verify` lists all problems. The mirror is unchanged."
      )
    }
  }

  private let read: PublishedCatalogue
  private let request: SiteMirror.Request
  private let folder: MirrorFolder
  private let progress: any ProgressReporter
  private let signature: CatalogueSignature?
  private let isNew: Bool

  /// Throws if the catalogue must not replace the mirror's own.
  init(
    _ request: SiteMirror.Request, _ folder: MirrorFolder, _ bytes: CatalogueBytes,
    _ progress: any ProgressReporter
  ) throws {
    self.request = request
    self.folder = folder
    self.progress = progress
    let own = try folder.catalogue()
    isNew = own?.data != bytes.data
    let sign = { try MirrorPass.signature(of: bytes, request, folder) }
    // With a key, nothing is decoded before it is verified.
    let verified = try request.verifier.flatMap { _ in try sign() }
    read = try withPath(PublishedCatalogue.path) { try PublishedCatalogue(bytes) }
    try MirrorPass.checkOrder(of: read, after: own, request, folder)
    signature = try verified ?? sign()
  }

  func run() throws -> SiteMirror.Outcome {
    let (catalogue, files) = (read.catalogue, request.source.store)
    let manifests = try catalogue.entries.map { entry in
      (entry, try withPath(entry.manifest.path) { try own { try entry.manifest(in: $0, of: catalogue) } })
    }
    let regions = try catalogue.regions.map { file in
      (file, try withPath(file.path) { try own { try file.regions(in: $0) } })
    }
    let named = catalogue.productFiles.map(\.reference)
    let (copied, bytes) = try MirrorDownloads(request, folder).copy(named + replaced(), progress)
    for (entry, data) in manifests { try folder.site.write(data, to: folder.file(entry.manifest.path)) }
    try MirrorPages(files, folder).copy(
      manifests.map { ($0.id, $1) }, of: catalogue, replacing: isNew || request.checks)
    if let (file, data) = regions { try folder.site.write(data, to: folder.file(file.path)) }
    try flip()
    try folder.copy.record(read, of: files)
    try writeRootCopies(regions?.1)
    warnOfDates()
    let removed = request.keepsOld ? 0 : try Retention.prune(folder.store, after: read)
    try folder.clear()
    return SiteMirror.Outcome(
      source: request.source.name, folder: folder.site.root.path, serial: catalogue.serial,
      cycles: catalogue.entries.map(\.id), files: named.count, bytes: named.expectedBytes, copied: copied,
      copiedBytes: bytes, removed: removed, key: signature?.keyName,
      isProved: signature != nil && request.verifier != nil)
  }

  /// Reads a file of a known hash from the mirror, or from the source if the mirror lacks it.
  private func own<Value>(_ body: (any ObjectStore) throws -> Value) throws -> Value {
    try (try? body(folder.store)) ?? body(request.source.store)
  }

  /// A cache may confirm an old catalogue forever.
  private func warnOfDates() {
    for finding in CurrencyCheck(read.catalogue, at: request.now).findings {
      progress.report(.warning(step: "mirror", message: finding.message))
    }
  }

  /// Returns the catalogue that this one replaced, if the source still has it.
  private func replaced() throws -> [FileReference] {
    guard let file = read.catalogue.replaces, file.problem == nil else { return [] }
    return try withPath(file.path) { try request.source.store.info(file.path) == nil ? [] : [file] }
  }

  /// A catalogue of an earlier version has no list of regions. Then the mirror has no copies either.
  private func writeRootCopies(_ regions: Data?) throws {
    guard let regions else { return try RootCopies.names.forEach(folder.store.removeThroughLinks) }
    for copy in try RootCopies(read.catalogue, read.data, regions: regions).files {
      try folder.site.write(copy.data, to: folder.file(copy.name))
    }
  }

  /// The signature is there before its catalogue.
  private func flip() throws {
    if let signature {
      try folder.site.write(
        signature.data, to: folder.file(PublishedCatalogue.signature(of: read.sha256)))
      try folder.site.write(signature.data, to: folder.site.signature)
    }
    try folder.site.write(read.data, to: folder.site.catalogue)
  }

  // MARK: - Trust

  private static func checkOrder(
    of read: PublishedCatalogue, after own: PublishedCatalogue?, _ request: SiteMirror.Request,
    _ folder: MirrorFolder
  ) throws {
    // The note knows the serial also if the catalogue was damaged.
    let seen = folder.copy.seen(of: request.source.store) ?? own?.seen
    guard let objection = seen?.objection(to: read.seen) else { return }
    throw refusal(
      request, objection,
      "Try again later. If the publisher started a new site, mirror it into a new folder.")
  }

  /// Returns the signature for the mirror; nil for an unsigned site. Throws if the catalogue must not replace the mirror's own.
  private static func signature(
    of read: CatalogueBytes, _ request: SiteMirror.Request, _ folder: MirrorFolder
  ) throws -> CatalogueSignature? {
    let found: CatalogueSignature?
    do {
      found = try CatalogueSignature.find(of: read, in: request.source.store, by: request.verifier)
    } catch let error as Unreadable {
      guard request.verifier == nil, folder.keyName() == nil else {
        throw FileProblem(PublishedCatalogue.signature, error)
      }
      return nil
    }
    if request.verifier == nil, let own = folder.keyName(), own != found?.keyName {
      throw refusal(
        request, "it is signed by key \(found?.keyName ?? ""), and the mirror's was by \(own)",
        "If the publisher announced a new key, give it with --public-key.")
    }
    return found
  }

  private static func refusal(
    _ request: SiteMirror.Request, _ problem: String, _ suggestion: String
  ) -> UserError {
    UserError(
      .refused, operation: "mirroring", path: "\(request.source.name)/\(PublishedCatalogue.path)",
      reason: problem, suggestion: "\(suggestion) The mirror is unchanged.")
  }
}

/// Adds the path to an error about one file.
func withPath<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
  do {
    return try body()
  } catch let error as Unreadable {
    throw MirrorPass.FileProblem(path, error)
  }
}

/// Copies the pages of a site. No catalogue names them, so they are as trustworthy as the server.
struct MirrorPages {
  private let files: any ObjectStore
  private let folder: MirrorFolder
  /// Reports contain their pictures.
  private static let limit = 128 << 20

  init(_ files: any ObjectStore, _ folder: MirrorFolder) {
    self.files = files
    self.folder = folder
  }

  func copy(
    _ manifests: [(cycle: String, data: Data)], of catalogue: Catalog, replacing: Bool
  ) throws {
    for (cycle, data) in manifests {
      try folder.site.write(data, to: folder.site.manifest(of: cycle))
      for name in names(of: catalogue, cycle) { try copy("cycles/\(cycle)/\(name)", replacing) }
    }
    try copy(CycleFeed.path, replacing)
  }

  /// The pages that a site may have of a cycle: a web server does not list its files.
  private func names(of catalogue: Catalog, _ cycle: String) -> [String] {
    let databases = catalogue.products.filter { $0.cycle == cycle && $0.kind == .database }.map(\.id)
    let changes = databases.isEmpty ? [] : ["changes"] + databases.map(ChangePages.name)
    return ["report.html"] + changes.flatMap { ["\($0).html", "\($0).json"] }
  }

  private func copy(_ path: String, _ replacing: Bool) throws {
    if !replacing, folder.file(path).isRegularFile { return }
    try CancellationToken.current.check()
    guard let page = try withPath(path, { try files.data(path, limit: MirrorPages.limit) }) else {
      return try folder.store.removeThroughLinks(path)
    }
    try folder.site.write(page.data, to: folder.file(path))
  }
}
