internal import Core
internal import Pipeline

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

/// A report as people read it: the verdict first, then each file that something is wrong with.
public enum ValidationText {
  public static func render(_ report: ValidationReport) -> String {
    let files = "\(Counts.grouped(report.validated.count)) \(report.validated.count == 1 ? "file" : "files")"
    let verdict =
      report.findings.isEmpty
      ? "All is well: \(files) validated, nothing found."
      : "\(report.ok ? "Good to publish" : "Not to be published"): \(count(report.findings)) in \(files)."
    return ([verdict] + groups(report).flatMap(lines) + missing(report)).joined(separator: "\n") + "\n"
  }

  /// `airports  of vfr-sectional/Atlanta and 55 more: no aviation database of the cycle was validated with it`
  private static func missing(_ report: ValidationReport) -> [String] {
    let all = (report.missingEvidence ?? [:]).sorted { $0.key < $1.key }.flatMap { product, missing in
      missing.map { (product, $0) }
    }
    var products: [String: [String]] = [:]
    var order: [(key: String, source: String, reason: String)] = []
    for (product, evidence) in all {
      let key = "\(evidence.source.rawValue): \(evidence.reason)"
      if products[key] == nil { order.append((key, evidence.source.rawValue, evidence.reason)) }
      products[key, default: []].append(product)
    }
    let width = order.map(\.source.count).max() ?? 0
    let lines = order.map { key, source, reason in
      let names = products[key] ?? []
      let rest = names.count > 1 ? " and \(Counts.grouped(names.count - 1)) more" : ""
      return
        "  \(source)\(String(repeating: " ", count: width - source.count))  \(names.first ?? "")\(rest): \(reason)"
    }
    return lines.isEmpty ? [] : ["", "Evidence of position that was not found"] + lines
  }

  /// `2 errors, 1 warning`
  static func count(_ findings: [Finding]) -> String {
    let errors = findings.count { $0.severity == .error }
    let parts = [(errors, "error"), (findings.count - errors, "warning")].filter { $0.0 > 0 }
      .map { number, word in Counts.of(number, word) }
    return parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
  }

  private struct Group {
    let file: String
    var findings: [Finding]
  }

  /// The findings come file by file, so a group ends where the next file begins.
  private static func groups(_ report: ValidationReport) -> [Group] {
    report.findings.reduce(into: []) { groups, finding in
      let file = self.file(of: finding, in: report)
      if groups.last?.file == file {
        groups[groups.count - 1].findings.append(finding)
      } else {
        groups.append(Group(file: file, findings: [finding]))
      }
    }
  }

  /// A place is a file's path, or that and a blank and a place in it; a path may have blanks too.
  private static func file(of finding: Finding, in report: ValidationReport) -> String {
    let place = finding.where
    let matches = report.validated.filter { place == $0 || place.hasPrefix($0 + " ") }
    return matches.max { $0.count < $1.count } ?? place
  }

  private static func lines(_ group: Group) -> [String] {
    let width = group.findings.map(\.rule.count).max() ?? 0
    return ["", group.file]
      + group.findings.map { finding in
        let inner = finding.where.dropFirst(group.file.count).drop { $0 == " " }
        let severity = finding.severity == .error ? "error  " : "warning"
        let rule = finding.rule + String(repeating: " ", count: width - finding.rule.count)
        return "  \(severity)  \(rule)  \(inner.isEmpty ? "" : "\(inner): ")\(finding.message)"
      }
  }
}

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
