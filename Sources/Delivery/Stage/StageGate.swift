internal import Airac
internal import Foundation
internal import Pipeline
internal import Validation

/// Lets into the site only products in which no rule finds an error that was not accepted. A product with an error is held back,
/// and with it every product that contains parts of it; the others pass.
struct StageGate {
  typealias Validate = (_ request: ValidationRequest, _ progress: any ProgressReporter) throws -> ValidationReport

  let site: Site
  let accepted: [Acceptance]
  /// Whether one error in one product refuses all.
  let isStrict: Bool
  let validate: Validate

  /// What the rules say of the products of a build.
  struct Verdict {
    /// Those that may be staged.
    var admitted: [BuiltProduct]
    /// Of the admitted ones.
    var findings: [ProductFinding] = []
    var facts: [String: ProductFacts] = [:]
    /// By id.
    var held: [HeldProduct] = []
  }

  /// - Throws: a refusal when nothing is left, and when an error belongs to no single product.
  func pass(_ build: BuildScan, progress: any ProgressReporter) throws -> Verdict {
    let manifests = try site.readManifests()
    var verdict = Verdict(admitted: build.products)
    var rules: Set<String> = []
    var all: [ProductFinding] = []
    while true {
      let request = request(build.cycle, verdict.admitted, manifests)
      let report = try validate(request, progress).accepting(accepted)
      rules.formUnion(report.findings.map(\.rule))
      let findings = report.findings.map { told($0, build) }
      let errors = findings.filter { $0.severity == .error }
      if all.isEmpty { all = errors }
      guard !errors.isEmpty else {
        warn(ofIdle: rules, progress)
        return completed(verdict, findings, report.facts)
      }
      let refused = isStrict ? [:] : refused(errors, of: verdict.admitted)
      verdict.hold(refused)
      guard !refused.isEmpty, !verdict.admitted.isEmpty else {
        throw refusal(build, refused.isEmpty ? errors : all, hasEarlier: !request.against.isEmpty)
      }
    }
  }

  /// The errors that decide in this round, by product; none when no single product is at fault.
  ///
  /// What is wrong with a file is wrong whatever lies beside it. Rules about the cycle come after that, when what is wrong by
  /// itself is gone: a database that is wrong must not make charts look wrong.
  private func refused(
    _ errors: [ProductFinding], of products: [BuiltProduct]
  ) -> [String: [ProductFinding]] {
    let kinds = Dictionary(products.map { ($0.product.id, $0.product.kind) }) { first, _ in first }
    let byProduct = Dictionary(grouping: errors.filter { kinds[$0.product] != nil }, by: \.product)
    let own = byProduct.filter { $0.value.contains { !Validator.isAboutCycle($0.rule) } }
    if !own.isEmpty { return own }
    let databases = byProduct.filter { kinds[$0.key] == .database }
    return databases.isEmpty ? byProduct : databases
  }

  /// The products of the cycle that stay in the site take part, and the new ones are compared with those of earlier cycles.
  private func request(
    _ cycle: AiracCycle, _ products: [BuiltProduct], _ manifests: [AiracCycle: StoredManifest]
  ) -> ValidationRequest {
    let ids = Set(products.map(\.product.id))
    let staying = manifests[cycle]?.manifest.products.filter { !ids.contains($0.id) } ?? []
    return ValidationRequest(
      products.map(\.description), beside: staying.map { PlacedProduct($0, in: site.root) },
      against: manifests.products(before: cycle, in: site))
  }

  /// Of the products that are staged alone: the errors of the others are with them.
  private func completed(
    _ verdict: Verdict, _ findings: [ProductFinding], _ facts: [String: ProductFacts]
  ) -> Verdict {
    let held = Set(verdict.held.map(\.id))
    var verdict = verdict
    verdict.findings = findings.filter { !held.contains($0.product) }
    verdict.facts = facts.filter { !held.contains($0.key) }
    verdict.held.sort { $0.id < $1.id }
    return verdict
  }

  private func warn(ofIdle rules: Set<String>, _ progress: any ProgressReporter) {
    for idle in accepted where !rules.contains(idle.rule) {
      progress.report(
        .warning(step: "stage", message: "nothing was found by \(idle.rule), so there was nothing to accept"))
    }
  }

  /// Where the build lay does not matter later on, and would make other bytes of the same products.
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

  private func refusal(_ build: BuildScan, _ errors: [ProductFinding], hasEarlier: Bool) -> Fault {
    let shown = errors.prefix(3).map { "\n    \($0.rule): \($0.product), \($0.where): \($0.message)" }
      .joined()
    let rest = errors.count > 3 ? "\n    and \(errors.count - 3) more" : ""
    let refused = Set(errors.map(\.product))
    let paths = build.products.filter { refused.contains($0.product.id) }.prefix(3).map(\.description.path)
    let against = hasEarlier ? " --against \(site.root.path)" : ""
    return Fault(
      .refused, doing: "staging", subject: "cycle \(build.cycle.identifier)",
      problem: "validation found \(Counts.of(errors.count, "error"))\(shown)\(rest)",
      remedy: "Nothing was staged. Look closer with: chartpipe validate "
        + "\(paths.joined(separator: " "))\(against) --html report.html\n"
        + "    Where the rule is right and the cycle is too: --accept \(errors[0].rule):REASON.")
  }
}

extension StageGate.Verdict {
  /// Takes out the refused products, and those that contain parts of them.
  fileprivate mutating func hold(_ refused: [String: [ProductFinding]]) {
    guard !refused.isEmpty else { return }
    let databases = admitted.map(\.product).filter { $0.kind == .database && refused[$0.id] != nil }
    admitted = admitted.filter { built in
      let product = built.product
      if let errors = refused[product.id] {
        held.append(HeldProduct(product, refusedFor: errors))
        return false
      }
      var contained = (product.includes ?? []).filter { refused[$0] != nil }
      if product.kind == .export {
        contained += databases.filter { $0.pipeline == product.pipeline }.map(\.id)
      }
      if !contained.isEmpty { held.append(HeldProduct(product, containing: contained)) }
      return contained.isEmpty
    }
  }
}

extension Product {
  /// `nasr` of `nasr/aviation`.
  var pipeline: String { String(id.prefix { $0 != "/" }) }
}
