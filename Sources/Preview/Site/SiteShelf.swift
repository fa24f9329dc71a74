internal import Foundation
internal import Synchronization

/// The site as it was when the page was last loaded: all threads look at the same one.
final class SiteShelf: Sendable {
  private let root: URL
  private let site: Mutex<ShownSite>

  init(_ root: URL) throws {
    self.root = root
    site = Mutex(try ShownSite(root))
  }

  var current: ShownSite { site.withLock { $0 } }

  /// Looks again: since then it may have been staged anew.
  func reload() throws -> ShownSite {
    let fresh = try ShownSite(root)
    site.withLock { $0 = fresh }
    return fresh
  }
}
