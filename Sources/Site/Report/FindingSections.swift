internal import Core

/// The sections about missing products, errors, warnings, accepted findings and notes. An empty section is nil.
extension ReportContent {
  /// The purpose of each rule.
  private static let purposes = Dictionary(first: Validator.rules.map { ($0.name, $0.protects) })
  /// The number of findings of a rule that are not folded.
  private static let shown = 8

  var missingSection: ReportSection? {
    guard !missing.isEmpty else { return nil }
    let failures = Dictionary(failures.map { ($0.id, $0) }) { _, last in last }
    let items = missing.map { id in
      let failure = failures[id]
      let why = failure.map { prose($0.message) } ?? "The messages of the run say why it could not be built."
      let remedy = failure?.remedy.map { "<p class=\"remedy\">\(prose($0))</p>" } ?? ""
      return "<li><strong>\(escaped(id))</strong><p>\(why)</p>\(remedy)</li>"
    }
    return ReportSection(
      "Missing", anchor: "missing", count: items.count,
      "<p>These products could not be built.</p>\n<ul class=\"findings\">\n"
        + "\(items.joined(separator: "\n"))\n</ul>")
  }

  var noteSection: ReportSection? {
    guard !notes.isEmpty else { return nil }
    let items = notes.map { "<li>\(prose($0.message))</li>" }
    return ReportSection(
      "Notes about sources", anchor: "notes", count: items.count,
      "<p>None of these files was used.</p>\n<ul class=\"findings\">\n\(items.joined(separator: "\n"))\n</ul>"
    )
  }

  func section(_ title: String, _ findings: [Finding]) -> ReportSection? {
    guard !findings.isEmpty else { return nil }
    let rules = Dictionary(grouping: findings, by: \.rule).sorted { $0.key < $1.key }
    return ReportSection(
      title, anchor: title.lowercased(), count: findings.count, rules.map(rule).joined(separator: "\n"))
  }

  private func rule(_ name: String, _ findings: [Finding]) -> String {
    let reasons = Set(findings.compactMap(\.accepted)).sorted()
      .map { "<p><strong>Accepted:</strong> “\(escaped($0))”</p>" }
    let purpose =
      ReportContent.purposes[name].map { "<p class=\"soft\">Purpose of the rule: \(escaped($0))</p>" } ?? ""
    let items = findings.map(item)
    let rest = Array(items.dropFirst(ReportContent.shown))
    return """
      <h3><code>\(escaped(name))</code> <small>\(Counts.grouped(findings.count))</small></h3>
      \(reasons.joined())\(purpose)
      <ul class="findings">
      \(items.prefix(ReportContent.shown).joined(separator: "\n"))
      </ul>\(folded("\(Counts.grouped(rest.count)) more of this rule", rest, list: "findings"))
      """
  }

  private func item(_ finding: Finding) -> String {
    let product = finding.product ?? ""
    let link = product.isEmpty ? "" : "<strong>\(link(to: product))</strong> "
    return "<li>\(link)<small>\(escaped(finding.where))</small><p>\(prose(finding.message))</p></li>"
  }
}

extension HeldProduct {
  /// The number of errors of a product that are not folded.
  private static let shown = 3

  fileprivate var item: String {
    """
    <li><strong>\(escaped(name))</strong> <small>\(escaped(id)), edition \(day(edition))</small>
    \(reason)
    <p class="remedy">\(stays)</p></li>
    """
  }

  private var reason: String {
    guard !findings.isEmpty else { return "<p>Held back because \(prose(message)).</p>" }
    let lines = findings.map {
      "<p><code>\(escaped($0.rule))</code> \(escaped($0.where)): \(prose($0.message))</p>"
    }
    let rest = Array(lines.dropFirst(HeldProduct.shown))
    return lines.prefix(HeldProduct.shown).joined(separator: "\n")
      + folded(Counts.of(rest.count, "more error"), rest)
  }

  private var stays: String {
    guard let published else { return "No earlier edition is known here, so no edition is published." }
    return
      "The edition of \(day(published.edition)) stays published, as built for cycle \(published.cycle). "
      + "It is in force from \(day(published.effectiveDate)) to \(day(published.expirationDate))."
  }
}

extension ReportContent {
  /// The products held back, the reasons, and the editions that stay published. Refused products come before those that contain parts
  /// of them.
  var heldSection: ReportSection? {
    guard !held.isEmpty else { return nil }
    let items = (held.filter { $0.because == nil } + held.filter { $0.because != nil }).map(\.item)
    return ReportSection(
      "Held back", anchor: "held", count: held.count,
      "<p>Validation refused these products, or they contain parts of a refused product. These builds are not published.</p>\n"
        + "<ul class=\"findings\">\n\(items.joined(separator: "\n"))\n</ul>")
  }

  /// `56 of 57 charts published; Seattle held back`
  var heldHeadline: String {
    let isOfCharts = held.allSatisfy { $0.kind == .chart }
    let published = isOfCharts ? self.products(.chart).count : products.count
    let noun = isOfCharts ? "chart" : "product"
    let refused = held.filter { $0.because == nil }.map(\.name)
    let names = refused.isEmpty ? held.map(\.name) : refused
    return "\(Counts.grouped(published)) of \(Counts.of(published + held.count, noun)) published; "
      + "\(Counts.some(names, atMost: 4)) held back"
  }
}
