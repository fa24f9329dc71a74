import Foundation
import TestSupport
import Testing

@testable import Preview

/// The server over real connections, with a client that says whatever it likes.
@Suite struct LoopbackServerTests {
  private let house: House

  init() throws { house = try House() }

  private var good: String { "GET /a HTTP/1.1\r\nHost: 127.0.0.1:\(house.port)\r\n\r\n" }
  private var last: String { "GET /b HTTP/1.1\r\nHost: localhost:\(house.port)\r\nConnection: close\r\n\r\n" }

  @Test func twoRequestsAreAnsweredInTheirOrder() throws {
    let answer = try house.say(good + last)
    let bodies = answer.components(separatedBy: "\r\n\r\n")
    #expect(bodies.count == 3)
    #expect(bodies[1].hasPrefix("[a]HTTP/1.1 200 OK"))
    #expect(bodies[2] == "[b]")
    #expect(answer.contains("Connection: keep-alive") && answer.contains("Connection: close"))
  }

  @Test func onlyTheHeadIsSentWhereNoMoreIsAskedFor() throws {
    let answer = try house.say(last.replacing("GET", with: "HEAD"))
    #expect(answer.contains("Content-Length: 3\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
  }

  @Test func whatTheBrowserHasIsNotSentAgain() throws {
    let known = last.replacing("Connection", with: "If-None-Match: \"x\", \"t\"\r\nConnection")
    let answer = try house.say(known)
    #expect(answer.hasPrefix("HTTP/1.1 304 Not Modified"))
    #expect(answer.hasSuffix("\r\n\r\n") && answer.contains("ETag: \"t\""))
  }

  /// A page elsewhere whose name was made to mean this machine would otherwise read along.
  @Test(arguments: ["example.com", "localhost", "127.0.0.1:1", "localhost:PORT.example.com", "[::1]:PORT"])
  func anotherNameIsNotAnswered(name: String) throws {
    let host = name.replacing("PORT", with: "\(house.port)")
    let answer = try house.say("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 421 "))
    #expect(!answer.contains("[a]"))
  }

  @Test(arguments: [("DELETE / HTTP/1.1\r\n", 405), ("nonsense\r\n", 400), ("GET / HTTP/9\r\n", 505)])
  func whatFollowsARefusalIsNotRead(head: String, status: Int) throws {
    let answer = try house.say(head + "Host: 127.0.0.1:\(house.port)\r\n\r\n" + good)
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    #expect(answer.components(separatedBy: "HTTP/1.1").count == 2)
    #expect(answer.contains("Allow: GET, HEAD\r\n") == (status == 405))
  }

  @Test func aHeadWithoutEndIsCutOff() throws {
    let answer = try house.say("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 4000))
    #expect(answer.hasPrefix("HTTP/1.1 431 "))
  }

  @Test func nothingOutsideMayBePutIntoThePage() throws {
    let answer = try house.say(last)
    #expect(answer.contains("Content-Security-Policy: default-src 'self'"))
    #expect(answer.contains("X-Content-Type-Options: nosniff"))
  }

  @Test func whoeverIsTooManyIsToldSo() {
    let roster = Roster(limit: 2)
    #expect(roster.enter(1) && roster.enter(2) && !roster.enter(3))
    roster.leave(1)
    #expect(roster.enter(3))
  }

  @Test func aPortThatIsTakenIsExplained() {
    #expect(throws: (any Error).self) { try LoopbackServer(port: house.port) }
  }

  @Test func theEndComesWhileABrowserIsConnected() throws {
    let caller = try LoopbackCaller(port: house.port)
    caller.send(good)
    #expect(caller.receive(until: "[a]").hasPrefix("HTTP/1.1 200 OK"))
    house.end()
    #expect(caller.receive().isEmpty, "the server's side hangs up")
  }
}

/// A server that answers each request with its path.
private final class House {
  private let server: LoopbackServer
  private let ended = DispatchSemaphore(value: 0)
  var port: Int { server.port }

  init() throws {
    server = try LoopbackServer(port: 0)
    Thread.detachNewThread { [server, ended] in
      server.serve {
        { Response(Array("\($0.target.path)".replacing("\"", with: "").utf8), type: "text/plain", tag: "t") }
      }
      ended.signal()
    }
  }

  deinit { server.stop() }

  func end() {
    server.stop()
    ended.wait()
  }

  /// What comes back until the server hangs up.
  func say(_ text: String) throws -> String {
    let caller = try LoopbackCaller(port: port)
    caller.send(text)
    return caller.receive()
  }
}
