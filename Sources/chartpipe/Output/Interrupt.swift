internal import Core
internal import Foundation

/// Handles Ctrl-C: the first one cancels the work, the second one ends the process immediately. Both are safe, since a
/// partial file never has its final name.
///
/// The handler only writes a byte into a pipe, which a separate thread reads. Signal masks are not enough: libraries start
/// threads before `main`, and one of them could receive and lose a signal.
enum Interrupt {
  private static let channel: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    return pipe(&ends) == 0 ? (ends[0], ends[1]) : (-1, -1)
  }()

  /// Collects signals from now on for `listen`.
  static func hold() {
    guard channel.write >= 0 else { return }  // without a pipe Ctrl-C ends the process
    // The parent process may have blocked the signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in
        var byte: UInt8 = 1
        _ = write(Interrupt.channel.write, &byte, 1)
      }
    }
  }

  static func listen(_ stop: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      guard next() else { return }
      stop()
      if next() { _exit(UserError.Kind.interrupted.rawValue) }
    }
  }

  private static func next() -> Bool {
    var byte: UInt8 = 0
    while true {
      let count = read(channel.read, &byte, 1)
      if count == 1 { return true }
      if count == 0 || errno != EINTR { return false }
    }
  }
}

extension Interrupt {
  /// Opens /dev/null in place of closed standard input, output or error. Otherwise the next opened file would get the free number, and
  /// messages would be written into it. The mode is the opposite of the usual one, so that reads and writes still fail.
  static func keepStandardFilesOpen() {
    for (number, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", mode)
    }
  }
}

/// The only place that reads the time of day.
enum SystemClock {
  static var now: Instant { Instant(secondsSince1970: Int(Date().timeIntervalSince1970.rounded(.down))) }
}
