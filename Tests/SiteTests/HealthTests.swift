import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The checks of a site that a client relies on: complete, signed, current.
struct HealthTests {
  let sample = SampleBuild()
  let key = SigningKey.new()

  init() throws { try sample.stageSeattle(key: key) }

  private func report(
    _ now: String = "2026-12-01", signed: Bool = true, by other: PublicKey? = nil,
    seen: SeenCatalogue? = nil, isQuick: Bool = false
  ) throws -> HealthReport {
    try checkHealth(
      sample.published, by: signed ? other ?? key.verifier : nil, now: now, seen: seen, isQuick: isQuick)
  }

  /// Changes the catalogue like an attacker without the key.
  private func tamper(_ change: (inout Catalog) throws -> Void) throws {
    var catalogue = try sample.catalogue()
    try change(&catalogue)
    try CanonicalJSON.pretty(catalogue).write(to: sample.catalogueFile)
  }

  @Test func `a staged site is complete and current`() throws {
    let report = try report()
    #expect(report.ok && report.findings.isEmpty)
    #expect(report.cycles == ["2611", "2612"] && report.files == 2 && report.signed)
    #expect(report.roles == ["previous": "2611", "current": "2612"])
    #expect(report.expires == "2026-12-24T09:01:00Z" && report.next == "2613" && !report.nextPublished)
    #expect(
      report.text
        == "Complete, signed and current: 2 files, \(Counts.bytes(report.bytes)), serial 2, cycle 2611, 2612. "
        + "The next cycle, 2613, is due on 2026-12-24.\n")
    #expect(
      try self.report(signed: false, isQuick: true).text.hasPrefix(
        "Complete by its sizes and current: "))
  }

  @Test func `refuses an old catalogue and a wrong signature`() throws {
    #expect(try report(by: SigningKey.generate().verifier).findings.map(\.rule) == ["site-signature"])
    try sample.file("catalog.json.minisig").remove()
    #expect(try report().findings.map(\.severity) == [.warning])
    try sample.file("signatures").remove()
    #expect(try report().findings.map(\.message) == ["the catalogue is not signed"])
    #expect(try report(signed: false).ok)
  }

  @Test func `reports an expired cycle and warns early about a missing next cycle`() throws {
    #expect(try report("2026-12-18").findings.isEmpty)
    let due = try report("2026-12-19")
    #expect(due.ok && due.findings.map(\.severity) == [.warning])
    #expect(due.findings.first?.message.contains("2613 (2026-12-24) is not published yet") == true)
    let late = try report("2026-12-25")
    #expect(!late.ok && late.findings.map(\.rule) == ["site-currency"])
  }

  @Test func `an empty folder is not a site`() throws {
    try sample.site.remove()
    let report = try report()
    #expect(!report.ok && !report.signed && report.text.contains("there is no catalogue"))
  }

  @Test func `a check of sizes finds missing and truncated files only`() throws {
    let path = try #require(try sample.catalogue().products.first?.files.first?.path)
    let file = sample.file(path)
    var bytes = try file.data
    bytes[100] ^= 1
    try bytes.write(to: file)
    #expect(try report(isQuick: true).ok && !report().ok)
    try bytes.dropLast().write(to: file)
    #expect(try report(isQuick: true).findings.map(\.where) == [path])
    try file.remove()
    #expect(try report(isQuick: true).findings.map(\.where) == [path])
  }

  @Test func `detects a replayed catalogue by the last serial seen`() throws {
    let old = try sample.catalogueFile.data
    let copies = try files(below: sample.site).filter { !$0.hasPrefix("blobs/") }.map {
      (sample.file($0), try sample.file($0).data)
    }
    let first = try #require(try report().seen)
    #expect(first.serial == 2)
    try sample.chart("Seattle", shade: 10)
    try sample.stage(sample.build("2612")) { $0.key = key }
    let later = try report(seen: first)
    #expect(later.ok && later.seen?.serial == 3)
    try old.write(to: sample.catalogueFile)
    for (file, data) in copies { try data.write(to: file) }
    let signature = try key.signature(of: Array(old), comment: "")
    try sample.file("catalog.json.minisig").put(signature.text)
    let replayed = try report(seen: later.seen)
    #expect(replayed.findings.map(\.rule) == ["site-serial"] && replayed.seen == nil)
    #expect(try report().ok)
  }

  @Test func `refuses two catalogues with one serial`() throws {
    let seen = try report().seen
    try tamper { $0.products.removeLast() }
    #expect(try report(signed: false, seen: seen).findings.contains { $0.rule == "site-serial" })
  }

  @Test func `accepts the signature named by the hash and reports the stale one`() throws {
    let alias = sample.file("catalog.json.minisig")
    let good = try alias.data
    let data = try sample.catalogueFile.data
    let place = sample.file("signatures/\(try SHA256Hex(of: Array(data))).minisig")
    try place.deletingLastPathComponent().makeFolder()
    try good.write(to: place)
    let other = try key.signature(of: [1, 2, 3], comment: "of another")
    try alias.put(other.text)
    let report = try report()
    #expect(report.ok && report.signed)
    #expect(report.findings.map(\.rule) == ["site-signature"] && report.findings[0].severity == .warning)
    try place.put("no signature")
    #expect(!(try self.report().ok))
  }

  @Test func `refuses paths that lead out, absurd sizes and wrong dates`() throws {
    let whole = try sample.catalogueFile.data
    let outside = sample.folder.file("outside.txt")
    try outside.put("secret")
    let hash = try SHA256Hex(of: Array("secret".utf8))
    let changes: [(inout Catalog) -> Void] = [
      { $0.products[0].files[0].path = "../outside.txt" },
      { $0.products[0].files[0].path = "blobs/../../outside.txt" },
      {
        $0.products[0].files[0] = .init(
          path: outside.path, sha256: hash, bytes: 6, mediaType: "", role: .init(rawValue: ""))
      },
      { $0.products[0].files[0].bytes = -1 },
      { $0.products[0].files[0].bytes = .max },
      { $0.current?.manifest.path = "../outside.txt" },
      { $0.current?.manifest.bytes = .min },
      { $0.current?.expires = "2099-01-01T00:00:00Z" },
      { $0.products[0].files[0].path = "blobs/\u{0}" },
    ]
    for (index, change) in changes.enumerated() {
      try whole.write(to: sample.catalogueFile)
      try tamper(change)
      for isQuick in [false, true] {
        #expect(!(try report(signed: false, isQuick: isQuick).ok), "change \(index)")
      }
    }
    let text = String(decoding: whole, as: UTF8.self).replacing("\"id\":\"2612\"", with: "\"id\":\"../2612\"")
    try sample.catalogueFile.put(text)
    #expect(try report(signed: false).text.contains("\"../2612\" is not an AIRAC cycle"))
  }

  @Test func `does not read a catalogue of gigabytes`() throws {
    try sample.catalogueFile.remove()
    try Data().write(to: sample.catalogueFile)
    let handle = try FileHandle(forWritingTo: sample.catalogueFile)
    try handle.truncate(atOffset: 5 << 30)
    try handle.close()
    #expect(try report().findings.map(\.message) == ["it has more than 4,000,000 bytes"])
  }
}

/// A change of any file that the catalogue covers is detected, and the file is named.
@Suite(.blocking) struct TamperingTests {
  private let sample = SampleBuild()
  private let key = SigningKey.new()

  init() throws { try sample.stageSeattle(key: key) }

  /// Every kind of file that is verified.
  private func paths() throws -> [String] {
    let catalogue = try sample.catalogue()
    let manifests = [catalogue.previous, catalogue.current].compactMap { $0?.manifest.path }
    let signatures = try files(below: sample.file("signatures")).map { "signatures/\($0)" }
    let own = try SHA256Hex(ofFile: sample.catalogueFile).text
    return catalogue.products.flatMap(\.files).map(\.path) + manifests
      + signatures.filter { $0.contains(own) } + ["catalog.json", "catalog.json.minisig"]
  }

  private func findings(_ site: PublishedSite) throws -> [Finding] {
    let report = try checkHealth(site, by: key.verifier)
    let found = report.findings.filter { $0.rule != "site-headers" }
    // Of the two signatures one is enough.
    let isWarned = found.allSatisfy { $0.rule == "site-signature" && $0.severity == .warning }
    #expect(report.ok == isWarned, "\(found)")
    return found
  }

  /// Bytes of some places turned over, and the file cut in two places.
  ///
  /// - Parameter first: where the bytes begin that a check covers.
  private func spoiled(_ whole: Data, from first: Int, _ random: inout SplitMix) -> [Data] {
    let turned = (0..<4).map { _ in
      var data = whole
      data[Int.random(in: first..<data.endIndex, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      return data
    }
    return turned + [Data(), whole.prefix(Int.random(in: 1..<whole.count, using: &random))]
  }

  private func expectRefusals(_ site: PublishedSite, seed: UInt64) throws {
    var random = SplitMix(state: seed)
    #expect(try findings(site).isEmpty)
    for path in try paths() {
      let file = sample.file(path)
      let whole = try file.data
      // minisign's first line may be anything.
      let first = path.hasSuffix(".minisig") ? whole.firstIndex(of: 10) ?? 0 : 0
      for data in spoiled(whole, from: first, &random) {
        try data.write(to: file)
        let places = Set(try findings(site).map(\.where))
        let expected = path == "catalog.json" ? [path, "catalog.json.minisig"] : [path]
        #expect(!places.isDisjoint(with: expected), "\(path): \(places)")
      }
      try file.remove()
      // A site needs only one of the two signatures.
      #expect(try findings(site).isEmpty == path.hasPrefix("signatures/"), "\(path) is gone")
      try whole.write(to: file)
    }
    #expect(try findings(site).isEmpty)
  }

  @Test(.slow, arguments: [1, 2, 3] as [UInt64])
  func `detects tampering in a folder`(seed: UInt64) throws {
    try expectRefusals(sample.published, seed: seed)
  }

  @Test(.slow) func `detects tampering over HTTP`() throws {
    let server = try TestServer(serving: sample.site)
    let site = try #require(PublishedSite(address: server.url, retry: .patient(attempts: 1)))
    try expectRefusals(site, seed: 4)
  }

  @Test func `detects changes in the unsigned lines of a signature`() throws {
    try sample.file("signatures").remove()
    let file = sample.file("catalog.json.minisig")
    let whole = try file.text
    for text in [
      whole + "\n", whole.replacing("\n", with: "\r\n"), whole + whole, "\n" + whole,
      whole.replacing("\ntrusted", with: "\n\ntrusted"), String(whole.dropLast()),
      "untrusted comment: \(String(repeating: "x", count: 1024))" + whole.drop { $0 != "\n" },
    ] {
      try file.put(text)
      #expect(try findings(sample.published).map(\.severity) == [.error])
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

/// The metrics for monitoring.
struct HealthMetricsTests {
  private func metrics(_ change: (SampleBuild) throws -> Void = { _ in }) throws -> Data {
    let sample = SampleBuild()
    try sample.chart("Seattle")
    try sample.stage(sample.build("2612"))
    try change(sample)
    let now = Instant("2026-12-01T00:00:00Z")
    let report = try checkHealth(sample.published, now: "\(now)")
    return HealthMetrics(site: report.site, checked: now, report: report).data
  }

  /// Samples without the label of the site.
  private func lines(_ data: Data) -> [Substring] {
    String(decoding: data, as: UTF8.self).replacing(/site="[^"]*",?/, with: "").split(separator: "\n")
  }

  @Test func `a healthy site has all metrics`() throws {
    let lines = try lines(metrics())
    for line in [
      "chartpipe_site_ok{} 1", "chartpipe_site_reachable{} 1", "chartpipe_site_serial{} 1",
      "chartpipe_site_files{} 1", "chartpipe_site_checked_timestamp_seconds{} 1796083200",
      "chartpipe_site_cycle_info{role=\"current\",cycle=\"2612\"} 1",
      "chartpipe_site_current_expires_timestamp_seconds{} 1798102860", "chartpipe_site_next_published{} 0",
      "chartpipe_site_findings{rule=\"site-whole\",severity=\"error\"} 0",
    ] { #expect(lines.contains { $0 == line }, "\(line)") }
  }

  @Test func `counts findings, and a missing site is unhealthy`() throws {
    let lost = try lines(metrics { try $0.site.appending(path: "blobs").remove() })
    #expect(lost.contains("chartpipe_site_ok{} 0"))
    #expect(lost.contains("chartpipe_site_findings{rule=\"site-whole\",severity=\"error\"} 2"))
    let none = try lines(metrics { try $0.site.remove() })
    #expect(none.contains("chartpipe_site_ok{} 0") && none.contains("chartpipe_site_reachable{} 1"))
    let down = lines(
      HealthMetrics(site: "https://x", checked: Instant(secondsSince1970: 5), report: nil).data)
    #expect(
      down.filter { !$0.hasPrefix("#") }.map { $0 } == [
        "chartpipe_site_ok{} 0", "chartpipe_site_reachable{} 0",
        "chartpipe_site_checked_timestamp_seconds{} 5",
      ])
  }

  @Test(.enabled(if: Python.has("prometheus_client"), "python3-prometheus-client is not installed"))
  func `Prometheus' own library parses the metrics for any site name`() throws {
    let folder = TemporaryFolder()
    let name = "a\"b\\c\nd"
    let strange = HealthMetrics(site: name, checked: Instant(secondsSince1970: 5), report: nil).data
    let program = """
      import sys
      from prometheus_client.parser import text_string_to_metric_families as families
      for family in families(open(sys.argv[1]).read()):
          assert family.type == "gauge" and family.documentation
          for sample in family.samples: print(sample.name, repr(sample.labels), sample.value)
      """
    for (file, data) in [("good", try metrics()), ("strange", strange)] {
      try data.write(to: folder.file(file))
      let ending = try Python.run(program, [folder.file(file).path])
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(ending.output.split(separator: "\n").count == (file == "good" ? 25 : 3), "\(ending.output)")
      if file == "strange" { #expect(ending.output.contains(#"'a"b\\c\nd'"#)) }
    }
  }
}
