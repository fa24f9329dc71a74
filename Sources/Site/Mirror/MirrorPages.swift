internal import Core
internal import Foundation
internal import Pipeline

/// Copies the pages that a catalogue lists, and no other: a page may contain a script.
struct MirrorPages {
  private let read: PublishedCatalogue
  private let source: any ObjectStore
  private let folder: MirrorFolder
  private let progress: any ProgressReporter

  init(
    _ read: PublishedCatalogue, _ request: SiteMirror.Request, _ folder: MirrorFolder,
    _ progress: any ProgressReporter
  ) {
    (self.read, source, self.folder, self.progress) = (read, request.source.store, folder, progress)
  }

  /// Downloads the pages that the mirror lacks, so that they follow the catalogue at once.
  ///
  /// - Returns: the pages, each with its downloaded file; nil for a catalogue of an earlier version, which lists no pages.
  func prepare() throws -> [(page: FileReference, part: URL?)]? {
    guard let file = read.catalogue.pages else { return nil }
    let list = try withPath(file.path) { try PageList.read(file, in: folder.store) }
    let missing = list.files.filter { !folder.has($0, rereading: true) }
    try folder.checkRoom(for: missing.map(\.bytes).reduce(0, +))
    return try missing.map { page in
      let part = folder.part(ofPage: page)
      if try download(page, to: part) { return (page, part) }
      // The publisher sends pages after the catalogue.
      if read.bytes.isOutdated(in: source) {
        throw MirrorPass.FileProblem(page.path, Unreadable("it belongs to another catalogue"))
      }
      warn("\(page.path) is not the page that the catalogue lists, so the mirror does not have it")
      return (page, nil)
    }
  }

  private func download(_ page: FileReference, to part: URL) throws -> Bool {
    do {
      let found = try source.copy(page.path, to: part, limit: page.bytes) { _ in
        try CancellationToken.current.check()
      }
      if let found, found.bytes == page.bytes, found.sha256 == page.sha256 { return true }
    } catch is Unreadable {}
    try? FileManager.default.removeItem(at: part)  // an absent page leaves none
    return false
  }

  func write(_ pages: [(page: FileReference, part: URL?)]?, manifests: [(cycle: String, data: Data)]) throws {
    for (page, part) in pages ?? [] {
      if let part {
        try DurableFile.publish(part, as: folder.file(page.path))
      } else {
        try folder.store.removeThroughLinks(page.path)
      }
    }
    if pages == nil { try writeDerived(manifests) }
    let latest = try LatestAnswer(read.catalogue, sha256: read.sha256).data
    try folder.site.write(latest, to: folder.file(LatestAnswer.path))
  }

  /// Writes the pages that follow from the catalogue and its manifests, and removes all others.
  private func writeDerived(_ manifests: [(cycle: String, data: Data)]) throws {
    warn(
      "an earlier version published the site, without hashes of its pages: reports and pages of changes are not copied"
    )
    let regions = try RegionList(read.catalogue, in: folder.site.root.path).data
    let pages =
      try RootCopies(read.catalogue, regions: regions).files
      + manifests.map { (name: "cycles/\($0)/manifest.json", data: $1) }
    for page in pages { try folder.site.write(page.data, to: folder.file(page.name)) }
    let present = try ["cycles/", WebMap.folder].flatMap(folder.store.list).map(\.key)
    for path in Set(present).subtracting(pages.map(\.name)) where PageList.isPage(path) {
      try folder.store.removeThroughLinks(path)
    }
  }

  private func warn(_ message: String) { progress.report(.warning(step: "mirror", message: message)) }
}
