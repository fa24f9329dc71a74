/// All that the rules found, in the order of the files, then of the rules, then as each rule met it.
public struct ValidationReport: Codable, Equatable, Sendable {
  /// Whether there is no error.
  public var ok: Bool
  public var findings: [Finding]
  /// The files that were looked at. Not part of the JSON, whose form is fixed.
  public var validated: [String] = []

  private enum CodingKeys: String, CodingKey {
    case ok
    case findings
  }

  public init(findings: [Finding], validated: [String] = []) {
    ok = findings.allSatisfy { $0.severity != .error }
    self.findings = findings
    self.validated = validated
  }

  /// The same, with each warning counted as an error.
  public func strict() -> ValidationReport {
    let errors = findings.map {
      Finding(rule: $0.rule, severity: .error, where: $0.where, message: $0.message)
    }
    return ValidationReport(findings: errors, validated: validated)
  }
}
