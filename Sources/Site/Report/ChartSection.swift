internal import Core
internal import Foundation

extension ReportPage {
  private static let step = "report"

  /// A card for each chart. Nil when there is no chart.
  func chartSection(_ progress: any ProgressReporter) throws -> ReportSection? {
    let charts = content.products(.chart)
    guard !charts.isEmpty else { return nil }
    progress.report(.started(step: ReportPage.step))
    let cards = try charts.enumerated().map { index, chart in
      try CancellationToken.current.check()
      let card = ChartCard(content: content, product: chart.product, pictures: pictures(of: chart))
      progress.report(
        .advanced(step: ReportPage.step, done: index + 1, total: charts.count, unit: "charts"))
      return card.html
    }
    progress.finish(ReportPage.step, Counts.of(charts.count, "chart") + " drawn")
    return ReportSection(
      "Charts", anchor: "charts", count: cards.count,
      """
      <p class="soft">Pink ticks are outside the neatline. The map must end at the ticks, without collar inside them and without missing map.</p>
      <div class="cards">
      \(cards.joined(separator: "\n"))
      </div>
      """)
  }

  /// A failure to draw does not stop the report; the card shows the reason.
  private func pictures(of chart: PlacedProduct) -> Result<ChartPictures, any Error> {
    Result {
      guard let archive = chart.product.archive else {
        throw UserError(.badInput, operation: "drawing", path: chart.product.id, reason: "it has no archive")
      }
      let file = chart.folder.appending(path: archive.path)
      let insets = chart.product.cut?.insets ?? []
      let inputs = PictureInputs(archive: try journal.hashes.sha256(of: file), insets: insets)
      return try journal.value(of: "pictures/\(chart.product.id)", for: inputs) {
        try ChartPictures(of: file, insets: insets)
      }
    }
  }

  /// Everything that the pictures of a chart depend on.
  private struct PictureInputs: Encodable {
    let archive: SHA256Hex
    let insets: [Product.Cut.Inset]
  }
}

/// The card of a chart: pictures, figures, edges and files.
struct ChartCard {
  let content: ReportContent
  let product: Product
  let pictures: Result<ChartPictures, any Error>
  private var facts: ProductFacts? { content.facts[product.id] }

  var html: String {
    """
    <article class="card" id="\(ReportContent.anchor(product.id))">
    \(content.head(product))
    <div class="look">
    \(look)
    </div>
    <div class="facts-column">
    \(definitionList(definitions))
    \(facts?.zooms?.plot ?? "")
    </div>
    <div class="more">
    \(product.cut?.table ?? "")
    \(content.files(product))
    </div>
    </article>
    """
  }

  private var look: String {
    switch pictures {
    case .failure(let error):
      let reason = (error as? UserError)?.reason ?? error.fileErrorReason
      return "<p class=\"unseen\">No picture could be drawn: \(escaped(reason)).</p>"
    case .success(let pictures):
      let name = escaped(product.name)
      let line = pictures.hasNeatline ? "neatline" : "bounds"
      let whole = figure(
        pictures.overview, "\(name): the whole chart on a grey checkerboard, its \(line) ticked in pink.",
        caption: nil)
      let edges = pictures.edges.map { edge in
        figure(
          edge,
          "\(name), \(edge.name.lowercased()), enlarged: the map and the pink ticks where it should end.",
          caption: edge.name)
      }
      let insets = pictures.insets.filter { $0.width > 0 }.map { inset in
        figure(
          inset, "\(name), \(escaped(inset.name)): its place on the chart, the pink ticks along the cut.",
          caption: escaped(inset.name))
      }
      return "\(whole)\n<div class=\"edges\">\((edges + insets).joined(separator: "\n"))</div>"
    }
  }

  private func figure(_ picture: ChartPictures.Picture, _ alt: String, caption: String?) -> String {
    let data = picture.webP.base64EncodedString()
    let image =
      "<img src=\"data:image/webp;base64,\(data)\" width=\"\(picture.width)\" height=\"\(picture.height)\" "
      + "loading=\"lazy\" alt=\"\(alt)\">"
    return "<figure>\(image)\(caption.map { "<figcaption>\($0)</figcaption>" } ?? "")</figure>"
  }

  private var definitions: [(term: String, html: String)] {
    let zooms = [product.minZoom, product.maxZoom].compactMap(\.self).map(String.init)
    return [
      ("Size", content.sizes(product)),
      ("Zooms", zooms.first == zooms.last ? zooms.first ?? "" : zooms.joined(separator: "–")),
      ("Tiles", tiles), ("Changes", change), ("FAA files", placement),
      ("Position", evidence(facts?.place, "points", .control)),
      ("Graticule", evidence(facts?.graticule, "places", .graticule)),
      ("Symbols", evidence(facts?.airports, product.symbols.names, .airports)),
      ("Edition", evidence(nil, "dates", .dates)),
    ]
  }

  /// `bounds 0.01 px off, projection 0 px off; missing: tfw`
  private var placement: String {
    guard let placement = product.placement else { return "" }
    let found = placement.compactMap { evidence in
      evidence.pixels.map { "\(evidence.source.rawValue) \($0) px off" }
    }
    let missing = placement.filter { $0.outcome == .missing }.map(\.source.rawValue)
    let parts = [
      found.joined(separator: ", "),
      missing.isEmpty ? "" : "<em>missing</em>: \(missing.joined(separator: ", "))",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "; ")
  }

  /// Returns the measured values and the missing evidence.
  private func evidence(
    _ measured: ProductFacts.Agreement?, _ what: String, _ source: ProductFacts.MissingEvidence.Source
  ) -> String {
    let missing = (facts?.missing ?? []).filter { $0.source == source }.map {
      "<em>not found</em>: \(escaped($0.reason))"
    }
    return ([agreement(measured, what)] + missing).filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private var tiles: String {
    guard let tiles = product.build.counts["tiles"] else { return "" }
    let distinct = product.build.counts["distinctTiles"].map { ", \(Counts.grouped($0)) different" } ?? ""
    return Counts.grouped(tiles) + distinct
  }

  /// `Since 2611: 1,020 tiles the same, 34 changed`
  private var change: String {
    guard let change = facts?.change, let tiles = change.tiles else { return "" }
    let parts = [
      (tiles.same, "the same", "same"), (tiles.changed, "changed", "changed"), (tiles.added, "new", "added"),
      (tiles.removed, "gone", "removed"),
    ].filter { $0.0 > 0 }
    let words = parts.map { "\(Counts.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    let bar = sharesBar(parts.map { (share: $0.0, style: $0.2) })
    return "Tiles against \(change.cycle): \(words.isEmpty ? "none" : words)\(bar)"
  }

  /// `0.03 px = 0.6 m off, at worst 0.4 px = 8 m (1,024 points)`
  private func agreement(_ agreement: ProductFacts.Agreement?, _ what: String) -> String {
    guard let agreement else { return "" }
    let metres = try? pictures.get().metresPerPixel
    let far = { NumberText.pixels($0, metres: metres) }
    // A single measurement has no worst value.
    let worst = agreement.worst == agreement.median ? "" : ", at worst \(far(agreement.worst))"
    return "\(far(agreement.median)) off\(worst) "
      + "<small>(\(Counts.grouped(agreement.points)) \(what))</small>"
  }
}

extension Product.Cut {
  /// The edges of a chart's neatline, and the print found along each; folded.
  fileprivate var table: String {
    let headings = ["Edge", "Definition", "Offset", "Evidence", "Inside", "Outside", "Flags"]
    let rows = edges.map { edge in
      [
        escaped(edge.name), "<code>\(escaped(edge.notation))</code>", edge.measured,
        // `unclear: open water`
        edge.evidence.rawValue + (edge.unmeasured.map { ": \(escaped($0))" } ?? ""),
        edge.inside.text, edge.outside?.text ?? "rim",
        edge.flags.map { "<strong>\($0.rawValue)</strong>" }.joined(separator: " "),
      ]
    }
    let isDoubtful =
      source == .auto || insets?.contains { $0.verdict != .masked || $0.name == nil } == true
      || edges.contains { !$0.flags.isEmpty }
    return """
      <details\(isDoubtful ? " open" : "")><summary>Neatline: \(summary)</summary>
      <p class="soft">Offsets are pixels of the sheet, outward from the given edge to where the print was found to end.</p>
      \(htmlTable(headings, rows, style: "stacks always", skipsEmpty: true))\(source == .auto ? "\n" + confirmation : "")
      \((insets ?? []).table)
      </details>
      """
  }

  /// `4 edges, print found within 0.5 px`
  private var summary: String {
    let offsets = edges.compactMap(\.offset).map(abs)
    let count = Counts.of(edges.count, "edge")
    guard let worst = offsets.max() else { return "\(count), none measured" }
    let unclear = edges.count - offsets.count
    return "\(count), print at most \(NumberText.decimal(worst)) px from the given edge"
      + (unclear == 0 ? "" : ", \(unclear) unclear")
  }

  /// The found edges in the syntax of a definition file.
  private var confirmation: String {
    let edges = edges.map { edge in
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
}

extension Product.Cut.Shares {
  fileprivate var text: String {
    [("ink", ink), ("paper", paper), ("tint", tint)]
      .map { "\(Int(($0.1.clampedShare * 100).rounded()))\u{A0}% \($0.0)" }.joined(separator: ", ")
  }
}

extension Product.Cut.Edge {
  fileprivate var measured: String {
    guard let offset else { return "" }
    let measured = offset == 0 ? 0 : offset  // or it would read -0.0
    return shift == 0 ? "\(measured)" : "\(measured), cut moved by \(shift)"
  }

  /// `{ meridian: -125 }`
  fileprivate var notation: String {
    let numbers = values.map { $0 == $0.rounded() && abs($0) < 1e9 ? "\(Int($0))" : "\($0)" }
    let value = numbers.count == 1 ? numbers[0] : "[\(numbers.joined(separator: ", "))]"
    return "{ \(kind): \(value) }"
  }
}

extension Double {
  /// Limits a share from a description to the range from 0 to 1.
  fileprivate var clampedShare: Double { isNaN ? 0 : Swift.min(Swift.max(self, 0), 1) }
}

extension [Product.Cut.Inset] {
  /// The insets of a chart: their positions, verdicts and evidence. Empty for a chart without insets.
  fileprivate var table: String {
    guard !isEmpty else { return "" }
    let headings = ["Inset", "Verdict", "Place", "Pixels", "Evidence"]
    let rows = map { inset in
      [
        escaped(inset.name ?? "not listed"),
        inset.verdict == .masked && inset.name != nil
          ? inset.verdict.rawValue : "<strong>\(inset.verdict.rawValue)</strong>",
        "<code>[\(inset.box.west), \(inset.box.south), \(inset.box.east), \(inset.box.north)]</code>",
        [inset.columns, inset.rows].compactMap(\.self).filter { $0.count == 2 }.map {
          "\($0[0])–\($0[1])"
        }.joined(separator: " x "), inset.evidence.map(words) ?? "",
      ]
    }
    return htmlTable(headings, rows, style: "stacks always", skipsEmpty: true)
  }

  /// `white band on 3 sides, neatline on 1; 99% tint; graticule at 0 of 15 places inside, 16 of 16 beside`
  private func words(_ evidence: Product.Cut.Inset.Evidence) -> String {
    let bands = evidence.sides.count { $0 == .band }
    let edges = evidence.sides.count - bands
    let sides = "white band on \(Counts.of(bands, "side"))" + (edges > 0 ? ", neatline on \(edges)" : "")
    let tint = "\(Int((evidence.tint.clampedShare * 100).rounded()))\u{A0}% tint"
    let graticule =
      evidence.graticule.map {
        "graticule at \($0.seenInside) of \($0.inside) places inside, \($0.seenBeside) of \($0.beside) beside"
      } ?? "no line of the graticule to compare"
    return [sides, tint, graticule].joined(separator: "; ")
  }
}
