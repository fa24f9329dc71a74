internal import Pipeline
internal import Validation

/// Whether the cycle may go out, in the words with which the report begins.
struct ReportVerdict {
  private enum Style: String {
    case good, doubt, bad
  }

  let headline: String
  private let style: Style
  private let content: ReportContent

  init(_ content: ReportContent) {
    self.content = content
    let warnings = content.warnings.count + content.notes.count
    if !content.errors.isEmpty {
      (headline, style) = ("Not to be published: \(Counts.of(content.errors.count, "error"))", .bad)
    } else if !content.missing.isEmpty {
      (headline, style) = ("Incomplete: \(Counts.of(content.missing.count, "product")) missing", .doubt)
    } else if warnings > 0 {
      (headline, style) = ("Good to publish, with \(Counts.of(warnings, "warning"))", .doubt)
    } else if !content.accepted.isEmpty {
      (headline, style) = (
        "Good to publish, with \(Counts.of(content.accepted.count, "finding")) accepted", .doubt
      )
    } else {
      (headline, style) = ("Good to publish", .good)
    }
  }

  var html: String {
    """
    <div class="verdict \(style.rawValue)">
    <span class="mark" aria-hidden="true">\(mark)</span>
    <div><p><strong>\(headline)</strong></p>
    \(lines.map { "<p>\($0)</p>" }.joined(separator: "\n"))</div>
    </div>
    """
  }

  private var mark: String {
    switch style {
    case .good: "✓"
    case .doubt: "!"
    case .bad: "✕"
    }
  }

  /// What to do, and what somebody answers for.
  private var lines: [String] {
    var lines: [String] = []
    if !content.errors.isEmpty {
      lines.append(
        "Staging refuses this. Mend what is listed under <a href=\"#errors\">What stops it</a> and build again; where the rule "
          + "is right and the cycle is too, accept it with a reason: <code>--accept RULE:REASON</code>.")
    }
    if !content.missing.isEmpty {
      lines.append(
        "What is here is whole and can go out. Once the causes are mended, the same command makes only what is missing."
      )
    }
    if content.findings.isEmpty { lines.append("The rules found nothing wrong.") }
    return lines + reasons
  }

  private var reasons: [String] {
    let rules = Dictionary(grouping: content.accepted, by: \.rule).sorted { $0.key < $1.key }
    return rules.map { rule, findings in
      let reasons = Set(findings.compactMap(\.accepted)).sorted().map(escaped).joined(separator: "; ")
      return
        "Accepted: \(Counts.of(findings.count, "finding")) of <code>\(escaped(rule))</code>: “\(reasons)”"
    }
  }
}
