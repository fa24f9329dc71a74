import Core
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct ValidationReportTests {
  static let findings = [
    Finding(
      rule: "tiles-decode", severity: .error, where: "out/San Jose.mbtiles tile 11/1/2", message: "it is bad"),
    Finding(rule: "tile-hash", severity: .error, where: "out/San Jose.mbtiles", message: "it differs"),
    Finding(
      rule: "archive-metadata", severity: .warning, where: "out/Seattle.mbtiles", message: "no `center`"),
  ]

  @Test func `encodes the documented JSON`() throws {
    let report = ValidationReport(findings: [Self.findings[2]], validated: ["out/Seattle.mbtiles"])
    let json = String(decoding: try CanonicalJSON.line(report), as: UTF8.self)
    #expect(
      json == """
        {"findings":[{"message":"no `center`","rule":"archive-metadata","severity":"warning",\
        "where":"out/Seattle.mbtiles"}],"ok":true}
        """)
  }

  @Test func `counts warnings as errors in strict mode`() {
    let report = ValidationReport(findings: [Self.findings[2]])
    #expect(report.ok)
    #expect(!report.strict().ok)
    #expect(ValidationReport(findings: []).strict().ok)
  }

  @Test func `renders the verdict, then each file`() {
    let report = ValidationReport(
      findings: Self.findings, validated: ["out/San Jose.mbtiles", "out/Seattle.mbtiles", "out/a.sqlite"])
    #expect(
      ValidationText.render(report) == """
        Not to be published: 2 errors, 1 warning in 3 files.

        out/San Jose.mbtiles
          error    tiles-decode  tile 11/1/2: it is bad
          error    tile-hash     it differs

        out/Seattle.mbtiles
          warning  archive-metadata  no `center`

        """)
  }

  @Test func `renders good files as one line`() {
    #expect(
      ValidationText.render(ValidationReport(findings: [], validated: ["a.sqlite"]))
        == "All is well: 1 file validated, nothing found.\n")
    let warned = ValidationReport(findings: [Self.findings[2]], validated: ["out/Seattle.mbtiles"])
    #expect(ValidationText.render(warned).hasPrefix("Good to publish: 1 warning in 1 file.\n"))
  }
}

struct AcceptanceTests {
  private static let errors = ["tiles-decode", "product-hash"].map {
    Finding(rule: $0, severity: .error, where: "a.mbtiles", message: "broken")
  }

  @Test func `turns accepted findings into warnings with a reason`() {
    let acceptance = Acceptance(rule: "tiles-decode", reason: "one tile of open sea")
    let report = ValidationReport(findings: Self.errors).accepting([acceptance])
    #expect(!report.ok)
    #expect(report.findings.map(\.severity) == [.warning, .error])
    #expect(report.findings.map(\.accepted) == ["one tile of open sea", nil])
    let all = report.accepting([Acceptance(rule: "product-hash", reason: "copied manually")])
    #expect(all.ok && all.strict().ok)
  }

  @Test func `accepts the findings of one product`() throws {
    let findings = ["vfr-terminal/Guam", "vfr-terminal/Miami", nil].map {
      Finding(rule: "place-evidence", severity: .error, where: "a.mbtiles", message: "none", product: $0)
    }
    let acceptance = try #require(Acceptance("place-evidence@vfr-terminal/Guam: an inset: compared by hand"))
    let report = ValidationReport(findings: findings).accepting([acceptance])
    #expect(report.findings.map(\.accepted) == ["an inset: compared by hand", nil, nil])
    #expect(!report.ok)
  }

  @Test(arguments: [
    ("database-rows", "database-rows has no findings, so there was nothing to accept"),
    (
      "database-rows@nasr/aviation",
      "database-rows@nasr/aviation has no findings, so there was nothing to accept"
    ),
    ("database-rows@nasr/avaition", "to accept. Did you mean database-rows@nasr/aviation?"),
    ("database-rows@aviation", "to accept. Did you mean database-rows@nasr/aviation?"),
    ("database-rows@Seattle", "database-rows@Seattle has no findings, so there was nothing to accept"),
  ])
  func `an unused acceptance names a similar product`(text: String, warning: String) throws {
    let progress = RecordedProgress()
    try #require(Acceptance(text + ":why")).warnUnused(
      "stage", among: ["nasr/airports", "nasr/aviation"], progress)
    #expect(progress.warnings.count == 1 && progress.warnings[0].hasSuffix(warning), "\(progress.warnings)")
  }

  @Test func `parses a rule and a reason with colons`() {
    let acceptance = Acceptance(" database-rows : closed: 400 strips ")
    #expect(acceptance == Acceptance(rule: "database-rows", reason: "closed: 400 strips"))
  }

  @Test(arguments: ["", "database-rows", "database-rows:", "database-rows: ", ":why", "@a:why", "a@:why"])
  func `rejects a text without a rule or a reason`(text: String) { #expect(Acceptance(text) == nil) }
}
