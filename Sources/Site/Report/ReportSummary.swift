internal import Core

/// The verdict at the top of the report: whether the cycle can be published.
struct ReportVerdict {
  let headline: String
  private let style: String
  private let content: ReportContent

  init(_ content: ReportContent) {
    self.content = content
    if !content.errors.isEmpty {
      (headline, style) = ("Not to be published: \(Counts.of(content.errors.count, "error"))", "bad")
    } else if !content.held.isEmpty {
      let missing =
        content.missing.isEmpty ? "" : "; \(Counts.of(content.missing.count, "product")) missing"
      (headline, style) = (content.heldHeadline + missing, "doubt")
    } else if !content.missing.isEmpty {
      (headline, style) = ("Incomplete: \(Counts.of(content.missing.count, "product")) missing", "doubt")
    } else if content.doubts > 0 {
      (headline, style) = ("Good to publish, with \(Counts.of(content.doubts, "warning"))", "doubt")
    } else if !content.accepted.isEmpty {
      (headline, style) = (
        "Good to publish, with \(Counts.of(content.accepted.count, "finding")) accepted", "doubt"
      )
    } else {
      (headline, style) = ("Good to publish", "good")
    }
  }

  var html: String {
    """
    <div class="verdict \(style)">
    <span class="mark" aria-hidden="true">\(ReportVerdict.marks[style] ?? "")</span>
    <div><p><strong>\(escaped(headline))</strong></p>
    \(lines.map { "<p>\($0)</p>" }.joined(separator: "\n"))</div>
    </div>
    """
  }

  private static let marks = ["good": "✓", "doubt": "!", "bad": "✕"]

  /// The next steps, and the accepted findings.
  private var lines: [String] {
    var lines: [String] = []
    if !content.errors.isEmpty {
      lines.append(
        "\(refusal) Fix the errors listed under <a href=\"#errors\">Errors</a> and build again. If the cycle "
          + "is correct, accept a finding with a reason: <code>--accept RULE@PRODUCT:REASON</code>.")
    }
    lines += heldLines
    if !content.missing.isEmpty {
      lines.append(
        "The other products are complete and can be published. After the causes are fixed, the same command builds only what is missing."
      )
    }
    if content.findings.isEmpty, content.held.isEmpty { lines.append("The rules found no problems.") }
    return lines + reasons
  }

  /// States whether the errors refuse single products or all.
  private var refusal: String {
    let named = Set(content.errors.map(\.product))
    let refused = content.products.map(\.product).filter { named.contains($0.id) }
    guard named.count == refused.count, refused.count < content.products.count else {
      return "Staging refuses this."
    }
    let names = Counts.some(refused.map { escaped($0.name) }, atMost: 8)
    return "Staging holds back \(names) and the products that contain parts of it, "
      + "and stages the rest. With <code>--strict</code> it stages nothing."
  }

  private var heldLines: [String] {
    let refused = content.held.filter { $0.because == nil }
    let lines = refused.prefix(4).map { held in
      "\(escaped(held.name)) held back: <code>\(escaped(held.rule ?? ""))</code> \(prose(held.message))"
    }
    guard !refused.isEmpty else { return [] }
    return lines + [
      "The editions that stay published are listed under <a href=\"#held\">Held back</a>. After the causes are fixed, the same "
        + "command builds only what is held back."
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

extension ReportContent {
  /// The numbers that show how large a cycle is.
  var figures: String {
    let kinds = [Product.Kind.chart, .database, .export].map { kind in
      (kind.rawValue, kind.rawValue + "s", products(kind).count)
    }
    let numbers =
      kinds + [
        ("held back", "held back", held.count), ("missing", "missing", missing.count),
        ("warning", "warnings", doubts),
      ]
    let tiles = facts.values.compactMap(\.change?.tiles)
    let changed = "\(Counts.grouped(tiles.count { $0.differing > 0 })) of \(Counts.grouped(tiles.count))"
    return definitionList(
      numbers.map { one, many, number in (number == 1 ? one : many, number == 0 ? "" : Counts.grouped(number))
      }
        + [
          ("in all", products.isEmpty ? "" : Counts.bytes(bytes)),
          // Of the charts that could be compared with earlier ones.
          ("charts changed", tiles.isEmpty ? "" : changed),
        ], style: "figures")
  }

  private static let fewProducts = 5

  /// A table of all products, for a long page.
  var productIndex: ReportSection? {
    guard products.count >= ReportContent.fewProducts else { return nil }
    let hasChange = facts.values.contains { $0.change?.tiles != nil }
    let headings = ["Product", "Edition", "Size"] + (hasChange ? ["Changed tiles"] : []) + ["Findings"]
    let rows = products.map(\.product).map { product in
      let findings = findings(of: product).count
      let changed = facts[product.id]?.change?.tiles.map(\.differing)
      return [
        "\(link(to: product.id, text: product.name)) <small>\(escaped(product.id))</small>",
        day(product.edition), Counts.bytes(product.files.map(\.bytes).reduce(0, +)),
      ] + (hasChange ? [changed.map { $0 == 0 ? "none" : Counts.grouped($0) } ?? "–"] : [])
        + [findings == 0 ? "none" : Counts.grouped(findings)]
    }
    return ReportSection(
      "All products", anchor: "products", count: rows.count,
      "<div class=\"index\">\(htmlTable(headings, rows, style: "wide"))</div>")
  }

  /// The archive of each chart, the largest of each family first, against the limits of the definition. A mosaic repeats its charts.
  var sizeSection: ReportSection? {
    let charts = products(.chart).map(\.product).filter { $0.archiveBytes > 0 && !$0.isMosaic }
    let families = Dictionary(grouping: charts, by: \.id.pipelineOfID).sorted { $0.key < $1.key }
    let tables = families.map { pipeline, charts in
      let limits = charts.compactMap(\.build.maxMegabytes).first ?? [:]
      let sizes = charts.sorted { ($1.archiveBytes, $0.id) < ($0.archiveBytes, $1.id) }.map {
        (link(to: $0.id, text: $0.name), $0.archiveBytes, limits["chart"])
      }
      let sum = charts.map(\.archiveBytes).reduce(0, +)
      let rows = [("<em>\(Counts.of(charts.count, "chart"))</em>", sum, limits["family"])] + sizes
      return htmlTable(
        ["Chart", "Size"] + (limits.isEmpty ? [] : ["Share", "Of the limit"]),
        rows.map { [$0, Counts.bytes($1)] + (limits.isEmpty ? [] : share($1, of: $2)) }, style: "plot sizes",
        caption: escaped(pipeline))
    }
    return tables.isEmpty ? nil : ReportSection("Sizes", anchor: "sizes", tables.joined(separator: "\n"))
  }

  /// A bar and `96.2% of 250 MB`; empty without a limit.
  private func share(_ bytes: Int, of megabytes: Int?) -> [String] {
    guard let megabytes, megabytes > 0 else { return ["", ""] }
    let share = Double(bytes) / (Double(megabytes) * 1e6)
    let bar = plotBar(
      filled: share * expectedOnBar, marks: [expectedOnBar], style: share > 1 ? "off" : "within")
    let words = "\(NumberText.decimal(share * 100, digits: 1))% of \(Counts.grouped(megabytes)) MB"
    return [bar, share > 1 ? "<strong>\(words)</strong>" : words]
  }

  /// The sources of the products, folded: each once, with its hash.
  var sourceSection: ReportSection? {
    let uses = Dictionary(
      grouping: products.flatMap { placed in
        placed.product.sources.map { (source: $0, product: placed.product.id) }
      }
    ) { "\($0.source.url) \($0.source.sha256)" }
    guard !uses.isEmpty else { return nil }
    let headings = ["Source", "Used by", "Size", "SHA-256"]
    let rows = uses.sorted { $0.key < $1.key }.compactMap { _, uses -> [String]? in
      guard let source = uses.first?.source else { return nil }
      let products = uses.map { escaped($0.product) }
      let few = products.count > 4 ? [Counts.of(products.count, "product")] : products
      return [
        escaped(source.url), few.joined(separator: "<br>"), Counts.bytes(source.bytes),
        "<code>\(source.sha256)</code>",
      ]
    }
    return ReportSection(
      "Sources", anchor: "sources", count: rows.count,
      """
      <details><summary>The sources of all products</summary>
      \(htmlTable(headings, rows))
      </details>
      """)
  }

  /// The number of warnings, with the notes about sources.
  fileprivate var doubts: Int { warnings.count + notes.count }
}
