internal import Pipeline

/// The report's section on where the charts were cut out of their sheets: for each chart a table of its edges.
struct CutTables {
  private let charts: [(product: Product, cut: Product.Cut)]

  init(_ manifest: Manifest) {
    charts = manifest.products.compactMap { product in product.cut.map { (product, $0) } }
  }

  /// Nil when there is no chart.
  var section: String? {
    guard !charts.isEmpty else { return nil }
    return """
      <section>
      <h2>Neatlines</h2>
      <p>Offsets are pixels of the sheet, outward from the given edge to where the print was found to end.</p>
      \(charts.map(chart).joined(separator: "\n"))
      </section>
      """
  }

  private func chart(_ product: Product, _ cut: Product.Cut) -> String {
    let headings = ["Edge", "Definition", "Offset", "Evidence", "Inside", "Outside", "Flags"]
    let rows = cut.edges.map { edge in
      let cells = [
        escaped(edge.name), "<code>\(escaped(edge.notation))</code>", offset(edge), edge.evidence.rawValue,
        shares(edge.inside), edge.outside.map(shares) ?? "rim",
        edge.flags.map { "<strong>\($0.rawValue)</strong>" }.joined(separator: " "),
      ]
      return HTMLTable.row(zip(headings, cells).map { (heading: $0, html: $1) })
    }
    return "<h3>\(escaped(product.name)) <small>\(escaped(product.id))</small></h3>\n"
      + HTMLTable.of(rows, headings) + (cut.source == .auto ? "\n" + confirmation(cut) : "")
  }

  /// What was found, as a definition file has it.
  private func confirmation(_ cut: Product.Cut) -> String {
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
