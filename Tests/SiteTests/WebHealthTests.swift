import Core
import CryptoIO
import Foundation
import HTTPIO
import Pipeline
import TestSupport
import Testing
import Validation

@testable import Site

/// A site on the web: what its server says and does.
struct WebHealthTests {
  private let sample: SampleBuild
  private let server: FaultyServer

  init() throws {
    sample = try SampleBuild()
    try sample.chart("Seattle")
    try sample.stage(sample.build("2612"))
    server = try FaultyServer(serving: sample.site)
  }

  private func report(
    _ address: String? = nil, attempts: Int = 1, isQuick: Bool = false
  ) throws -> HealthReport {
    let retry = RetryPolicy(attempts: attempts, sleep: { _ in })
    let site = try #require(
      PublishedSite(address: address ?? server.url, retry: retry))
    let request = SiteHealth.Request(
      signedBy: nil, now: try #require(Instant("2026-12-01")), isQuick: isQuick)
    return try SiteHealth(site, request).examine(progress: SilentProgress())
  }

  private func blob() throws -> String {
    "/" + (try #require(try sample.catalogue().products.first?.files.first?.path))
  }

  @Test func `a site is found by its address or its catalogue's`() throws {
    for address in [server.url, server.url + "/", server.url + "/catalog.json"] {
      let report = try report(address)
      #expect(report.ok && report.site == server.url && report.files == 1)
    }
  }

  @Test(arguments: [
    "ftp://example.org", "https://", "http:///x", "https://me:secret@example.org/",
    "https://example.org/?a=b",
    "https://example.org/#a", "example.org", "",
  ])
  func `what is no address of a site is none`(text: String) {
    #expect(PublishedSite(address: text) == nil)
  }

  @Test func `who is quick reads no file, and misses none`() throws {
    #expect(try report(isQuick: true).ok)
    #expect(server.asked(try blob()).allSatisfy { $0.method == "HEAD" })
    server.hide(try blob())
    #expect(
      try report(isQuick: true).findings.contains { $0.severity == .error && "/" + $0.where == (try? blob()) }
    )
  }

  @Test func `a broken connection goes on where it ended, and a busy server is asked again`() throws {
    server.inject(.reset(after: 5000), .status(503), at: try blob())
    server.inject(.status(500), at: "/catalog.json")
    let report = try report(attempts: 4)
    #expect(report.findings.allSatisfy { $0.severity == .warning })
    #expect(server.asked(try blob()).map(\.status) == [200, 503, 206])
  }

  @Test func `a server that ignores ranges gives all of it again`() throws {
    server.inject(.reset(after: 5000), .ignoresRanges, at: try blob())
    #expect(try report(attempts: 4).ok)
  }

  @Test func `a page of words in the place of a file is not taken for it`() throws {
    server.always(.page("<html>not found</html>"), at: try blob())
    #expect(
      try report().findings.contains {
        $0.rule == "site-whole" && $0.message.contains("bytes") || $0.message.contains("SHA-256")
      })
    server.always(.page("<html>not found</html>"), at: "/catalog.json")
    #expect(try report().findings.map(\.rule) == ["site-catalogue"])
  }

  @Test func `a missing catalogue is told from a server that is down`() throws {
    server.hide("/catalog.json")
    #expect(try report().findings.map(\.message) == ["there is no catalogue, so nothing is published"])
    server.hide("/catalog.json", false)
    server.always(.status(403), at: "/catalog.json")
    #expect(try report().findings.map(\.message) == ["the server answered 403 (forbidden)"])
    server.always(.status(503), at: "/catalog.json")
    let busy = try #require(throws: UserError.self) { try report() }
    #expect(busy.kind == .failed && busy.path == server.url + "/catalog.json")
    let down = try #require(throws: UserError.self) { try report("http://127.0.0.1:9") }
    #expect(down.kind == .failed && down.suggestion?.contains("may still be good") == true)
  }

  @Test func `a file that never ends is not read to its end`() throws {
    let file = sample.site.appending(path: try blob())
    let whole = try Data(contentsOf: file)
    try (whole + Data(count: 10 << 20)).write(to: file)
    let findings = try report().findings
    #expect(findings.contains { $0.message.contains("it has more than") })
    #expect(server.sentBytes(try blob()) < 12 << 20)
  }

  @Test func `a publication meanwhile is no damage`() throws {
    let old = try Data(contentsOf: sample.catalogueFile)
    let path = try blob()
    try sample.chart("Seattle", shade: 3)
    try sample.stage(sample.build("2612"))
    try FileManager.default.removeItem(at: sample.site.appending(path: path))
    server.inject(.status(200, body: String(decoding: old, as: UTF8.self)), at: "/catalog.json")
    let report = try report()
    #expect(report.ok && report.serial == 2)
  }

  @Test func `headers that would keep a catalogue or lose a file are told`() throws {
    let found = try report().findings
    #expect(found.allSatisfy { $0.rule == "site-headers" && $0.severity == .warning })
    #expect(
      found.map(\.where) == [
        "catalog.json", "catalog.json", String(try blob().dropFirst()), String(try blob().dropFirst()),
      ])
    let catalogue = String(decoding: try Data(contentsOf: sample.catalogueFile), as: UTF8.self)
    let fields = ["Content-Type: application/json; charset=utf-8", "Cache-Control: public, max-age=60"]
    server.always(.status(200, fields: fields, body: catalogue), at: "/catalog.json")
    #expect(try report().findings.map(\.where).contains("catalog.json") == false)
  }

  @Test(arguments: [
    ("max-age=60", true), ("public, max-age=3600, s-maxage=60", true), ("no-cache", true), ("No-Store", true),
    ("max-age=60, s-maxage=86400", false), ("max-age=86400", false), ("public", false),
    ("max-age=60, immutable", false), ("max-age=x", false), ("", false),
  ])
  func `what caches may keep for an hour is short-lived`(value: String, isShort: Bool) {
    #expect(ServedHeaders(cacheControl: value).isShortLived == isShort)
  }

  @Test func `many files with one fault are one finding`() throws {
    var census = HeaderCensus()
    let file = NamedFile(
      reference: FileReference(path: "blobs/x", sha256: try .init(of: []), bytes: 0), mediaType: "a/b",
      owner: "")
    for _ in 0..<3 {
      census.note(file, ServedHeaders(contentType: "A/B; x=y", cacheControl: "max-age=31536000"))
      census.note(file, ServedHeaders(contentType: "a/b", cacheControl: "public, IMMUTABLE"))
    }
    #expect(census.findings.count == 1)
    #expect(census.findings.first?.message.hasSuffix("and so it is with 2 other files") == true)
  }
}
