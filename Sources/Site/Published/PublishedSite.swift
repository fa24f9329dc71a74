internal import Core
public import Foundation
public import HTTPIO
internal import Pipeline

/// Where a site is to be had.
public struct PublishedSite: Sendable {
  let files: any PublishedFiles
  /// Where it lies, of a site in a folder.
  let folder: URL?

  public var name: String { files.name }

  public init(folder: URL) {
    self.folder = folder
    files = FolderFiles(root: folder)
  }

  /// - Parameter address: of the site or of its catalogue. Nil for what is no address of the web; what it has of a password, a
  ///   query or a fragment is no part of a site's address either.
  public init?(address: String, retry: RetryPolicy? = nil) {
    guard let parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme?.lowercased()),
      parts.host?.isEmpty == false, parts.user == nil, parts.query == nil, parts.fragment == nil
    else { return nil }
    var base = address
    if base.hasSuffix("/\(PublishedCatalogue.path)") { base.removeLast(PublishedCatalogue.path.count) }
    while base.hasSuffix("/") { base.removeLast() }
    folder = nil
    files = HTTPFiles(
      base, clients: Pool.httpClients,
      retry: retry ?? RetryPolicy())
  }

  /// What was published to a target, read with its own keys.
  public init(_ target: PublishTarget) {
    folder = target.folder
    let store = StoreFiles(store: target.store)
    files = target.folder.map { FolderFiles(root: $0) as any PublishedFiles } ?? store
  }
}
