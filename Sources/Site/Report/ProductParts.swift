internal import Core
internal import Pipeline
internal import Validation

/// What every card begins with: the product's name, its dates, and whether something was found.
struct ProductHead {
  private let product: Product
  private let findings: [ProductFinding]

  init(_ product: Product, _ findings: [ProductFinding]) {
    self.product = product
    self.findings = findings
  }

  var html: String {
    """
    <header>
    <h3>\(escaped(product.name))</h3>
    <p class="soft">\(escaped(product.id))<br>Edition \(day(product.edition)), in force \(day(product.effectiveDate)) to \(day(product.expirationDate))</p>
    \(badges)
    </header>
    """
  }

  private var badges: String {
    let errors = findings.count { $0.accepted == nil && $0.severity == .error }
    let warnings = findings.count { $0.accepted == nil && $0.severity == .warning }
    let accepted = findings.count { $0.accepted != nil }
    let badges = [
      (errors, "bad", Counts.of(errors, "error"), "errors"),
      (warnings, "doubt", Counts.of(warnings, "warning"), "warnings"),
      (accepted, "doubt", "\(Counts.grouped(accepted)) accepted", "accepted"),
    ].filter { $0.0 > 0 }
    guard !badges.isEmpty else { return "" }
    let links = badges.map { "<a class=\"badge \($0.1)\" href=\"#\($0.3)\">\($0.2)</a>" }
    return "<p>\(links.joined(separator: " "))</p>"
  }
}

/// The files of a product, folded: where they are, and what their bytes must be.
struct ProductFiles {
  private let product: Product
  private let isStaged: Bool

  init(_ product: Product, isStaged: Bool) {
    self.product = product
    self.isStaged = isStaged
  }

  var html: String {
    let items = product.allFiles.map { file in
      "<li>\(link(file)) <small>\(escaped(file.role)), \(Counts.bytes(file.bytes))</small><br>"
        + "<code>\(file.sha256)</code></li>"
    }
    return """
      <details class="files"><summary>\(Counts.of(product.allFiles.count, "file"))</summary>
      <ul class="plain">\(items.joined(separator: "\n"))</ul></details>
      """
  }

  /// Relative to the report's own place.
  private func link(_ file: Product.File) -> String {
    let name = escaped(file.path.split(separator: "/").last.map(String.init) ?? file.path)
    let ending = file.path.split(separator: ".").last.map { ".\($0)" } ?? "file"
    return isStaged ? "<a href=\"../../\(escaped(file.path))\">\(escaped(ending))</a>" : name
  }
}

/// How many tiles each zoom has, against how many the neatline makes expect.
struct ZoomPlot {
  private let zooms: [ProductFacts.Zoom]

  init(_ zooms: [ProductFacts.Zoom]) { self.zooms = zooms }

  var html: String {
    guard !zooms.isEmpty else { return "" }
    let headings = ["Zoom", "Coverage", "Tiles", "Expected", "Size"]
    let rows = zooms.map { zoom in
      let expected =
        zoom.fewest == zoom.most
        ? Counts.grouped(zoom.most) : "\(Counts.grouped(zoom.fewest))–\(Counts.grouped(zoom.most))"
      return HTMLTable.row([
        ("Zoom", "\(zoom.zoom)"), ("Coverage", bar(zoom)),
        (
          "Tiles",
          isWithin(zoom) ? Counts.grouped(zoom.tiles) : "<strong>\(Counts.grouped(zoom.tiles))</strong>"
        ),
        ("Expected", expected), ("Size", Counts.bytes(zoom.bytes)),
      ])
    }
    return HTMLTable.of(
      rows, headings, style: "plot", caption: "Tiles of each zoom, against what the neatline covers")
  }

  private func isWithin(_ zoom: ProductFacts.Zoom) -> Bool {
    zoom.fewest <= zoom.tiles && zoom.tiles <= zoom.most
  }

  /// Filled as far as there are tiles; the two marks are the fewest and the most that there should be.
  private func bar(_ zoom: ProductFacts.Zoom) -> String {
    let end = Double(max(zoom.most, zoom.tiles, 1)) / PlotBar.markedAt
    return PlotBar.html(
      filled: Double(zoom.tiles) / end, marks: [Double(zoom.fewest) / end, Double(zoom.most) / end],
      style: isWithin(zoom) ? "within" : "off")
  }
}

/// A bar drawn beside a number that says the same, so that a screen reader passes over it.
enum PlotBar {
  /// Where the mark of what is expected stands, so that more than that can be seen too.
  static let markedAt = 0.9

  /// - Parameters:
  ///   - filled: a share of the bar.
  ///   - marks: shares at which lines stand.
  static func html(filled: Double, marks: [Double], style: String) -> String {
    let lines = marks.map { "<path d=\"M\(place($0)) 0v12\"/>" }.joined()
    return """
      <svg class="bar \(style)" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">\
      <rect width="100" height="12" class="track"/><rect y="2" width="\(place(filled))" height="8"/>\(lines)</svg>
      """
  }

  private static func place(_ share: Double) -> String {
    FigureText.decimal(min(max(share, 0), 1) * 100, digits: 1)
  }
}

/// What one whole is made of, as parts of a bar; its words stand beside it.
struct SharesBar {
  private let parts: [(share: Int, style: String)]

  init(_ parts: [(share: Int, style: String)]) { self.parts = parts }

  var html: String {
    let total = parts.map { Double($0.share) }.reduce(0, +)
    guard total > 0 else { return "" }
    var start = 0.0
    let rects = parts.map { part in
      let width = Double(part.share) / total * 100
      defer { start += width }
      return
        "<rect x=\"\(FigureText.decimal(start))\" width=\"\(FigureText.decimal(width))\" height=\"8\" class=\"\(part.style)\"/>"
    }
    return """
      <svg class="shares" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">\(rects.joined())</svg>
      """
  }
}
