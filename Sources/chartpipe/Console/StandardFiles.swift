#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
