import Core
import CryptoIO
import Foundation
import HTTPIO
import TestSupport
import Testing

/// Every run ends with the right bytes or with the right error.
@Suite(.blocking) struct HTTPDownloadTests {
  private let served = TemporaryFolder()
  private let own = TemporaryFolder()
  private let server: TestServer
  private let bytes = SteadyNumbers.bytes(300_000)

  init() throws {
    try Data(bytes).write(to: served.file("a.zip"))
    server = try TestServer(serving: served.url)
  }

  private func download(
    _ path: String = "/a.zip", limit: Int = 1_000_000, known: HTTPValidators = HTTPValidators(),
    attempts: Int = 4, progress: (Int) throws -> Void = { _ in }
  ) throws -> HTTPDownload.CompleteFile? {
    let client = try HTTPClient(
      agent: "chartpipe-test", timeouts: HTTPTimeouts(connectSeconds: 2, stallSeconds: 1))
    let download = HTTPDownload(from: server.url + path, to: own.file("a.zip"), limit: limit, known: known)
    return try download.run(by: client, retry: RetryPolicy(attempts: attempts) { _ in }, progress: progress)
  }

  private func whole(_ ending: HTTPDownload.CompleteFile?) throws -> HTTPDownload.CompleteFile {
    let whole = try #require(ending, "it is unchanged")
    #expect(try own.file("a.zip").data == Data(bytes))
    #expect(try files(below: own.url) == ["a.zip"])
    #expect(whole.bytes == bytes.count)
    #expect(try whole.sha256 == SHA256Hex(of: bytes))
    return whole
  }

  @Test func `downloads a file in one response`() throws {
    var last = 0
    let whole = try whole(download { last = $0 })
    #expect(whole.received == bytes.count)
    #expect(whole.known.etag != nil && whole.known.lastModified != nil)
    #expect(last == bytes.count)
    #expect(server.requests.map(\.status) == [200])
    #expect(server.requests.first?.fields["accept-encoding"] == "identity")
    #expect(server.requests.first?.fields["user-agent"] == "chartpipe-test")
  }

  /// The attempts for each transient error.
  @Test(arguments: [
    ([TestServer.Behavior.reset(after: 100_000)], [200, 206]),
    ([.ends(after: 100_000), .ends(after: 100_000)], [200, 206, 206]),
    ([.ends(after: 0)], [200, 200]),
    ([.claims(more: 10)], [200, 416, 200]),
    ([.status(503, fields: ["Retry-After: 1"])], [503, 200]),
    ([.status(429), .status(500), .status(502)], [429, 500, 502, 200]),
    ([.ends(after: 100_000), .ignoresRanges], [200, 200]),
    ([.ends(after: 100_000), .shiftsRanges(by: 5)], [200, 206, 200]),
    ([.ends(after: 100_000), .status(416)], [200, 416, 200]),
    ([.omitsValidators], [200]),
    ([.slow(piece: 60_000, pause: 0.05)], [200]),
    ([.redirect(to: "/a.zip")], [302, 200]),
    ([.silent], [200, 200]),
  ])
  func `downloads the file after transient errors`(_ faults: [TestServer.Behavior], statuses: [Int]) throws {
    for fault in faults { server.inject(fault, at: "/a.zip") }
    _ = try whole(download())
    #expect(server.requests.map(\.status) == statuses)
  }

  @Test(arguments: [
    (TestServer.Behavior.status(404), "the server answered 404 (not found)", 1),
    (.status(503, fields: ["Retry-After: 100000"]), "the server answered 503 (server error)", 1),
    (.status(503), "the server answered 503 (server error)", 4),
    (.status(206), "the server answered 206", 1),
    (.status(304), "the server answered 304 (not modified)", 1),
    (.packed, "the server compressed it (gzip) without being asked to", 1),
    (.redirect(to: "/a.zip"), "Maximum (8) redirects followed", 9),
    (.redirect(to: "file:///etc/hostname"), "Protocol \"file\" ", 1),
    (.endlessHead, "the headers of the response are too large", 1),
  ])
  func `fails with the right error`(_ fault: TestServer.Behavior, words: String, requests: Int) throws {
    server.always(fault, at: "/a.zip")
    let error = #expect(throws: (any Error).self) { try download() }
    // The end of libcurl's own messages depends on its version.
    #expect(error.map { "\($0)".hasPrefix(words) } == true, "\(String(describing: error))")
    #expect(try files(below: own.url).isEmpty)
    #expect(server.requests.count == requests)
  }

  @Test func `a file that is too large leaves nothing`() throws {
    for behavior in [TestServer.Behavior.endlessBody, .omitsValidators] {
      server.always(behavior, at: "/a.zip")
      let error = #expect(throws: HTTPError.self) { try download(limit: 200_000) }
      #expect(error?.message == "it is larger than 200000 bytes")
      #expect(try files(below: own.url).isEmpty)
    }
  }

  @Test func `gives up at the deadline`() throws {
    server.always(.slow(piece: 1, pause: 0.2), at: "/a.zip")
    let allowance = TransferAllowance.file.starting(at: .milliseconds(100))
    let download = HTTPDownload(
      from: server.url + "/a.zip", to: own.file("a.zip"), limit: 1_000_000, within: allowance)
    let error = #expect(throws: HTTPError.self) {
      try download.run(by: HTTPClient(agent: "chartpipe-test"), retry: RetryPolicy { _ in })
    }
    #expect(error?.kind == .timedOut && error?.message.hasPrefix("the server is too slow: ") == true)
  }

  @Test func `gives up without progress`() throws {
    server.always(.silent, at: "/a.zip")
    let error = #expect(throws: HTTPError.self) { try download(attempts: 1) }
    #expect(error?.kind == .timedOut)
  }

  @Test func `resumes an earlier download`() throws {
    server.inject(.reset(after: 200_000), at: "/a.zip")
    #expect(throws: HTTPError.self) { try download(attempts: 1) }
    let there = try own.file("a.zip.part").data.count
    #expect(there > 0)
    let whole = try whole(download())
    #expect(whole.received == bytes.count - there)
    #expect(server.requests.map(\.status) == [200, 206])
    #expect(server.requests.last?.fields["range"] == "bytes=\(there)-")
  }

  /// The last call was killed before it renamed the file.
  @Test func `a complete partial file costs one byte`() throws {
    server.inject(.ends(after: 1), at: "/a.zip")
    #expect(throws: HTTPError.self) { try download(attempts: 1) }
    try Data(bytes).write(to: own.file("a.zip.part"))
    #expect(try whole(download()).received == 1)
  }

  @Test(arguments: [nil, TestServer.Behavior.ignoresIfRange])
  func `downloads a changed file again`(_ fault: TestServer.Behavior?) throws {
    try Data(bytes.reversed() + [1]).write(to: served.file("a.zip"))
    server.inject(.ends(after: 100_000), at: "/a.zip")
    #expect(throws: HTTPError.self) { try download(attempts: 1) }
    try Data(bytes).write(to: served.file("a.zip"))
    if let fault { server.inject(fault, at: "/a.zip") }
    #expect(try whole(download()).received >= bytes.count)
  }

  @Test func `does not resume the file of another address`() throws {
    try Data(bytes.reversed()).write(to: served.file("b.zip"))
    server.inject(.ends(after: 100_000), at: "/b.zip")
    #expect(throws: HTTPError.self) { try download("/b.zip", attempts: 1) }
    #expect(try whole(download()).received == bytes.count)
  }

  @Test func `does not trust a damaged note`() throws {
    server.inject(.ends(after: 100_000), at: "/a.zip")
    #expect(throws: HTTPError.self) { try download(attempts: 1) }
    try own.file("a.zip.part.json").put("{")
    #expect(try whole(download()).received == bytes.count)
  }

  @Test func `a known version is not sent again`() throws {
    let known = try whole(download()).known
    try own.file("a.zip").remove()
    #expect(try download(known: known) == nil)
    #expect(server.requests.last?.status == 304)
    #expect(try files(below: own.url).isEmpty)
    try served.file("a.zip").put("other")
    #expect(try download(known: known)?.bytes == 5)
  }

  @Test(arguments: [TestServer.Behavior?.none, .claims(more: 1_000_000)])
  func `rejects a file that is too large`(_ fault: TestServer.Behavior?) throws {
    if let fault { server.inject(fault, at: "/a.zip") }
    let error = #expect(throws: HTTPError.self) { try download(limit: 299_999) }
    #expect(error?.message == "it is larger than 299999 bytes")
    #expect(server.requests.count <= 1)
    #expect(try files(below: own.url).isEmpty)
  }

  @Test func `an error of the progress closure stops the download`() throws {
    struct Enough: Error {}
    #expect(throws: Enough.self) {
      try download { if $0 > 50_000 { throw Enough() } }
    }
    #expect(try files(below: own.url) == ["a.zip.part", "a.zip.part.json"])
    #expect(try whole(download()).received < bytes.count)
  }

  /// A long download over an unstable connection succeeds as long as each attempt progresses.
  @Test func `progress renews the attempts`() throws {
    for _ in 0..<20 { server.inject(.ends(after: 14_000), at: "/a.zip") }
    var retry = RetryPolicy(attempts: 2) { _ in }
    retry.renewingBytes = 10_000
    let client = try HTTPClient(agent: "chartpipe-test")
    let download = HTTPDownload(from: server.url + "/a.zip", to: own.file("a.zip"), limit: 1_000_000)
    #expect(try whole(download.run(by: client, retry: retry)).received == bytes.count)
  }
}
