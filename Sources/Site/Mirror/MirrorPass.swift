internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline

/// One way through a source with one catalogue. Its order is its safety: the files that are named by their hashes, the pages,
/// the signature, and the catalogue last.
struct MirrorPass {
  /// What is wrong with a file of the source.
  struct Trouble: Error {
    var path: String
    var problem: String
    var isAbsent: Bool

    init(_ path: String, _ trouble: Unreadable) {
      (self.path, problem, isAbsent) = (path, trouble.problem, trouble.isAbsent)
    }

    func fault(from source: PublishedSite) -> UserError {
      UserError(
        .refused, operation: "mirroring", path: "\(source.name)/\(path)", reason: problem,
        suggestion:
          "Report it to the publisher; `chartpipe verify` lists all faults. The mirror is unchanged."
      )
    }
  }

  private let read: PublishedCatalogue
  private let request: SiteMirror.Request
  private let place: MirrorPlace
  private let progress: any ProgressReporter
  private let signature: CatalogueSignature?
  private let isNew: Bool

  /// Refuses a catalogue that should not take the place of the mirror's own.
  init(
    _ request: SiteMirror.Request, _ place: MirrorPlace, _ read: PublishedCatalogue,
    _ progress: any ProgressReporter
  ) throws {
    self.request = request
    self.place = place
    self.read = read
    self.progress = progress
    let own = try place.catalogue()
    signature = try MirrorTrust(request, place).signature(of: read, after: own)
    isNew = own?.data != read.data
  }

  func run() throws -> SiteMirror.Outcome {
    let (catalogue, files) = (read.catalogue, request.source.files)
    let manifests = try catalogue.entries.map { entry in
      (entry, try at(entry.manifest.path) { try entry.manifest(in: files, of: catalogue) })
    }
    let regions = try catalogue.regions.map { file in
      (file, try at(file.path) { try file.regions(in: files) })
    }
    let named = catalogue.productFiles.map(\.reference)
    let (copied, bytes) = try MirrorCopies(request, place).bring(named + replaced(), progress)
    for (entry, data) in manifests { try place.site.write(data, to: place.file(entry.manifest.path)) }
    try MirrorPages(files, place).bring(
      manifests.map { ($0.id, $1) }, of: catalogue, againWhenThere: isNew || request.checks)
    if let (file, data) = regions { try place.site.write(data, to: place.file(file.path)) }
    try flip()
    try writeRootCopies(regions?.1)
    let removed = request.keepsOld ? 0 : try SitePruning(place.site).prune(after: read)
    try place.clear()
    return SiteMirror.Outcome(
      source: request.source.name, folder: place.site.root.path, serial: catalogue.serial,
      cycles: catalogue.entries.map(\.id), files: named.count, bytes: named.expectedBytes, copied: copied,
      copiedBytes: bytes, removed: removed, key: signature?.keyName,
      isProved: signature != nil && request.verifier != nil)
  }

  /// The catalogue that this one replaced, where the source still has it.
  private func replaced() throws -> [FileReference] {
    guard let file = read.catalogue.replaces, file.trouble == nil else { return [] }
    return try at(file.path) { try request.source.files.look(file.path) == nil ? [] : [file] }
  }

  /// A catalogue of an earlier version has no list of regions, and then the mirror has no copies.
  private func writeRootCopies(_ regions: Data?) throws {
    guard let regions else { return try RootCopies.names.forEach(SitePruning(place.site).remove) }
    for copy in try RootCopies(read.catalogue, read.data, regions: regions).files {
      try place.site.write(copy.data, to: place.file(copy.name))
    }
  }

  /// A signature lies under the hash of its catalogue before that is there, and never beside another.
  private func flip() throws {
    if let signature {
      try place.site.write(
        signature.data, to: place.file(PublishedCatalogue.signature(of: read.sha256)))
      try place.site.write(signature.data, to: place.site.signature)
    }
    try place.site.write(read.data, to: place.site.catalogue)
  }
}

/// Names the file in which something is wrong.
func at<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
  do {
    return try body()
  } catch let trouble as Unreadable {
    throw MirrorPass.Trouble(path, trouble)
  }
}

/// What a site has for people. No catalogue names these pages, so nothing vouches for them but the place they come from.
struct MirrorPages {
  private let files: any PublishedFiles
  private let place: MirrorPlace
  /// Reports are large for pages: they carry their pictures.
  private static let limit = 512 << 20

  init(_ files: any PublishedFiles, _ place: MirrorPlace) {
    self.files = files
    self.place = place
  }

  func bring(
    _ manifests: [(cycle: String, data: Data)], of catalogue: Catalog, againWhenThere: Bool
  ) throws {
    for (cycle, data) in manifests {
      try place.site.write(data, to: place.site.manifest(of: cycle))
      for name in names(of: catalogue, cycle) { try bring("cycles/\(cycle)/\(name)", againWhenThere) }
    }
    try bring(CycleFeed.path, againWhenThere)
  }

  /// What a site may have of a cycle; a server does not list its files.
  private func names(of catalogue: Catalog, _ cycle: String) -> [String] {
    let databases = catalogue.products.filter { $0.cycle == cycle && $0.kind == .database }.map(\.id)
    let changes = databases.isEmpty ? [] : ["changes"] + databases.map(ChangePages.name)
    return ["report.html"] + changes.flatMap { ["\($0).html", "\($0).json"] }
  }

  private func bring(_ path: String, _ againWhenThere: Bool) throws {
    if !againWhenThere, place.file(path).isRegularFile { return }
    try CancellationToken.current.check()
    guard let page = try at(path, { try files.data(path, limit: MirrorPages.limit) }) else {
      return try SitePruning(place.site).remove(path)
    }
    try place.site.write(page.data, to: place.file(path))
  }
}
