internal import Core
internal import CryptoIO
public import Foundation
internal import Synchronization

/// Stored results of work whose inputs are known by their hashes: the rules of a file, a report's pictures.
///
/// A result is a file `results/<kind>/ab/abcdef…` in the work folder, which begins with the hash of its name and content. The key in
/// its name is the hash of everything that the result depends on. A missing, damaged or renamed result is made again.
public final class KeyedResults: Sendable {
  /// The hashes of the files that the results depend on.
  public let hashes: FileHashes
  private let workspace: Workspace?
  /// Part of every key: what can change a result besides its inputs.
  private let environment: [String: String]
  /// The results of this process, if no work folder keeps them.
  private let memory = Mutex<[String: Data]>([:])

  /// Keeps results for this process only.
  public init() {
    (hashes, workspace, environment) = (FileHashes(), nil, [:])
  }

  /// Keeps results in a work folder.
  ///
  /// - Parameter environment: the versions of the program and its libraries.
  public init(in workspace: Workspace, hashes: FileHashes, environment: [String: String]) {
    (self.hashes, self.workspace, self.environment) = (hashes, workspace, environment)
  }

  /// Returns the stored result, or makes it and stores it.
  ///
  /// - Parameters:
  ///   - kind: a word for the results with one form of inputs; a folder has its name.
  ///   - inputs: everything that the result depends on.
  public func result<Result: Codable>(
    _ kind: String, of inputs: some Encodable, make: () throws -> Result
  ) throws -> Result {
    if let known: Result = try stored(kind, of: inputs) { return known }
    let made = try make()
    try store(made, kind, of: inputs)
    return made
  }

  /// Returns the stored result; nil if there is none that can be read.
  public func stored<Result: Decodable>(_ kind: String, of inputs: some Encodable) throws -> Result? {
    let name = try name(kind, inputs)
    guard let workspace else {
      return memory.withLock { $0[name] }.flatMap { try? JSONDecoder().decode(Result.self, from: $0) }
    }
    let file = workspace.results.appending(path: name)
    guard let data = try? Data(contentsOf: file), let end = data.firstIndex(of: UInt8(ascii: "\n")),
      case let content = data[(end + 1)...],
      let digest = KeyedResults.digest(of: content, named: name),
      data[..<end].elementsEqual(digest.text.utf8),
      let result = try? JSONDecoder().decode(Result.self, from: content)
    else { return nil }
    KeyedResults.markUsed(file)
    return result
  }

  /// Stores a result. A failure only costs the next run time.
  public func store(_ result: some Encodable, _ kind: String, of inputs: some Encodable) throws {
    let name = try name(kind, inputs)
    guard let content = try? CanonicalJSON.line(result) else { return }
    guard let workspace else { return memory.withLock { $0[name] = content } }
    guard let digest = KeyedResults.digest(of: content, named: name) else { return }
    let file = workspace.results.appending(path: name)
    let scratch = workspace.scratchFile("result")
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(at: workspace.scratch, withIntermediateDirectories: true)
      // Not flushed: a result that a power failure damages is made again.
      try (Data("\(digest)\n".utf8) + content).write(to: scratch)
      try scratch.replace(file)
    } catch {
      try? FileManager.default.removeItem(at: scratch)
    }
  }

  private static func digest(of content: Data, named name: String) -> SHA256Hex? {
    try? SHA256Hex(of: Array("\(name)\n".utf8) + content)
  }

  private struct Key<Inputs: Encodable>: Encodable {
    let tool: String
    let environment: [String: String]
    let inputs: Inputs
  }

  private func name(_ kind: String, _ inputs: some Encodable) throws -> String {
    let key = Key(
      tool: "\(ToolVersion.tool) \(ToolVersion.version)", environment: environment, inputs: inputs)
    let hash = try SHA256Hex(of: Array(CanonicalJSON.line(key)))
    return "\(kind)/\(hash.text.prefix(2))/\(hash)"
  }

  /// The work folder; nil if results are kept for this process only.
  public var root: URL? { workspace?.root }

  // MARK: - Pruning

  private static let day = 86_400.0

  /// Sets the time of a file's last use, at most once a day.
  private static func markUsed(_ file: URL) {
    let used = try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
    guard let used, used.timeIntervalSinceNow < -day else { return }
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
  }

  /// Deletes the results that no run used since then.
  ///
  /// - Returns: their number.
  public static func prune(in workspace: Workspace, unusedSince date: Date) throws -> Int {
    let files = FileManager.default.enumerator(
      at: workspace.results, includingPropertiesForKeys: [.contentModificationDateKey, .isRegularFileKey])
    var count = 0
    for case let file as URL in files ?? FileManager.DirectoryEnumerator() {
      let facts = try file.resourceValues(forKeys: [.contentModificationDateKey, .isRegularFileKey])
      guard facts.isRegularFile == true, SHA256Hex(file.lastPathComponent) != nil,
        let used = facts.contentModificationDate, used < date
      else { continue }
      try FileManager.default.removeItem(at: file)
      count += 1
    }
    return count
  }
}
