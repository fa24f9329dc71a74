public import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Keeps two runs out of one folder. The folder itself is locked, so no stray file is left in it, and the system lets
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
      throw Fault(
        .failed, doing: doing, subject: folder.path, problem: problem.words,
        remedy: "Check the folder's permissions, or name another.", causes: [problem])
    }
    guard FolderLock.take(descriptor, until: ContinuousClock.now + .seconds(patience)) else {
      close(descriptor)
      throw Fault(
        .failed, doing: doing, subject: folder.path, problem: "another chartpipe is at work in it",
        remedy: remedy)
    }
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
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
