internal import Core
internal import Foundation
internal import Pipeline
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A small HTTP server on 127.0.0.1. Each connection has its own thread and its own open files, so nothing is shared.
final class LoopbackServer: Sendable {
  typealias Answer = (Request) -> Response

  let port: Int
  private let listener: Int32
  private let cancellation = CancellationToken(parent: .current)
  private let connections = OpenConnections(limit: 64)

  /// - Parameter port: 0 for any free port.
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
        handle(caller, answers)
      } else {
        usleep(20_000)  // out of file descriptors: retrying at once would use a whole core
      }
    }
    connections.shutDown()
    for _ in 0..<100 where !connections.isEmpty { usleep(10_000) }
  }

  /// May be called from any thread, and more than once.
  func stop() { cancellation.cancel() }

  /// Waits for a connection; false after `stop`.
  private func waitForConnection() -> Bool {
    var descriptor = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    while !cancellation.isCancelled {
      if poll(&descriptor, 1, 50) > 0 { return true }
    }
    return false
  }

  private func handle(_ caller: Int32, _ answers: @escaping @Sendable () -> Answer) {
    guard connections.add(caller) else {
      let busy = Response(RequestError(.busy, "there are too many connections"))
      _ = Socket(caller, timeoutSeconds: 1).send(busy.bytes(withBody: true, isLast: true))
      return
    }
    let hosts = Set(
      ["127.0.0.1", "localhost"].flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] })
    Thread.detachNewThread { [connections] in
      let socket = Socket(caller, timeoutSeconds: 15)
      Connection(socket: socket, hosts: hosts, answer: answers()).serve()
      connections.remove(caller)
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
    guard isOpen else { throw userError(port) }
    return Int(UInt16(bigEndian: place.sin_port))
  }

  private static func userError(_ port: Int) -> UserError {
    UserError(
      .failed, operation: "opening", path: "127.0.0.1:\(port)", reason: String(cString: strerror(errno)),
      suggestion: "Name another port with --port, or leave it out to use any free port.")
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let systemBind = Glibc.bind
  #else
    private static let stream = SOCK_STREAM
    private static let systemBind = Darwin.bind
  #endif
}

/// Reads a browser's requests and answers them one after the other, until either side closes the connection.
struct Connection {
  let socket: Socket
  /// The accepted values of `Host`. Refusing all others prevents DNS rebinding, by which a web page could read the answers.
  let hosts: Set<String>
  let answer: (Request) -> Response

  func serve() {
    var buffer = RequestBuffer()
    while let head = buffer.next(from: socket) {
      do {
        let request = try read(head)
        let response = tagged(answer(request), request)
        let bytes = response.bytes(withBody: request.method == .get, isLast: request.isLast)
        guard socket.send(bytes), !request.isLast else { return socket.finish() }
      } catch {
        // The end of a malformed request is not known, so nothing after it is read.
        _ = socket.send(Response(error).bytes(withBody: true, isLast: true))
        return socket.finish()
      }
    }
  }

  private func read(_ head: RequestBuffer.Head) throws(RequestError) -> Request {
    guard case .whole(let bytes) = head else {
      throw RequestError(.headTooLarge, "the head of the request is too long")
    }
    let request = try Request(head: bytes)
    guard hosts.contains(request.host) else {
      throw RequestError(.misdirected, "this server answers only for this machine")
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

/// Splits received bytes into request heads. A browser may send its next request before it has the last answer.
struct RequestBuffer {
  enum Head: Equatable {
    case whole([UInt8])
    case tooLong
  }

  /// The time to receive a whole request, so that a slow sender cannot hold the connection.
  private static let timeout = Duration.seconds(20)
  private var bytes: [UInt8] = []

  mutating func next(from socket: Socket) -> Head? {
    let deadline = ContinuousClock.now + RequestBuffer.timeout
    while ContinuousClock.now < deadline {
      if let head = take() { return head }
      guard let more = socket.receive(atMost: 4096) else { return nil }
      add(more)
    }
    return nil
  }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// Removes and returns the next complete head; nil when more bytes are needed.
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

/// A connected socket, used by one thread and closed by `deinit`.
final class Socket {
  private let number: Int32

  /// - Parameter timeoutSeconds: for each send and receive.
  init(_ number: Int32, timeoutSeconds: Int) {
    self.number = number
    var wait = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
    setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(number) }

  /// Returns received bytes; nil when the other side closed the connection or after the time-out.
  func receive(atMost count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, retried { recv(number, buffer.baseAddress, count, 0) })
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// - Returns: false when the other side does not receive all bytes.
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

  /// Closes the sending side and reads the rest: unread bytes would make the system discard the answer.
  func finish() {
    shutdown(number, Int32(SHUT_WR))
    for _ in 0..<16 where receive(atMost: 4096) == nil { return }
  }

  /// Sends without the SIGPIPE signal, which would end the process when the browser is gone.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      Darwin.send(number, bytes.baseAddress, bytes.count, 0)
    #endif
  }

  /// Repeats a call that a signal interrupted.
  private func retried(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

/// The open connections, to limit their number and to close them all.
final class OpenConnections: Sendable {
  private let limit: Int
  private let numbers = Mutex<Set<Int32>>([])

  init(limit: Int) { self.limit = limit }

  /// - Returns: false when the limit is reached.
  func add(_ number: Int32) -> Bool {
    numbers.withLock { open in
      guard open.count < limit else { return false }
      open.insert(number)
      return true
    }
  }

  /// Call it before the connection is closed, since the system then reuses its descriptor.
  func remove(_ number: Int32) { numbers.withLock { _ = $0.remove(number) } }

  var isEmpty: Bool { numbers.withLock { $0.isEmpty } }

  /// Ends the pending reads and writes of all connections.
  func shutDown() {
    numbers.withLock { open in
      for number in open { shutdown(number, Int32(SHUT_RDWR)) }
    }
  }
}
