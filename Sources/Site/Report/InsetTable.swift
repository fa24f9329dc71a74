internal import Core
internal import Pipeline

/// The insets of a chart: where they lie, what became of them, and why.
struct InsetTable {
  private let insets: [Product.Cut.Inset]

  init(_ insets: [Product.Cut.Inset]) { self.insets = insets }

  /// Empty for a chart without insets.
  var html: String {
    guard !insets.isEmpty else { return "" }
    let headings = ["Inset", "Verdict", "Place", "Pixels", "Evidence"]
    let rows = insets.map { inset in
      let cells = [
        escaped(inset.name ?? "not listed"),
        inset.verdict == .masked && inset.name != nil
          ? inset.verdict.rawValue : "<strong>\(inset.verdict.rawValue)</strong>",
        "<code>[\(inset.box.west), \(inset.box.south), \(inset.box.east), \(inset.box.north)]</code>",
        [inset.columns, inset.rows].compactMap(\.self).filter { $0.count == 2 }.map {
          "\($0[0])–\($0[1])"
        }.joined(separator: " x "), inset.evidence.map(words) ?? "",
      ]
      return HTMLTable.row(zip(headings, cells).map { (heading: $0, html: $1) }.filter { !$0.html.isEmpty })
    }
    return HTMLTable.of(rows, headings, style: "stacks always")
  }

  /// `white band on 3 sides, neatline on 1; 99% tint; graticule at 0 of 15 places inside, 16 of 16 beside`
  private func words(_ evidence: Product.Cut.Inset.Evidence) -> String {
    let bands = evidence.sides.count { $0 == .band }
    let edges = evidence.sides.count - bands
    let sides = "white band on \(Counts.of(bands, "side"))" + (edges > 0 ? ", neatline on \(edges)" : "")
    let tint = "\(Int((min(max(evidence.tint, 0), 1) * 100).rounded()))\u{A0}% tint"
    let graticule =
      evidence.graticule.map {
        "graticule at \($0.seenInside) of \($0.inside) places inside, \($0.seenBeside) of \($0.beside) beside"
      } ?? "no line of the graticule to compare"
    return [sides, tint, graticule].joined(separator: "; ")
  }
}
