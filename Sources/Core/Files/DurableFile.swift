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
