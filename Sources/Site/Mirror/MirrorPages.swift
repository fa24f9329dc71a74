internal import Core
internal import Foundation

/// Copies the pages that a catalogue lists, and no other: a page may contain a script.
extension MirrorPass {
  /// Downloads the pages that the mirror lacks, so that they follow the catalogue at once.
  ///
  /// - Returns: the pages, each with its downloaded file; nil for a catalogue of an earlier version, which lists no pages.
  func downloadedPages() throws -> [(page: FileReference, part: URL?)]? {
    guard let file = read.catalogue.pages else { return nil }
    let list = try withPath(file.path) { try PageList.read(file, in: folder.store) }
    let missing = list.files.filter { !folder.has($0, rereading: true) }
    try folder.checkRoom(for: missing.map(\.bytes).reduce(0, +))
    return try missing.map { page in
      let part = folder.part(ofPage: page)
      do {
        if try download(part, page, { _ in try CancellationToken.current.check() }) {
          if isKnown, folder.file(page.path).kindOnDisk != nil { warn(ofLost: page.path) }
          return (page, part)
        }
      } catch is Unreadable {}
      // The publisher sends pages after the catalogue.
      if read.bytes.isOutdated(in: mirror.source.store) {
        throw FileProblem(path: page.path, problem: "it belongs to another catalogue")
      }
      warn("\(page.path) is not the page that the catalogue lists, so the mirror does not have it")
      return (page, nil)
    }
  }

  func write(_ pages: [(page: FileReference, part: URL?)]?, manifests: [(cycle: AiracCycle, data: Data)])
    throws
  {
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

  /// Writes the pages that follow from the catalogue and its manifests. The retention rule removes all others.
  private func writeDerived(_ manifests: [(cycle: AiracCycle, data: Data)]) throws {
    warn(
      "an earlier version published the site, without hashes of its pages: reports and pages of changes are not copied"
    )
    let regions = try RegionList(read.catalogue, in: folder.site.root.path).data
    let pages =
      try read.catalogue.copies(regions: regions)
      + manifests.map { (name: "cycles/\($0)/manifest.json", data: $1) }
    for page in pages { try folder.site.write(page.data, to: folder.file(page.name)) }
  }
}
