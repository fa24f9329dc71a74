public import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

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
