internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// One connection to a `FaultyServer`: requests are read and answered until either side has enough.
struct FaultyConnection {
  private let number: Int32

  init(_ number: Int32) {
    self.number = number
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  func serve(_ server: () -> FaultyServer?) {
    var inbox: [UInt8] = []
    while let head = nextHead(&inbox), let server = server(), let request = FaultyRequest(head) {
      let reply = FaultyReply(to: request, from: server)
      let number = server.note(request, reply.status)
      guard send(reply, to: request, count: { server.note(sent: $0, for: number) }) else { return }
    }
  }

  /// Whether the connection stands.
  private func send(_ reply: FaultyReply, to request: FaultyRequest, count: (Int) -> Void) -> Bool {
    switch reply.fault {
    case .silent:
      _ = receive()
      return false
    case .endlessHead: return sendEndlessHead()
    default: break
    }
    guard write(Array(reply.head.utf8)) else { return false }
    guard request.method != "HEAD" else { return true }
    func give(_ bytes: ArraySlice<UInt8>) -> Bool {
      count(bytes.count)
      return write(Array(bytes))
    }
    switch reply.fault {
    case .slow(let piece, let pause):
      for start in stride(from: 0, to: reply.body.count, by: max(1, piece)) {
        guard give(reply.body[start...].prefix(piece)) else { return false }
        Thread.sleep(forTimeInterval: pause)
      }
      return true
    case .ends(let end), .reset(let end):
      guard give(reply.body.prefix(end)), case .reset = reply.fault else { return false }
      reset()
      return false
    case .claims:
      _ = give(reply.body[...])
      return false
    default: return give(reply.body[...])
    }
  }

  private func sendEndlessHead() -> Bool {
    var isTaken = write(Array("HTTP/1.1 200 OK\r\n".utf8))
    let line = Array("X-More: \(String(repeating: "x", count: 1000))\r\n".utf8)
    while isTaken { isTaken = write(line) }
    return false
  }

  private func reset() {
    // What was sent would be lost with the reset, were it not taken yet.
    Thread.sleep(forTimeInterval: 0.1)
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
        #if canImport(Glibc)
          let count = Glibc.send(number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        #else
          let count = Darwin.send(number, rest.baseAddress, rest.count, 0)
        #endif
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  private func nextHead(_ inbox: inout [UInt8]) -> [UInt8]? {
    while true {
      if let end = inbox.firstRange(of: [13, 10, 13, 10]) {
        defer { inbox.removeFirst(end.upperBound) }
        return Array(inbox[..<end.lowerBound])
      }
      guard inbox.count < 65_536, let more = receive() else { return nil }
      inbox += more
    }
  }

  private func receive() -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
      filled = max(0, recv(number, buffer.baseAddress, buffer.count, 0))
    }
    return bytes.isEmpty ? nil : bytes
  }
}

struct FaultyRequest {
  let method: String
  let path: String
  var fields: [String: String] = [:]

  init?(_ head: [UInt8]) {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n" as Character)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    // A proxy is told the whole address.
    let place = words[1].replacing(/^http:\/\/[^\/]*/, with: "", maxReplacements: 1)
    guard let path = place.prefix(while: { $0 != "?" }).removingPercentEncoding else { return nil }
    method = String(words[0])
    self.path = path
    for line in lines.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      if halves.count == 2 {
        fields[halves[0].lowercased()] = halves[1].trimmingCharacters(in: .whitespaces)
      }
    }
  }
}
