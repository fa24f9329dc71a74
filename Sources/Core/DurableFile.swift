public import Foundation

/// Moves finished files to their final names, so that a reader, or a run after a power failure, sees a complete file or none.
public enum DurableFile {
  /// Flushes the finished file, renames it, and flushes the folder.
  public static func publish(_ finished: URL, as final: URL) throws {
    let folder = final.deletingLastPathComponent()
    try UserError.wrapping("putting in place", final.path) {
      try flush(finished.path)
      try move(finished, to: final, attempts: 10)
      try flush(folder.path)
    }
  }

  /// Another process may remove an empty folder before the file is in it.
  private static func move(_ finished: URL, to final: URL, attempts: Int) throws {
    let folder = final.deletingLastPathComponent()
    do {
      try folder.createFolder()
      guard rename(finished.path, final.path) == 0 else { throw SystemCallError.last("rename") }
    } catch {
      let isGone = (error as? SystemCallError)?.code == ENOENT || folder.kindOnDisk == nil
      guard attempts > 1, isGone else { throw error }
      try move(finished, to: final, attempts: attempts - 1)
    }
  }

  /// Writes small contents to a scratch file and publishes it.
  public static func write(_ data: Data, to final: URL, scratch: URL) throws {
    // On a full disk a partial file would remain.
    defer { unlink(scratch.path) }
    try UserError.wrapping("writing", final.path) { try data.write(to: scratch) }
    try publish(scratch, as: final)
  }

  private static func flush(_ path: String) throws {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw SystemCallError.last("open") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemCallError.last("fsync") }
  }
}

/// A failed system call with the system's message.
public struct SystemCallError: Error, CustomStringConvertible {
  let call: String
  public let code: Int32

  public static func last(_ call: String) -> SystemCallError { SystemCallError(call: call, code: errno) }
  public var message: String { String(cString: strerror(code)) }
  public var description: String { "\(call): \(message)" }
}

/// A lock on a folder, exclusive or shared. It locks the folder itself, so no lock file remains, and the system releases it when the
/// process ends or is killed.
public final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Locks the folder exclusively.
  ///
  /// - Parameters:
  ///   - operation: The operation that needs the lock, for errors.
  ///   - suggestion: What the user can do when another process has the lock.
  ///   - timeout: How many seconds to wait for it.
  public init(_ folder: URL, operation: String, suggestion: String, timeout: Double = 0) throws {
    descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let error = SystemCallError.last("open")
      throw UserError(
        .failed, operation: operation, path: folder.path, reason: error.message,
        suggestion: "Check the folder's permissions, or name another.", causes: [error])
    }
    guard FolderLock.take(descriptor, until: ContinuousClock.now + .seconds(timeout)) else {
      close(descriptor)
      throw UserError(
        .failed, operation: operation, path: folder.path, reason: "another chartpipe is at work in it",
        suggestion: suggestion)
    }
  }

  /// Shares a folder with other processes. Returns nil where the system has no locks.
  ///
  /// - Parameter cleanup: Called first when no other process uses the folder: all files in it are of killed processes.
  public init?(sharing folder: URL, cleanup: () -> Void) {
    descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { cleanup() }
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
    // A child process that has not reached its exec has a copy of the descriptor, so closing ours would not release the lock.
    guard descriptor >= 0 else { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

/// The kind of a file system entry, with links followed.
public enum PathKind: Sendable {
  case file, folder
}

extension URL {
  /// Renames this file to another name on the same disk, and replaces a file of that name.
  public func replace(_ other: URL) throws {
    guard rename(path, other.path) == 0 else { throw SystemCallError.last("rename") }
  }

  /// Creates this folder and those above it, as far as they are missing.
  public func createFolder() throws {
    try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
  }

  /// The kind of the entry at this path; nil where there is none.
  public var kindOnDisk: PathKind? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    return isFolder.boolValue ? .folder : .file
  }

  /// Why a folder that a command needs is not at this path, for errors.
  public var missingFolderReason: String {
    if kindOnDisk != nil { return "it is not a folder" }
    return access(path, F_OK) != 0 && errno == EACCES ? "permission is denied" : "there is no such folder"
  }

  /// The size of this file, or of the file that a link points to; nil where there is none.
  public var byteCount: Int? { status.map { Int($0.st_size) } }

  /// The sorted names in this folder; empty where it cannot be read.
  public var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// Whether this is a regular file, with links followed. Opening a pipe could block forever.
  public var isRegularFile: Bool { status.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

  /// With links followed; nil where there is nothing.
  var status: stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }
}

extension StringProtocol {
  /// Whether it is a file name of ASCII letters, digits, `_`, `-` and `.` that does not begin with a dot.
  public var isPlainName: Bool {
    !isEmpty && first != "."
      && utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || "_-.".utf8.contains(byte)
      }
  }

  /// Whether it is a relative path that does not lead out of its folder, with `/` between plain names.
  public var isPlainPath: Bool {
    split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".."
    }
  }
}

extension FileHandle {
  /// Opens a file of unknown origin for reading. A pipe, which could block forever, and a device are errors.
  public convenience init(forReadingRegularFile url: URL) throws {
    guard url.kindOnDisk == nil || url.isRegularFile else {
      throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: url.path])
    }
    try self.init(forReadingFrom: url)
  }
}
