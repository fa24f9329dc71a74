internal import Core
internal import Foundation

/// The file in which a reader notes the catalogue that it saw last of a site, so that it refuses an older one.
struct CatalogueNote {
  let file: URL

  /// Returns nil if no catalogue of the site was noted.
  func seen(of store: any ObjectStore) -> SeenCatalogue? {
    content.flatMap { $0.source == store.name ? $0 : nil }
  }

  func record(_ read: PublishedCatalogue, of store: any ObjectStore) throws {
    var content = read.seen
    content.source = store.name
    guard content != self.content else { return }
    // Two programs may write the same note.
    let scratch = file.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier).new")
    try DurableFile.write(CanonicalJSON.pretty(content), to: file, scratch: scratch)
  }

  private var content: SeenCatalogue? {
    guard file.isRegularFile else { return nil }
    return try? JSONDecoder().decode(SeenCatalogue.self, from: Data(contentsOf: file))
  }
}
