internal import Core
internal import CryptoIO
internal import Pipeline
internal import Validation

/// What the products were made of, folded: each source once, with its hash.
struct SourceSection {
  private let content: ReportContent

  init(_ content: ReportContent) { self.content = content }

  var section: ReportSection? {
    let uses = Dictionary(
      grouping: content.products.flatMap { placed in
        placed.product.sources.map { (source: $0, product: placed.product.id) }
      }
    ) { "\($0.source.url) \($0.source.sha256)" }
    guard !uses.isEmpty else { return nil }
    let headings = ["Source", "Used by", "Size", "SHA-256"]
    let rows = uses.sorted { $0.key < $1.key }.compactMap { _, uses -> String? in
      guard let source = uses.first?.source else { return nil }
      let products = uses.map { escaped($0.product) }
      let few = products.count > 4 ? [Counts.of(products.count, "product")] : products
      let cells = [
        escaped(source.url), few.joined(separator: "<br>"), Counts.bytes(source.bytes),
        "<code>\(source.sha256)</code>",
      ]
      return HTMLTable.row(zip(headings, cells).map { ($0, $1) })
    }
    return ReportSection(
      "Sources", anchor: "sources", count: rows.count,
      """
      <details><summary>What all of this was made of</summary>
      \(HTMLTable.of(rows, headings))
      </details>
      """)
  }
}
