internal import Core
internal import Foundation
internal import Pipeline

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
