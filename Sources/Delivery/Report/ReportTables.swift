internal import CryptoIO
internal import Pipeline
internal import Validation

/// The sections of the report. One that has nothing to say is nil.
struct ReportTables {
  private let manifest: Manifest

  init(_ manifest: Manifest) {
    self.manifest = manifest
  }

  var missing: String? {
    guard !manifest.missing.isEmpty else { return nil }
    return list(
      "Missing",
      "These could not be made. The messages of the run say why. Once that is mended, the same command makes only these.",
      manifest.missing)
  }

  var notes: String? {
    guard let notes = manifest.notes else { return nil }
    return list("Sources to look at", "Nothing of this was used.", notes.map(\.message))
  }

  private func list(_ title: String, _ text: String, _ items: [String]) -> String {
    """
    <section>
    <h2>\(title)</h2>
    <p>\(text)</p>
    <ul>
    \(items.map { "<li>\(escaped($0))</li>" }.joined(separator: "\n"))
    </ul>
    </section>
    """
  }

  var findings: String? {
    guard !manifest.validation.findings.isEmpty else { return nil }
    let rows = manifest.validation.findings.map { finding in
      HTMLTable.row(
        [
          ("Product", escaped(finding.product)), ("Severity", escaped(finding.severity.rawValue)),
          ("Rule", escaped(finding.rule)), ("Where", escaped(finding.where)),
          ("What", escaped(finding.message) + accepted(finding)),
        ])
    }
    return section("Findings", ["Product", "Severity", "Rule", "Where", "What"], rows)
  }

  private func accepted(_ finding: ProductFinding) -> String {
    finding.accepted.map { "<br><strong>Accepted:</strong> \(escaped($0))" } ?? ""
  }

  var products: String? {
    guard !manifest.products.isEmpty else { return nil }
    let rows = manifest.products.map { product in
      HTMLTable.row(
        [
          ("Product", "<strong>\(escaped(product.name))</strong><br><small>\(escaped(product.id))</small>"),
          ("Edition", day(product.edition)),
          ("In force", "\(day(product.effectiveDate)) to \(day(product.expirationDate))"),
          ("Zooms", zooms(product)), ("Contents", contents(product)), ("Size", sizes(product)),
        ])
    }
    return section("Products", ["Product", "Edition", "In force", "Zooms", "Contents", "Size"], rows)
  }

  var sources: String? {
    let rows = manifest.products.flatMap { product in
      product.sources.map { source in
        HTMLTable.row(
          [
            ("Product", escaped(product.id)), ("Source", escaped(source.url)),
            ("Size", Counts.bytes(source.bytes)), ("SHA-256", "<code>\(source.sha256)</code>"),
          ])
      }
    }
    guard !rows.isEmpty else { return nil }
    return section("Sources", ["Product", "Source", "Size", "SHA-256"], rows)
  }

  private func zooms(_ product: Product) -> String {
    guard let low = product.minZoom, let high = product.maxZoom else { return "none" }
    return low == high ? "\(low)" : "\(low)–\(high)"
  }

  private func contents(_ product: Product) -> String {
    let counts = product.build.counts.sorted { $0.key < $1.key }
    return counts.map { "\(Counts.grouped($0.value)) \(escaped(words($0.key)))" }.joined(separator: ", ")
  }

  /// `distinctTiles` is read as "distinct tiles".
  private func words(_ key: String) -> String {
    key.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
  }

  /// The size is the link to the file, relative to the report's own place.
  private func sizes(_ product: Product) -> String {
    product.files.map { "<a href=\"../../\(escaped($0.path))\">\(Counts.bytes($0.bytes))</a>" }
      .joined(separator: "<br>")
  }

  private func section(_ title: String, _ headings: [String], _ rows: [String]) -> String {
    """
    <section>
    <h2>\(title)</h2>
    \(HTMLTable.of(rows, headings))
    </section>
    """
  }
}
