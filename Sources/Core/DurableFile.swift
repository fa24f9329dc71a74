public import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Moves finished files to their names so that a reader, or a run after a power cut, sees all of a file or none.
public enum DurableFile {
  /// Flushes the finished file, moves it over the final name, and flushes the folder.
  public static func publish(_ finished: URL, as final: URL) throws {
    let folder = final.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try flush(finished.path)
      guard rename(finished.path, final.path) == 0 else { throw POSIXProblem.last("rename") }
      try flush(folder.path)
    } catch {
      throw UserError(
        .failed, operation: "putting in place", path: final.path, reason: error.fileErrorReason,
        suggestion: "Check the folder's permissions and the free space.", causes: [error])
    }
  }

  /// Writes small contents aside and publishes them.
  public static func write(_ data: Data, to final: URL, scratch: URL) throws {
    // Half of it would lie there for ever, were the disk full.
    defer { unlink(scratch.path) }
    do {
      try data.write(to: scratch)
    } catch {
      throw UserError(
        .failed, operation: "writing", path: final.path, reason: error.fileErrorReason,
        suggestion: "Check the folder's permissions and the free space.", causes: [error])
    }
    try publish(scratch, as: final)
  }

  private static func flush(_ path: String) throws {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw POSIXProblem.last("open") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw POSIXProblem.last("fsync") }
  }
}

/// A failed system call, with the system's words.
struct POSIXProblem: Error, CustomStringConvertible {
  let call: String
  let code: Int32

  static func last(_ call: String) -> POSIXProblem { POSIXProblem(call: call, code: errno) }
  var words: String { String(cString: strerror(code)) }
  var description: String { "\(call): \(words)" }
}

/// Keeps two runs out of one folder, or tells whether somebody else is at work in it. The folder itself is locked, so no stray file is left in it, and the system lets
/// go of it when the process ends, however it ends.
public final class FolderLock: Sendable {
  private let descriptor: Int32

  /// - Parameters:
  ///   - doing: what is being done to the folder, for faults.
  ///   - remedy: what to do when another process holds it.
  ///   - patience: for how many seconds to wait for it.
  public init(_ folder: URL, doing: String, remedy: String, patience: Double = 0) throws {
    descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let problem = POSIXProblem.last("open")
      throw UserError(
        .failed, operation: doing, path: folder.path, reason: problem.words,
        suggestion: "Check the folder's permissions, or name another.", causes: [problem])
    }
    guard FolderLock.take(descriptor, until: ContinuousClock.now + .seconds(patience)) else {
      close(descriptor)
      throw UserError(
        .failed, operation: doing, path: folder.path, reason: "another chartpipe is at work in it",
        suggestion: remedy)
    }
  }

  /// Shares a folder with others who work in it; nil where the system cannot say who does.
  ///
  /// - Parameter tidy: done first by whoever finds nobody else there: all that lies in it is of those who were killed.
  public init?(sharing folder: URL, tidy: () -> Void) {
    descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { tidy() }
    guard flock(descriptor, LOCK_SH) == 0 else { return nil }
  }

  private static func take(_ descriptor: Int32, until end: ContinuousClock.Instant) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now < end else { return false }
      usleep(2000)
    }
    return true
  }

  deinit {
    // A child that has not yet reached its exec holds a copy of the descriptor, and closing ours leaves it locked.
    guard descriptor >= 0 else { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

/// What lies at a path, links followed.
public enum PathKind: Sendable {
  case file, folder
}

extension URL {
  /// Nil where nothing is.
  public var kindOnDisk: PathKind? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    return isFolder.boolValue ? .folder : .file
  }

  /// Whether a plain file lies here, links followed: who opens a pipe waits for ever.
  public var isRegularFile: Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: resolvingSymlinksInPath().path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}
