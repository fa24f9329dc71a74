internal import Core
internal import Foundation

/// The place of an unfinished output, on the same disk as the finished one.
///
/// It is a hidden folder that this process locks. A killed process leaves the folder without the lock, and the next output beside it
/// removes it.
final class ScratchPlace {
  /// Where the output is written.
  let file: URL
  private let folder: URL?
  private let lock: FolderLock?

  private static let prefix = ".chartpipe-"

  init(beside final: URL) {
    let parent = final.deletingLastPathComponent()
    ScratchPlace.removeAbandoned(in: parent)
    let name = UUID().uuidString
    let folder = parent.appending(path: ScratchPlace.prefix + name, directoryHint: .isDirectory)
    if let lock = ScratchPlace.make(folder) {
      (self.folder, self.lock) = (folder, lock)
      file = folder.appending(path: "\(name).\(final.pathExtension)")
    } else {
      // Writing beside the output fails for the same reason, and reports it.
      (self.folder, self.lock) = (nil, nil)
      file = parent.appending(path: ".\(name).\(final.pathExtension)")
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder ?? file) }

  /// Nil where no folder can be made or locked.
  private static func make(_ folder: URL) -> FolderLock? {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let lock = try lock(folder)
      // Another process may have removed it before it was locked.
      return folder.kindOnDisk == .folder ? lock : nil
    } catch {
      try? FileManager.default.removeItem(at: folder)
      return nil
    }
  }

  private static func lock(_ folder: URL) throws -> FolderLock {
    try FolderLock(folder, operation: "locking", suggestion: "Wait for the other process.")
  }

  private static func removeAbandoned(in parent: URL) {
    for name in parent.names
    where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
      let folder = parent.appending(path: name, directoryHint: .isDirectory)
      guard let lock = try? lock(folder) else { continue }
      withExtendedLifetime(lock) { try? FileManager.default.removeItem(at: folder) }
    }
  }
}
