public import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A connection to a server on this machine that sends any bytes. `URLSession` sends only valid requests and rejects answers
/// without a reason phrase.
public final class LoopbackCaller {
  private let number: Int32

  public init(port: Int) throws {
    #if canImport(Glibc)
      number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      number = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    setReceiveTimeout(number, seconds: 60)
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

  public func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { _ = sendBytes(bytes, number) }

  /// Receives text up to and with some words, or everything until the server closes the connection.
  public func receive(until words: String? = nil) -> String {
    String(decoding: receiveAll(until: words), as: UTF8.self)
  }

  func receiveAll(until words: String? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    while words.map({ !bytes.ends(with: $0) }) ?? true, let more = receiveBytes(number) { bytes += more }
    return bytes
  }

  /// Sends one request, and returns the status and the body of its answer.
  public static func fetch(
    _ path: String, method: String = "GET", port: Int, body: String = ""
  ) throws -> (status: Int, body: Data) {
    let caller = try LoopbackCaller(port: port)
    let length =
      body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    caller.send(
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(length)\r\n\(body)"
    )
    return try caller.answer()
  }

  private func answer() throws -> (status: Int, body: Data) {
    var bytes: [UInt8] = []
    while let more = receiveBytes(number) {
      bytes += more
      guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else { continue }
      let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      let length = head.firstMatch(of: /(?i)content-length: *(\d+)/).flatMap { Int($0.1) } ?? 0
      let status = head.firstMatch(of: /^HTTP\/1.[01] (\d+)/).flatMap { Int($0.1) } ?? 0
      let body = bytes[end.upperBound...]
      if body.count >= length { return (status, Data(body.prefix(length))) }
    }
    throw POSIXError(.ECONNRESET)
  }
}

extension [UInt8] {
  fileprivate func ends(with words: String) -> Bool { suffix(words.utf8.count).elementsEqual(words.utf8) }
}
