internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// One connection to a `TestServer`, which reads and answers requests until one side closes it.
struct TestServerConnection {
  private let number: Int32

  init(_ number: Int32) {
    self.number = number
    setReceiveTimeout(number, seconds: 60)
  }

  func serve(_ server: () -> TestServer?) {
    var inbox: [UInt8] = []
    while let head = nextHead(&inbox), let server = server(),
      var request = TestServer.Request(head: head),
      let body = nextBody(of: request, &inbox)
    {
      request.body = body
      let behavior = server.behavior(for: request)
      let answer = server.answer(request, behavior)
      let number = server.log(request, answer.status)
      guard
        send(answer, behavior, isHead: request.method == "HEAD", count: { server.log(sent: $0, for: number) })
      else { return }
    }
  }

  /// Returns whether the connection stays open.
  private func send(
    _ answer: TestServer.Answer, _ behavior: TestServer.Behavior?, isHead: Bool,
    count: (Int) -> Void
  ) -> Bool {
    switch behavior {
    case .silent:
      _ = receiveBytes(number)
      return false
    case .losesAnswer: return false
    case .endlessHead: return sendEndlessHead()
    case .endlessBody: return sendEndlessBody(count)
    default: break
    }
    guard sendBytes(head(answer, behavior), number) else { return false }
    guard !isHead else { return true }
    var body = answer.body[...]
    if case .cut(let count) = behavior { body = body.prefix(count) }
    func give(_ bytes: ArraySlice<UInt8>) -> Bool {
      count(bytes.count)
      return sendBytes(Array(bytes), number)
    }
    switch behavior {
    case .slow(let piece, let pause):
      for start in stride(from: 0, to: body.count, by: max(1, piece)) {
        guard give(body[start...].prefix(piece)) else { return false }
        Thread.sleep(forTimeInterval: pause)
      }
      return true
    case .reset(let end):
      if give(body.prefix(end)) { reset() }
      return false
    case .ends(let end):
      _ = give(body.prefix(end))
      return false
    case .endsHalfway:
      _ = give(body.prefix(body.count / 2))
      return false
    case .claims:
      _ = give(body)
      return false
    default: return give(body)
    }
  }

  private func head(_ answer: TestServer.Answer, _ behavior: TestServer.Behavior?) -> [UInt8] {
    var (fields, length) = (answer.fields, answer.body.count)
    if case .cut(let count) = behavior { length = min(length, count) }
    if case .claims(let more) = behavior { length += more }
    if case .packed = behavior { fields.append("Content-Encoding: gzip") }
    let hasLength = fields.contains { $0.lowercased().hasPrefix("content-length:") }
    if answer.status != 304, !hasLength { fields.append("Content-Length: \(length)") }
    return Array((["HTTP/1.1 \(answer.status) -"] + fields).joined(separator: "\r\n").utf8)
      + Array("\r\n\r\n".utf8)
  }

  private func sendEndlessHead() -> Bool {
    var isTaken = sendBytes(Array("HTTP/1.1 200 OK\r\n".utf8), number)
    let line = Array("X-More: \(String(repeating: "x", count: 1000))\r\n".utf8)
    while isTaken { isTaken = sendBytes(line, number) }
    return false
  }

  private func sendEndlessBody(_ count: (Int) -> Void) -> Bool {
    var isTaken = sendBytes(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8), number)
    let piece = [UInt8](repeating: 32, count: 65_536)
    while isTaken {
      isTaken = sendBytes(piece, number)
      count(piece.count)
    }
    return false
  }

  private func reset() {
    // A reset discards bytes that the client has not received yet.
    Thread.sleep(forTimeInterval: 0.1)
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
  }

  private func nextHead(_ inbox: inout [UInt8]) -> [UInt8]? {
    while true {
      if let end = inbox.firstRange(of: [13, 10, 13, 10]) {
        defer { inbox.removeFirst(end.upperBound) }
        return Array(inbox[..<end.lowerBound])
      }
      guard inbox.count < 65_536, let more = receiveBytes(number) else { return nil }
      inbox += more
    }
  }

  private func nextBody(of request: TestServer.Request, _ inbox: inout [UInt8]) -> [UInt8]? {
    guard let length = request.fields["content-length"].flatMap({ Int($0) }) else { return [] }
    if request.fields["expect"] != nil,
      !sendBytes(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), number)
    {
      return nil
    }
    while inbox.count < length {
      guard let more = receiveBytes(number) else { return nil }
      inbox += more
    }
    defer { inbox.removeFirst(length) }
    return Array(inbox.prefix(length))
  }
}

extension TestServer.Request {
  init?(head: [UInt8]) {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n" as Character).map(String.init)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    // A proxy gets the whole address.
    let place = words[1].replacing(/^http:\/\/[^\/]*/, with: "", maxReplacements: 1)
    let parts = place.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = String(parts[0]).removingPercentEncoding else { return nil }
    self.init(method: String(words[0]), path: path)
    self.lines = lines
    if parts.count == 2 { query = String(parts[1]) }
    for line in lines.dropFirst() {
      let halves = line.split(separator: ":", maxSplits: 1)
      if halves.count == 2 { fields[halves[0].lowercased()] = halves[1].trimmingCharacters(in: .whitespaces) }
    }
  }
}

// MARK: - Sockets

func setReceiveTimeout(_ socket: Int32, seconds: Int) {
  var time = timeval(tv_sec: seconds, tv_usec: 0)
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
}

/// Returns whether all bytes were sent.
func sendBytes(_ bytes: [UInt8], _ socket: Int32) -> Bool {
  bytes.withUnsafeBytes { buffer in
    var sent = 0
    while sent < buffer.count {
      let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
      #if canImport(Glibc)
        let count = Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      #else
        let count = Darwin.send(socket, rest.baseAddress, rest.count, 0)
      #endif
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}

/// Returns the next bytes; nil at the end, after an error or a time-out.
func receiveBytes(_ socket: Int32) -> [UInt8]? {
  let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
    filled = max(0, recv(socket, buffer.baseAddress, buffer.count, 0))
  }
  return bytes.isEmpty ? nil : bytes
}
