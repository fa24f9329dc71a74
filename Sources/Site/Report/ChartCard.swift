internal import Core
internal import Foundation
internal import Pipeline
internal import Validation

/// What a person wants to know of one chart before it goes out.
struct ChartCard {
  private let product: Product
  private let facts: ProductFacts?
  private let findings: [ProductFinding]
  private let pictures: Result<ChartPictures, any Error>
  private let isStaged: Bool

  init(
    _ product: Product, facts: ProductFacts?, findings: [ProductFinding],
    pictures: Result<ChartPictures, any Error>, isStaged: Bool
  ) {
    self.product = product
    self.facts = facts
    self.findings = findings
    self.pictures = pictures
    self.isStaged = isStaged
  }

  var html: String {
    """
    <article class="card" id="\(ReportAnchors.anchor(product.id))">
    \(ProductHead(product, findings).html)
    <div class="look">
    \(look)
    </div>
    <div class="told">
    \(HTMLTable.definitions(definitions))
    \(facts?.zooms.map { ZoomPlot($0).html } ?? "")
    </div>
    <div class="more">
    \(product.cut.map { CutTable($0).html } ?? "")
    \(ProductFiles(product, isStaged: isStaged).html)
    </div>
    </article>
    """
  }

  private var look: String {
    switch pictures {
    case .failure(let error):
      let reason = (error as? UserError)?.reason ?? "\(error)"
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
      return [whole, "<div class=\"edges\">\((edges + insets).joined(separator: "\n"))</div>"].joined(
        separator: "\n")
    }
  }

  private func figure(_ picture: ChartPictures.Picture, _ alt: String, caption: String?) -> String {
    let data = Data(picture.webP).base64EncodedString()
    let image =
      "<img src=\"data:image/webp;base64,\(data)\" width=\"\(picture.width)\" height=\"\(picture.height)\" "
      + "loading=\"lazy\" alt=\"\(alt)\">"
    return "<figure>\(image)\(caption.map { "<figcaption>\($0)</figcaption>" } ?? "")</figure>"
  }

  private var definitions: [(term: String, html: String)] {
    let zooms = [product.minZoom, product.maxZoom].compactMap(\.self).map(String.init)
    return [
      ("Size", sizes),
      ("Zooms", zooms.first == zooms.last ? zooms.first ?? "" : zooms.joined(separator: "–")),
      ("Tiles", tiles), ("Changes", change), ("FAA files", placement),
      ("Position", evidence(facts?.place, "points", .control)),
      ("Graticule", evidence(facts?.graticule, "places", .graticule)),
      ("Airports", evidence(facts?.airports, "airports", .airports)),
    ].filter { !$0.1.isEmpty }
  }

  /// `bounds 0.01 px, projection 0 px, size 0 px; not there: tfw`
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

  /// What was measured, and what was not found.
  private func evidence(
    _ measured: ProductFacts.Agreement?, _ what: String, _ source: ProductFacts.MissingEvidence.Source
  ) -> String {
    let missing = (facts?.missing ?? []).filter { $0.source == source }.map {
      "<em>not found</em>: \(escaped($0.reason))"
    }
    return ([agreement(measured, what)] + missing).filter { !$0.isEmpty }.joined(separator: "; ")
  }

  private var sizes: String {
    product.files.map { Counts.bytes($0.bytes) }.joined(separator: " + ")
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
    let bar = SharesBar(parts.map { (share: $0.0, style: $0.2) }).html
    return "Tiles against \(escaped(change.cycle)): \(words.isEmpty ? "none" : words)\(bar)"
  }

  /// `0.03 px = 0.6 m off, at worst 0.4 px = 8 m (1,024 points)`
  private func agreement(_ agreement: ProductFacts.Agreement?, _ what: String) -> String {
    guard let agreement else { return "" }
    let metres = try? pictures.get().metresPerPixel
    let far = { FigureText.pixels($0, metres: metres) }
    // Of what is measured as a whole there is no worst.
    let worst = agreement.worst == agreement.median ? "" : ", at worst \(far(agreement.worst))"
    return "\(far(agreement.median)) off\(worst) "
      + "<small>(\(Counts.grouped(agreement.points)) \(what))</small>"
  }
}
