internal import Core
public import CryptoIO
public import Foundation
public import Pipeline

/// `sources.lock.json`: which sources a cycle's folder holds, by their hashes, and where they were had from.
public struct SourceLock: Codable, Equatable, Sendable {
  public struct Entry: Codable, Equatable, Sendable {
    public var path: String
    /// Where it was had from; a path of this machine for what was copied from a folder.
    public var url: String
    public var sha256: SHA256Hex
    public var bytes: Int
    public var etag: String?
    public var lastModified: String?
    /// When it was first had.
    public var fetched: String
  }

  public static let name = "sources.lock.json"
  public static let format = 1

  public var format = SourceLock.format
  public var cycle: String
  /// Sorted by path.
  public private(set) var sources: [Entry] = []

  public init(cycle: String) { self.cycle = cycle }

  /// The lock of a cycle's folder; an empty one where nothing was fetched yet.
  public init(in folder: URL, cycle: String) throws {
    let file = folder.appending(path: SourceLock.name)
    guard file.kindOnDisk != nil else {
      self.init(cycle: cycle)
      return
    }
    do {
      self = try JSONDecoder().decode(SourceLock.self, from: Data(contentsOf: file))
    } catch {
      throw SourceLock.fault(
        file, (error as? DecodingError).map { $0.whereAndWhy() } ?? error.fileErrorReason, causes: [error])
    }
    guard format == SourceLock.format, self.cycle == cycle else {
      throw SourceLock.fault(
        file, "it is of format \(format) and cycle \(self.cycle), not \(SourceLock.format) and \(cycle)")
    }
  }

  public subscript(path: String) -> Entry? { sources.first { $0.path == path } }

  /// Whether a file of each wish whose publisher is known was brought into the folder, and is still there.
  public func covers(_ wishes: [SourceRequirement], in folder: URL) -> Bool {
    wishes.filter(\.isPublished).allSatisfy { wish in
      wish.ways.contains { $0.allSatisfy { lies($0.path, in: folder) } }
    }
  }

  private func lies(_ path: String, in folder: URL) -> Bool {
    let size = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)[.size]
    return size as? Int != nil && size as? Int == self[path]?.bytes
  }

  public mutating func set(_ entry: Entry) {
    sources.removeAll { $0.path == entry.path }
    sources.append(entry)
    sources.sort { $0.path < $1.path }
  }

  public func write(in folder: URL) throws {
    let final = folder.appending(path: SourceLock.name)
    try DurableFile.write(CanonicalJSON.pretty(self), to: final, scratch: SourceLock.scratch(in: folder))
  }

  /// Where it is written before it gets its name.
  static func scratch(in folder: URL) -> URL { folder.appending(path: ".\(SourceLock.name).new") }

  private static func fault(_ file: URL, _ problem: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "reading the lock file", path: file.path, reason: problem,
      suggestion: "Restore the earlier file, or remove this one: the next fetch writes a new one.",
      causes: causes
    )
  }
}

/// How a source that a manifest names was looked for.
public enum RecordedSource: Equatable, Sendable {
  case found(URL)
  /// A file of its name lies there and has other bytes; nor are they in any other file of the folder.
  case changed(URL)
  case absent
}

extension SourceFolder {
  /// The file or the folder that has the bytes of a source: by its name first, then among all files of its size.
  public func locate(_ source: Product.Source) throws -> RecordedSource {
    let namesakes = (paths[PublishedName.key(source.fileName)] ?? []).sorted { $0.path < $1.path }
    let usable = namesakes.filter { $0.kindOnDisk == .folder || $0.isRegularFile }
    if let own = try usable.first(where: { try SourceFolder.file($0).sha256 == source.sha256 }) {
      return .found(own)
    }
    let others = paths.values.joined().filter { $0.isRegularFile && $0.byteCount == source.bytes }
      .sorted { $0.path < $1.path }
    let same = try others.first { try SourceFolder.file($0).sha256 == source.sha256 }
    return same.map { .found($0) } ?? namesakes.first.map { .changed($0) } ?? .absent
  }
}

extension Product.Source {
  /// The name under which it lies in a folder, wherever it was downloaded from.
  public var fileName: String {
    guard url.contains("://") else { return url.split(separator: "/").last.map(String.init) ?? url }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    return (last.removingPercentEncoding ?? last).split(separator: "/").last.map(String.init) ?? ""
  }
}

extension URL {
  /// Of the file itself, where this is a link.
  fileprivate var byteCount: Int? {
    (try? FileManager.default.attributesOfItem(atPath: resolvingSymlinksInPath().path))?[.size] as? Int
  }
}
