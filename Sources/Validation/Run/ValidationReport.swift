internal import Core
internal import Foundation

/// The findings of all rules, ordered by file, then by rule, then as the rule reported them.
public struct ValidationReport: Codable, Equatable, Sendable {
  /// Whether there is no error.
  public private(set) var ok: Bool
  public var findings: [Finding] {
    didSet { ok = findings.allSatisfy { $0.severity != .error } }
  }
  /// The files that were validated. Not part of the JSON.
  public var validated: [String] = []
  /// The measured facts, by product. Not part of the JSON: a cycle's manifest has them.
  public var facts: [String: ProductFacts] = [:] {
    didSet {
      let missing = facts.compactMapValues(\.missing)
      missingEvidence = missing.isEmpty ? nil : missing
    }
  }
  /// Evidence of a chart's place that was not found, by product; nil where nothing is missing.
  public private(set) var missingEvidence: [String: [ProductFacts.MissingEvidence]]?

  private enum CodingKeys: String, CodingKey {
    case ok
    case findings
    case missingEvidence
  }

  public init(findings: [Finding], validated: [String] = []) {
    ok = findings.allSatisfy { $0.severity != .error }
    (self.findings, self.validated) = (findings, validated)
  }

  /// Returns the report with each warning that was not accepted as an error.
  public func strict() -> ValidationReport {
    var report = self
    for index in findings.indices where findings[index].accepted == nil {
      report.findings[index].severity = .error
    }
    return report
  }

  /// - Parameter product: the id of the product that has the findings; nil where each finding names its product.
  mutating func add(_ result: RuleResult, of product: String? = nil) {
    findings += result.findings.map { finding in
      var finding = finding
      finding.product = finding.product ?? product
      return finding
    }
    if let product { facts[product, default: ProductFacts()].add(ProductFacts()) }
    facts.add(result.facts)
  }
}

/// Renders a report as text: the verdict, then the findings of each file.
public enum ValidationText {
  public static func render(_ report: ValidationReport) -> String {
    let files = "\(Counts.grouped(report.validated.count)) \(report.validated.count == 1 ? "file" : "files")"
    let verdict =
      report.findings.isEmpty
      ? "All is well: \(files) validated, nothing found."
      : "\(report.ok ? "Good to publish" : "Not to be published"): \(count(report.findings)) in \(files)."
    let parts = [verdict] + audits(report) + groups(report).flatMap(lines) + missing(report)
    return parts.joined(separator: "\n") + "\n"
  }

  /// `nasr/aviation audited: 4,042,685 values, 0 differ`
  private static func audits(_ report: ValidationReport) -> [String] {
    report.facts.sorted { $0.key < $1.key }.compactMap { product, facts in
      facts.audit.map { "\(product) \($0.text); columns and tables that are not audited: \($0.unaudited)" }
    }
  }

  /// `airports  of vfr-sectional/Atlanta and 55 more: no aviation database of the cycle was validated with it`
  private static func missing(_ report: ValidationReport) -> [String] {
    let all = (report.missingEvidence ?? [:]).sorted { $0.key < $1.key }.flatMap { product, missing in
      missing.map { (product, $0) }
    }
    var groups: [(evidence: ProductFacts.MissingEvidence, products: [String])] = []
    for (product, evidence) in all {
      if let index = groups.firstIndex(where: { $0.evidence == evidence }) {
        groups[index].products.append(product)
      } else {
        groups.append((evidence, [product]))
      }
    }
    let width = groups.map(\.evidence.source.rawValue.count).max() ?? 0
    let lines = groups.map { evidence, products in
      let source = evidence.source.rawValue
      let rest = products.count > 1 ? " and \(Counts.grouped(products.count - 1)) more" : ""
      let blanks = String(repeating: " ", count: width - source.count)
      return "  \(source)\(blanks)  \(products[0])\(rest): \(evidence.reason)"
    }
    return lines.isEmpty ? [] : ["", "Evidence that was not found"] + lines
  }

  /// `2 errors, 1 warning`
  static func count(_ findings: [Finding]) -> String {
    let errors = findings.count { $0.severity == .error }
    let parts = [(errors, "error"), (findings.count - errors, "warning")].filter { $0.0 > 0 }
      .map { number, word in Counts.of(number, word) }
    return parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
  }

  private typealias Group = (file: String, findings: [Finding])

  /// Groups consecutive findings of one file.
  private static func groups(_ report: ValidationReport) -> [Group] {
    report.findings.reduce(into: []) { groups, finding in
      let file = self.file(of: finding, in: report)
      if groups.last?.file == file {
        groups[groups.count - 1].findings.append(finding)
      } else {
        groups.append((file, [finding]))
      }
    }
  }

  /// Returns the file of a finding. A place is a path, optionally followed by a space and a location; a path may have spaces too.
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

/// The user's decision to let the findings of a rule pass, with a reason.
public struct Acceptance: Codable, Equatable, Sendable {
  public var rule: String
  /// The id of the only product whose findings pass; nil for all products.
  public var product: String?
  public var reason: String
}

extension Acceptance {
  /// Parses `database-rows:the FAA closed 400 strips` and `place-evidence@vfr-terminal/Chicago:compared by hand`. The reason is required, since
  /// the report shows it.
  public init?(_ text: String) {
    func halves(_ text: String, _ separator: Character) -> [String] {
      text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
      }
    }
    let parts = halves(text, ":")
    let about = halves(parts[0], "@")
    guard parts.count == 2, !(about + parts).contains("") else { return nil }
    self.init(rule: about[0], product: about.count == 2 ? about[1] : nil, reason: parts[1])
  }

  func covers(_ finding: Finding) -> Bool {
    rule == finding.rule && (product == nil || product == finding.product)
  }

  /// Warns that it covers no finding. Its product may be mistyped, or named without its pipeline.
  public func warnUnused(_ step: String, among products: [String], _ progress: any ProgressReporter) {
    let similar = product.flatMap { name in
      products.first { $0.hasSuffix("/\(name)") } ?? nearest(to: name, among: products)
    }
    let hint = similar.map { $0 == product ? "" : ". Did you mean \(rule)@\($0)?" } ?? ""
    let place = rule + (product.map { "@\($0)" } ?? "")
    progress.warn(step, "\(place) has no findings, so there was nothing to accept\(hint)")
  }
}

extension ValidationReport {
  /// Returns the report with accepted findings as warnings that give the reason.
  public func accepting(_ acceptances: [Acceptance]) -> ValidationReport {
    var report = self
    for index in findings.indices {
      guard let acceptance = acceptances.first(where: { $0.covers(findings[index]) }) else { continue }
      report.findings[index].severity = .warning
      report.findings[index].accepted = acceptance.reason
    }
    return report
  }
}
