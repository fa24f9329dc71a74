internal import Foundation
internal import Pipeline

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Keeps two stagings out of one site. The folder itself is locked, so no stray file is left in what gets published,
/// and the system lets go of it when the process ends, however it ends.
final class FolderLock {
  private let descriptor: Int32

  init(_ folder: URL) throws {
    descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Fault(
        .failed, doing: "opening the site", subject: folder.path, problem: String(cString: strerror(errno)),
        remedy: "Check the folder's permissions, or name another with --site.")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Fault(
        .failed, doing: "opening the site", subject: folder.path,
        problem: "another chartpipe is staging into it", remedy: "Wait for it to end.")
    }
  }

  deinit {
    // A child that has not yet reached its exec holds a copy of the descriptor, and closing ours leaves it locked.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
