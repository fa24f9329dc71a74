internal import Core
internal import Foundation
internal import Synchronization

/// A small HTTP server on one address of this machine, or on all. Each connection has its own thread and its own open files, so
/// nothing is shared.
final class PageServer: Sendable {
  typealias Answer = (Request) -> Response

  let port: Int
  private let listener: Int32
  private let hosts: HostCheck
  private let cancellation = CancellationToken(parent: .current)
  private let connections = OpenConnections(limit: 64)

  /// - Parameter port: 0 for any free port.
  init(on address: ListenAddress = .loopback, port: Int) throws {
    guard let opened = address.listen(port: port) else { throw PageServer.userError(address, port) }
    (listener, self.port) = opened
    hosts = HostCheck(address, port: opened.port)
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
    Thread.detachNewThread { [connections, hosts] in
      let socket = Socket(caller, timeoutSeconds: 15)
      Connection(socket: socket, hosts: hosts, answer: answers()).serve()
      connections.remove(caller)
    }
  }

  private static func userError(_ address: ListenAddress, _ port: Int) -> UserError {
    let reason = errno
    return UserError(
      .failed, operation: "opening", path: "\(address.urlHost):\(port)",
      reason: reason == EADDRNOTAVAIL
        ? "no interface of this machine has this address" : String(cString: strerror(reason)),
      suggestion: reason == EADDRNOTAVAIL
        ? "Give --host 0.0.0.0 for all addresses of this machine."
        : "Name another port with --port, or leave it out to use any free port.")
  }
}

/// Reads a browser's requests and answers them one after the other, until either side closes the connection.
struct Connection {
  let socket: Socket
  let hosts: HostCheck
  let answer: (Request) -> Response

  func serve() {
    var buffer = RequestBuffer()
    while let head = buffer.next(from: socket) {
      do {
        let request = try read(head)
        guard send(answer(request), request), !request.isLast else { return socket.finish() }
      } catch {
        // The end of a malformed request is not known, so nothing after it is read.
        _ = socket.send(Response(error).bytes(withBody: true, isLast: true))
        return socket.finish()
      }
    }
  }

  /// - Returns: false when the browser does not receive all of it.
  private func send(_ response: Response, _ request: Request) -> Bool {
    guard socket.send(response.bytes(withBody: request.wantsBody, isLast: request.isLast)) else {
      return false
    }
    guard request.wantsBody, let part = response.part else { return true }
    return socket.send(part.file, part.range)
  }

  private func read(_ head: [UInt8]) throws(RequestError) -> Request {
    guard head.count <= Request.longestHead else {
      throw RequestError(.headTooLarge, "the head of the request is too long")
    }
    let request = try Request(head: head)
    guard hosts.accepts(request.host) else {
      throw RequestError(.misdirected, "this server answers only for the addresses that it printed")
    }
    return request
  }
}

/// Splits received bytes into request heads. A browser may send its next request before it has the last answer.
struct RequestBuffer {
  /// The time to receive a whole request, so that a slow sender cannot hold the connection.
  private static let timeout = Duration.seconds(20)
  private var bytes: [UInt8] = []

  mutating func next(from socket: Socket) -> [UInt8]? {
    let deadline = ContinuousClock.now + RequestBuffer.timeout
    while ContinuousClock.now < deadline {
      if let head = take() { return head }
      guard let more = socket.receive(atMost: 4096) else { return nil }
      add(more)
    }
    return nil
  }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// Removes and returns the next complete head, or the beginning of one that is too long; nil when more bytes are needed.
  mutating func take() -> [UInt8]? {
    bytes.removeFirst(bytes.prefix { $0 == 13 || $0 == 10 }.count)
    guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else {
      return bytes.count > Request.longestHead ? bytes : nil
    }
    defer { bytes.removeFirst(end.upperBound) }
    return Array(bytes[..<end.lowerBound])
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

  /// Sends a part of a file, a mebibyte at a time.
  func send(_ file: URL, _ range: Range<Int>) -> Bool {
    guard let handle = try? FileHandle(forReadingRegularFile: file) else { return false }
    defer { try? handle.close() }
    var next = range.lowerBound
    while next < range.upperBound {
      guard (try? handle.seek(toOffset: UInt64(next))) != nil,
        let data = try? handle.read(upToCount: min(1 << 20, range.upperBound - next)), !data.isEmpty,
        send([UInt8](data))
      else { return false }
      next += data.count
    }
    return true
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
