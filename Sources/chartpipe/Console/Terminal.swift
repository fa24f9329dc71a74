import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What standard error is: a terminal with so many columns, or a log.
struct Terminal: Sendable {
  /// Nil when it is no terminal.
  let columns: Int?
  private let isColored: Bool

  init() {
    guard isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" else {
      (columns, isColored) = (nil, false)
      return
    }
    var size = winsize()
    let known = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    columns = known ? Int(size.ws_col) : 80
    isColored = EnvironmentVariable.noColor.value == nil
  }

  func red(_ text: String) -> String { isColored ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text }
}
