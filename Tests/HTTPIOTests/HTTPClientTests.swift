import Core
import Foundation
import HTTPIO
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct HTTPClientTests {
  /// Nothing listens on the port of the discard service here.
  @Test func `a closed port is unreachable`() throws {
    let client = try HTTPClient(agent: "chartpipe-test")
    #expect(throws: HTTPError.self) { try client.send(HTTPRequest(.get, "http://127.0.0.1:9/")) }
    do {
      try client.send(HTTPRequest(.get, "http://127.0.0.1:9/"))
    } catch let error as HTTPError {
      #expect(error.kind == .unreachable)
      #expect(error.isTransient)
    }
  }

  @Test func `rejects other protocols`() throws {
    let client = try HTTPClient(agent: "chartpipe-test")
    do {
      try client.send(HTTPRequest(.get, "file:///etc/hostname"))
      Issue.record("a file was read")
    } catch let error as HTTPError {
      #expect(error.kind == .unusable)
      #expect(!error.isTransient)
    }
  }
}

/// Redirects: credentials go only to the host that they are for.
@Suite(.blocking) struct HTTPRedirectTests {
  private let served = TemporaryFolder()
  private let near: TestServer
  private let far: TestServer

  init() throws {
    try served.file("a.zip").put("chart")
    (near, far) = (try TestServer(serving: served.url), try TestServer(serving: served.url))
  }

  /// The same machine with another name, which is another host for a client.
  private var elsewhere: String { "http://localhost:\(far.port)/a.zip" }

  private func fetch(_ request: HTTPRequest) throws -> (response: HTTPResponse, body: Data) {
    try HTTPClient(agent: "chartpipe-test").fetch(request, limit: 1000)
  }

  @Test func `a redirect does not send credentials to another host`() throws {
    near.always(.redirect(to: elsewhere), at: "/old.zip")
    let fields = [(name: "Authorization", value: "Bearer secret"), (name: "Cookie", value: "secret=1")]
    for request in [
      HTTPRequest(.get, near.url + "/old.zip", headers: fields),
      HTTPRequest(.get, "http://me:secret@127.0.0.1:\(near.port)/old.zip"),
    ] {
      let (answer, body) = try fetch(request)
      #expect(answer.status == 200 && body == Data("chart".utf8))
      #expect(answer.url == elsewhere)
    }
    #expect(near.requests.allSatisfy { $0.fields["authorization"] != nil })
    #expect(far.requests.count == 2)
    for asked in far.requests {
      #expect(!asked.fields.values.contains { $0.contains("secret") || $0.contains("bWU6") }, "\(asked)")
      #expect(asked.fields["authorization"] == nil && asked.fields["cookie"] == nil)
    }
  }

  @Test func `a signed request follows no redirect`() throws {
    near.always(.redirect(to: elsewhere), at: "/old.zip")
    near.always(.redirect(to: near.url + "/a.zip"), at: "/moved.zip")
    let signature = HTTPRequest.Signature(region: "us-east-1", key: "AKIATEST", secret: "secret")
    for path in ["/old.zip", "/moved.zip"] {
      let (answer, _) = try fetch(HTTPRequest(.get, near.url + path, signature: signature))
      #expect(answer.status == 302)
    }
    #expect(near.requests.map(\.path) == ["/old.zip", "/moved.zip"])
    #expect(near.requests.allSatisfy { $0.fields["authorization"]?.contains("AKIATEST") == true })
    #expect(far.requests.isEmpty)
  }

  /// The next attempt starts at the original address, not at the target of the redirect.
  @Test func `a download resumes across a redirect`() throws {
    near.always(.redirect(to: elsewhere), at: "/old.zip")
    far.inject(.ends(after: 2), at: "/a.zip")
    let own = TemporaryFolder()
    let download = HTTPDownload(from: near.url + "/old.zip", to: own.file("a.zip"), limit: 1000)
    let ending = try download.run(
      by: HTTPClient(agent: "chartpipe-test"), retry: RetryPolicy(attempts: 3) { _ in })
    #expect(ending?.bytes == 5)
    #expect(near.requests.map(\.status) == [302, 302])
    #expect(far.requests.map(\.status) == [200, 206])
  }

  @Test func `a circular redirect ends`() throws {
    near.always(.redirect(to: "/a.zip"), at: "/a.zip")
    #expect(throws: HTTPError.self) { try fetch(HTTPRequest(.get, near.url + "/a.zip")) }
    #expect(near.requests.count < 20)
  }

  @Test(arguments: ["file:///etc/hostname", "ftp://localhost/a.zip", "gopher://localhost/1"])
  func `does not follow a redirect to another protocol`(place: String) throws {
    near.always(.redirect(to: place), at: "/old.zip")
    #expect(throws: HTTPError.self) { try fetch(HTTPRequest(.get, near.url + "/old.zip")) }
  }
}

@Suite struct RetryPolicyTests {
  private final class Pauses: Sendable {
    let all = Mutex<[Duration]>([])
  }

  private func answer(_ status: Int, _ fields: [String: String] = [:]) -> HTTPStatusError {
    HTTPStatusError(HTTPResponse(status: status, headers: fields, url: "http://a/"))
  }

  private func pauses(_ error: any Error, chance: Double = 0, attempts: Int = 4) -> [Duration] {
    let pauses = Pauses()
    let retry = RetryPolicy(
      attempts: attempts, firstPause: .seconds(1), longestPause: .seconds(3),
      sleep: { pause in pauses.all.withLock { $0.append(pause) } }, chance: { chance })
    #expect(throws: (any Error).self) { try retry.perform { throw error } }
    return pauses.all.withLock { $0 }
  }

  @Test func `pauses grow up to a limit`() {
    #expect(pauses(HTTPError(.timedOut, "")) == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(pauses(answer(500)) == [.seconds(1), .seconds(2), .seconds(3)])
  }

  @Test func `chance shortens pauses`() {
    #expect(
      pauses(HTTPError(.brokenOff, ""), chance: 0.5) == [.seconds(0.75), .seconds(1.5), .seconds(2.25)])
  }

  @Test func `does not retry permanent errors`() {
    #expect(pauses(HTTPError(.untrusted, "")).isEmpty)
    #expect(pauses(HTTPError(.cancelled, "")).isEmpty)
    #expect(pauses(answer(404)).isEmpty)
    #expect(pauses(CancellationError()).isEmpty)
  }

  @Test func `honours Retry-After up to a limit`() {
    #expect(pauses(answer(503, ["retry-after": "7"]), attempts: 2) == [.seconds(7)])
    #expect(pauses(answer(429, ["retry-after": "0"]), attempts: 2) == [.seconds(1)])
    #expect(pauses(answer(503, ["retry-after": "86400"])).isEmpty)
    #expect(
      pauses(answer(503, ["retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"]), attempts: 2) == [.seconds(1)])
    #expect(pauses(answer(503, ["retry-after": "-99999999999999999999"]), attempts: 2) == [.seconds(1)])
  }

  @Test func `a deadline ends the attempts and shortens the pauses`() {
    let pauses = Pauses()
    let retry = RetryPolicy(
      attempts: 4, firstPause: .seconds(3600), longestPause: .seconds(7200),
      sleep: { pause in pauses.all.withLock { $0.append(pause) } }, chance: { 0 })
    func attempts(_ start: Duration, _ error: any Error) -> Int {
      var count = 0
      let deadline = TransferDeadline(TransferAllowance.file.starting(at: start))
      #expect(throws: (any Error).self) {
        try retry.perform(before: deadline) {
          count += 1
          throw error
        }
      }
      return count
    }
    #expect(attempts(.zero, HTTPError(.timedOut, "")) == 1)
    #expect(pauses.all.withLock { $0.isEmpty })
    #expect(attempts(.seconds(1800), HTTPError(.timedOut, "")) == 4)
    #expect(pauses.all.withLock { $0.count == 3 && $0.allSatisfy { $0 <= .seconds(900) } })
    #expect(
      attempts(.seconds(60), answer(503, ["retry-after": "90"])) == 1,
      "the server asks for more than the rest")
  }

  @Test func `cancelling ends a sleep`() {
    let token = CancellationToken()
    token.cancel()
    #expect(throws: HTTPError.self) { try token.run { try RetryPolicy.sleep(.seconds(3600)) } }
  }
}
