public import Core
internal import CryptoIO
public import Foundation

/// A source file, or the folder of an unpacked one, with the hash of its content.
public struct SourceFile: Equatable, Sendable {
  public let url: URL
  public let sha256: SHA256Hex
  public let bytes: Int
  public let isFolder: Bool
  /// Taken before it was hashed.
  var stamps: [String: FileStamp?] = [:]

  public var name: String { url.lastPathComponent }
  /// For the key of a step.
  public var ingredient: String { "\(sha256.text) \(name)" }
  /// The entry in the product's description.
  public var record: Product.Source { Product.Source(url: name, sha256: sha256, bytes: bytes) }

  /// Throws when the file changed since it was hashed. Call it after reading the whole file.
  public func checkUnchanged() throws {
    if let now = try? FileStamp.all(of: url), now == stamps { return }
    // The stamps differ, too, for a file that was copied over itself or is on a disk without stable inode numbers.
    if let now = try? SourceFolder.file(url), now.sha256 == sha256 { return }
    throw UserError(
      .badInput, operation: "reading the source", path: url.path, reason: "it changed while it was read",
      suggestion: "Nothing was built from it. Run again when no other program writes to it.")
  }
}

/// A folder of downloaded sources, searched with its subfolders by file name.
///
/// A file is found under any spelling of its name that `PublishedName` allows; the exact one is preferred.
public struct SourceFolder: Sendable {
  public let root: URL
  let paths: [String: [URL]]
  private let hashes: FileHashes

  /// Links are followed, to files and to folders, since downloads often lie on another disk.
  ///
  /// - Parameter hashes: the remembered hashes of the files.
  public init(_ root: URL, hashes: FileHashes = FileHashes()) throws {
    (self.root, self.hashes) = (root, hashes)
    try SourceFolder.check(root)
    paths = try SourceFolder.files(below: root)
  }

  /// Throws an error if there is no such folder, or if it cannot be read. A command calls it before it writes anything.
  public static func check(_ root: URL) throws {
    guard root.kindOnDisk == .folder else {
      throw UserError(
        .badCall, operation: "looking for sources in", path: root.path, reason: root.missingFolderReason,
        suggestion: "Give the folder that holds the FAA's files with --from.")
    }
    _ = try names(in: root)
  }

  /// A folder without files, which need not exist.
  public init(empty root: URL) {
    (self.root, paths, hashes) = (root, [:], FileHashes())
  }

  /// Lists all files and folders by the key of their name. A folder that two paths lead to is read once, which
  /// ends a cycle of links.
  private static func files(below root: URL) throws -> [String: [URL]] {
    var found: [String: [URL]] = [:]
    var seen: Set<String> = []
    var open = [root]
    while let folder = open.popLast() {
      guard seen.insert(folder.resolvingSymlinksInPath().path).inserted else { continue }
      for name in try names(in: folder) where !name.hasPrefix(".") {
        let url = folder.appending(path: name)
        guard let kind = url.kindOnDisk else { continue }
        found[PublishedName.key(name), default: []].append(url)
        if kind == .folder { open.append(url) }
      }
    }
    return found
  }

  private static func names(in folder: URL) throws -> [String] {
    return try UserError.wrapping(
      "looking for sources in", folder.path,
      kind: .badInput, suggestion: "Check that you may read it, or name another folder with --from."
    ) { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// The first of these names that is there; nil when none is.
  public func locate(_ names: [String]) throws -> SourceFile? {
    for name in names {
      if let file = try find(name) { return try SourceFolder.file(file, hashes) }
    }
    return nil
  }

  /// Returns the file of this name, or nil. Throws when two match equally well, since either may be stale.
  public func find(_ name: String) throws -> URL? {
    let candidates = (paths[PublishedName.key(name)] ?? []).sorted { $0.path < $1.path }
    let matches = PublishedName.matches(name, among: candidates, by: \.lastPathComponent)
    guard matches.count <= 1 else {
      throw UserError(
        .badInput, operation: "looking for", path: name,
        reason: "it exists \(matches.count) times: \(matches.map(\.path).joined(separator: ", "))",
        suggestion: "Keep the one of this cycle and remove the others.")
    }
    return matches.first
  }

  /// The file with a similar name, such as one of another edition; nil without one. ENR_L02.zip is another chart than ENR_L01.zip.
  func similarName(_ name: String) -> String? {
    let others = paths.values.joined().map(\.lastPathComponent).filter {
      $0.filter(\.isLetter) != name.filter(\.isLetter) || name.count(where: \.isNumber) > 5
    }
    return nearest(to: name, among: others)
  }

  /// Hashes one file, or all files of a folder with their names.
  public static func file(_ url: URL, _ hashes: FileHashes = FileHashes()) throws -> SourceFile {
    return try UserError.wrapping(
      "reading the source", url.path, kind: .badInput,
      suggestion: "Check that it exists and that you may read it."
    ) {
      let path = url.resolvingSymlinksInPath().path  // or the size would be the link's own
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      if attributes[.type] as? FileAttributeType == .typeDirectory { return try folder(url, hashes) }
      guard url.isRegularFile else {
        throw UserError(
          .badInput, operation: "reading the source", path: url.path,
          reason: "it is a pipe, a socket or a device", suggestion: "Put the FAA's file in its place.")
      }
      let (size, stamps) = (attributes[.size] as? Int, try FileStamp.all(of: url))
      return SourceFile(
        url: url, sha256: try hashes.sha256(of: url), bytes: size ?? 0, isFolder: false, stamps: stamps)
    }
  }

  private static func folder(_ url: URL, _ hashes: FileHashes) throws -> SourceFile {
    let stamps = try FileStamp.all(of: url)
    let container = try SourceContainer(folder: url)
    let lines = try container.members.map { member in
      "\(try hashes.sha256(of: url.appending(path: member.name))) \(member.name)\n"
    }
    return SourceFile(
      url: url, sha256: try SHA256Hex(of: Array(lines.joined().utf8)),
      bytes: container.members.reduce(0) { $0 + $1.size }, isFolder: true, stamps: stamps)
  }
}

extension FileStamp {
  /// Returns the stamp of a file, or of all files of a folder by their names.
  static func all(of source: URL) throws -> [String: FileStamp?] {
    guard source.kindOnDisk == .folder else { return ["": FileStamp(source)] }
    let members = try SourceContainer(folder: source).members
    return Dictionary(members.map { ($0.name, $0.file.flatMap { FileStamp($0) }) }) { _, last in last }
  }
}
