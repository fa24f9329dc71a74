internal import Core
internal import Foundation

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

/// The day of a time of day that is always the same; any other time as it is.
func day(_ date: some CodableText) -> String { date.description.replacing("T09:01:00Z", with: "") }

/// The content of a report, of a staged cycle or of a build folder.
struct ReportContent {
  /// Nil if there is no product.
  var cycle: AiracCycle?
  /// Sorted by id.
  var products: [PlacedProduct]
  var missing: [String] = []
  /// The products that are held back.
  var held: [HeldProduct] = []
  /// The earlier editions that stay published in place of products that are held back or missing.
  var kept: [PlacedProduct] = []
  var failures: [ProductFailure] = []
  var notes: [SourceNote] = []
  var findings: [Finding]
  var facts: [String: ProductFacts]
  var problems: [String: ProblemDigest] = [:]
  /// The changes of each database since the previous known cycle.
  var changes: [String: ChangeDigest] = [:]
  /// Whether the page is in a site, so that it can link to the files.
  var isStaged: Bool
  var tool = ToolVersion.tool
  var version = ToolVersion.version

  func products(_ kind: Product.Kind) -> [PlacedProduct] { products.filter { $0.product.kind == kind } }

  func findings(of product: Product) -> [Finding] { findings.filter { $0.product == product.id } }

  var errors: [Finding] { findings.filter { $0.accepted == nil && $0.severity == .error } }
  var warnings: [Finding] { findings.filter { $0.accepted == nil && $0.severity == .warning } }
  var accepted: [Finding] { findings.filter { $0.accepted != nil } }
  var bytes: Int { products.flatMap(\.product.files).map(\.bytes).reduce(0, +) }
}

extension ReportContent {
  /// A cycle of a site.
  init(_ manifest: Manifest, in site: URL, changes: [String: ChangeDigest]) {
    self.init(
      cycle: manifest.cycle,
      products: manifest.products.map { PlacedProduct($0, in: site) }, missing: manifest.missing,
      held: manifest.held ?? [], kept: (manifest.kept ?? []).map { PlacedProduct($0, in: site) },
      failures: manifest.failures ?? [], notes: manifest.notes ?? [],
      findings: manifest.validation.findings, facts: manifest.validation.facts ?? [:],
      problems: manifest.problems ?? [:], changes: changes, isStaged: true, tool: manifest.validation.tool,
      version: manifest.validation.version)
  }
}

// The anchors of the products on the page, which other pages can link to: `report.html#vfr-sectional/Miami`.
extension ReportContent {
  /// Returns the part of an address after `#`, not escaped for HTML.
  static func fragment(_ id: String) -> String {
    let plain = String(id.map { $0.isWhitespace ? "_" : $0 })
    return plain.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? plain
  }

  /// Returns the anchor as an attribute value, without spaces.
  static func anchor(_ id: String) -> String { escaped(String(id.map { $0.isWhitespace ? "_" : $0 })) }

  /// Returns a link to the product, or only its id where the page does not have it.
  func link(to id: String, text: String? = nil) -> String {
    guard products.contains(where: { $0.id == id }) else { return escaped(text ?? id) }
    return "<a href=\"#\(escaped(ReportContent.fragment(id)))\">\(escaped(text ?? id))</a>"
  }
}

extension ProductFacts.Change.Tiles {
  /// The number of tiles that differ from the earlier ones.
  var differing: Int { changed + added + removed }
}
