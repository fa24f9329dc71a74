import Testing

@testable import Preview

/// Heads of requests as browsers send them, and as nobody should.
@Suite struct RequestTests {
  private func request(_ lines: [String]) throws -> Request {
    try Request(head: Array(lines.joined(separator: "\r\n").utf8))
  }

  private func refusal(_ lines: [String]) -> Status? {
    do {
      _ = try request(lines)
      return nil
    } catch {
      return (error as? Refusal)?.status
    }
  }

  @Test func aBrowsersRequestIsRead() throws {
    let request = try request([
      "GET /search.json?cycle=2304&q=palo+alto%20x HTTP/1.1", "Host: 127.0.0.1:8080 ", "Accept: */*",
      "If-None-Match: \"a\", \"b\"", "Connection: keep-alive",
    ])
    #expect(request.method == .get)
    #expect(request.target.path == ["search.json"])
    #expect(request.target.query == ["cycle": "2304", "q": "palo alto x"])
    #expect(request.host == "127.0.0.1:8080")
    #expect(request.knownTags == "\"a\", \"b\"")
    #expect(!request.isLast)
  }

  @Test func theConnectionEndsWhenTheBrowserSaysSo() throws {
    #expect(try request(["HEAD / HTTP/1.1", "HOST:localhost:1", "connection: Close"]).isLast)
    #expect(try request(["GET / HTTP/1.0", "Host: localhost:1"]).isLast)
  }

  @Test(arguments: [
    (["POST / HTTP/1.1", "Host: a"], Status.methodNotAllowed),
    (["OPTIONS * HTTP/1.1", "Host: a"], .methodNotAllowed),
    (["get / HTTP/1.1", "Host: a"], .methodNotAllowed),
    (["GET / HTTP/2.0", "Host: a"], .versionNotSupported),
    (["GET / http/1.1", "Host: a"], .badRequest), (["GET  / HTTP/1.1", "Host: a"], .badRequest),
    (["GET /", "Host: a"], .badRequest), ([""], .badRequest), (["G(T / HTTP/1.1", "Host: a"], .badRequest),
    (["GET / HTTP/1.1"], .badRequest), (["GET / HTTP/1.1", "Host: a", "Host: b"], .badRequest),
    (["GET / HTTP/1.1", "Host : a"], .badRequest), (["GET / HTTP/1.1", "Host: a", " folded"], .badRequest),
    (["GET / HTTP/1.1", "Host: a", "no colon"], .badRequest),
    (["GET / HTTP/1.1", "Host: a\nX: b"], .badRequest),
    (["GET / HTTP/1.1", "Host: a\r"], .badRequest), (["GET / HTTP/1.1", "Host: a\u{0}"], .badRequest),
    (["GET /ü HTTP/1.1", "Host: a"], .badRequest),
    (["GET / HTTP/1.1", "Host: a", "Content-Length: 5"], .badRequest),
    (["GET / HTTP/1.1", "Host: a", "Content-Length: 0", "Content-Length: 0"], .badRequest),
    (["GET / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked"], .badRequest),
    (["GET http://elsewhere/ HTTP/1.1", "Host: a"], .badRequest),
    (["GET a HTTP/1.1", "Host: a"], .badRequest),
    (["GET /#a HTTP/1.1", "Host: a"], .badRequest), (["GET /% HTTP/1.1", "Host: a"], .badRequest),
    (["GET /%4 HTTP/1.1", "Host: a"], .badRequest), (["GET /%zz HTTP/1.1", "Host: a"], .badRequest),
    (["GET /%00 HTTP/1.1", "Host: a"], .badRequest), (["GET /%0d%0aX:1 HTTP/1.1", "Host: a"], .badRequest),
    (["GET /%ff%fe HTTP/1.1", "Host: a"], .badRequest),
    (["GET /?q=%c3%28 HTTP/1.1", "Host: a"], .badRequest),
  ])
  func whatIsNotAsItShouldBeIsRefused(lines: [String], status: Status) {
    #expect(refusal(lines) == status)
  }

  @Test func anEncodedSlashStaysWithinItsPart() throws {
    #expect(try Target("/a%2Fb/%2e%2E/c").path == ["a/b", "..", "c"])
    #expect(try Target("/caf%C3%A9?a=1&a=2&b&=c").query == ["a": "1", "b": "", "": "c"])
  }
}

/// What comes in pieces, too much of it, or several at once.
@Suite struct InboxTests {
  private let first = "GET /one HTTP/1.1\r\nHost: a\r\n\r\n"
  private let second = "\r\nGET /two HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func aRequestMayComeByteByByte() {
    var inbox = Inbox()
    var heads: [Inbox.Head] = []
    for byte in (first + second).utf8 {
      inbox.add([byte])
      while let head = inbox.take() { heads.append(head) }
    }
    #expect(heads == ["one", "two"].map { .whole(Array("GET /\($0) HTTP/1.1\r\nHost: a".utf8)) })
  }

  @Test func twoRequestsMayComeAtOnce() {
    var inbox = Inbox()
    inbox.add(Array((first + second).utf8))
    #expect(inbox.take() != nil)
    #expect(inbox.take() == .whole(Array("GET /two HTTP/1.1\r\nHost: a".utf8)))
    #expect(inbox.take() == nil)
  }

  @Test func nobodyCanFillTheMemory() {
    var inbox = Inbox()
    inbox.add(Array("GET / HTTP/1.1\r\nX: ".utf8) + [UInt8](repeating: 65, count: Request.longestHead))
    #expect(inbox.take() == .tooLong)
    var whole = Inbox()
    whole.add([UInt8](repeating: 65, count: Request.longestHead + 1) + Array("\r\n\r\n".utf8))
    #expect(whole.take() == .tooLong)
  }
}
