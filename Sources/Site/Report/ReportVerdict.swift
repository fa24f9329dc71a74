internal import Core
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
    } else if !content.held.isEmpty {
      let missing =
        content.missing.isEmpty ? "" : "; \(Counts.of(content.missing.count, "product")) missing"
      (headline, style) = (content.heldHeadline + missing, .doubt)
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
    <div><p><strong>\(escaped(headline))</strong></p>
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
        "\(refusal) Fix what is listed under <a href=\"#errors\">What stops it</a> and build again; where the rule is right and "
          + "the cycle is too, accept it with a reason: <code>--accept RULE:REASON</code>.")
    }
    lines += heldLines
    if !content.missing.isEmpty {
      lines.append(
        "What is here is whole and can go out. Once the causes are fixed, the same command makes only what is missing."
      )
    }
    if content.findings.isEmpty, content.held.isEmpty { lines.append("The rules found nothing wrong.") }
    return lines + reasons
  }

  /// Whom the errors stop: products by themselves, or all.
  private var refusal: String {
    let named = Set(content.errors.map(\.product))
    let refused = content.products.map(\.product).filter { named.contains($0.id) }
    guard named.count == refused.count, refused.count < content.products.count else {
      return "Staging refuses this."
    }
    let names = refused.prefix(8).map { escaped($0.name) }.joined(separator: ", ")
    return
      "Staging holds back \(names)\(refused.count > 8 ? " and \(refused.count - 8) more" : "") with what contains parts of "
      + "it, and takes the rest; with <code>--strict</code> it takes nothing."
  }

  private var heldLines: [String] {
    let refused = content.held.filter { $0.because == nil }
    let lines = refused.prefix(4).map { held in
      "\(escaped(held.name)) held back: <code>\(escaped(held.rule ?? ""))</code> \(prose(held.message))"
    }
    guard !refused.isEmpty else { return [] }
    return lines + [
      "What stays published in their place is listed under <a href=\"#held\">Held back</a>. Once the causes are fixed, the same "
        + "command makes only what is held back."
    ]
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
