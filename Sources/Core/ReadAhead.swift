public import Foundation

extension URL {
  /// Reads the whole file in order, so that the system has it in memory. Small reads all over a file that it does not have take ten
  /// times as long.
  ///
  /// Does nothing for a file that would displace most other files from memory, or that cannot be read.
  @available(iOS 18, *)
  public func readAhead() {
    guard let stamp = FileStamp(self), stamp.bytes < Int(ProcessInfo.processInfo.physicalMemory / 2) else {
      return
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let piece = 1 << 20
    withUnsafeTemporaryAllocation(byteCount: piece, alignment: 16) { buffer in
      while read(descriptor, buffer.baseAddress, piece) > 0, !CancellationToken.current.isCancelled {}
    }
  }
}
