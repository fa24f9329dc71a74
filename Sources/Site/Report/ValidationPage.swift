internal import Core
public import Foundation
public import Pipeline
public import Validation

/// The report of what was validated and not staged: the same page, so that it can be seen why a cycle is refused.
public enum ValidationPage {
  /// Of the latest cycle among the products; what the rules found is told of all.
  public static func data(
    _ request: ValidationRequest, _ report: ValidationReport, progress: any ProgressReporter
  ) throws -> Data {
    let products = ProductSearch.whole(in: request.paths)
    let cycle = products.first?.product.cycle ?? ""
    let changes = try CycleChanges.of(products, against: request.against)
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
    return try ReportPage(content).data(progress: progress)
  }

  private static func problems(_ products: [PlacedProduct]) -> [String: ProblemDigest] {
    let known = products.compactMap { placed in
      BuiltProduct.problems(of: placed.product, in: placed.folder).map { (placed.product.id, $0) }
    }
    return Dictionary(known) { first, _ in first }
  }
}
