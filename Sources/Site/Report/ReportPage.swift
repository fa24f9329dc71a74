internal import Core
public import Foundation

/// The report of a cycle for the maintainer: one HTML page without scripts that opens from disk.
struct ReportPage {
  let content: ReportContent
  /// Where the pictures of unchanged charts are kept.
  var results = KeyedResults()

  /// Draws the pictures of one chart at a time.
  func data(progress: any ProgressReporter) throws -> Data {
    let verdict = ReportVerdict(content)
    let sections = try self.sections(progress)
    let title = "\(content.cycle.isEmpty ? "Validation" : "Cycle \(content.cycle)"): \(verdict.headline)"
    let page = HTMLPage.of(
      title: escaped(title),
      style: [PackageResources.pages_css, PackageResources.report_css],
      body: """
        <header>
        <h1>\(content.cycle.isEmpty ? "Validation" : "Cycle \(escaped(content.cycle))")</h1>
        \(term)
        \(verdict.html)
        \(ReportFigures(content: content).html)
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
    guard let term = content.term else { return "" }
    return "<p>In force from \(day(term.effective)) to \(day(term.expires)), both at 09:01 UTC.</p>"
  }

  private func sections(_ progress: any ProgressReporter) throws -> [ReportSection] {
    let findings = FindingSections(content)
    return [
      MapSection(content: content).section, HeldSection(content).section, findings.missing, findings.errors,
      findings.warnings, findings.notes,
      findings.accepted,
      ProductIndex(content: content).section,
      try ChartSection(content: content, results: results).section(progress),
      DatabaseSection(content: content).section, ExportSection(content: content).section,
      SourceSection(content: content).section,
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

/// A part of the report that the head of the page leads to.
struct ReportSection {
  let title: String
  let anchor: String
  let html: String

  /// - Parameter body: HTML already.
  init(_ title: String, anchor: String, count: Int? = nil, _ body: String) {
    (self.title, self.anchor) = (title, anchor)
    let number = count.map { " <small>\(Counts.grouped($0))</small>" } ?? ""
    html = """
      <section id="\(anchor)">
      <h2>\(title)\(number)</h2>
      \(body)
      </section>
      """
  }
}

/// The day of a time of day that is always the same; any other text as it is.
func day(_ text: String) -> String {
  escaped(text.hasSuffix("T09:01:00Z") ? String(text.dropLast("T09:01:00Z".count)) : text)
}

/// The content of a report, of a staged cycle or of a build folder.
struct ReportContent {
  var cycle: String
  /// The period in force; nil where the cycle is not known.
  var term: (effective: String, expires: String)?
  /// Sorted by id.
  var products: [PlacedProduct]
  var missing: [String] = []
  /// The products that are held back.
  var held: [HeldProduct] = []
  /// The earlier editions that stay published in place of products that are held back or missing.
  var kept: [PlacedProduct] = []
  var failures: [ProductFailure] = []
  var notes: [SourceNote] = []
  var findings: [ProductFinding]
  var facts: [String: ProductFacts]
  var problems: [String: ProblemDigest] = [:]
  /// The changes of each database since the previous known cycle.
  var changes: [String: ChangeDigest] = [:]
  /// Whether the page is in a site, so that it can link to the files.
  var isStaged: Bool
  var tool = ToolVersion.tool
  var version = ToolVersion.version

  func products(_ kind: Product.Kind) -> [PlacedProduct] { products.filter { $0.product.kind == kind } }

  func findings(of product: Product) -> [ProductFinding] { findings.filter { $0.product == product.id } }

  var errors: [ProductFinding] { findings.filter { $0.accepted == nil && $0.severity == .error } }
  var warnings: [ProductFinding] { findings.filter { $0.accepted == nil && $0.severity == .warning } }
  var accepted: [ProductFinding] { findings.filter { $0.accepted != nil } }
  var bytes: Int { products.flatMap(\.product.files).map(\.bytes).reduce(0, +) }
}

extension ReportContent {
  /// A cycle of a site.
  init(_ manifest: Manifest, in site: URL, changes: [String: ChangeDigest]) {
    self.init(
      cycle: manifest.cycle, term: (manifest.effective, manifest.expires),
      products: manifest.products.map { PlacedProduct($0, in: site) }, missing: manifest.missing,
      held: manifest.held ?? [], kept: (manifest.kept ?? []).map { PlacedProduct($0, in: site) },
      failures: manifest.failures ?? [], notes: manifest.notes ?? [],
      findings: manifest.validation.findings, facts: manifest.validation.facts ?? [:],
      problems: manifest.problems ?? [:], changes: changes, isStaged: true, tool: manifest.validation.tool,
      version: manifest.validation.version)
  }
}

/// The anchors of the products on the page, which other pages can link to: `report.html#vfr-sectional/Miami`.
struct ReportAnchors {
  private let ids: Set<String>

  init(_ content: ReportContent) { ids = Set(content.products.map(\.product.id)) }

  /// Returns the part of an address after `#`, not escaped for HTML.
  static func fragment(_ id: String) -> String {
    let plain = String(id.map { $0.isWhitespace ? "_" : $0 })
    return plain.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? plain
  }

  /// Returns the anchor as an attribute value, without spaces.
  static func anchor(_ id: String) -> String {
    escaped(String(id.map { $0.isWhitespace ? "_" : $0 }))
  }

  /// Returns a link to the product, or only its id where the page does not have it.
  func link(to id: String, text: String? = nil) -> String {
    guard ids.contains(id) else { return escaped(text ?? id) }
    return "<a href=\"#\(escaped(ReportAnchors.fragment(id)))\">\(escaped(text ?? id))</a>"
  }
}

/// The report of products that were validated but not staged, which shows why a cycle is refused.
public enum ValidationPage {
  /// Shows the products of the latest cycle, and the findings of all.
  public static func data(
    _ request: ValidationRequest, _ report: ValidationReport, progress: any ProgressReporter
  ) throws -> Data {
    let products = ProductSearch.whole(in: request.paths)
    let cycle = products.first?.product.cycle ?? ""
    let changes = try CycleChanges.of(products, against: request.against, KeyedResults())
    let content = ReportContent(
      cycle: cycle,
      term: AiracCycle(identifier: cycle).map {
        ($0.effective.description, $0.expires(.every28Days).description)
      },
      products: products,
      findings: report.findings.map { ProductFinding(product: $0.product ?? "", $0) }, facts: report.facts,
      problems: problems(products),
      changes: Dictionary(changes.map { ($0.product.id, $0.digest) }) { first, _ in first },
      isStaged: false)
    return try ReportPage(content: content).data(progress: progress)
  }

  private static func problems(_ products: [PlacedProduct]) -> [String: ProblemDigest] {
    let known = products.compactMap { placed in
      BuiltProduct.problems(of: placed.product, in: placed.folder).map { (placed.product.id, $0) }
    }
    return Dictionary(known) { first, _ in first }
  }
}
