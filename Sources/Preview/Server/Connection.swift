/// Reads one browser's requests and answers them one after the other, until either side has enough.
struct Connection {
  let socket: Socket
  /// The names under which this server may be asked for. Any other was led here by somebody who would like to read along:
  /// a page elsewhere whose name suddenly means this machine.
  let hosts: Set<String>
  let answer: (Request) -> Response

  func serve() {
    var inbox = Inbox()
    while let head = inbox.next(from: socket) {
      do {
        let request = try read(head)
        let response = tagged(answer(request), request)
        let bytes = response.bytes(withBody: request.method == .get, isLast: request.isLast)
        guard socket.send(bytes), !request.isLast else { return socket.finish() }
      } catch {
        // What follows such a request may be anything.
        _ = socket.send(Response(error).bytes(withBody: true, isLast: true))
        return socket.finish()
      }
    }
  }

  private func read(_ head: Inbox.Head) throws(Refusal) -> Request {
    guard case .whole(let bytes) = head else {
      throw Refusal(.headTooLarge, "the head of the request is too long")
    }
    let request = try Request(head: bytes)
    guard hosts.contains(request.host) else {
      throw Refusal(.misdirected, "this server answers only for this machine")
    }
    return request
  }

  private func tagged(_ response: Response, _ request: Request) -> Response {
    guard let tag = response.tag, let known = request.knownTags, known.contains("\"\(tag)\"") else {
      return response
    }
    var bare = Response(.notModified)
    bare.tag = tag
    return bare
  }
}

/// What a browser has sent and nobody has read yet. It may send the next request before it has the answer to the last.
struct Inbox {
  enum Head: Equatable {
    case whole([UInt8])
    case tooLong
  }

  /// In which a request must have come as a whole, however often a few bytes of it do.
  private static let patience = Duration.seconds(20)
  private var bytes: [UInt8] = []

  mutating func next(from socket: Socket) -> Head? {
    let deadline = ContinuousClock.now + Inbox.patience
    while ContinuousClock.now < deadline {
      if let head = take() { return head }
      guard let more = socket.receive(atMost: 4096) else { return nil }
      add(more)
    }
    return nil
  }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// The next head if all of it has come; nil when more is to be waited for.
  mutating func take() -> Head? {
    bytes.removeFirst(bytes.prefix { $0 == 13 || $0 == 10 }.count)
    guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else {
      return bytes.count > Request.longestHead ? .tooLong : nil
    }
    let head = Array(bytes[..<end.lowerBound])
    bytes.removeFirst(end.upperBound)
    return head.count > Request.longestHead ? .tooLong : .whole(head)
  }
}
