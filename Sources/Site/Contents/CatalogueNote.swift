internal import Core
internal import Foundation

/// The file in which a reader notes the catalogue that it saw last of a site, so that it refuses an older one.
struct CatalogueNote {
  let file: URL

  private struct Content: Codable, Equatable {
    var source: String
    var sha256: SHA256Hex
    var serial: Int
  }

  /// Returns nil if no catalogue of the site was noted.
  func seen(of store: any ObjectStore) -> SeenCatalogue? {
    guard let content, content.source == store.name else { return nil }
    return SeenCatalogue(serial: content.serial, sha256: content.sha256)
  }

  func record(_ read: PublishedCatalogue, of store: any ObjectStore) throws {
    let content = Content(source: store.name, sha256: read.sha256, serial: read.catalogue.serial)
    guard content != self.content else { return }
    // Two programs may write the same note.
    let scratch = file.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier).new")
    try DurableFile.write(CanonicalJSON.pretty(content), to: file, scratch: scratch)
  }

  private var content: Content? {
    guard file.isRegularFile else { return nil }
    return try? JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
  }
}
