internal import Core
internal import Foundation

/// The products of a build that validation admits to a site, and those that it holds back.
///
/// Products without errors, except accepted ones, are admitted. A product with an error is held back, together with every product that
/// contains parts of it.
public struct StageAdmission {
  let request: StageRequest
  /// All products of the build, by id, and their cycle.
  let built: [PlacedProduct]
  let cycle: AiracCycle
  private(set) var admitted: [PlacedProduct]
  /// The findings and facts of the admitted products.
  private(set) var findings: [Finding] = []
  private(set) var facts: [String: ProductFacts] = [:]
  /// The products held back now, sorted by id.
  public private(set) var held: [HeldProduct] = []
  /// The error when no product is admitted.
  private(set) var refusal: UserError?
  private var refusals: [String: [Finding]] = [:]
  /// The ids of the products of the build and of the cycle in the site.
  private var known: Set<String> = []
  /// For commands in messages: the option that names the earlier cycles.
  private var against = ""
  /// The refused databases.
  private var bases: [Product] = []

  /// - Throws: when an error belongs to no single product, and for any error when the request is strict.
  init(_ request: StageRequest, validate: Stager.Validate, progress: any ProgressReporter) throws {
    self.request = request
    built = try StageAdmission.products(in: request.builds)
    (cycle, admitted) = (built[0].product.cycle, built)
    let manifests = try SiteFolder(root: request.site).readManifests()
    against = manifests.keys.contains { [cycle] in $0 < cycle } ? " --against \(request.site.path)" : ""
    let staged = manifests[cycle]?.manifest.whole ?? []
    known = Set(built.map(\.id) + staged.filter { !isOtherwiseBuilt($0) }.map(\.id))
    try holdUnknown()
    if let old = refusedPage { try? FileManager.default.removeItem(at: old) }
    var unused = request.accepted
    var first: ValidationReport?
    while !admitted.isEmpty {
      let report = try validate(validation(of: admitted, manifests), progress).accepting(request.accepted)
      unused.removeAll { report.findings.contains(where: $0.covers) }
      (findings, facts) = (report.findings.map(productFinding), report.facts)
      let errors = findings.filter { $0.severity == .error }
      if errors.isEmpty { break }
      if first == nil { first = report }
      let refused = request.isStrict ? [:] : refused(errors)
      guard !refused.isEmpty else { throw refusal(for: report, manifests, progress) }
      refuse(refused)
    }
    // A mosaic that was not built may have the findings.
    let products = Set(built.map(\.id) + request.skipped.map(\.id))
    for acceptance in unused
    where request.skipped.isEmpty || acceptance.product.map({ !products.contains($0) }) ?? false {
      acceptance.warnUnused("stage", among: products.sorted(), progress)
    }
    listHeld()
    if admitted.isEmpty, let first { refusal = refusal(for: first, manifests, progress) }
  }

  /// The ids of the products that validation itself refused.
  public var refused: [String] { held.filter { $0.because == nil }.map(\.id) }

  // MARK: - The build

  /// Returns the products to stage, by id: of one cycle, each once, and at least one.
  private static func products(in builds: [URL]) throws -> [PlacedProduct] {
    let products = try ProductSearch.built(in: builds).sorted { $0.id < $1.id }
    guard let first = products.first else {
      throw error(
        builds.map(\.path).joined(separator: ", "), "there is no product",
        "Build one first: chartpipe build PIPELINE --cycle C.")
    }
    let cycle = first.product.cycle
    if let other = products.first(where: { $0.product.cycle != cycle }) {
      throw error(
        other.place.path, "it is of cycle \(other.product.cycle), while \(first.id) is of \(cycle)",
        "Stage one cycle at a time: name its folder, such as work/build/\(cycle).")
    }
    if let (one, two) = zip(products, products.dropFirst()).first(where: { $0.id == $1.id }) {
      throw error(
        two.place.path, "\(two.id) is there twice; also in \(one.place.path)",
        "Name only the build that you want.")
    }
    return products
  }

  /// Holds back products that show a part that is neither built nor in the cycle's site, since validation does not see it.
  ///
  /// - Throws: if none remains, and for any when the request is strict.
  private mutating func holdUnknown() throws {
    admitted = admitted.filter { contained(in: $0.product).isEmpty }
    guard admitted.isEmpty || request.isStrict && admitted.count < built.count,
      let first = built.first(where: { !contained(in: $0.product).isEmpty })
    else { return }
    throw UserError(
      .refused, operation: "staging", path: first.id,
      reason:
        "it shows parts of \(contained(in: first.product)[0]), which is neither staged with it nor in the cycle's site",
      suggestion: "Stage both in one call: chartpipe run with both, or with the whole pipeline.")
  }

  /// Whether the folder of the build has the product, also before its edges were completed, from another source than the site's: its
  /// neighbours and mosaics may show that source.
  private func isOtherwiseBuilt(_ staged: Product) -> Bool {
    Set(built.map(\.folder)).contains { folder in
      ["", "cut/"].contains { part in
        let file = folder.appending(path: "\(part)\(staged.id.itemOfID).product.json")
        guard file.kindOnDisk != nil else { return false }
        // What cannot be read may be another source's.
        guard let other = try? Product(describedBy: file) else { return true }
        return other.id == staged.id && other.sources != staged.sources
      }
    }
  }

  private static func error(_ path: String, _ reason: String, _ suggestion: String) -> UserError {
    UserError(
      .badInput, operation: "looking for products in", path: path, reason: reason, suggestion: suggestion)
  }

  // MARK: - Validation

  /// Validates the new products together with the cycle's other products in the site, and against those of earlier cycles.
  private func validation(
    of products: [PlacedProduct], _ manifests: [AiracCycle: StoredManifest]
  ) -> ValidationRequest {
    let site = SiteFolder(root: request.site)
    let ids = Set(products.map(\.id))
    let others = manifests[cycle]?.manifest.whole.filter { !ids.contains($0.id) } ?? []
    return ValidationRequest(
      products.compactMap(\.description), beside: others.map { PlacedProduct($0, in: site.root) },
      against: manifests.latestFirst.products(before: cycle, and: request.published)
        .map { PlacedProduct($0, in: site.root) })
  }

  /// Removes the build folder from the texts, since the same products must give the same bytes in any folder.
  private func productFinding(_ finding: Finding) -> Finding {
    var finding = finding
    if let built = built.first(where: { $0.id == finding.product }) {
      let folder = built.folder.path + "/"
      finding.where = finding.where.replacing(folder, with: "")
      finding.message = finding.message.replacing(folder, with: "")
    }
    finding.product = finding.product ?? ""
    return finding
  }

  /// Returns the errors that refuse products in this round, by product; empty when no single product causes them.
  ///
  /// Errors in single files come first. Rules about the cycle apply after the wrong files are removed, since a wrong database
  /// must not refuse correct charts.
  private func refused(_ errors: [Finding]) -> [String: [Finding]] {
    let kinds = Dictionary(first: admitted.map { ($0.id, $0.product.kind) })
    let byProduct = Dictionary(grouping: errors) { $0.product ?? "" }.filter { kinds[$0.key] != nil }
    let own = byProduct.filter { $0.value.contains { !Validator.isAboutCycle($0.rule) } }
    if !own.isEmpty { return own }
    let databases = byProduct.filter { kinds[$0.key] == .database }
    return databases.isEmpty ? byProduct : databases
  }

  /// Removes the products that the rules refused in a round, and those that contain parts of them.
  private mutating func refuse(_ products: [String: [Finding]]) {
    refusals.merge(products) { $1 }
    bases += admitted.map(\.product).filter { $0.kind == .database && products[$0.id] != nil }
    admitted = admitted.filter { refusals[$0.id] == nil && contained(in: $0.product).isEmpty }
  }

  /// Lists the products held back, among those built and the skipped mosaics.
  private mutating func listHeld() {
    held = built.compactMap { built in
      if let errors = refusals[built.id] { return HeldProduct(built.product, refusedFor: errors) }
      let contained = contained(in: built.product)
      return contained.isEmpty ? nil : HeldProduct(built.product, containing: contained)
    }
    held += request.skipped.compactMap { mosaic in
      let contained = mosaic.parts.filter { refusals[$0] != nil }.sorted()
      guard let part = built.first(where: { $0.id == contained.first }) else { return nil }
      return HeldProduct(mosaic, like: part.product, containing: contained)
    }
    held.sort { $0.id < $1.id }
    let ids = Set(held.map(\.id))
    findings = findings.filter { !ids.contains($0.product ?? "") }
    facts = facts.filter { !ids.contains($0.key) }
  }

  /// Returns the ids of the refused or unknown products whose pixels or rows a product contains. A variant is made of the same sheet.
  private func contained(in product: Product) -> [String] {
    let parts = product.includes ?? []
    let charts =
      parts.filter { refusals[$0] != nil || !known.contains($0) }
      + [product.variantOf].compactMap(\.self).filter { refusals[$0] != nil }
    let bases = bases.filter { product.kind == .export && $0.id.pipelineOfID == product.id.pipelineOfID }
    return (charts + bases.map(\.id)).sorted()
  }

  // MARK: - Errors

  private func refusal(
    for report: ValidationReport, _ manifests: [AiracCycle: StoredManifest], _ progress: any ProgressReporter
  ) -> UserError {
    let errors = report.findings.filter { $0.severity == .error }.map(productFinding)
    let shown = errors.prefix(3).map { error in
      let place = [error.product ?? "", error.where].filter { !$0.isEmpty }.joined(separator: ", ")
      return "\n    \(error.rule): \(place): \(error.message)"
    }.joined()
    let rest = errors.count > 3 ? "\n    and \(errors.count - 3) more" : ""
    let paths = request.builds.map(\.path).joined(separator: " ")
    let page = try? writeReport(report, manifests, progress)
    let details =
      page.map { "The report is \($0.path)." }
      ?? "For details run: chartpipe validate \(paths)\(against) --html report.html"
    let places = Set(
      errors.map { [$0.rule, $0.product ?? ""].filter { !$0.isEmpty }.joined(separator: "@") })
    let rules = places.count > 6 ? Set(errors.map(\.rule)) : places
    let accepted = rules.sorted().map { "--accept \($0):REASON" }.joined(separator: " ")
    return UserError(
      .refused, operation: "staging", path: "cycle \(cycle)",
      reason: "validation found \(Counts.of(errors.count, "error"))\(shown)\(rest)",
      suggestion: "Nothing was staged, and what is published stays. \(details)\n"
        + "    If the cycle is correct, accept what was found: \(accepted).")
  }

  /// The report of a refused cycle in the work folder; nil without one.
  private var refusedPage: URL? { request.journal.root?.appending(path: "build/\(cycle)/refused.html") }

  private func writeReport(
    _ report: ValidationReport, _ manifests: [AiracCycle: StoredManifest], _ progress: any ProgressReporter
  ) throws -> URL? {
    guard let file = refusedPage else { return nil }
    let page = try ValidationPage.data(validation(of: built, manifests), report, progress: progress)
    try DurableFile.write(page, to: file, scratch: file.appendingPathExtension("new"))
    return file
  }

  /// Returns the reason why a product is held back, and the next step.
  func error(for held: HeldProduct) -> UserError {
    let published =
      held.published.map { "Its edition of \($0.edition), built for cycle \($0.cycle), stays published." }
      ?? "No other edition of it is known, so none is published."
    return UserError(
      .refused, operation: "staging", path: held.id,
      reason: "held back: \(held.rule.map { "\($0): " } ?? "")\(held.message)",
      suggestion: "\(published)\n  \(nextStep(held))")
  }

  private func nextStep(_ held: HeldProduct) -> String {
    let built = built.first { $0.id == held.id }
    guard held.rule != nil else {
      return built?.product.cut == nil
        ? "It can be published when those can."
        : "`chartpipe run` completes its edges without them, so that it can be published."
    }
    let rules = Set((refusals[held.id] ?? []).map(\.rule)).sorted()
    let accepted = rules.map { "--accept \($0)@\(held.id):REASON" }.joined(separator: " ")
    let details =
      against.isEmpty && !request.published.isEmpty
      ? "The report has the details."
      : "For details run: chartpipe validate \(built?.description?.path ?? held.id)\(against) --html report.html"
    return
      "\(details)\n"
      + "  If the product is correct, accept \(rules.count == 1 ? "the finding" : "the findings"): \(accepted)."
  }
}

extension PlacedProduct {
  /// Its description, for messages.
  fileprivate var place: URL { description ?? folder }
}
