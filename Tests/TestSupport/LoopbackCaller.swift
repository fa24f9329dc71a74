public import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A connection to a server on this machine, which says whatever a test wants. `URLSession` will not do: it says only what is
/// right, and gives up on answers in which it misses a blank.
public final class LoopbackCaller {
  private let number: Int32

  public init(port: Int) throws {
    #if canImport(Glibc)
      number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      number = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, size) }
    }
    guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(number) }

  public func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
  }

  /// What has come up to and with some words; all that comes until the server hangs up, without any.
  public func receive(until words: String? = nil) -> String {
    var bytes: [UInt8] = []
    while words.map({ !bytes.ends(with: $0) }) ?? true, let more = receive() { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// One request, and the status and the body of its answer.
  public static func fetch(
    _ path: String, method: String = "GET", port: Int, body: String = ""
  ) throws -> (status: Int, body: Data) {
    let caller = try LoopbackCaller(port: port)
    let length =
      body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    caller.send(
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(length)\r\n\(body)")
    return try caller.answer()
  }

  private func answer() throws -> (status: Int, body: Data) {
    var bytes: [UInt8] = []
    while let more = receive() {
      bytes += more
      guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else { continue }
      let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
      let status = head.firstMatch(of: /^HTTP\/1.1 (\d+)/).flatMap { Int($0.1) } ?? 0
      let body = bytes[end.upperBound...]
      if body.count >= length { return (status, Data(body.prefix(length))) }
    }
    throw POSIXError(.ECONNRESET)
  }

  private func receive() -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
      filled = max(0, recv(number, buffer.baseAddress, buffer.count, 0))
    }
    return bytes.isEmpty ? nil : bytes
  }
}

extension [UInt8] {
  fileprivate func ends(with words: String) -> Bool { suffix(words.utf8.count).elementsEqual(words.utf8) }
}
