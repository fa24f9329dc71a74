internal import Core
internal import Pipeline
internal import Validation

/// All products at a look, for a page that is too long to be looked through.
struct ProductIndex {
  private let content: ReportContent
  private static let fewProducts = 5

  init(_ content: ReportContent) { self.content = content }

  var section: ReportSection? {
    guard content.products.count >= ProductIndex.fewProducts else { return nil }
    let hasChange = content.facts.values.contains { $0.change?.tiles != nil }
    let headings = ["Product", "Edition", "Size"] + (hasChange ? ["Changed tiles"] : []) + ["Findings"]
    let anchors = ReportAnchors(content)
    let rows = content.products.map { placed in
      let product = placed.product
      let findings = content.findings(of: product).count
      let cells =
        [
          "\(anchors.link(to: product.id, text: product.name)) <small>\(escaped(product.id))</small>",
          day(product.edition), Counts.bytes(product.files.map(\.bytes).reduce(0, +)),
        ] + (hasChange ? [change(product)] : []) + [findings == 0 ? "none" : Counts.grouped(findings)]
      return HTMLTable.row(zip(headings, cells).map { ($0, $1) })
    }
    return ReportSection(
      "All products", anchor: "products", count: rows.count,
      "<div class=\"index\">\(HTMLTable.of(rows, headings, style: "wide"))</div>")
  }

  private func change(_ product: Product) -> String {
    guard let tiles = content.facts[product.id]?.change?.tiles else { return "–" }
    let changed = tiles.changed + tiles.added + tiles.removed
    return changed == 0 ? "none" : Counts.grouped(changed)
  }
}
