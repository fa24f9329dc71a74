/// Somebody's word that what a rule finds may pass this time, and why.
public struct Acceptance: Codable, Equatable, Sendable {
  public var rule: String
  public var reason: String

  public init(rule: String, reason: String) {
    self.rule = rule
    self.reason = reason
  }

  /// Reads `database-rows:the FAA closed 400 strips`. A reason is not to be left out: it is all that a reader of the
  /// report will have.
  public init(_ text: String) throws(Misreading) {
    let halves = text.split(separator: ":", maxSplits: 1).map { $0.trimmingBlanks }
    guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty else { throw .noReason(text) }
    guard Validator.rules.contains(where: { $0.name == halves[0] }) else { throw .noSuchRule(halves[0]) }
    self.init(rule: halves[0], reason: halves[1])
  }

  public enum Misreading: Error, Equatable {
    case noReason(String)
    case noSuchRule(String)
  }
}

extension ValidationReport {
  /// The same, with what somebody answers for as warnings that give the reason.
  public func accepting(_ acceptances: [Acceptance]) -> ValidationReport {
    let reasons = Dictionary(acceptances.map { ($0.rule, $0.reason) }) { first, _ in first }
    var report = self
    for index in findings.indices {
      guard let reason = reasons[findings[index].rule] else { continue }
      report.findings[index].severity = .warning
      report.findings[index].accepted = reason
    }
    report.ok = report.findings.allSatisfy { $0.severity != .error }
    return report
  }

  /// Those that nothing was found for: the call may name another rule than was meant.
  public func idle(_ acceptances: [Acceptance]) -> [Acceptance] {
    acceptances.filter { acceptance in !findings.contains { $0.rule == acceptance.rule } }
  }
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
