internal import Core
internal import Foundation
internal import Pipeline
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A small HTTP server on 127.0.0.1 and nowhere else. Each connection has a thread of its own, and with it its own readers of
/// files, so that nothing is shared.
final class LoopbackServer: Sendable {
  typealias Answer = (Request) -> Response

  let port: Int
  private let listener: Int32
  private let cancellation = CancellationToken(parent: .current)
  private let roster = Roster(limit: 64)

  /// - Parameter port: 0 for any that is free.
  init(port: Int) throws {
    listener = socket(AF_INET, LoopbackServer.stream, 0)
    self.port = try LoopbackServer.bind(listener, to: port)
  }

  deinit { close(listener) }

  /// Answers until `stop` is called or the current token is cancelled. `answers` is called once for each connection.
  func serve(_ answers: @escaping @Sendable () -> Answer) {
    while waitForConnection() {
      let caller = accept(listener, nil, nil)
      if caller >= 0 {
        take(caller, answers)
      } else {
        usleep(20_000)  // out of file numbers: to ask again at once would take a whole core
      }
    }
    roster.hangUp()
    for _ in 0..<100 where !roster.isEmpty { usleep(10_000) }
  }

  /// May be called from anywhere, and more than once.
  func stop() { cancellation.cancel() }

  /// Waits for a connection; false after `stop`.
  private func waitForConnection() -> Bool {
    var ear = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    while !cancellation.isCancelled {
      if poll(&ear, 1, 50) > 0 { return true }
    }
    return false
  }

  private func take(_ caller: Int32, _ answers: @escaping @Sendable () -> Answer) {
    guard roster.enter(caller) else {
      let busy = Response(Refusal(.busy, "there are too many connections"))
      _ = Socket(caller, patience: 1).send(busy.bytes(withBody: true, isLast: true))
      return
    }
    let hosts = Set(
      ["127.0.0.1", "localhost"].flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] })
    Thread.detachNewThread { [roster] in
      let socket = Socket(caller, patience: 15)
      Connection(socket: socket, hosts: hosts, answer: answers()).serve()
      roster.leave(caller)
    }
  }

  private static func bind(_ listener: Int32, to port: Int) throws -> Int {
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        systemBind(listener, $0, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isOpen else { throw fault(port) }
    return Int(UInt16(bigEndian: place.sin_port))
  }

  private static func fault(_ port: Int) -> UserError {
    UserError(
      .failed, operation: "opening", path: "127.0.0.1:\(port)", reason: String(cString: strerror(errno)),
      suggestion: "Name another port with --port, or leave it out for one that is free.")
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let systemBind = Glibc.bind
  #else
    private static let stream = SOCK_STREAM
    private static let systemBind = Darwin.bind
  #endif
}

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

/// The connections that are open, so that there are never too many, and all can be ended.
final class Roster: Sendable {
  private let limit: Int
  private let numbers = Mutex<Set<Int32>>([])

  init(limit: Int) { self.limit = limit }

  /// False when there is no room.
  func enter(_ number: Int32) -> Bool {
    numbers.withLock { open in
      guard open.count < limit else { return false }
      open.insert(number)
      return true
    }
  }

  /// To be called before the connection is closed, since its number is then given to another.
  func leave(_ number: Int32) { numbers.withLock { _ = $0.remove(number) } }

  var isEmpty: Bool { numbers.withLock { $0.isEmpty } }

  /// Each waiting thread then sees that nothing will come any more.
  func hangUp() {
    numbers.withLock { open in
      for number in open { shutdown(number, Int32(SHUT_RDWR)) }
    }
  }
}
