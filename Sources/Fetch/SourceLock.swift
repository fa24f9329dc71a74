public import Core
public import Foundation

/// `sources.lock.json`: the sources in a cycle's folder, with their hashes and origins.
public struct SourceLock: Codable, Equatable, Sendable {
  public struct Entry: Codable, Equatable, Sendable {
    public var path: String
    /// The address it was fetched from, or the path it was copied from.
    public var url: String
    public var sha256: SHA256Hex
    public var bytes: Int
    public var etag: String?
    public var lastModified: String?
    /// When this file was first fetched.
    public var fetched: String
  }

  public static let name = "sources.lock.json"
  public static let format = 1

  public var format = SourceLock.format
  public var cycle: String
  /// Sorted by path.
  public private(set) var sources: [Entry] = []

  public init(cycle: String) { self.cycle = cycle }

  /// Reads the lock of a cycle's folder; it is empty where nothing was fetched yet.
  public init(in folder: URL, cycle: String) throws {
    let file = folder.appending(path: SourceLock.name)
    guard file.kindOnDisk != nil else {
      self.init(cycle: cycle)
      return
    }
    var data = Data()
    do {
      data = try Data(contentsOf: file)
      self = try JSONDecoder().decode(SourceLock.self, from: data)
    } catch {
      throw SourceLock.userError(
        file, (error as? DecodingError).map { $0.whereAndWhy(in: data) } ?? error.fileErrorReason,
        causes: [error])
    }
    guard format == SourceLock.format, self.cycle == cycle else {
      throw SourceLock.userError(
        file, "it is of format \(format) and cycle \(self.cycle), not \(SourceLock.format) and \(cycle)")
    }
  }

  public subscript(path: String) -> Entry? { sources.first { $0.path == path } }

  /// Whether the folder still has the fetched files of each requirement whose publisher is known.
  public func covers(_ requirements: [SourceRequirement], in folder: URL) -> Bool {
    requirements.filter(\.isPublished).allSatisfy { requirement in
      requirement.alternatives.contains { $0.allSatisfy { isPresent($0.path, in: folder) } }
    }
  }

  private func isPresent(_ path: String, in folder: URL) -> Bool {
    self[path].map { folder.appending(path: path).byteCount == $0.bytes } ?? false
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

  /// The temporary file that is renamed to the lock file.
  static func scratch(in folder: URL) -> URL { folder.appending(path: ".\(SourceLock.name).new") }

  private static func userError(_ file: URL, _ problem: String, causes: [any Error] = []) -> UserError {
    UserError(
      .badInput, operation: "reading the lock file", path: file.path, reason: problem,
      suggestion: "Restore the earlier file, or remove this one: the next fetch writes a new one.",
      causes: causes
    )
  }
}

/// The result of searching a folder for a source that a manifest names.
public enum RecordedSource: Equatable, Sendable {
  case found(URL)
  /// A file with its name exists, but no file of the folder has its bytes.
  case changed(URL)
  case absent
}

extension SourceFolder {
  /// Finds the file or folder with the bytes of a source: first by its name, then among all files of its size.
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
  /// The file's name in a folder of sources, for any address.
  public var fileName: String {
    guard url.contains("://") else { return url.split(separator: "/").last.map(String.init) ?? url }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    return (last.removingPercentEncoding ?? last).split(separator: "/").last.map(String.init) ?? ""
  }
}
