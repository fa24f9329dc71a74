internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Keeps two runs out of one work folder. The system lets go of it when the process ends, however it ends.
public final class WorkspaceLock: Sendable {
  private let descriptor: Int32

  public init(_ workspace: Workspace) throws {
    do {
      try FileManager.default.createDirectory(at: workspace.root, withIntermediateDirectories: true)
    } catch {
      throw Workspace.unwritable(workspace.root, error)
    }
    let path = workspace.root.appending(path: ".lock").path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw Workspace.unwritable(workspace.root, POSIXProblem.last("open \(path)"))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Fault(
        .failed, doing: "preparing the work folder", subject: workspace.root.path,
        problem: "another chartpipe is at work in it",
        remedy: "Wait for it to end, or give another folder with --work.")
    }
  }

  deinit {
    // A child that has not yet reached its exec holds a copy of the descriptor, and closing ours leaves it locked.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
