internal import Core
internal import Foundation
internal import Pipeline

/// What a server says a folder holds: the page of links that IIS, Apache, nginx and others write for one.
///
/// Only links to what lies directly in the folder count; a page may say what it likes.
struct RemoteListing {
  struct Entry: Equatable {
    let name: String
    let url: String
    let isFolder: Bool
    /// Where the page tells it to the byte.
    let bytes: Int?
  }

  /// By the key of their name; a name in one spelling comes once.
  private var entries: [String: [Entry]] = [:]

  static let limit = 8 << 20
  /// More of one name are as ambiguous as these.
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

  /// Two names that match equally well are a fault.
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
    /// The text around it, as far as it may tell the size.
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
    return Entry(
      name: name, url: url.absoluteString, isFolder: isFolder, bytes: isFolder ? nil : bytes(link))
  }

  /// IIS writes the size before a link, after day and hour; nginx after it, at the line's end. Of others that round it, nothing
  /// is taken.
  private static func bytes(_ link: Link) -> Int? {
    if let match = link.before.firstMatch(of: /[AP]M\s+(\d+)\s*$/) { return Int(match.1) }
    return link.after.firstMatch(of: /\d\d:\d\d\s+(\d+)\s*$/).flatMap { Int($0.1) }
  }
}

extension String {
  /// Whether a file may be given this name: it leads nowhere and shows as what it is.
  var isPlainFileName: Bool {
    !isEmpty && utf8.count <= 255 && !hasPrefix(".")
      && unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "/" && $0 != "\\" }
  }
}
