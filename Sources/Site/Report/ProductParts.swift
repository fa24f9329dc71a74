internal import Core

extension ReportContent {
  /// The header of a product's card: its name, dates and number of findings.
  func head(_ product: Product) -> String {
    """
    <header>
    <h3>\(escaped(product.name))</h3>
    <p class="soft">\(escaped(product.id))<br>Edition \(day(product.edition)), in force \(day(product.effectiveDate)) to \(day(product.expirationDate))</p>
    \(ReportContent.badges(findings(of: product)))
    </header>
    """
  }

  private static func badges(_ findings: [Finding]) -> String {
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

  /// `tiles 57.3 MB, control 120 kB`
  func sizes(_ product: Product) -> String {
    product.files.map { "\(escaped($0.role.rawValue)) \(Counts.bytes($0.bytes))" }.joined(separator: ", ")
  }

  /// The files of a product, folded: links, sizes and hashes.
  func files(_ product: Product) -> String {
    let items = product.allFiles.map { file in
      "<li>\(link(file)) <small>\(escaped(file.role.rawValue)), \(Counts.bytes(file.bytes))</small><br>"
        + "<code>\(file.sha256)</code></li>"
    }
    return """
      <details class="files"><summary>\(Counts.of(product.allFiles.count, "file"))</summary>
      <ul class="plain">\(items.joined(separator: "\n"))</ul></details>
      """
  }

  /// Returns a link relative to the report.
  private func link(_ file: Product.File) -> String {
    let name = escaped(file.path.split(separator: "/").last.map(String.init) ?? file.path)
    let ending = file.path.split(separator: ".").last.map { ".\($0)" } ?? "file"
    return isStaged ? "<a href=\"../../\(escaped(file.path))\">\(escaped(ending))</a>" : name
  }
}

extension [ProductFacts.Zoom] {
  /// The number of tiles of each zoom, compared with the number expected from the neatline.
  var plot: String {
    guard !isEmpty else { return "" }
    let rows = map { zoom in
      let expected =
        zoom.fewest == zoom.most
        ? Counts.grouped(zoom.most) : "\(Counts.grouped(zoom.fewest))–\(Counts.grouped(zoom.most))"
      let (tiles, isWithin) = (
        Counts.grouped(zoom.tiles), zoom.fewest <= zoom.tiles && zoom.tiles <= zoom.most
      )
      // The bar is filled by the number of tiles, with marks at the fewest and the most expected.
      let end = Double(Swift.max(zoom.most, zoom.tiles, 1)) / expectedOnBar
      let bar = plotBar(
        filled: Double(zoom.tiles) / end, marks: [Double(zoom.fewest) / end, Double(zoom.most) / end],
        style: isWithin ? "within" : "off")
      return [
        "\(zoom.zoom)", bar, isWithin ? tiles : "<strong>\(tiles)</strong>", expected,
        Counts.bytes(zoom.bytes),
      ]
    }
    return htmlTable(
      ["Zoom", "Coverage", "Tiles", "Expected", "Size"], rows, style: "plot",
      caption: "Tiles of each zoom, against what the neatline covers")
  }
}

/// The position of the expected value on a bar, which leaves room to show a larger one.
let expectedOnBar = 0.9

/// A bar beside a number. Screen readers skip it, since the number has the same information.
///
/// - Parameters:
///   - filled: the filled share of the bar.
///   - marks: the positions of lines, as shares of the bar.
func plotBar(filled: Double, marks: [Double], style: String) -> String {
  let place = { (share: Double) in NumberText.decimal(min(max(share, 0), 1) * 100, digits: 1) }
  let lines = marks.map { "<path d=\"M\(place($0)) 0v12\"/>" }.joined()
  return """
    <svg class="bar \(style)" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">\
    <rect width="100" height="12" class="track"/><rect y="2" width="\(place(filled))" height="8"/>\(lines)</svg>
    """
}

/// A bar divided into shares, beside the same numbers as text.
func sharesBar(_ parts: [(share: Int, style: String)]) -> String {
  let total = parts.map { Double($0.share) }.reduce(0, +)
  guard total > 0 else { return "" }
  var start = 0.0
  let rects = parts.map { part in
    let width = Double(part.share) / total * 100
    defer { start += width }
    return
      "<rect x=\"\(NumberText.decimal(start))\" width=\"\(NumberText.decimal(width))\" height=\"8\" class=\"\(part.style)\"/>"
  }
  return """
    <svg class="shares" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">\(rects.joined())</svg>
    """
}
