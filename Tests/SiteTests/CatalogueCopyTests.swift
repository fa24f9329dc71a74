import ArchiveIO
import ChartpipeClient
import Core
import CryptoIO
import Foundation
import HTTPIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Readers that keep a copy of the catalogue ask the server only for changes, and never trust a copy that the server did not confirm.
@Suite(.blocking) struct CatalogueCopyTests {
  private let sample: SampleBuild
  private let server: TestServer
  private let path = "/catalog.json"
  private var copy: URL { sample.folder.file("copy.json") }
  private var note: URL { sample.folder.file("copy.json.source") }

  init() throws {
    sample = try SampleBuild()
    try sample.chart("Seattle")
    try sample.stage(sample.build("2612"))
    server = try TestServer(serving: sample.site)
  }

  private func read() throws -> ChartpipeKit.Catalog? {
    let retry = RetryPolicy.patient(attempts: 2)
    return try #require(PublishedSite(address: server.url, retry: retry)).catalogue(copiedTo: copy)
  }

  private func change(_ shade: UInt8 = 7) throws {
    try sample.chart("Seattle", shade: shade)
    try sample.stage(sample.build("2612"))
    // The server's dates have whole seconds.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: sample.catalogueFile.path)
  }

  private func statuses() -> [Int] {
    defer { server.clearLog() }
    return server.requests(for: path).map(\.status)
  }

  /// The header of the last request's condition.
  private var condition: String? {
    let fields = server.requests(for: path).last?.fields
    return fields?["if-none-match"] ?? fields?["if-modified-since"]
  }

  @Test(
    arguments: [
      nil, .onlyTag(isWeak: false), .onlyTag(isWeak: true), .onlyDate, .compresses(to: [1, 2, 3]),
    ] as [TestServer.Behavior?])
  func `an unchanged catalogue is not sent again, and a changed one is`(_ behavior: TestServer.Behavior?)
    throws
  {
    server.always(behavior, at: path)
    let first = try #require(try read())
    #expect(try read() == first && read() == first)
    #expect(condition?.isEmpty == false)
    #expect(statuses() == [200, 304, 304])
    try change()
    #expect(try read()?.serial == first.serial + 1)
    #expect(try Data(contentsOf: copy) == Data(contentsOf: sample.catalogueFile))
    #expect(try read()?.serial == first.serial + 1)
    #expect(statuses() == [200, 304])
  }

  @Test func `without validators every request is unconditional`() throws {
    server.always(.omitsValidators, at: path)
    _ = try (read(), read())
    #expect(condition == nil && statuses() == [200, 200])
  }

  @Test func `a copy that was changed, cut or removed is requested again`() throws {
    let whole = try #require(try read())
    let data = try Data(contentsOf: copy)
    let other = Data(String(decoding: data, as: UTF8.self).replacing("Seattle", with: "Sealand").utf8)
    for damaged in [other, data.dropLast(9), Data(), nil] {
      try FileManager.default.removeItem(at: copy)
      try damaged?.write(to: copy)
      server.clearLog()
      #expect(try read() == whole)
      #expect(try condition == nil && Data(contentsOf: copy) == data)
    }
    for damaged in [Data("{}".utf8), nil] {
      try FileManager.default.removeItem(at: note)
      try damaged?.write(to: note)
      #expect(try read() == whole && condition == nil)
      #expect(try read() == whole && condition != nil)
    }
  }

  @Test func `validators are not used at another address`() throws {
    _ = try read()
    let other = try TestServer(serving: sample.site)
    _ = try #require(PublishedSite(address: other.url, retry: .patient(attempts: 1))).catalogue(
      copiedTo: copy)
    #expect(other.requests.map(\.status) == [200] && other.requests[0].fields["if-none-match"] == nil)
  }

  @Test func `"not modified" without a copy is an error`() throws {
    server.always(.status(304), at: path)
    let error = try #require(throws: UserError.self) { try read() }
    #expect(error.reason == "the server answered 304 (not modified)")
    #expect(!FileManager.default.fileExists(atPath: copy.path))
  }

  @Test(arguments: [
    ("onlyDate", "Last-Modified: Mon, 01 Jan 2001 00:00:00 GMT"), ("", "ETag: \"other-gzip\""),
    ("", "Last-Modified: Mon, 01 Jan 2001 00:00:00 GMT"),
  ])
  func `"not modified" about another version is not trusted`(kind: String, field: String) throws {
    server.always(kind.isEmpty ? nil : .onlyDate, at: path)
    let first = try #require(try read())
    try change()
    server.inject(.status(304, fields: [field]), at: path)
    #expect(try read()?.serial == first.serial + 1)
    #expect(statuses() == [200, 304, 200])
  }

  @Test func `a weak tag confirms the strong one`() throws {
    let first = try #require(try read())
    let tag = try HTTPClient(agent: "test").send(HTTPRequest(.head, server.url + path)).etag ?? ""
    server.clearLog()
    server.inject(.status(304, fields: ["ETag: W/\(tag)"]), at: path)
    #expect(try read() == first)
    #expect(statuses() == [304])
  }

  @Test func `an older catalogue than the copy is rejected`() throws {
    let old = try Data(contentsOf: sample.catalogueFile)
    try change()
    _ = try read()
    let kept = try Data(contentsOf: copy)
    try old.write(to: sample.catalogueFile)
    #expect(try #require(throws: UserError.self) { try read() }.reason.contains("old copy"))
    #expect(try Data(contentsOf: copy) == kept)
    try Data("damaged".utf8).write(to: copy)
    #expect(try #require(throws: UserError.self) { try read() }.reason.contains("old copy"))
    try FileManager.default.removeItem(at: note)
    let foreign = try #require(throws: UserError.self) { try read() }
    #expect(foreign.reason == "it is not a copy of a catalogue")
    #expect(try Data(contentsOf: copy) == Data("damaged".utf8))
    try FileManager.default.removeItem(at: copy)
    #expect(try read()?.serial == 1)
  }

  @Test func `an older catalogue in a folder is rejected, too`() throws {
    func read() throws { _ = try PublishedSite(folder: sample.site).catalogue(copiedTo: copy) }
    let old = try Data(contentsOf: sample.catalogueFile)
    try read()
    try change()
    try read()
    try old.write(to: sample.catalogueFile)
    #expect(try #require(throws: UserError.self) { try read() }.reason.contains("old copy"))
  }

  @Test func `a cycle that a stale cache hides is still due`() throws {
    let expected = DueCalendar.Expected(
      product: "vfr-sectional/Seattle", pipeline: "vfr-sectional", cadence: .every56Days, daysAhead: 20)
    func due(_ day: String) throws -> [String] {
      let now = try #require(Instant(day + "T12:00:00Z"))
      return DueCalendar([expected], published: try read()?.products ?? [], now: now).due.map(\.cycle)
    }
    #expect(try due("2026-12-01").isEmpty)
    server.always(.status(304), at: path)
    #expect(try due("2026-12-01").isEmpty)
    #expect(try due("2026-12-24") == ["2613", "2701"])
    #expect(statuses() == [200, 304, 304])
  }

  // MARK: - Mirrors

  private func mirror(
    by key: VerifyingKey? = nil, at day: String = "2026-12-01"
  ) throws -> (SiteMirror.Outcome, warnings: [String]) {
    let site = try #require(PublishedSite(address: server.url, retry: .patient(attempts: 1)))
    let now = try #require(Instant(day + "T12:00:00Z"))
    let progress = RecordedProgress()
    let request = SiteMirror.Request(
      source: site, folder: sample.folder.file("mirror"), signedBy: key, now: now)
    let outcome = try SiteMirror(request).run(progress: progress)
    let warnings = progress.events.compactMap {
      if case .warning(_, let message) = $0 { message } else { nil }
    }
    return (outcome, warnings)
  }

  @Test func `an unchanged mirror requests little, verifies the signature, and warns of its age`() throws {
    let key = try SigningKey.generate()
    var request = sample.request([sample.build("2612")])
    request.key = key
    _ = try Stager.stage(request, progress: SilentProgress())
    let first = try mirror(by: key.verifier)
    #expect(first.warnings.isEmpty)
    server.clearLog()
    let again = try mirror(by: key.verifier)
    #expect(again.0.serial == first.0.serial && again.0.isProved && again.warnings.isEmpty)
    #expect(server.requests(for: path).map(\.status) == [304])
    #expect(server.requests.allSatisfy { !$0.path.hasPrefix("/blobs/") })
    let other = try SigningKey.generate().verifier
    #expect(try #require(throws: UserError.self) { try mirror(by: other) }.kind == .refused)
    server.always(.status(304), at: path)
    #expect(
      try mirror(by: key.verifier, at: "2027-01-01").warnings.contains {
        $0.contains("is in force, and the site has only 2612")
      })
  }

  @Test func `a mirror with a damaged or changed catalogue does not ask for changes only`() throws {
    _ = try mirror()
    let file = sample.folder.file("mirror/catalog.json")
    let whole = try Data(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    server.clearLog()
    _ = try mirror()
    #expect(statuses() == [200])
    #expect(try Data(contentsOf: file) == whole)
    try change()
    #expect(try mirror().0.serial == 2 && mirror().0.serial == 2)
    #expect(statuses() == [200, 304])
    let latest = try Data(contentsOf: file)
    try Data(String(decoding: latest, as: UTF8.self).replacing("\"serial\":2", with: "\"serial\":9").utf8)
      .write(to: file)
    #expect(try mirror().0.serial == 2)
    #expect(try statuses() == [200] && Data(contentsOf: file) == latest)
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
    let packed = try Gzip.compress([UInt8](Data(contentsOf: sample.catalogueFile)))
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
    #expect(try catalog.serial == 1 && body == Data(contentsOf: sample.catalogueFile))
    let stored = try JSONDecoder().decode(CatalogVersion.self, from: JSONEncoder().encode(version))
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
    #expect(throws: CatalogError.unreadable("the server answered 304")) { try send(CatalogRequest(url: url)) }
    server.always(.status(503), at: path)
    #expect(throws: CatalogError.unreadable("the server answered 503")) { try send(whole) }
  }
}
