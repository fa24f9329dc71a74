internal import Airac
internal import Foundation
internal import Pipeline
internal import Validation

/// Lets only those products into the site in which no rule finds an error.
struct StageGate {
  let validate: (_ paths: [URL], _ progress: any ProgressReporter) throws -> ValidationReport

  /// The findings that are no errors, by product. One error in one product refuses all.
  func pass(_ build: BuildScan, progress: any ProgressReporter) throws -> [ProductFinding] {
    var findings: [ProductFinding] = []
    var refused: [BuiltProduct] = []
    for built in build.products {
      try Task.checkCancellation()
      let report = try validate([built.description], progress)
      if !report.ok { refused.append(built) }
      findings += report.findings.map { ProductFinding(product: built.product.id, told($0, of: built)) }
    }
    guard refused.isEmpty else { throw refusal(build, refused, findings.filter { $0.severity == .error }) }
    return findings
  }

  /// Where the build lay is nobody's business later on, and would make other bytes of the same products.
  private func told(_ finding: Finding, of built: BuiltProduct) -> Finding {
    let folder = built.description.deletingLastPathComponent().path + "/"
    var finding = finding
    finding.where = finding.where.replacing(folder, with: "")
    finding.message = finding.message.replacing(folder, with: "")
    return finding
  }

  private func refusal(_ build: BuildScan, _ refused: [BuiltProduct], _ errors: [ProductFinding]) -> Fault {
    let shown = errors.prefix(3).map { "\n    \($0.rule): \($0.product), \($0.where): \($0.message)" }
      .joined()
    let rest = errors.count > 3 ? "\n    and \(errors.count - 3) more" : ""
    let paths = refused.prefix(3).map(\.description.path).joined(separator: " ")
    return Fault(
      .refused, doing: "staging", subject: "cycle \(build.cycle.identifier)",
      problem: "validation found \(Counts.of(errors.count, "error"))\(shown)\(rest)",
      remedy: "Nothing was staged. Look closer with: chartpipe validate \(paths)")
  }
}
