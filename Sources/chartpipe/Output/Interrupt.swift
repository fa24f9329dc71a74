import Core
import Foundation
import Pipeline

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ctrl-C: the first one asks the work to stop and clean up, the second one ends the process at once. Nothing is lost
/// either way, since no half-written file ever has a final name.
///
/// The handler only puts a byte into a pipe, and a thread of its own reads them. Masks and ignored signals would not do:
/// libraries start threads before `main`, and one of those could take a signal and lose it.
enum Interrupt {
  private static let channel: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    return pipe(&ends) == 0 ? (ends[0], ends[1]) : (-1, -1)
  }()

  /// Keeps signals from now on for `listen`.
  static func hold() {
    guard channel.write >= 0 else { return }  // without a pipe Ctrl-C simply ends the process
    // A parent may have started this process with the signals blocked.
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

/// Standard input, output and error.
enum StandardFiles {
  /// Takes the numbers of those that the caller has closed, or the next file to be opened would get one, and our
  /// messages would be written into it. They are opened the wrong way round, so that using them still is an error.
  static func keepOpen() {
    for (number, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", mode)
    }
  }
}

/// The one place where the time of day is read.
enum SystemClock {
  static var now: Instant {
    Instant(secondsSince1970: Int(Date().timeIntervalSince1970.rounded(.down)))
  }
}

/// What this process takes of the machine's memory.
enum ProcessMemory {
  /// The most that was in use at one time, in bytes; nil for a system that does not tell.
  static var peak: Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }
}
