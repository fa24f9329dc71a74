internal import Core
internal import Pipeline
internal import Validation

/// How a cycle's manifest comes of what is staged now and what was staged of that cycle before; and in the same way, of what is
/// published now and what was published before.
///
/// A product that comes again replaces its earlier self; one that does not stays. So the pipelines of a cycle can be
/// staged one after the other, and one chart can be made anew alone.
struct ManifestDraft {
  let cycle: AiracCycle
  let staying: [Product]
  private let earlier: Manifest?
  private let editions: [Product]

  /// What comes beside the products themselves.
  struct News {
    var products: [Product]
    var findings: [ProductFinding]
    var facts: [String: ProductFacts]
    var problems: [String: ProblemDigest]
    /// What validation refused of what comes.
    var held: [HeldProduct]
    var missing: [String]
    var failures: [ProductFailure]
    var notes: [SourceNote]
  }

  /// - Parameters:
  ///   - ids: of the products that come, and of those that are held back now.
  ///   - editions: what was published in earlier cycles, the latest first: one of them stays for each product that is lacking.
  ///   - isWhole: whether all files of an edition are there.
  ///   - doing: what is being done, for a fault.
  init(
    _ cycle: AiracCycle, ids: Set<String>, earlier: Manifest?, editions: [Product],
    isWhole: (Product) -> Bool = { _ in true }, doing: String, remedy: String
  ) throws {
    self.cycle = cycle
    self.earlier = earlier
    self.editions = ((earlier.map { CycleProducts($0).all } ?? []) + editions).filter(isWhole)
    staying = earlier?.products.filter { !ids.contains($0.id) } ?? []
    guard staying.isEmpty || earlier?.validation.version == ToolVersion.version else {
      throw UserError(
        .refused, operation: doing, path: "cycle \(cycle.identifier)",
        reason: "\(staying.map(\.id).joined(separator: ", ")) would stay as validated by "
          + "\(ToolVersion.tool) \(earlier?.validation.version ?? ""), and this is \(ToolVersion.version)",
        suggestion: remedy)
    }
  }

  func manifest(_ news: News) -> Manifest {
    let products = (staying + news.products).sorted { $0.id < $1.id }
    let stayingIDs = Set(staying.map(\.id))
    let kept = earlier?.validation.findings.filter { stayingIDs.contains($0.product) } ?? []
    let held = held(news, products)
    let absent = Set(news.missing + (earlier?.missing ?? [])).subtracting(products.map(\.id))
      .subtracting(held.map(\.id))
    let facts = (earlier?.validation.facts ?? [:]).filter { stayingIDs.contains($0.key) }
      .merging(news.facts.filter { $0.value != ProductFacts() }) { _, new in new }
    let all = (kept + news.findings).enumerated()
      .sorted { ($0.element.product, $0.offset) < ($1.element.product, $1.offset) }.map(\.element)
    var manifest = Manifest(
      cycle: cycle, products: products, missing: absent.sorted(),
      failures: failures(news.failures, of: absent), held: held.isEmpty ? nil : held,
      notes: notes(news.notes, news.products),
      problems: problems(news.problems, stayingIDs),
      validation: .init(
        ok: true, tool: ToolVersion.tool, version: ToolVersion.version, findings: all,
        facts: facts.isEmpty ? nil : facts))
    manifest.keep(latestOf: editions)
    return manifest
  }

  /// A product that was held back before stays so until it comes again or could not be made.
  private func held(_ news: News, _ products: [Product]) -> [HeldProduct] {
    let decided = Set(products.map(\.id) + news.held.map(\.id) + news.missing)
    let standing = (earlier?.held ?? []).filter { !decided.contains($0.id) }
    return (standing + news.held).sorted { $0.id < $1.id }
  }

  /// What the last run said of a product that is missing still.
  private func failures(_ new: [ProductFailure], of absent: Set<String>) -> [ProductFailure]? {
    let known = ((earlier?.failures ?? []) + new).filter { absent.contains($0.id) }
    let latest = Dictionary(known.map { ($0.id, $0) }) { _, new in new }
    return latest.isEmpty ? nil : latest.values.sorted { $0.id < $1.id }
  }

  private func problems(
    _ new: [String: ProblemDigest], _ stayingIDs: Set<String>
  ) -> [String: ProblemDigest]? {
    let kept = (earlier?.problems ?? [:]).filter { stayingIDs.contains($0.key) }
    let all = kept.merging(new) { _, new in new }
    return all.isEmpty ? nil : all
  }

  /// What was noticed of a source holds until a product of that source is staged again.
  private func notes(_ new: [SourceNote], _ staged: [Product]) -> [SourceNote]? {
    let seen = Set(staged.flatMap(\.sources).map(\.url) + new.map(\.source))
    let kept = (earlier?.notes ?? []).filter { !seen.contains($0.source) }
    let all = (kept + new).sorted { ($0.source, $0.message) < ($1.source, $1.message) }
    return all.isEmpty ? nil : all
  }
}

extension Manifest {
  /// Notes for each product that is held back or missing the latest edition of it, of this cycle at most.
  mutating func keep(latestOf editions: [Product]) {
    let lacking = Set((held ?? []).map(\.id) + missing)
    guard !lacking.isEmpty, let own = AiracCycle(identifier: cycle) else { return }
    let dated = editions.filter { lacking.contains($0.id) }.compactMap { product in
      AiracCycle(identifier: product.cycle).map { (cycle: $0, product: product) }
    }.filter { $0.cycle <= own }
    let latest = lacking.sorted().compactMap { id in
      let same = dated.filter { $0.product.id == id }
      return same.first { $0.cycle == same.map(\.cycle).max() }?.product
    }
    kept = latest.isEmpty ? nil : latest
    held = held?.map { held in
      var held = held
      held.published = latest.first { $0.id == held.id }.map(PublishedEdition.init)
      return held
    }
  }
}
