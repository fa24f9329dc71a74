import ArchiveIO
import ChartpipeClient
import Core
import CryptoIO
import Foundation
import HTTPIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Readers that remember the catalogue refuse an older one, and apps ask the server only for changes.
@Suite(.blocking) struct SeenCatalogueTests {
  private let sample = SampleBuild()
  private let server: TestServer
  private let path = "/catalog.json"

  init() throws {
    try sample.chart("Seattle")
    try sample.stage(sample.build("2612"))
    server = try TestServer(serving: sample.site)
  }

  private func read(after seen: SeenCatalogue? = nil) throws -> SeenCatalogue? {
    let site = try #require(PublishedSite(address: server.url, retry: .patient(attempts: 2)))
    return try site.catalogue(after: seen)?.seen
  }

  private func change(_ shade: UInt8 = 7) throws {
    try sample.chart("Seattle", shade: shade)
    try sample.stage(sample.build("2612"))
    // The server's dates have whole seconds.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: sample.catalogueFile.path)
  }

  @Test func `an older catalogue than the one seen is rejected`() throws {
    let old = try sample.catalogueFile.data
    let first = try #require(try read())
    try change()
    let second = try #require(try read(after: first))
    #expect(second.serial == first.serial + 1)
    #expect(try read(after: second) == second)
    try old.write(to: sample.catalogueFile)
    try expectFault("old copy", kind: .refused) { try read(after: second) }
    let folder = sample.published
    #expect(throws: UserError.self) { try folder.catalogue(after: second) }
    #expect(try read() == first)
  }

  @Test func `"not modified" is an error, since nothing was asked`() throws {
    server.always(.status(304), at: path)
    let error = try #require(throws: UserError.self) { try read() }
    #expect(error.reason == "the server answered 304 (not modified)")
  }

  // MARK: - Mirrors

  private func mirror(
    by key: PublicKey? = nil, at day: String = "2026-12-01"
  ) throws -> (SiteMirror.Outcome, warnings: [String]) {
    let site = try #require(PublishedSite(address: server.url, retry: .patient(attempts: 1)))
    let now = try #require(Instant(day + "T12:00:00Z"))
    let progress = RecordedProgress()
    let mirroring = SiteMirror(source: site, folder: sample.folder.file("mirror"), verifier: key, now: now)
    let outcome = try mirroring.run(progress: progress)
    return (outcome, progress.warnings)
  }

  @Test func `an unchanged mirror copies nothing, verifies the signature, and warns of its age`() throws {
    let key = try SigningKey.generate()
    try sample.stage(sample.build("2612")) { $0.key = key }
    let first = try mirror(by: key.verifier)
    #expect(first.warnings.isEmpty)
    server.clearLog()
    let again = try mirror(by: key.verifier)
    #expect(again.0.serial == first.0.serial && again.0.isProved && again.warnings.isEmpty)
    #expect(server.requests.allSatisfy { !$0.path.hasPrefix("/blobs/") })
    let other = try SigningKey.generate().verifier
    #expect(try #require(throws: UserError.self) { try mirror(by: other) }.kind == .refused)
    #expect(
      try mirror(by: key.verifier, at: "2027-01-01").warnings.contains {
        $0.contains("is in force, and the site has only 2612")
      })
  }

  @Test func `a mirror replaces a damaged catalogue, and remembers the serial without it`() throws {
    let old = try sample.catalogueFile.data
    try change()
    #expect(try mirror().0.serial == 2)
    let file = sample.folder.file("mirror/catalog.json")
    let whole = try file.data
    try file.remove()
    #expect(try mirror().0.serial == 2 && file.data == whole)
    try file.put(String(decoding: whole, as: UTF8.self).replacing("\"serial\":2", with: "\"serial\":9"))
    #expect(try mirror().0.serial == 2 && file.data == whole)
    try file.remove()
    try old.write(to: sample.catalogueFile)
    #expect(try #require(throws: UserError.self) { try mirror() }.reason.contains("old copy"))
  }

  // MARK: - Apps

  /// Sends the request of the library, as an app does.
  private func send(
    _ request: CatalogRequest, accepting encoding: String = "identity"
  ) throws -> (CatalogRequest.Answer, body: Data) {
    let fields = request.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    let (response, body) = try HTTPClient(agent: "app").fetch(
      HTTPRequest(.get, request.url, headers: [("Accept-Encoding", encoding)] + fields), limit: 1 << 20)
    let isPacked = response.status == 200 && response.headers["content-encoding"] == "gzip"
    let data = isPacked ? Data(try Gzip.decompress(Array(body), limit: 1 << 20)) : body
    let answer = try request.answer(
      status: response.status, header: { response.headers[$0.lowercased()] }, body: data,
      sha256: SHA256Hex(of: Array(data)).text)
    return (answer, data)
  }

  private enum Server: CaseIterable { case both, tag, weakTag, date, gzip }

  @Test(arguments: Server.allCases)
  private func `an app gets the catalogue only after a change`(_ kind: Server) throws {
    let packed = try Gzip.compress([UInt8](sample.catalogueFile.data))
    let behaviors: [Server: TestServer.Behavior] = [
      .tag: .onlyTag(isWeak: false), .weakTag: .onlyTag(isWeak: true), .date: .onlyDate,
      .gzip: .compresses(to: packed),
    ]
    server.always(behaviors[kind], at: path)
    let encoding = kind == .gzip ? "gzip" : "identity"
    let (answer, body) = try send(CatalogRequest(url: server.url + path), accepting: encoding)
    guard case .changed(let catalog, let version) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(try catalog.serial == 1 && body == sample.catalogueFile.data)
    let stored = try JSONEncoder().encode(version).decoded(CatalogVersion.self)
    let next = CatalogRequest(
      url: server.url + path, copy: stored, sha256OfCopy: try SHA256Hex(of: Array(body)).text)
    #expect(try send(next, accepting: encoding).0 == .unchanged)
    #expect(next.headers.count == 1)
    server.always(nil, at: path)
    try change()
    guard case .changed(let new, _) = try send(next).0 else { throw CocoaError(.coderInvalidValue) }
    #expect(new.serial == 2)
  }

  @Test func `an app trusts "not modified" only about its whole copy`() throws {
    let url = server.url + path
    let version = CatalogVersion(url: url, sha256: "ab", etag: "\"1\"")
    #expect(CatalogRequest(url: url, copy: version, sha256OfCopy: "ab").headers == ["If-None-Match": "\"1\""])
    #expect(CatalogRequest(url: url, copy: version, sha256OfCopy: "cd").headers.isEmpty)
    #expect(CatalogRequest(url: url, copy: version).headers.isEmpty)
    #expect(CatalogRequest(url: url + "2", copy: version, sha256OfCopy: "ab").headers.isEmpty)
    server.always(.status(304, fields: ["ETag: \"2\""]), at: path)
    let whole = CatalogRequest(url: url, copy: version, sha256OfCopy: "ab")
    #expect(try send(whole).0 == .unconfirmed)
    let unasked = #expect(throws: ChartpipeError.self) { try send(CatalogRequest(url: url)) }
    #expect(unasked?.reason == "the server answered 304")
    server.always(.status(503), at: path)
    let busy = #expect(throws: ChartpipeError.self) { try send(whole) }
    #expect(busy?.code == .network && busy?.reason == "the server answered 503")
  }
}
