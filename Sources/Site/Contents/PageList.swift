internal import Core
internal import Foundation

/// The pages of a site with their hashes: what a web server sends under a name that is not a hash. The catalogue names the list,
/// so its signature covers all pages.
///
/// `latest.json` is not listed, since it contains the hash of the catalogue. `LatestAnswer` computes it.
struct PageList: Codable, Equatable, Sendable {
  enum Format: String, Codable {
    case version1 = "chartpipe-pages-1"
  }

  var format = Format.version1
  /// By path.
  let files: [FileReference]
  /// The list before this one: pages are sent after the flip, so for a moment the pages are those. Nil if there is none, and in a
  /// site that is only staged.
  var replaces: FileReference?

  init(_ files: [FileReference]) {
    self.files = files.sorted { $0.path < $1.path }
  }

  /// The largest page. Reports contain their pictures.
  private static let limit = 512 << 20

  var data: Data { get throws { try CanonicalJSON.line(self) + Data("\n".utf8) } }

  var byPath: [String: FileReference] {
    Dictionary(first: files.map { ($0.path, $0) })
  }

  /// Throws `Unreadable` for a list that is absent, damaged or hostile.
  static func read(_ file: FileReference, in store: any ObjectStore) throws -> PageList {
    let data = try store.data(of: file, "the list of pages")
    guard JSONText(data, .json).flaw == nil, let list = try? JSONDecoder().decode(PageList.self, from: data)
    else {
      throw Unreadable("it is not a list of pages that this version can read")
    }
    guard Set(list.files.map(\.path)).count == list.files.count,
      list.files.allSatisfy({ isPage($0.path) && (0...limit).contains($0.bytes) })
    else { throw Unreadable("it lists a file that is not a page, or a page twice") }
    return list
  }

  /// Returns the list before this one; nil if there is none, or if it is gone.
  func replaced(in store: any ObjectStore) -> PageList? {
    replaces.flatMap { try? PageList.read($0, in: store) }
  }

  /// A mirror writes these paths.
  static func isPage(_ path: String) -> Bool {
    Catalog.rootCopies.contains(path) && path != LatestAnswer.path || WebMap.isPath(path)
      || SiteFolder.page(at: path) != nil
  }
}
