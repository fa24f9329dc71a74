internal import Core
internal import Pipeline

/// What is held back, why, and which edition stays published in its place.
struct HeldSection {
  private let held: [HeldProduct]
  /// More of one product are folded.
  private static let shown = 3

  init(_ content: ReportContent) {
    held = content.held
  }

  var section: ReportSection? {
    guard !held.isEmpty else { return nil }
    return ReportSection(
      "Held back", anchor: "held", count: held.count,
      "<p>Validation refused these, or they contain parts of what it refused. They are not published in this cycle.</p>\n"
        + "<ul class=\"findings\">\n\(refusedFirst.map(item).joined(separator: "\n"))\n</ul>")
  }

  /// What was refused itself comes before what is held back because of it.
  private var refusedFirst: [HeldProduct] {
    held.filter { $0.because == nil } + held.filter { $0.because != nil }
  }

  private func item(_ held: HeldProduct) -> String {
    """
    <li><strong>\(escaped(held.name))</strong> <small>\(escaped(held.id)), edition \(day(held.edition))</small>
    \(reason(held))
    <p class="remedy">\(stays(held))</p></li>
    """
  }

  private func reason(_ held: HeldProduct) -> String {
    guard !held.findings.isEmpty else { return "<p>Held back because \(prose(held.message)).</p>" }
    let lines = held.findings.map {
      "<p><code>\(escaped($0.rule))</code> \(escaped($0.where)): \(prose($0.message))</p>"
    }
    let rest = lines.dropFirst(HeldSection.shown)
    let folded =
      rest.isEmpty
      ? ""
      : "\n<details><summary>\(Counts.of(rest.count, "more error"))</summary>\(rest.joined(separator: "\n"))</details>"
    return lines.prefix(HeldSection.shown).joined(separator: "\n") + folded
  }

  private func stays(_ held: HeldProduct) -> String {
    guard let published = held.published else {
      return "No earlier edition is known here, so nothing is published of it."
    }
    return
      "The edition of \(day(published.edition)) stays published, as built for cycle \(escaped(published.cycle)). "
      + "It is in force from \(day(published.effectiveDate)) to \(day(published.expirationDate))."
  }
}

extension ReportContent {
  /// `56 of 57 charts published; Seattle held back`
  var heldHeadline: String {
    let isOfCharts = held.allSatisfy { $0.kind == .chart }
    let published = isOfCharts ? self.products(.chart).count : products.count
    let noun = isOfCharts ? "chart" : "product"
    let refused = held.filter { $0.because == nil }.map(\.name)
    let names = refused.isEmpty ? held.map(\.name) : refused
    let rest = names.count > 4 ? " and \(names.count - 4) more" : ""
    return "\(Counts.grouped(published)) of \(Counts.of(published + held.count, noun)) published; "
      + "\(names.prefix(4).joined(separator: ", "))\(rest) held back"
  }
}
