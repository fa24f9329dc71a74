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

  public init(_ root: URL) {
    self.root = root
  }

  /// Where the sources of a cycle are fetched to.
  public func sources(cycle: String) -> URL { sources.appending(path: cycle, directoryHint: .isDirectory) }

  /// Which charts of a cycle validation refused, beside its journal.
  public func refusals(cycle: String) -> URL { journal.appending(path: "\(cycle).refused.json") }

  public func buildFolder(cycle: String, pipeline: String) -> URL {
    build.appending(path: cycle).appending(path: pipeline)
  }

  /// Makes the folder and keeps other runs out of it.
  public func lock() throws -> FolderLock {
    do {
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    } catch {
      throw Workspace.unwritable(root, error)
    }
    return try FolderLock(
      root, doing: Workspace.preparing, remedy: "Wait for it to end, or give another folder with --work.")
  }

  /// Makes `scratch/` and removes what an earlier run left in it. The caller holds the lock.
  public func prepare() throws {
    do {
      try sweep()
      try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    } catch {
      throw Workspace.unwritable(root, error)
    }
  }

  /// Removes the files of a run from `scratch/`, and the folder when nothing else is in it. Whoever gives a folder of
  /// their own as the work folder may have a `scratch/` there, with files that are not ours to remove.
  public func sweep() throws {
    guard FileManager.default.fileExists(atPath: scratch.path) else { return }
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    let ours = names.filter { UUID(uuidString: String($0.prefix(36))) != nil }
    for name in ours { try FileManager.default.removeItem(at: scratch.appending(path: name)) }
    if ours.count == names.count { try FileManager.default.removeItem(at: scratch) }
  }

  /// A name in `scratch/` that nothing else has.
  public func scratchFile(_ name: String) -> URL {
    scratch.appending(path: "\(UUID().uuidString)-\(name)")
  }

  private static let preparing = "preparing the work folder"

  static func unwritable(_ folder: URL, _ error: any Error) -> UserError {
    UserError(
      .failed, operation: preparing, path: folder.path,
      reason: "it cannot be written to: \(error.fileErrorReason)",
      suggestion: "Give a folder of your own with --work, or free some space.", causes: [error])
  }
}
