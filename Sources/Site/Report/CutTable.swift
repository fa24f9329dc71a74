internal import Core
internal import Pipeline

/// Where a chart was cut out of its sheet, and what is printed along each edge; folded.
struct CutTable {
  private let cut: Product.Cut

  init(_ cut: Product.Cut) { self.cut = cut }

  var html: String {
    let headings = ["Edge", "Definition", "Offset", "Evidence", "Inside", "Outside", "Flags"]
    let rows = cut.edges.map { edge in
      let cells = [
        escaped(edge.name), "<code>\(escaped(edge.notation))</code>", offset(edge), evidence(edge),
        shares(edge.inside), edge.outside.map(shares) ?? "rim",
        edge.flags.map { "<strong>\($0.rawValue)</strong>" }.joined(separator: " "),
      ]
      return HTMLTable.row(zip(headings, cells).map { (heading: $0, html: $1) }.filter { !$0.html.isEmpty })
    }
    let isDoubtful =
      cut.source == .auto || cut.insets?.contains { $0.verdict != .masked || $0.name == nil } == true
      || cut.edges.contains { !$0.flags.isEmpty }
    return """
      <details\(isDoubtful ? " open" : "")><summary>Neatline: \(summary)</summary>
      <p class="soft">Offsets are pixels of the sheet, outward from the given edge to where the print was found to end.</p>
      \(HTMLTable.of(rows, headings, style: "stacks always"))\(cut.source == .auto ? "\n" + confirmation : "")
      \(InsetTable(cut.insets ?? []).html)
      </details>
      """
  }

  /// `4 edges, print found within 0.5 px`
  private var summary: String {
    let offsets = cut.edges.compactMap(\.offset).map(abs)
    let count = Counts.of(cut.edges.count, "edge")
    guard let worst = offsets.max() else { return "\(count), none measured" }
    let unclear = cut.edges.count - offsets.count
    return "\(count), print at most \(FigureText.decimal(worst)) px from the given edge"
      + (unclear == 0 ? "" : ", \(unclear) unclear")
  }

  /// What was found, as a definition file has it.
  private var confirmation: String {
    let edges = cut.edges.map { edge in
      let side = edge.name.split(separator: "ern ").first ?? ""
      return "  \(escaped(String(side))): \(escaped(edge.notation)),"
    }
    return """
      <p><strong>auto: please confirm.</strong> The definition has no neatline; this one was found on the sheet.
      Look at the chart's edges, then write into the definition:</p>
      <pre><code>neatline: {
      \(edges.joined(separator: "\n"))
      },</code></pre>
      """
  }

  private func offset(_ edge: Product.Cut.Edge) -> String {
    guard let measured = edge.offset else { return "" }
    let offset = measured == 0 ? 0 : measured  // or it would read -0.0
    return edge.shift == 0 ? "\(offset)" : "\(offset), cut moved by \(edge.shift)"
  }

  /// `unclear: open water`
  private func evidence(_ edge: Product.Cut.Edge) -> String {
    edge.evidence.rawValue + (edge.unmeasured.map { ": \(escaped($0))" } ?? "")
  }

  private func shares(_ shares: Product.Cut.Shares) -> String {
    [("ink", shares.ink), ("paper", shares.paper), ("tint", shares.tint)]
      .map { "\(Int(($0.1.clampedShare * 100).rounded()))\u{A0}% \($0.0)" }.joined(separator: ", ")
  }
}

extension Product.Cut.Edge {
  /// `{ meridian: -125 }`
  fileprivate var notation: String {
    let numbers = values.map { $0 == $0.rounded() && abs($0) < 1e9 ? "\(Int($0))" : "\($0)" }
    let value = numbers.count == 1 ? numbers[0] : "[\(numbers.joined(separator: ", "))]"
    return "{ \(kind): \(value) }"
  }
}

extension Double {
  /// A description may hold any number; one that is no share is shown as none or all.
  fileprivate var clampedShare: Double { isNaN ? 0 : Swift.min(Swift.max(self, 0), 1) }
}
