import Core
import CryptoIO
import Foundation
import HTTPIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The checks of a site on a web server.
@Suite(.blocking) struct WebHealthTests {
  private let sample = SampleBuild()
  private let server: TestServer

  init() throws {
    try sample.chart("Seattle")
    try sample.stage(sample.build("2612"))
    server = try TestServer(serving: sample.site)
  }

  private func report(
    _ address: String? = nil, attempts: Int = 1, isQuick: Bool = false
  ) throws -> HealthReport {
    let retry = RetryPolicy.patient(attempts: attempts)
    let site = try #require(PublishedSite(address: address ?? server.url, retry: retry))
    return try checkHealth(site, isQuick: isQuick)
  }

  private func blob() throws -> String {
    "/" + (try #require(try sample.catalogue().products.first?.files.first?.path))
  }

  @Test func `accepts the address of a site or of its catalogue`() throws {
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
  func `rejects other addresses`(text: String) { #expect(PublishedSite(address: text) == nil) }

  @Test func `a quick check reads no file and finds missing ones`() throws {
    #expect(try report(isQuick: true).ok)
    #expect(server.requests(for: try blob()).allSatisfy { $0.method == "HEAD" })
    server.hide(try blob())
    #expect(
      try report(isQuick: true).findings.contains { $0.severity == .error && "/" + $0.where == (try? blob()) }
    )
  }

  @Test func `resumes a broken connection and retries a busy server`() throws {
    server.inject(.reset(after: 5000), .status(503), at: try blob())
    server.inject(.status(500), at: "/catalog.json")
    let report = try report(attempts: 4)
    #expect(report.findings.allSatisfy { $0.severity == .warning })
    #expect(server.requests(for: try blob()).map(\.status) == [200, 503, 206])
  }

  @Test func `starts over when a connection breaks after the last byte`() throws {
    for path in ["/catalog.json", try blob()] {
      server.inject(.claims(more: 10), at: path)
      let report = try report(attempts: 4)
      #expect(report.ok, "\(report.findings)")
      #expect(server.requests(for: path).suffix(3).map(\.status) == [200, 416, 200], "\(path)")
    }
  }

  @Test func `gives up when every connection breaks after the last byte`() throws {
    server.always(.claims(more: 10), at: "/catalog.json")
    let error = try #require(throws: UserError.self) { try report(attempts: 4) }
    #expect(error.kind == .failed && error.path == server.url + "/catalog.json")
  }

  @Test func `restarts at a server that ignores ranges`() throws {
    server.inject(.reset(after: 5000), .ignoresRanges, at: try blob())
    #expect(try report(attempts: 4).ok)
  }

  @Test func `detects a web page in place of a file`() throws {
    server.always(.page("<html>not found</html>"), at: try blob())
    #expect(
      try report().findings.contains {
        $0.rule == "site-whole" && $0.message.contains("bytes") || $0.message.contains("SHA-256")
      })
    server.always(.page("<html>not found</html>"), at: "/catalog.json")
    #expect(try report().findings.map(\.rule) == ["site-catalogue"])
  }

  @Test func `distinguishes a missing catalogue from an unreachable server`() throws {
    server.hide("/catalog.json")
    let message = "there is no catalogue: nothing is published, or the address is another one"
    #expect(try report().findings.map(\.message) == [message])
    server.hide("/catalog.json", false)
    server.always(.status(403), at: "/catalog.json")
    #expect(try report().findings.map(\.message) == ["the server answered 403 (forbidden)"])
    server.always(.status(503), at: "/catalog.json")
    let busy = try #require(throws: UserError.self) { try report() }
    #expect(busy.kind == .failed && busy.path == server.url + "/catalog.json")
    try expectFault(kind: .failed, remedy: "may still be good") { try report("http://127.0.0.1:9") }
  }

  @Test func `limits the bytes read of a file`() throws {
    let file = sample.file(try blob())
    let whole = try file.data
    try (whole + Data(count: 10 << 20)).write(to: file)
    let findings = try report().findings
    #expect(findings.contains { $0.message.contains("it has more than") })
    #expect(server.sentBytes(try blob()) < 12 << 20)
  }

  @Test func `a publication during the check is not an error`() throws {
    let old = try sample.catalogueFile.data
    let path = try blob()
    try sample.chart("Seattle", shade: 3)
    try sample.stage(sample.build("2612"))
    try sample.file(path).remove()
    server.inject(.status(200, body: String(decoding: old, as: UTF8.self)), at: "/catalog.json")
    let report = try report()
    #expect(report.ok && report.serial == 2)
  }

  @Test func `reports wrong caching headers`() throws {
    let found = try report().findings
    #expect(found.allSatisfy { $0.rule == "site-headers" && $0.severity == .warning })
    #expect(
      found.map(\.where) == [
        "catalog.json", "catalog.json", String(try blob().dropFirst()), String(try blob().dropFirst()),
      ])
    let catalogue = String(decoding: try sample.catalogueFile.data, as: UTF8.self)
    let fields = ["Content-Type: application/json; charset=utf-8", "Cache-Control: public, max-age=60"]
    server.always(.status(200, fields: fields, body: catalogue), at: "/catalog.json")
    #expect(try report().findings.map(\.where).contains("catalog.json") == false)
  }

  @Test(arguments: [
    ("max-age=60", true), ("public, max-age=3600, s-maxage=60", true), ("no-cache", true), ("No-Store", true),
    ("max-age=60, s-maxage=86400", false), ("max-age=86400", false), ("public", false),
    ("max-age=60, immutable", false), ("max-age=x", false), ("", false),
  ])
  func `recognizes short cache times`(value: String, isShort: Bool) {
    #expect(ServedHeaders(cacheControl: value).isShortLived == isShort)
  }

  @Test func `groups files with one problem into one finding`() throws {
    var summary = HeaderSummary()
    let file = NamedFile(
      reference: FileReference(path: "blobs/x", sha256: try .init(of: []), bytes: 0), mediaType: "a/b",
      owner: "")
    for _ in 0..<3 {
      summary.note(file, ServedHeaders(contentType: "A/B; x=y", cacheControl: "max-age=31536000"))
      summary.note(file, ServedHeaders(contentType: "a/b", cacheControl: "public, IMMUTABLE"))
    }
    #expect(summary.findings.count == 1)
    #expect(summary.findings.first?.message.hasSuffix("and the same for 2 other files") == true)
  }
}
