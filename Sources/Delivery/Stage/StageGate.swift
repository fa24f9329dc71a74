internal import Airac
internal import Foundation
internal import Pipeline
internal import Validation

/// Lets only those products into the site in which no rule finds an error, but for what somebody answers for.
struct StageGate {
  let site: Site
  let accepted: [Acceptance]
  let validate: (_ request: ValidationRequest, _ progress: any ProgressReporter) throws -> ValidationReport

  /// What the rules say of products that may be staged.
  struct Verdict {
    var findings: [ProductFinding]
    var facts: [String: ProductFacts]
  }

  /// One error in one product refuses all.
  func pass(_ build: BuildScan, progress: any ProgressReporter) throws -> Verdict {
    let report = try validate(request(build), progress).accepting(accepted)
    let findings = report.findings.map { told($0, build) }
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else { throw refusal(build, errors) }
    for idle in report.idle(accepted) {
      progress.report(
        .warning(step: "stage", message: "nothing was found by \(idle.rule), so there was nothing to accept"))
    }
    return Verdict(findings: findings, facts: report.facts)
  }

  /// The products of the cycle that stay in the site take part, and those of earlier cycles are what the new ones are held
  /// against.
  private func request(_ build: BuildScan) throws -> ValidationRequest {
    let manifests = try site.readManifests()
    let ids = Set(build.products.map(\.product.id))
    let staying = manifests[build.cycle]?.manifest.products.filter { !ids.contains($0.id) } ?? []
    let earlier = manifests.filter { $0.key < build.cycle }.sorted { $0.key > $1.key }
      .flatMap(\.value.manifest.products)
    let placed = { (product: Product) in PlacedProduct(product, in: site.root) }
    return ValidationRequest(
      build.products.map(\.description), beside: staying.map(placed), against: earlier.map(placed))
  }

  /// Where the build lay is nobody's business later on, and would make other bytes of the same products.
  private func told(_ finding: Finding, _ build: BuildScan) -> ProductFinding {
    guard let built = build.products.first(where: { $0.product.id == finding.product }) else {
      return ProductFinding(product: finding.product ?? "", finding)
    }
    let folder = built.description.deletingLastPathComponent().path + "/"
    var finding = finding
    finding.where = finding.where.replacing(folder, with: "")
    finding.message = finding.message.replacing(folder, with: "")
    return ProductFinding(product: built.product.id, finding)
  }

  private func refusal(_ build: BuildScan, _ errors: [ProductFinding]) -> Fault {
    let shown = errors.prefix(3).map { "\n    \($0.rule): \($0.product), \($0.where): \($0.message)" }
      .joined()
    let rest = errors.count > 3 ? "\n    and \(errors.count - 3) more" : ""
    let refused = Set(errors.map(\.product))
    let paths = build.products.filter { refused.contains($0.product.id) }.prefix(3).map(\.description.path)
    return Fault(
      .refused, doing: "staging", subject: "cycle \(build.cycle.identifier)",
      problem: "validation found \(Counts.of(errors.count, "error"))\(shown)\(rest)",
      remedy: "Nothing was staged. Look closer with: chartpipe validate \(paths.joined(separator: " "))\n"
        + "    Where the rule is right and the cycle is too: --accept \(errors[0].rule):REASON.")
  }
}
