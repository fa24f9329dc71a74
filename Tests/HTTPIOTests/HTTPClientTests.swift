import Foundation
import HTTPIO
import Testing

@Suite struct HTTPClientTests {
  /// Nothing listens on the port of the discard service here.
  @Test func nobodyListens() throws {
    let client = try HTTPClient(agent: "chartpipe-test")
    #expect(throws: HTTPError.self) { try client.send(HTTPRequest(.get, "http://127.0.0.1:9/")) }
    do {
      try client.send(HTTPRequest(.get, "http://127.0.0.1:9/"))
    } catch let error as HTTPError {
      #expect(error.kind == .unreachable)
      #expect(error.mayPass)
    }
  }

  @Test func otherProtocolsAreRefused() throws {
    let client = try HTTPClient(agent: "chartpipe-test")
    do {
      try client.send(HTTPRequest(.get, "file:///etc/hostname"))
      Issue.record("a file was read")
    } catch let error as HTTPError {
      #expect(error.kind == .unusable)
      #expect(!error.mayPass)
    }
  }
}
