internal import Core
internal import Pipeline
internal import Validation

/// What is wrong or doubtful, and what to do about it. A section that has nothing to say is nil.
struct FindingSections {
  private let content: ReportContent
  private let anchors: ReportAnchors
  /// What each rule is for.
  private let purposes: [String: String]
  /// More of one rule are folded.
  private static let shown = 8

  init(_ content: ReportContent) {
    self.content = content
    anchors = ReportAnchors(content)
    purposes = Dictionary(Validator.rules.map { ($0.name, $0.protects) }) { first, _ in first }
  }

  var missing: ReportSection? {
    guard !content.missing.isEmpty else { return nil }
    let failures = Dictionary(content.failures.map { ($0.id, $0) }) { _, last in last }
    let items = content.missing.map { id in
      let failure = failures[id]
      let why = failure.map { prose($0.message) } ?? "The messages of the run say why it could not be made."
      let remedy = failure?.remedy.map { "<p class=\"remedy\">\(prose($0))</p>" } ?? ""
      return "<li><strong>\(escaped(id))</strong><p>\(why)</p>\(remedy)</li>"
    }
    return ReportSection(
      "Missing", anchor: "missing", count: items.count,
      "<p>These should be here and could not be made.</p>\n<ul class=\"findings\">\n"
        + "\(items.joined(separator: "\n"))\n</ul>")
  }

  var errors: ReportSection? {
    section("What stops it", anchor: "errors", content.errors)
  }

  var warnings: ReportSection? {
    section("To look at", anchor: "warnings", content.warnings)
  }

  var accepted: ReportSection? {
    section("Accepted", anchor: "accepted", content.accepted)
  }

  var notes: ReportSection? {
    guard !content.notes.isEmpty else { return nil }
    let items = content.notes.map { "<li>\(prose($0.message))</li>" }
    return ReportSection(
      "Sources to look at", anchor: "notes", count: items.count,
      "<p>Nothing of this was used.</p>\n<ul class=\"findings\">\n\(items.joined(separator: "\n"))\n</ul>")
  }

  private func section(_ title: String, anchor: String, _ findings: [ProductFinding]) -> ReportSection? {
    guard !findings.isEmpty else { return nil }
    let rules = Dictionary(grouping: findings, by: \.rule).sorted { $0.key < $1.key }
    return ReportSection(
      title, anchor: anchor, count: findings.count, rules.map(rule).joined(separator: "\n"))
  }

  private func rule(_ name: String, _ findings: [ProductFinding]) -> String {
    let reasons = Set(findings.compactMap(\.accepted)).sorted()
      .map { "<p><strong>Accepted:</strong> “\(escaped($0))”</p>" }
    let purpose = purposes[name].map { "<p class=\"soft\">What the rule is for: \(escaped($0))</p>" } ?? ""
    let items = findings.map(item)
    let rest = items.dropFirst(FindingSections.shown)
    let folded =
      rest.isEmpty
      ? ""
      : "\n<details><summary>\(Counts.grouped(rest.count)) more of this rule</summary>\n"
        + "<ul class=\"findings\">\n\(rest.joined(separator: "\n"))\n</ul></details>"
    return """
      <h3><code>\(escaped(name))</code> <small>\(Counts.grouped(findings.count))</small></h3>
      \(reasons.joined())\(purpose)
      <ul class="findings">
      \(items.prefix(FindingSections.shown).joined(separator: "\n"))
      </ul>\(folded)
      """
  }

  private func item(_ finding: ProductFinding) -> String {
    let product = finding.product.isEmpty ? "" : "<strong>\(anchors.link(to: finding.product))</strong> "
    return "<li>\(product)<small>\(escaped(finding.where))</small><p>\(prose(finding.message))</p></li>"
  }
}
