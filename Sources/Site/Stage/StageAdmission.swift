internal import Core
internal import Foundation
internal import Pipeline

/// What validation admitted to a site, and what it holds back.
public struct StageAdmission {
  let request: StageRequest
  let build: BuildScan
  let verdict: StageGate.Verdict
  /// For an admission of nothing.
  let refusal: UserError?

  /// What is held back now, by id.
  public var held: [HeldProduct] { verdict.held }

  /// The products that validation refused themselves, by id.
  public var refused: [String] { held.filter { $0.because == nil }.map(\.id) }

  /// The reason why a product is held back, and what to do.
  ///
  /// - Parameter held: with the edition that stays published.
  func fault(of held: HeldProduct) -> UserError {
    let stays =
      held.published.map { "Its edition of \($0.edition), built for cycle \($0.cycle), stays published." }
      ?? "There is no earlier edition, so nothing is published of it."
    return UserError(
      .refused, operation: "staging", path: held.id,
      reason: "held back: \(held.rule.map { "\($0): " } ?? "")\(held.message)",
      suggestion: "\(stays)\n  \(nextStep(held))")
  }

  private func nextStep(_ held: HeldProduct) -> String {
    let built = build.products.first { $0.product.id == held.id }
    guard let rule = held.rule else {
      return built?.product.cut == nil
        ? "It can go out when those can."
        : "`chartpipe run` completes its edges without them, so that it can go out."
    }
    return "Look closer with: chartpipe validate \(built?.description.path ?? held.id) --html report.html\n"
      + "  Where the rule is right and the product is too: --accept \(rule):REASON."
  }
}
