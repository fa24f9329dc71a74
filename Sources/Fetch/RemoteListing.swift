internal import Core
internal import Foundation

/// A server's listing of a folder: the page of links that IIS, Apache, nginx and others write.
///
/// The page is not trusted: only links to entries directly in the folder count.
struct RemoteListing {
  struct Entry: Equatable {
    let name: String
    let url: String
    let isFolder: Bool
    /// Nil where the page does not give the exact size.
    let bytes: Int?
  }

  /// By the key of their name; each spelling is listed once.
  private var entries: [String: [Entry]] = [:]

  static let limit = 8 << 20
  /// Two are ambiguous already, so more need not be kept.
  private static let mostSpellings = 3

  /// Nil when it is no listing of this folder.
  init?(html: [UInt8], at address: String) {
    guard let folder = URL(string: address) else { return nil }
    var text = html[...]
    while let link = RemoteListing.nextLink(&text), entries.count < 20_000 {
      guard let entry = RemoteListing.entry(link, in: folder) else { continue }
      let others = (entries[PublishedName.key(entry.name)] ?? []).filter { $0.name != entry.name }
      entries[PublishedName.key(entry.name)] = others.suffix(RemoteListing.mostSpellings) + [entry]
    }
    if entries.isEmpty { return nil }
  }

  /// Throws when two names match equally well.
  func file(_ name: String) throws -> Entry? { try entry(name, isFolder: false) }
  func folder(_ name: String) throws -> Entry? { try entry(name, isFolder: true) }

  private func entry(_ name: String, isFolder: Bool) throws -> Entry? {
    let candidates = (entries[PublishedName.key(name)] ?? []).filter { $0.isFolder == isFolder }
    let matches = PublishedName.matches(name, among: candidates, by: \.name)
    guard matches.count <= 1 else {
      throw UserError(
        .badInput, operation: "looking for", path: name,
        reason:
          "the server lists \(matches.map { "\"\($0.name)\"" }.sorted().joined(separator: ", ")), and each could be it",
        suggestion: "Write the right one into the definition.")
    }
    return matches.first
  }

  var fileNames: [String] { entries.values.joined().filter { !$0.isFolder }.map(\.name).sorted() }

  // MARK: - Reading

  private struct Link {
    let target: String
    /// The text around the link, which may contain the size.
    let before: String
    let after: String
  }

  private static func nextLink(_ text: inout ArraySlice<UInt8>) -> Link? {
    let all = text
    while let open = text.firstIndex(of: UInt8(ascii: "<")) {
      guard let close = text[open...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let tag = line(text[open..<close].prefix(4096))
      text = text[(close + 1)...]
      guard let match = tag.firstMatch(of: /(?i)^<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/),
        let target = match.1 ?? match.2 ?? match.3
      else { continue }
      let before = all[max(all.startIndex, open - 40)..<open]
      let after = text.drop { $0 != UInt8(ascii: ">") }.dropFirst().prefix(80)
      return Link(
        target: String(target).replacing("&amp;", with: "&"), before: line(before),
        after: line(
          after.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }))
    }
    return nil
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func entry(_ link: Link, in folder: URL) -> Entry? {
    guard let url = URL(string: link.target, relativeTo: folder)?.absoluteURL, url.query == nil,
      url.scheme == folder.scheme, url.host == folder.host, url.port == folder.port
    else { return nil }
    let isFolder = url.hasDirectoryPath
    let parts = url.standardized.pathComponents
    let above = folder.standardized.pathComponents
    guard parts.count == above.count + 1, let name = parts.last,
      zip(parts, above).allSatisfy({ $0.lowercased() == $1.lowercased() }), name.isPlainFileName
    else { return nil }
    return Entry(name: name, url: url.absoluteString, isFolder: isFolder, bytes: isFolder ? nil : bytes(link))
  }

  /// IIS writes the size before a link, after date and time; nginx after it, at the end of the line. Other servers round the
  /// size, so it is not used.
  private static func bytes(_ link: Link) -> Int? {
    if let match = link.before.firstMatch(of: /[AP]M\s+(\d+)\s*$/) { return Int(match.1) }
    return link.after.firstMatch(of: /\d\d:\d\d\s+(\d+)\s*$/).flatMap { Int($0.1) }
  }
}

extension String {
  /// Whether a file may have this name: not hidden, without separators and control characters.
  var isPlainFileName: Bool {
    !isEmpty && utf8.count <= 255 && !hasPrefix(".")
      && unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "/" && $0 != "\\" }
  }
}
