internal import Core
public import Foundation

/// The report of a cycle for the maintainer: one HTML page without scripts that opens from disk.
struct ReportPage {
  let content: ReportContent
  /// Where the pictures of unchanged charts are kept.
  var journal = Journal()

  /// Draws the pictures of one chart at a time.
  func data(progress: any ProgressReporter) throws -> Data {
    let verdict = ReportVerdict(content)
    let sections = try self.sections(progress)
    let subject = content.cycle.map { "Cycle \($0)" } ?? "Validation"
    let page = htmlPage(
      title: "\(subject): \(escaped(verdict.headline))",
      style: [PackageResources.pages_css, PackageResources.report_css],
      body: """
        <header>
        <h1>\(subject)</h1>
        \(term)
        \(verdict.html)
        \(content.figures)
        \(contents(sections))
        </header>
        <main>
        \(sections.map(\.html).joined(separator: "\n"))
        </main>
        \(footer)
        """)
    return Data(page.utf8)
  }

  private var term: String {
    content.cycle.map {
      "<p>In force from \($0.effectiveDay) to \(day($0.expires)), both at 09:01 UTC.</p>"
    } ?? ""
  }

  private func sections(_ progress: any ProgressReporter) throws -> [ReportSection] {
    return [
      content.mapSection, content.heldSection, content.missingSection,
      content.section("Errors", content.errors),
      content.section("Warnings", content.warnings), content.noteSection,
      content.section("Accepted", content.accepted), content.productIndex, content.sizeSection,
      try chartSection(progress), content.databaseSection,
      content.exportSection, content.sourceSection,
    ].compactMap(\.self)
  }

  private func contents(_ sections: [ReportSection]) -> String {
    guard sections.count > 1 else { return "" }
    let links = sections.map { "<li><a href=\"#\($0.anchor)\">\($0.title)</a></li>" }
    return "<nav aria-label=\"Sections\"><ul>\(links.joined())</ul></nav>"
  }

  private var footer: String {
    let manifest =
      content.isStaged ? "\nThe same facts for machines: <a href=\"manifest.json\">manifest.json</a>." : ""
    return """
      <footer>
      <p>Validated\(content.isStaged ? " and staged" : "") by \(escaped(content.tool)) \(escaped(content.version)).\(manifest)
      Not for navigation: check against current official sources.</p>
      </footer>
      """
  }
}

/// The report of products that were validated but not staged, which shows why a cycle is refused.
public enum ValidationPage {
  /// Shows the products of the latest cycle, and the findings of all.
  public static func data(
    _ request: ValidationRequest, _ report: ValidationReport, progress: any ProgressReporter
  ) throws -> Data {
    let products = ProductSearch.whole(in: request.paths)
    let changes = try DatabaseChange.all(of: products, against: request.against, Journal())
    let content = ReportContent(
      cycle: products.first?.product.cycle, products: products,
      findings: report.findings, facts: report.facts, problems: problems(products),
      changes: Dictionary(first: changes.map { ($0.product.id, $0.digest) }),
      isStaged: false)
    return try ReportPage(content: content).data(progress: progress)
  }

  private static func problems(_ products: [PlacedProduct]) -> [String: ProblemDigest] {
    Dictionary(first: products.compactMap { placed in placed.problems.map { (placed.id, $0) } })
  }
}
