import Core
import Testing

@testable import ChartpipeKit

/// Well-formed and malformed request heads.
@Suite struct RequestTests {
  private func request(_ lines: [String]) throws -> Request {
    try Request(head: Array(lines.joined(separator: "\r\n").utf8))
  }

  private func error(_ lines: [String]) -> HTTPStatus? {
    do {
      _ = try request(lines)
      return nil
    } catch {
      return (error as? RequestError)?.status
    }
  }

  @Test func `reads a browser's request`() throws {
    let request = try request([
      "GET /search.json?cycle=2304&q=palo+alto%20x HTTP/1.1", "Host: 127.0.0.1:8080 ", "Accept: */*",
      "Connection: keep-alive",
    ])
    #expect(request.wantsBody && request.path == ["search.json"])
    #expect(request.host == "127.0.0.1:8080")
    #expect(!request.isLast)
  }

  @Test func `closes the connection when the browser asks for it`() throws {
    #expect(try request(["HEAD / HTTP/1.1", "HOST:localhost:1", "connection: Close"]).isLast)
    #expect(try request(["GET / HTTP/1.0", "Host: localhost:1"]).isLast)
  }

  @Test(arguments: [
    (["POST / HTTP/1.1", "Host: a"], HTTPStatus.methodNotAllowed),
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
  func `refuses malformed requests`(lines: [String], status: HTTPStatus) { #expect(error(lines) == status) }

  @Test func `an encoded slash does not split a path part`() throws {
    #expect(try Request.path(of: "/a%2Fb/%2e%2E/c") == ["a/b", "..", "c"])
    #expect(try Request.path(of: "/caf%C3%A9?a=1&a=2&b&=c") == ["café"])
  }
}

/// Heads in pieces, too long, or several at once.
@Suite struct RequestBufferTests {
  private let first = "GET /one HTTP/1.1\r\nHost: a\r\n\r\n"
  private let second = "\r\nGET /two HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `reads a request byte by byte`() {
    var buffer = RequestBuffer()
    var heads: [[UInt8]] = []
    for byte in (first + second).utf8 {
      buffer.add([byte])
      while let head = buffer.take() { heads.append(head) }
    }
    #expect(heads == ["one", "two"].map { Array("GET /\($0) HTTP/1.1\r\nHost: a".utf8) })
  }

  @Test func `reads two requests that arrive at once`() {
    var buffer = RequestBuffer()
    buffer.add(Array((first + second).utf8))
    #expect(buffer.take() != nil)
    #expect(buffer.take() == Array("GET /two HTTP/1.1\r\nHost: a".utf8))
    #expect(buffer.take() == nil)
  }

  @Test func `limits the size of a request head`() {
    var buffer = RequestBuffer()
    buffer.add(Array("GET / HTTP/1.1\r\nX: ".utf8) + [UInt8](repeating: 65, count: Request.longestHead))
    #expect(buffer.take()?.count ?? 0 > Request.longestHead)
    var whole = RequestBuffer()
    whole.add([UInt8](repeating: 65, count: Request.longestHead + 1) + Array("\r\n\r\n".utf8))
    #expect(whole.take()?.count ?? 0 > Request.longestHead)
  }
}

@Suite struct TileAddressTests {
  @Test func `parses the numbers of a tile`() {
    #expect(TileID(["12", "656", "1586"]) == TileID(zoom: 12, column: 656, row: 1586))
  }

  @Test(arguments: ["12/656", "3/8/0", "3/-1/0", "25/0/0", "3/0x1/0", "99999999999999999999/0/0"])
  func `other texts are not a tile`(address: String) {
    #expect(TileID(address.split(separator: "/").map(String.init)[...]) == nil)
  }
}
