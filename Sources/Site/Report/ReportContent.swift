internal import Foundation
internal import Pipeline
internal import Validation

/// All that a report tells of a cycle, whether it is staged or only built.
struct ReportContent {
  var cycle: String
  /// When the cycle is in force; nil where it is not known which cycle it is.
  var term: (effective: String, expires: String)?
  /// By id, with the places of their files.
  var products: [PlacedProduct]
  var missing: [String] = []
  /// What validation refused of the cycle, with what contains it.
  var held: [HeldProduct] = []
  var failures: [ProductFailure] = []
  var notes: [SourceNote] = []
  var findings: [ProductFinding]
  var facts: [String: ProductFacts]
  var problems: [String: ProblemDigest] = [:]
  /// Of databases, what changed since the last cycle that is known.
  var changes: [String: ChangeDigest] = [:]
  /// Whether the page lies in a site, so that it can lead to the files.
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
      held: manifest.held ?? [],
      failures: manifest.failures ?? [], notes: manifest.notes ?? [],
      findings: manifest.validation.findings, facts: manifest.validation.facts ?? [:],
      problems: manifest.problems ?? [:], changes: changes, isStaged: true, tool: manifest.validation.tool,
      version: manifest.validation.version)
  }
}
