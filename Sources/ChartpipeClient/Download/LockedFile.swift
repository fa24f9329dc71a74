internal import Core
internal import Foundation

/// A file that one download at a time may write.
final class LockedFile {
  let url: URL
  private let descriptor: Int32

  /// Opens or creates the file. Throws ``ChartpipeError/Code/busy`` if another download has it.
  init(_ url: URL) throws {
    self.url = url
    while true {
      let opened = open(url.path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
      guard opened >= 0 else { throw SystemCallError.last("open") }
      if flock(opened, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        close(opened)
        throw ChartpipeError(
          .busy, "opening \(url.lastPathComponent)", "another download writes this file", "Wait for its end")
      }
      if LockedFile.isStillNamed(url.path, opened) {
        descriptor = opened
        return
      }
      // The other download renamed the file before it released the lock.
      close(opened)
    }
  }

  deinit { close(descriptor) }

  /// Lets another download have the file.
  func unlock() { flock(descriptor, LOCK_UN) }

  private static func isStillNamed(_ path: String, _ descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return stat(path, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
  }

  /// The number of bytes.
  var count: Int { max(0, Int(lseek(descriptor, 0, SEEK_END))) }

  func empty() throws {
    // Links to devices have nothing to empty.
    guard ftruncate(descriptor, 0) == 0 || errno == EINVAL else {
      throw SystemCallError.last("ftruncate")
    }
  }

  func append(_ data: Data) throws {
    var rest = data
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else { throw SystemCallError.last("write") }
      rest = rest.dropFirst(written)
    }
  }
}

extension ChartpipeError {
  /// An error of reading or writing a file; other errors of this module stay.
  init(fileError error: any Error, _ operation: String) {
    switch error {
    case let known as ChartpipeError: self = known
    case let system as SystemCallError where system.code == ENOSPC || system.code == EDQUOT:
      self = .full(operation, "the disk is full")
    case let system as SystemCallError:
      self.init(.disk, operation, system.message, ChartpipeError.checkFolder)
    case let user as UserError:
      self.init(.disk, operation, user.reason, ChartpipeError.checkFolder)
    default: self.init(.disk, operation, error.fileErrorReason, ChartpipeError.checkFolder)
    }
  }

  static func full(_ operation: String, _ reason: String) -> ChartpipeError {
    ChartpipeError(
      .disk, operation, reason, "Free some space and download it again: it continues where it ended")
  }

  private static let checkFolder = "Check the folder's permissions and the free space"
}

extension URL {
  /// The bytes that an app may still write to this folder; nil if the system does not say.
  var freeBytes: Int? {
    #if canImport(Darwin)
      // Counts the caches that the system deletes when space is short.
      let values = try? resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
      return values?.volumeAvailableCapacityForImportantUsage.map { Int($0) }
    #else
      let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
      return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
    #endif
  }
}
