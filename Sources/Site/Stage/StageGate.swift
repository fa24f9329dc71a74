internal import Core
internal import Foundation

/// Admits products without errors, except accepted ones. A product with an error is held back, together with every product that
/// contains parts of it.
struct StageGate {
  typealias Validate = (_ request: ValidationRequest, _ progress: any ProgressReporter) throws ->
    ValidationReport

  let site: SiteFolder
  let request: StageRequest
  let validate: Validate

  /// The result of validating the products of a build.
  struct Verdict {
    /// The products that may be staged.
    var admitted: [PlacedProduct]
    /// The findings and facts of the admitted products.
    var findings: [ProductFinding] = []
    var facts: [String: ProductFacts] = [:]
    /// Sorted by id.
    var held: [HeldProduct] = []
    /// The errors of the first round.
    var errors: [ProductFinding] = []
    fileprivate var refused: [String: [ProductFinding]] = [:]
    /// The refused databases.
    fileprivate var bases: [Product] = []

    init(admitted: [PlacedProduct]) { self.admitted = admitted }
  }

  /// - Throws: when an error belongs to no single product, and for any error when the request is strict.
  func pass(_ build: BuildScan, progress: any ProgressReporter) throws -> Verdict {
    let manifests = try site.readManifests()
    var verdict = Verdict(admitted: build.products)
    var rules: Set<String> = []
    while !verdict.admitted.isEmpty {
      let report = try validate(validation(build.cycle, verdict.admitted, manifests), progress)
        .accepting(request.accepted)
      rules.formUnion(report.findings.map(\.rule))
      let findings = report.findings.map { productFinding($0, build) }
      let errors = findings.filter { $0.severity == .error }
      if verdict.errors.isEmpty { verdict.errors = errors }
      (verdict.findings, verdict.facts) = (findings, report.facts)
      if errors.isEmpty { break }
      let refused = request.isStrict ? [:] : refused(errors, of: verdict.admitted)
      guard !refused.isEmpty else { throw refusal(of: build, errors) }
      verdict.refuse(refused)
    }
    warnAboutUnusedAcceptances(rules, progress)
    verdict.complete(build, request.skipped)
    return verdict
  }

  /// Returns the errors that refuse products in this round, by product; empty when no single product causes them.
  ///
  /// Errors in single files come first. Rules about the cycle apply after the wrong files are removed, since a wrong database
  /// must not refuse correct charts.
  private func refused(
    _ errors: [ProductFinding], of products: [PlacedProduct]
  ) -> [String: [ProductFinding]] {
    let kinds = Dictionary(products.map { ($0.product.id, $0.product.kind) }) { first, _ in first }
    let byProduct = Dictionary(grouping: errors.filter { kinds[$0.product] != nil }, by: \.product)
    let own = byProduct.filter { $0.value.contains { !Validator.isAboutCycle($0.rule) } }
    if !own.isEmpty { return own }
    let databases = byProduct.filter { kinds[$0.key] == .database }
    return databases.isEmpty ? byProduct : databases
  }

  /// Validates the new products together with the cycle's other products in the site, and against those of earlier cycles.
  private func validation(
    _ cycle: AiracCycle, _ products: [PlacedProduct], _ manifests: [AiracCycle: StoredManifest]
  ) -> ValidationRequest {
    let ids = Set(products.map(\.product.id))
    let others = manifests[cycle]?.manifest.products.filter { !ids.contains($0.id) } ?? []
    return ValidationRequest(
      products.compactMap(\.description), beside: others.map { PlacedProduct($0, in: site.root) },
      against: manifests.products(before: cycle, in: site))
  }

  private func warnAboutUnusedAcceptances(_ rules: Set<String>, _ progress: any ProgressReporter) {
    for acceptance in request.accepted where !rules.contains(acceptance.rule) {
      progress.report(
        .warning(
          step: "stage", message: "\(acceptance.rule) has no findings, so there was nothing to accept"))
    }
  }

  /// Removes the build folder from the texts, since the same products must give the same bytes in any folder.
  private func productFinding(_ finding: Finding, _ build: BuildScan) -> ProductFinding {
    guard let built = build.products.first(where: { $0.product.id == finding.product }) else {
      return ProductFinding(product: finding.product ?? "", finding)
    }
    let folder = built.folder.path + "/"
    var finding = finding
    finding.where = finding.where.replacing(folder, with: "")
    finding.message = finding.message.replacing(folder, with: "")
    return ProductFinding(product: built.product.id, finding)
  }

  func refusal(of build: BuildScan, _ errors: [ProductFinding]) -> UserError {
    let shown = errors.prefix(3).map { "\n    \($0.rule): \($0.product), \($0.where): \($0.message)" }
      .joined()
    let rest = errors.count > 3 ? "\n    and \(errors.count - 3) more" : ""
    let refused = Set(errors.map(\.product))
    let paths = build.products.filter { refused.contains($0.product.id) }.prefix(3).compactMap(
      \.description?.path)
    let hasEarlier = (try? site.readManifests().contains { $0.key < build.cycle }) ?? false
    let against = hasEarlier ? " --against \(site.root.path)" : ""
    return UserError(
      .refused, operation: "staging", path: "cycle \(build.cycle)",
      reason: "validation found \(Counts.of(errors.count, "error"))\(shown)\(rest)",
      suggestion: "Nothing was staged. For details run: chartpipe validate "
        + "\(paths.joined(separator: " "))\(against) --html report.html\n"
        + "    If the cycle is correct, accept the finding: --accept \(errors[0].rule):REASON.")
  }
}

extension StageGate.Verdict {
  /// Removes the products that the rules refused in a round, and those that contain parts of them.
  fileprivate mutating func refuse(_ products: [String: [ProductFinding]]) {
    refused.merge(products) { $1 }
    bases += admitted.map(\.product).filter { $0.kind == .database && products[$0.id] != nil }
    admitted = admitted.filter { refused[$0.product.id] == nil && contained(in: $0.product).isEmpty }
  }

  /// Lists the products held back, among those built and the skipped mosaics.
  fileprivate mutating func complete(_ build: BuildScan, _ skipped: [SkippedMosaic]) {
    held = build.products.compactMap { built in
      if let errors = refused[built.product.id] { return HeldProduct(built.product, refusedFor: errors) }
      let contained = contained(in: built.product)
      return contained.isEmpty ? nil : HeldProduct(built.product, containing: contained)
    }
    held += skipped.compactMap { mosaic in
      let contained = mosaic.parts.filter { refused[$0] != nil }.sorted()
      guard let part = build.products.first(where: { $0.product.id == contained.first }) else { return nil }
      return HeldProduct(mosaic, like: part.product, containing: contained)
    }
    held.sort { $0.id < $1.id }
    let ids = Set(held.map(\.id))
    findings = findings.filter { !ids.contains($0.product) }
    facts = facts.filter { !ids.contains($0.key) }
  }

  /// Returns the ids of the refused products whose pixels or rows a product contains.
  private func contained(in product: Product) -> [String] {
    let charts = (product.includes ?? []).filter { refused[$0] != nil }
    let bases = bases.filter { product.kind == .export && $0.pipeline == product.pipeline }
    return (charts + bases.map(\.id)).sorted()
  }
}

extension Product {
  /// `nasr` of `nasr/aviation`.
  var pipeline: String { String(id.prefix { $0 != "/" }) }
}
