import Core
import TestSupport
import Testing

@testable import ChartpipeKit

/// A database whose tables shrank since the last cycle in the site.
struct RowDriftTests {
  let sample = SampleBuild()

  /// Describes a database without its file. Only the rule about rows is applied here.
  private func database(
    _ cycle: String, _ counts: [String: Int], loss: Product.RowLoss? = nil,
    kind: Product.Kind = .database
  ) throws {
    let description = try sample.chart("aviation", cycle: cycle, pipeline: "nasr")
    try edit(description) {
      $0.kind = kind
      $0.build.counts = counts
      $0.build.rowLoss = loss
    }
  }

  private func stage(
    _ cycle: String, accepted: [Acceptance] = [], progress: any ProgressReporter = SilentProgress()
  ) throws -> [Finding] {
    var request = sample.request([sample.build(cycle)])
    request.accepted = accepted
    _ = try Stager.stage(
      request,
      validate: { request, progress in
        let all = try Validator().validate(request, progress: progress)
        return ValidationReport(findings: all.findings.filter { $0.rule == "database-rows" })
      },
      progress: progress)
    return try sample.manifest(#require(AiracCycle(cycle))).validation.findings
  }

  @Test func `refuses a table that lost a third and keeps the old catalogue`() throws {
    try database("2611", ["airports": 19_958, "radars": 40])
    #expect(try stage("2611").isEmpty)
    let before = try sample.catalogue()
    try database("2612", ["airports": 13_571, "radars": 3])
    let fault = try #require(throws: UserError.self) { try stage("2612") }
    #expect(fault.kind == .refused)
    #expect(
      fault.message.contains("table airports: it has 13,571 rows, 32 % fewer than the 19,958 of cycle 2611"))
    #expect(fault.message.contains("--accept database-rows@nasr/aviation:REASON"))
    #expect(try sample.catalogue() == before)
  }

  @Test func `applies the definition's limits and warns below them`() throws {
    try database("2611", ["airports": 19_958, "remarks": 90_000])
    _ = try stage("2611")
    try database("2612", ["airports": 13_571, "remarks": 84_000], loss: .init(warn: 0.06, stop: 0.4))
    let progress = RecordedProgress()
    let findings = try stage("2612", progress: progress)
    #expect(findings.map(\.severity) == [.warning, .warning])
    let warnings = progress.warnings
    #expect(warnings.count == 2 && warnings[0].contains("table airports: it has 13,571 rows"), "\(warnings)")
    #expect(findings.map(\.where) == ["airports", "remarks"].map { "aviation.product.json table \($0)" })
    #expect(findings.map(\.product) == ["nasr/aviation", "nasr/aviation"])
  }

  @Test func `stages an accepted product and records the reason`() throws {
    try database("2611", ["airports": 19_958])
    _ = try stage("2611")
    try database("2612", ["airports": 13_000])
    let acceptance = Acceptance(rule: "database-rows", reason: "private strips <went> away")
    let findings = try stage("2612", accepted: [acceptance])
    #expect(findings.map(\.accepted) == ["private strips <went> away"])
    #expect(findings.map(\.severity) == [.warning])
    #expect(try sample.report().contains("private strips &lt;went&gt; away"))
  }

  @Test func `warns about an unused acceptance`() throws {
    try database("2611", ["airports": 19_958])
    let progress = RecordedProgress()
    _ = try stage(
      "2611", accepted: [Acceptance(rule: "neatline-drift", reason: "new layout")], progress: progress)
    #expect(progress.warnings.contains { $0.contains("neatline-drift") })
  }

  @Test func `ignores a small loss`() throws {
    try database("2611", ["airports": 19_958, "droppedRows": 900])
    _ = try stage("2611")
    try database("2612", ["airports": 19_500, "droppedRows": 0])
    #expect(try stage("2612").isEmpty)
  }

  @Test func `refuses an export that lost a third`() throws {
    try database("2611", ["airports": 68_298], kind: .export)
    _ = try stage("2611")
    try database("2612", ["airports": 40_000], kind: .export)
    #expect(throws: UserError.self) { try stage("2612") }
  }

  @Test func `refuses a missing table`() throws {
    try database("2611", ["airports": 19_958, "fixes": 70_000])
    _ = try stage("2611")
    try database("2612", ["airports": 19_958])
    #expect(throws: UserError.self) { try stage("2612") }
  }
}
