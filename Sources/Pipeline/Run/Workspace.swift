public import Core
public import Foundation

/// The folder under which everything that a command makes lies.
///
/// Outputs are made in `scratch/` and moved to their names when they are whole, so no folder but `scratch/` ever
/// holds half a file, and a killed run leaves nothing that needs finding: the next one removes it from `scratch/`.
public struct Workspace: Sendable {
  public let root: URL
  public var sources: URL { root.appending(path: "sources") }
  public var build: URL { root.appending(path: "build") }
  public var site: URL { root.appending(path: "site") }
  public var journal: URL { root.appending(path: "journal") }
  public var scratch: URL { root.appending(path: "scratch") }
  /// The remembered hashes of files.
  var fileHashes: URL { journal.appending(path: "hashes.txt") }

  public init(_ root: URL) { self.root = root }

  /// Where the sources of a cycle are fetched to.
  public func sources(cycle: String) -> URL { sources.appending(path: cycle, directoryHint: .isDirectory) }

  public func buildFolder(cycle: String, pipeline: String) -> URL {
    build.appending(path: cycle).appending(path: pipeline)
  }

  /// Creates the folder and locks it against other runs.
  public func lock() throws -> FolderLock {
    guard root.kindOnDisk != .file else {
      throw UserError(
        .badCall, operation: Workspace.preparing, path: root.path, reason: "it is a file",
        suggestion: "Name a folder with --work. It is created if it does not exist.")
    }
    try explaining({ Workspace.unwritable(root, $0) }) { try root.createFolder() }
    return try FolderLock(
      root, operation: Workspace.preparing,
      suggestion: "Wait for it to end, or give another folder with --work.")
  }

  /// Creates an empty `scratch/`. Requires the lock.
  public func prepare() throws {
    try explaining({ Workspace.unwritable(root, $0) }) {
      try sweep()
      try scratch.createFolder()
    }
  }

  /// Removes the files of a run from `scratch/`, and the folder if it is empty then. Other files stay, since the work folder may
  /// be a user's folder with a `scratch/`.
  public func sweep() throws {
    guard FileManager.default.fileExists(atPath: scratch.path) else { return }
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    let ours = names.filter { UUID(uuidString: String($0.prefix(36))) != nil }
    for name in ours { try FileManager.default.removeItem(at: scratch.appending(path: name)) }
    if ours.count == names.count { try FileManager.default.removeItem(at: scratch) }
  }

  /// Returns a new unique path in `scratch/`.
  public func scratchFile(_ name: String) -> URL { scratch.appending(path: "\(UUID().uuidString)-\(name)") }

  private static let preparing = "preparing the work folder"

  static func unwritable(_ folder: URL, _ error: any Error) -> UserError {
    UserError(
      .failed, operation: preparing, path: folder.path,
      reason: "it cannot be written to: \(error.fileErrorReason)",
      suggestion: "Give a folder of your own with --work, or free some space.", causes: [error])
  }
}

extension Workspace {
  /// The names of the cycles with sources, a build or a journal in the work folder.
  public var cycleNames: Set<String> { Set(sources.names + build.names + Journal.cycles(in: self)) }

  /// Removes a cycle's sources, its build and its journal. Staged files remain.
  public func forget(cycle: String) throws {
    for place in [sources, build, journal].map({ $0.appending(path: cycle) }) where place.kindOnDisk != nil {
      try UserError.wrapping(
        "removing what is out of date", place.path,
        suggestion: "Check the folder's permissions, or remove the folder yourself."
      ) { try FileManager.default.removeItem(at: place) }
    }
  }
}

/// The space for more files in a folder, limited by its disk and by `--max-disk`.
public struct DiskSpace: Sendable {
  private let folder: URL
  /// The maximum size of the folder; nil for no limit except the disk.
  private let limit: Int?

  public init(_ folder: URL, limit: Int? = nil) { (self.folder, self.limit) = (folder, limit) }

  /// The free space of the disk without the part reserved for root; nil if the system does not report it.
  public var free: Int? {
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    return (facts?[.systemFreeSize] as? NSNumber)?.intValue
  }

  /// The size of the folder's files. Does not follow links, and counts a file with two names once.
  public var used: Int {
    var seen: Set<[Int]> = []
    let walk = FileManager.default.enumerator(atPath: folder.path)
    return walk?.reduce(into: 0) { sum, path in
      guard let path = path as? String,
        let facts = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path),
        facts[.type] as? FileAttributeType == .typeRegular,
        seen.insert([number(facts[.systemNumber]), number(facts[.systemFileNumber])]).inserted
      else { return }
      sum += number(facts[.size])
    } ?? 0
  }

  private func number(_ fact: Any?) -> Int { (fact as? NSNumber)?.intValue ?? 0 }

  /// Throws if there is not enough space for files of this size.
  public func check(_ bytes: Int, for subject: String) throws {
    guard bytes > 0 else { return }
    let need = "it needs about \(Counts.bytes(bytes))"
    if let limit, case let used = used, bytes > limit - used {
      throw fault(
        subject,
        "\(need), and of the \(Counts.bytes(limit)) that --max-disk allows, \(folder.path) holds \(Counts.bytes(used))",
        remedy: DiskSpace.allowMore)
    }
    if let free, bytes > free {
      throw fault(
        subject, "\(need), and the disk of \(folder.path) has \(Counts.bytes(free)) left",
        remedy: "Free some space, or give a folder on another disk with --work.")
    }
  }

  /// Throws if the folder is larger than its limit.
  public func checkKept(for subject: String) throws {
    guard let limit, case let used = used, used > limit else { return }
    throw fault(
      subject,
      "with it \(folder.path) would hold \(Counts.bytes(used)), and --max-disk allows \(Counts.bytes(limit))",
      remedy: DiskSpace.allowMore)
  }

  private static let allowMore = "Allow more, or remove from that folder what is no longer needed."

  private func fault(_ subject: String, _ problem: String, remedy: String) -> UserError {
    UserError(.failed, operation: "making room for", path: subject, reason: problem, suggestion: remedy)
  }
}
