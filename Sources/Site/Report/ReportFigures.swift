internal import Core
internal import Pipeline
internal import Validation

/// The few numbers that tell how large a cycle is.
struct ReportFigures {
  let content: ReportContent

  init(_ content: ReportContent) { self.content = content }

  var html: String {
    let figures = figures.filter { $0.number > 0 }.map { ($0.label, Counts.grouped($0.number)) }
    let all = figures + (content.products.isEmpty ? [] : [("in all", Counts.bytes(content.bytes))]) + changed
    guard !all.isEmpty else { return "" }
    let items = all.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }
    return "<dl class=\"figures\">\(items.joined())</dl>"
  }

  private var figures: [(label: String, number: Int)] {
    let kinds = [
      ("chart", content.products(.chart).count), ("database", content.products(.database).count),
      ("export", content.products(.export).count),
    ]
    return kinds.map { ($0.1 == 1 ? $0.0 : $0.0 + "s", $0.1) }
      + [
        ("held back", content.held.count), ("missing", content.missing.count),
        (content.warnings.count == 1 ? "warning" : "warnings", content.warnings.count),
      ]
  }

  /// How many of the charts are not what they were, of those that can be held against earlier ones.
  private var changed: [(String, String)] {
    let tiles = content.facts.values.compactMap(\.change?.tiles)
    guard !tiles.isEmpty else { return [] }
    let changed = tiles.count { $0.changed + $0.added + $0.removed > 0 }
    return [("charts changed", "\(Counts.grouped(changed)) of \(Counts.grouped(tiles.count))")]
  }
}
