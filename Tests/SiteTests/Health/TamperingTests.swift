import Core
import CryptoIO
import Foundation
import HTTPIO
import Pipeline
import Site
import TestSupport
import Testing
import Validation

/// A site in which somebody changed anything that the catalogue stands for is refused, and the file is named.
struct TamperingTests {
  private let sample: SampleBuild
  private let key: SigningKey

  init() throws {
    sample = try SampleBuild()
    key = try SigningKey.generate()
    for cycle in ["2611", "2612"] {
      try sample.chart("Seattle", cycle: cycle, shade: cycle == "2611" ? 90 : 120)
      var request = sample.request([sample.build(cycle)])
      request.key = key
      _ = try Stager.stage(request, progress: SilentProgress())
    }
  }

  /// Every kind of file that is proved.
  private func paths() throws -> [String] {
    let catalogue = try sample.catalogue()
    let manifests = [catalogue.previous, catalogue.current].compactMap { $0?.manifest.path }
    let signatures = try files(below: sample.site.appending(path: "signatures")).map { "signatures/\($0)" }
    let own = try SHA256Hex(ofFile: sample.catalogueFile).text
    return catalogue.products.flatMap(\.files).map(\.path) + manifests
      + signatures.filter { $0.contains(own) } + [
        "catalog.json", "catalog.json.minisig",
      ]
  }

  private func findings(_ site: PublishedSite) throws -> [Finding] {
    let request = SiteHealth.Request(signedBy: key.verifier, now: try #require(Instant("2026-12-01")))
    let report = try SiteHealth(site, request).examine(progress: SilentProgress())
    let found = report.findings.filter { $0.rule != "site-headers" }
    // Of the two signatures one is enough.
    let isWarned = found.allSatisfy { $0.rule == "site-signature" && $0.severity == .warning }
    #expect(report.ok == isWarned, "\(found)")
    return found
  }

  /// Bytes of some places turned over, and the file cut in two places.
  private func spoiled(_ whole: Data, _ random: inout SplitMix) -> [Data] {
    let turned = (0..<4).map { _ in
      var data = whole
      data[Int.random(in: data.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      return data
    }
    return turned + [Data(), whole.prefix(Int.random(in: 1..<whole.count, using: &random))]
  }

  private func expectRefusals(_ site: PublishedSite, seed: UInt64) throws {
    var random = SplitMix(state: seed)
    #expect(try findings(site).isEmpty)
    for path in try paths() {
      let file = sample.site.appending(path: path)
      let whole = try Data(contentsOf: file)
      for data in spoiled(whole, &random) {
        try data.write(to: file)
        let places = Set(try findings(site).map(\.where))
        let expected = path == "catalog.json" ? [path, "catalog.json.minisig"] : [path]
        #expect(!places.isDisjoint(with: expected), "\(path): \(places)")
      }
      try FileManager.default.removeItem(at: file)
      // A site without the second signature is as good.
      #expect(try findings(site).isEmpty == path.hasPrefix("signatures/"), "\(path) is gone")
      try whole.write(to: file)
    }
    #expect(try findings(site).isEmpty)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `in a folder`(seed: UInt64) throws {
    try expectRefusals(PublishedSite(folder: sample.site), seed: seed)
  }

  @Test func `over HTTP`() throws {
    let server = try FaultyServer(serving: sample.site)
    let site = try #require(
      PublishedSite(address: server.url, retry: RetryPolicy(attempts: 1)))
    try expectRefusals(site, seed: 4)
  }

  @Test func `a signature's lines that are not signed may not be changed either`() throws {
    try FileManager.default.removeItem(at: sample.site.appending(path: "signatures"))
    let file = sample.site.appending(path: "catalog.json.minisig")
    let whole = try String(contentsOf: file, encoding: .utf8)
    for text in [
      whole + "\n", whole.replacing("a Chartpipe", with: "the Chartpipe"),
      whole.replacing("\n", with: "\r\n"), whole + whole,
    ] {
      try Data(text.utf8).write(to: file)
      #expect(try findings(PublishedSite(folder: sample.site)).map(\.severity) == [.error])
    }
  }
}

/// The same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
