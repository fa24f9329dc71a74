internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// One end of a connection, used by one thread; it is closed with the last reference.
final class Socket {
  private let number: Int32

  /// - Parameter patience: how many seconds it waits for the other side, each time.
  init(_ number: Int32, patience: Int) {
    self.number = number
    var wait = timeval(tv_sec: patience, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
    setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(number) }

  /// What has come, at most so much; nil when the other side hung up or kept silent for too long.
  func receive(atMost count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, retried { recv(number, buffer.baseAddress, count, 0) })
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// False when the other side does not take it.
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = retried { write(UnsafeRawBufferPointer(rebasing: buffer[sent...])) }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// Ends the sending side, and listens for a moment more: bytes that nobody reads would make the system drop the
  /// answer on its way.
  func finish() {
    shutdown(number, Int32(SHUT_WR))
    for _ in 0..<16 where receive(atMost: 4096) == nil { return }
  }

  /// Without the signal that would end the process when the browser is gone.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      Darwin.send(number, bytes.baseAddress, bytes.count, 0)
    #endif
  }

  /// A signal is no reason to give up.
  private func retried(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
