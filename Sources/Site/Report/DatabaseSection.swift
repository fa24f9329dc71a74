internal import Core
internal import Pipeline
internal import Validation

/// A card for each database: its tables, what changed in it, and what of the FAA's data it could not take.
struct DatabaseSection {
  private let content: ReportContent

  init(_ content: ReportContent) { self.content = content }

  var section: ReportSection? {
    let databases = content.products(.database).map(\.product)
    guard !databases.isEmpty else { return nil }
    let cards = databases.map { product in
      """
      <article class="card" id="\(ReportAnchors.anchor(product.id))">
      \(ProductHead(product, content.findings(of: product)).html)
      <div class="told">
      \(HTMLTable.definitions(definitions(product)))
      \(RowTable(product, content.facts[product.id]?.change).html)
      </div>
      <div class="told">
      \(content.changes[product.id].map { ChangeList($0).html } ?? "")
      \(content.problems[product.id].map { ProblemList($0, of: .database).html } ?? "")
      \(ProductFiles(product, isStaged: content.isStaged).html)
      </div>
      </article>
      """
    }
    return ReportSection(
      "Databases", anchor: "databases", count: cards.count,
      "<div class=\"databases\">\n\(cards.joined(separator: "\n"))\n</div>")
  }

  private func definitions(_ product: Product) -> [(term: String, html: String)] {
    let size = product.files.map { Counts.bytes($0.bytes) }.joined(separator: " + ")
    let rows = RowTable.rows(of: product).values.map(Double.init).reduce(0, +)
    return [
      ("Size", size),
      (
        "Rows",
        "\(FigureText.decimal(rows, digits: 0)) in \(Counts.of(RowTable.rows(of: product).count, "table"))"
      ),
      ("Moved", moved(content.facts[product.id]?.change)),
    ].filter { !$0.1.isEmpty }
  }

  /// `3 airports by more than a mile since 2611`
  private func moved(_ change: ProductFacts.Change?) -> String {
    guard let change, let count = change.movedAirports, count > 0 else { return "" }
    return "\(Counts.of(count, "airport")) by more than a mile since \(escaped(change.cycle))"
  }
}

/// A card for each export, without what its database's card says already.
struct ExportSection {
  private let content: ReportContent

  init(_ content: ReportContent) { self.content = content }

  var section: ReportSection? {
    let exports = content.products(.export).map(\.product)
    guard !exports.isEmpty else { return nil }
    let cards = exports.map { product in
      """
      <article class="card" id="\(ReportAnchors.anchor(product.id))">
      \(ProductHead(product, content.findings(of: product)).html)
      <div class="told">
      \(HTMLTable.definitions([("Form", escaped(product.format)), ("Size", size(product))]))
      \(RowTable(product, content.facts[product.id]?.change).html)
      \(content.problems[product.id].map { ProblemList($0, of: .export).html } ?? "")
      \(ProductFiles(product, isStaged: content.isStaged).html)
      </div>
      </article>
      """
    }
    return ReportSection(
      "Exports", anchor: "exports", count: cards.count,
      "<div class=\"cards\">\n\(cards.joined(separator: "\n"))\n</div>")
  }

  private func size(_ product: Product) -> String {
    product.files.map { Counts.bytes($0.bytes) }.joined(separator: " + ")
  }
}
