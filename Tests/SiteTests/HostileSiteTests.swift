import Core
import Foundation
import HTTPIO
import TestSupport
import Testing

@testable import ChartpipeKit

private let minisign = URL(filePath: "/usr/bin/minisign")

extension RetryPolicy {
  /// Without pauses, and with time enough for a busy machine.
  static func patient(attempts: Int) -> RetryPolicy {
    var retry = RetryPolicy(attempts: attempts, sleep: { _ in })
    retry.documents.start = .seconds(600)
    retry.files.start = .seconds(600)
    return retry
  }
}

/// Servers and files that nobody can trust: every read ends, with a clear error, and leaves nothing behind.
@Suite(.blocking) struct HostileSiteTests {
  private let sample = SampleBuild()
  private let server: TestServer
  private let key = SigningKey.new()

  init() throws {
    try sample.chart("Seattle")
    try sample.stage(sample.build("2612")) { [key] in $0.key = key }
    server = try TestServer(serving: sample.site)
  }

  private func site(_ time: Duration = .seconds(600), attempts: Int = 1) throws -> PublishedSite {
    var retry = RetryPolicy.patient(attempts: attempts)
    retry.documents.start = time
    retry.files.start = time
    return try #require(PublishedSite(address: server.url, retry: retry))
  }

  private func check(_ site: PublishedSite, by verifier: PublicKey? = nil) throws -> HealthReport {
    try checkHealth(site, by: verifier)
  }

  private func mirror(_ site: PublishedSite) throws {
    let mirroring = SiteMirror(source: site, folder: sample.folder.file("mirror"), now: "2026-12-01")
    _ = try mirroring.run(progress: SilentProgress())
  }

  private func blob() throws -> String {
    "/" + (try #require(try sample.catalogue().products.first?.files.first?.path))
  }

  // MARK: - Catalogues

  @Test func `good catalogues are read and spoiled ones are not`() throws {
    for file in try Catalogues.good() {
      #expect(throws: Never.self, "\(file.lastPathComponent)") {
        let isLive = file.lastPathComponent.contains("live channel")
        _ = try PublishedCatalogue(CatalogueBytes(file.data, of: isLive ? .live : .cycles))
      }
    }
    for file in try Catalogues.spoiled() {
      #expect(throws: Unreadable.self, "\(file.lastPathComponent)") { try PublishedCatalogue(file.data) }
    }
    let good = try #require(try Catalogues.good().first).data
    let spaces = { Data(repeating: 32, count: $0 - good.count) }
    _ = try PublishedCatalogue(good + spaces(4_000_000))
    #expect(throws: Unreadable("it has more than 4,000,000 bytes")) {
      try PublishedCatalogue(good + spaces(4_000_001))
    }
  }

  @Test func `an unverified catalogue is not decoded`() throws {
    try sample.catalogueFile.put("no JSON")
    for site in [try site(), sample.published] {
      #expect(try check(site, by: key.verifier).findings.map(\.rule) == ["site-signature"])
      #expect(try check(site).findings.map(\.rule) == ["site-catalogue"])
      let error = try #require(throws: UserError.self) { try site.catalogue(signedBy: key.verifier) }
      #expect(error.kind == .refused && error.operation.hasPrefix("verifying the signature"))
    }
  }

  // MARK: - Servers

  /// The time is over before the first byte comes, also on an idle machine.
  @Test(arguments: [TestServer.Behavior.silent, .slow(piece: 1, pause: 0.2)])
  func `a slow server is given up`(behavior: TestServer.Behavior) throws {
    let site = try site(.milliseconds(100), attempts: 3)
    server.always(behavior, at: "/catalog.json")
    for read in [{ _ = try check(site) }, { try mirror(site) }, { _ = try site.catalogue() }]
      as [() throws -> Void]
    {
      let error = try #require(throws: UserError.self) { try read() }
      #expect(error.kind == .failed && error.path == "\(server.url)/catalog.json")
      #expect(error.reason.contains("the server is too slow: "), "\(error)")
    }
  }

  @Test func `a slow file is given up`() throws {
    var retry = RetryPolicy.patient(attempts: 1)
    retry.files.start = .milliseconds(100)
    retry.files.bytesPerSecond = 1 << 40
    let site = try #require(PublishedSite(address: server.url, retry: retry))
    server.always(.slow(piece: 1, pause: 0.2), at: try blob())
    for read in [{ _ = try check(site) }, { try mirror(site) }] as [() throws -> Void] {
      try expectFault("the server is too slow: ") { try read() }
    }
  }

  @Test func `a body without an end is cut off, and leaves nothing`() throws {
    server.always(.endlessBody, at: "/catalog.json")
    #expect(try check(site()).findings.map(\.message) == ["it has more than 4,000,000 bytes"])
    #expect(throws: UserError.self) { try mirror(site()) }
    server.always(nil, at: "/catalog.json")
    let path = try blob()
    server.always(.endlessBody, at: path)
    #expect(
      try check(site()).findings.contains { "/\($0.where)" == path && $0.message.contains("more than") })
    let error = try #require(throws: UserError.self) { try mirror(site()) }
    #expect(error.reason.hasPrefix("it is larger than "), "\(error)")
    let left = try files(below: sample.folder.file("mirror")).filter { $0.contains(".part") }
    #expect(left.isEmpty, "\(left)")
  }

  @Test func `a part without an end is cut off`() throws {
    let product = try #require(try sample.catalogue().products.first)
    let file = try #require(product.files.first)
    let fields = ["Content-Range: bytes 0-9/\(file.bytes)"]
    server.always(.status(206, fields: fields, body: String(repeating: "x", count: 11)), at: try blob())
    #expect(throws: UserError.self) { try site().bytes(0..<10, of: file, of: product) }
  }

  @Test func `redirects end, and lead to HTTP alone`() throws {
    for place in ["/catalog.json", "file:///etc/hostname", "ftp://127.0.0.1/catalog.json"] {
      server.always(.redirect(to: place), at: "/catalog.json")
      #expect(try check(site()).findings.map(\.rule) == ["site-catalogue"], "\(place)")
    }
  }

  @Test func `a compressed catalogue is not unpacked`() throws {
    server.always(.packed, at: "/catalog.json")
    #expect(try check(site(), by: key.verifier).ok, "the bytes are those of the signature")
  }

  // MARK: - Signatures

  private func runMinisign(_ arguments: String...) throws {
    let ending = try RunningProgram(minisign, arguments, in: sample.folder.url).wait()
    try #require(ending.status == 0, "\(ending.errors)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: minisign.path)), arguments: [false, true])
  func `signatures by minisign with comments of the user are verified`(isLegacy: Bool) throws {
    try runMinisign("-G", "-W", "-p", "mini.pub", "-s", "mini")
    try sample.file("signatures").remove()
    let file = sample.file("catalog.json.minisig")
    let options = isLegacy ? "-Sl" : "-S"
    try runMinisign(
      options, "-s", "mini", "-m", sample.catalogueFile.path, "-x", file.path, "-c",
      "signed at the field, naïvely",
      "-t", "for the summer")
    let text = try sample.folder.file("mini.pub").text
    let verifier = try #require(PublicKey(minisign: text))
    #expect(try check(site(), by: verifier).ok)
    let whole = try file.data
    for spoil in [
      { $0 + Data("\n".utf8) }, { $0 + Data("more\n".utf8) }, { $0 + $0 }, { $0 + Data([0]) },
      { Data("untrusted comment: \(String(repeating: "x", count: 1100))".utf8) + $0.drop { $0 != 10 } },
      { Data("untrusted comment: \u{0}".utf8) + [0xFF] + $0.drop { $0 != 10 } },
    ] as [(Data) -> Data] {
      try spoil(whole).write(to: file)
      #expect(try check(site(), by: verifier).findings.map(\.rule) == ["site-signature"])
    }
    let other = String(decoding: whole, as: UTF8.self).replacing("summer", with: "winter")
    try file.put(other)
    #expect(try !check(site(), by: verifier).ok)
  }
}
