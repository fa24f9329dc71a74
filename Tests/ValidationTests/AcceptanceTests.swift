import Testing
import Validation

struct AcceptanceTests {
  private static let errors = ["tiles-decode", "product-hash"].map {
    Finding(rule: $0, severity: .error, where: "a.mbtiles", message: "broken")
  }

  @Test func `what is accepted is a warning that gives the reason, and the rest stands`() {
    let acceptance = Acceptance(rule: "tiles-decode", reason: "one tile of open sea")
    let report = ValidationReport(findings: Self.errors).accepting([acceptance])
    #expect(!report.ok)
    #expect(report.findings.map(\.severity) == [.warning, .error])
    #expect(report.findings.map(\.accepted) == ["one tile of open sea", nil])
    let all = report.accepting([Acceptance(rule: "product-hash", reason: "copied by hand")])
    #expect(all.ok && all.strict().ok)
  }

  @Test func `an acceptance of what nobody found is idle`() {
    let acceptances = ["tiles-decode", "place"].map { Acceptance(rule: $0, reason: "known") }
    #expect(ValidationReport(findings: Self.errors).idle(acceptances).map(\.rule) == ["place"])
  }

  @Test func `the text has a rule that exists, and a reason that may hold colons`() throws {
    let acceptance = try Acceptance(" database-rows : closed: 400 strips ")
    #expect(acceptance == Acceptance(rule: "database-rows", reason: "closed: 400 strips"))
  }

  @Test(arguments: ["", "database-rows", "database-rows:", "database-rows:  ", ":why"])
  func `a text without a rule or a reason is refused`(text: String) {
    #expect(throws: Acceptance.Misreading.noReason(text)) { try Acceptance(text) }
  }

  @Test func `an unknown rule is refused`() {
    #expect(throws: Acceptance.Misreading.noSuchRule("database-row")) { try Acceptance("database-row:why") }
  }
}
