import Airac
import Delivery
import Foundation
import Pipeline
import TestSupport
import Testing
import Validation

/// A site as a client sees it: whole, signed, current.
struct HealthTests {
  let sample: SampleBuild
  let key: SigningKey

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

  private func report(
    _ now: String = "2026-12-01", signed: Bool = true, by other: VerifyingKey? = nil
  ) throws -> HealthReport {
    let verifier = signed ? other ?? key.verifier : nil
    return try SiteHealth(folder: sample.site, signedBy: verifier, now: try #require(Instant(now)))
      .examine(progress: SilentProgress())
  }

  @Test func `what was staged is whole and current`() throws {
    let report = try report()
    #expect(report.ok && report.findings.isEmpty)
    #expect(report.cycles == ["2611", "2612"] && report.files == 2)
    #expect(report.text == "Whole and current: 2 files, serial 2, cycle 2611, 2612.\n")
  }

  @Test func `a byte that was changed in any file of a site is found, by the file's name`() throws {
    let catalogue = try sample.catalogue()
    let blobs = catalogue.products.flatMap(\.allFiles).map(\.path)
    let manifests = [catalogue.previous, catalogue.current].compactMap { $0?.manifest.path }
    for path in blobs + manifests + ["catalog.json", "catalog.json.minisig"] {
      let file = sample.site.appending(path: path)
      let whole = try Data(contentsOf: file)
      var changed = whole
      changed[changed.count * 2 / 3] ^= 1
      try changed.write(to: file)
      let findings = try report().findings
      let place = path == "catalog.json" ? ["catalog.json", "catalog.json.minisig"] : [path]
      #expect(findings.contains { $0.severity == .error && place.contains($0.where) }, "\(path): \(findings)")
      try FileManager.default.removeItem(at: file)
      #expect(!(try report().ok), "\(path)")
      try whole.write(to: file)
    }
    #expect(try report().ok)
  }

  @Test func `an old catalogue, or another one's signature, is refused`() throws {
    #expect(try report(by: SigningKey.generate().verifier).findings.map(\.rule) == ["site-signature"])
    let signature = sample.site.appending(path: "catalog.json.minisig")
    try FileManager.default.removeItem(at: signature)
    #expect(try report().findings.map(\.message) == ["the catalogue is not signed"])
    #expect(try report(signed: false).ok)
  }

  @Test func `a cycle that has ended is no current one, and the next is missed in time`() throws {
    #expect(try report("2026-12-18").findings.isEmpty)
    let due = try report("2026-12-19")
    #expect(due.ok && due.findings.map(\.severity) == [.warning])
    #expect(due.findings.first?.message.contains("2613 (2026-12-24) is not there yet") == true)
    let late = try report("2026-12-25")
    #expect(!late.ok && late.findings.map(\.rule) == ["site-currency"])
  }

  @Test func `an empty folder has nothing that is published`() throws {
    let report = try SiteHealth(
      folder: sample.folder.file("nothing"), signedBy: nil, now: try #require(Instant("2026-12-01"))
    ).examine(progress: SilentProgress())
    #expect(!report.ok && report.text.contains("there is no catalogue"))
  }
}
