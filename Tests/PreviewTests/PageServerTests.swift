import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The server over real connections, with well-formed and malformed requests.
@Suite(.blocking) struct PageServerTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  private var good: String { "GET /a HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n" }
  private var last: String {
    "GET /b HTTP/1.1\r\nHost: localhost:\(server.port)\r\nConnection: close\r\n\r\n"
  }

  @Test func `answers two requests in order`() throws {
    let answer = try server.send(good + last)
    let bodies = answer.components(separatedBy: "\r\n\r\n")
    #expect(bodies.count == 3)
    #expect(bodies[1].hasPrefix("[a]HTTP/1.1 200 OK"))
    #expect(bodies[2] == "[b]")
    #expect(answer.contains("Connection: keep-alive") && answer.contains("Connection: close"))
  }

  @Test func `answers a HEAD request without a body`() throws {
    let answer = try server.send(last.replacing("GET", with: "HEAD"))
    #expect(answer.contains("Content-Length: 3\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
  }

  /// Prevents DNS rebinding, by which a web page could read the answers.
  @Test(arguments: ["example.com", "localhost", "127.0.0.1:1", "localhost:PORT.example.com", "[::1]:PORT"])
  func `refuses a request for another host name`(name: String) throws {
    let host = name.replacing("PORT", with: "\(server.port)")
    let answer = try server.send("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 421 "))
    #expect(!answer.contains("[a]"))
  }

  @Test(arguments: [("DELETE / HTTP/1.1\r\n", 405), ("nonsense\r\n", 400), ("GET / HTTP/9\r\n", 505)])
  func `reads nothing after a refused request`(head: String, status: Int) throws {
    let answer = try server.send(head + "Host: 127.0.0.1:\(server.port)\r\n\r\n" + good)
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    #expect(answer.components(separatedBy: "HTTP/1.1").count == 2)
    #expect(answer.contains("Allow: GET, HEAD\r\n") == (status == 405))
  }

  @Test func `refuses a request head without an end`() throws {
    let answer = try server.send("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 4000))
    #expect(answer.hasPrefix("HTTP/1.1 431 "))
  }

  @Test func `sends a part of a file in pieces`() throws {
    let folder = TemporaryFolder()
    let file = folder.file("large")
    let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) })
    try bytes.write(to: file)
    let files = try TestServer { request in
      var response = Response(.ok)
      let range = try? request.range(of: bytes.count)
      response.part = (file, range ?? 0..<bytes.count, bytes.count)
      return response
    }
    let (status, body) = try LoopbackCaller.fetch("/", port: files.port)
    #expect(status == 200 && body == bytes)
    let answer = try files.send(
      "HEAD / HTTP/1.1\r\nHost: localhost:\(files.port)\r\nConnection: close\r\n\r\n")
    #expect(answer.contains("Content-Length: 3000000\r\n") && answer.hasSuffix("\r\n\r\n"))
  }

  @Test func `the page may not load anything from outside`() throws {
    let answer = try server.send(last)
    #expect(answer.contains("Content-Security-Policy: default-src 'self'"))
    #expect(answer.contains("X-Content-Type-Options: nosniff"))
  }

  @Test func `answers 503 to too many connections`() {
    let connections = OpenConnections(limit: 2)
    #expect(connections.add(1) && connections.add(2) && !connections.add(3))
    connections.remove(1)
    #expect(connections.add(3))
  }

  @Test func `explains that a port is in use`() {
    #expect(throws: (any Error).self) { try PageServer(port: server.port) }
  }

  @Test func `stops while a browser is connected`() throws {
    let caller = try LoopbackCaller(port: server.port)
    caller.send(good)
    #expect(caller.receive(until: "[a]").hasPrefix("HTTP/1.1 200 OK"))
    server.stop()
    #expect(caller.receive().isEmpty, "the server closes the connection")
  }
}

@Suite struct HostCheckTests {
  private func check(_ address: String, port: Int = 8080) throws -> HostCheck {
    HostCheck(try #require(ListenAddress(address)), port: port)
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:8080", true), ("127.0.0.1", "localhost:8080", true),
    ("127.0.0.1", "localhost", false), ("127.0.0.1", "localhost:80", false),
    ("127.0.0.1", "192.168.1.20:8080", false), ("127.0.0.1", "rebound.example:8080", false),
    ("::1", "[::1]:8080", true), ("::1", "[::2]:8080", false),
    ("0.0.0.0", "192.168.1.20:8080", true), ("0.0.0.0", "localhost:9999", true),
    ("0.0.0.0", "[2001:db8::1]:8080", true), ("0.0.0.0", "rebound.example:8080", false),
    ("0.0.0.0", "192.168.1.20.example:8080", false), ("192.168.1.20", "192.168.1.20", true),
    ("0.0.0.0", "", false), ("0.0.0.0", "[", false), ("0.0.0.0", ":8080", false),
  ])
  func `a name that is not the machine's is refused`(address: String, host: String, isAccepted: Bool) throws {
    #expect(try check(address).accepts(host) == isAccepted)
  }

  @Test func `port 80 may be left out`() throws {
    #expect(try check("127.0.0.1", port: 80).accepts("localhost"))
    #expect(try check("127.0.0.1", port: 80).accepts("localhost:80"))
  }

  @Test(arguments: ["", "example.org", "1.2.3", "1.2.3.4.5", "256.0.0.1", "[::1]", "0x7f000001"])
  func `other texts are not addresses`(text: String) { #expect(ListenAddress(text) == nil) }

  @Test func `prints the addresses that a browser can open`() throws {
    #expect(ListenAddress.loopback.reachable.map(\.urlHost) == ["127.0.0.1"])
    #expect(try #require(ListenAddress("::1")).urlHost == "[::1]")
    let all = try #require(ListenAddress("0.0.0.0")).reachable
    #expect(all.first == .loopback && all.dropFirst().allSatisfy { !$0.isLoopback && !$0.isAny })
  }

  @Test func `names an address that this machine does not have`() throws {
    let other = try #require(ListenAddress("192.0.2.1"))
    let fault = #expect(throws: UserError.self) { try PageServer(on: other, port: 0) }
    #expect(fault?.path == "192.0.2.1:0")
    #expect(fault?.reason == "no interface of this machine has this address")
  }
}

/// A server that answers each request with its path.
private final class TestServer {
  private let server: PageServer
  private let ended = DispatchSemaphore(value: 0)
  var port: Int { server.port }

  init(
    _ answer: @escaping @Sendable (Request) -> Response = {
      Response(Array("\($0.path)".replacing("\"", with: "").utf8), type: "text/plain")
    }
  ) throws {
    server = try PageServer(port: 0)
    Thread.detachNewThread { [server, ended] in
      server.serve { answer }
      ended.signal()
    }
  }

  deinit { server.stop() }

  func stop() {
    server.stop()
    ended.wait()
  }

  /// Returns everything that the server sends before it closes the connection.
  func send(_ text: String) throws -> String {
    let caller = try LoopbackCaller(port: port)
    caller.send(text)
    return caller.receive()
  }
}
