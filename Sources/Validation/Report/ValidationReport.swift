/// All that the rules found, in the order of the files, then of the rules, then as each rule met it.
public struct ValidationReport: Codable, Equatable, Sendable {
  /// Whether there is no error.
  public var ok: Bool
  public var findings: [Finding]
  /// The files that were looked at. Not part of the JSON, whose form is fixed.
  public var validated: [String] = []
  /// What the rules measured, by product. Not part of the JSON either: a cycle's manifest has it.
  public var facts: [String: ProductFacts] = [:] {
    didSet {
      let missing = facts.compactMapValues(\.missing)
      missingEvidence = missing.isEmpty ? nil : missing
    }
  }
  /// By product, what could show where a chart lies and was not found; nil where nothing is missing.
  public private(set) var missingEvidence: [String: [ProductFacts.MissingEvidence]]?

  private enum CodingKeys: String, CodingKey {
    case ok
    case findings
    case missingEvidence
  }

  public init(findings: [Finding], validated: [String] = []) {
    ok = findings.allSatisfy { $0.severity != .error }
    self.findings = findings
    self.validated = validated
  }

  /// The same, with each warning counted as an error, but for those that somebody answers for.
  public func strict() -> ValidationReport {
    var report = self
    for index in findings.indices where findings[index].accepted == nil {
      report.findings[index].severity = .error
    }
    report.ok = report.findings.allSatisfy { $0.severity != .error }
    return report
  }

  mutating func add(_ findings: [Finding]) {
    self.findings += findings
    ok = ok && findings.allSatisfy { $0.severity != .error }
  }

  /// What was found in a file, and the id of the product that it belongs to.
  mutating func add(_ result: FileCheck.Result, of product: String?) {
    add(
      result.findings.map { finding in
        var finding = finding
        finding.product = finding.product ?? product
        return finding
      })
    if let product { facts[product, default: ProductFacts()].add(result.facts) }
  }
}
