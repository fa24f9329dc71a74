internal import Core

/// Merges new products with the earlier manifest of a cycle, for staging and for publishing.
///
/// A new product replaces the earlier product with its id; all others are retained. So you can stage the pipelines of a cycle
/// one after the other, and rebuild a single chart.
struct ManifestDraft {
  let cycle: AiracCycle
  let retained: [Product]
  private let earlier: Manifest?
  private let editions: [Product]

  /// The new products and everything about them.
  struct Additions {
    var products: [Product]
    var findings: [ProductFinding]
    var facts: [String: ProductFacts]
    var problems: [String: ProblemDigest]
    var held: [HeldProduct]
    var missing: [String]
    var failures: [ProductFailure]
    var notes: [SourceNote]
  }

  /// - Parameters:
  ///   - ids: The ids of the new products, and of those held back now.
  ///   - editions: The products of earlier cycles, the latest first. The latest edition of a missing product is kept.
  ///   - isWhole: Whether all files of an edition exist.
  ///   - doing: The operation, for an error.
  init(
    _ cycle: AiracCycle, ids: Set<String>, earlier: Manifest?, editions: [Product],
    isWhole: (Product) -> Bool = { _ in true }, doing: String, remedy: String
  ) throws {
    self.cycle = cycle
    self.earlier = earlier
    self.editions = ((earlier.map { CycleProducts($0).all } ?? []) + editions).filter(isWhole)
    retained = earlier?.products.filter { !ids.contains($0.id) } ?? []
    guard retained.isEmpty || earlier?.validation.version == ToolVersion.version else {
      throw UserError(
        .refused, operation: doing, path: "cycle \(cycle)",
        reason: "\(retained.map(\.id).joined(separator: ", ")) were validated by "
          + "\(ToolVersion.tool) \(earlier?.validation.version ?? ""), not by this version \(ToolVersion.version)",
        suggestion: remedy)
    }
  }

  func manifest(_ additions: Additions) -> Manifest {
    let products = (retained + additions.products).sorted { $0.id < $1.id }
    let retainedIDs = Set(retained.map(\.id))
    let kept = earlier?.validation.findings.filter { retainedIDs.contains($0.product) } ?? []
    let held = held(additions, products)
    let absent = Set(additions.missing + (earlier?.missing ?? [])).subtracting(products.map(\.id))
      .subtracting(held.map(\.id))
    let facts = (earlier?.validation.facts ?? [:]).filter { retainedIDs.contains($0.key) }
      .merging(additions.facts.filter { $0.value != ProductFacts() }) { _, new in new }
    let all = (kept + additions.findings).enumerated()
      .sorted { ($0.element.product, $0.offset) < ($1.element.product, $1.offset) }.map(\.element)
    var manifest = Manifest(
      cycle: cycle, products: products, missing: absent.sorted(),
      failures: failures(additions.failures, of: absent), held: held.isEmpty ? nil : held,
      notes: notes(additions.notes, additions.products),
      problems: problems(additions.problems, retainedIDs),
      validation: .init(
        ok: true, tool: ToolVersion.tool, version: ToolVersion.version, findings: all,
        facts: facts.isEmpty ? nil : facts))
    manifest.keep(latestOf: editions)
    return manifest
  }

  /// A product that was held back before stays held back until it is staged again or reported missing.
  private func held(_ additions: Additions, _ products: [Product]) -> [HeldProduct] {
    let decided = Set(products.map(\.id) + additions.held.map(\.id) + additions.missing)
    let stillHeld = (earlier?.held ?? []).filter { !decided.contains($0.id) }
    return (stillHeld + additions.held).sorted { $0.id < $1.id }
  }

  /// Returns the latest failures of the products that are still missing.
  private func failures(_ new: [ProductFailure], of absent: Set<String>) -> [ProductFailure]? {
    let known = ((earlier?.failures ?? []) + new).filter { absent.contains($0.id) }
    let latest = Dictionary(known.map { ($0.id, $0) }) { _, new in new }
    return latest.isEmpty ? nil : latest.values.sorted { $0.id < $1.id }
  }

  private func problems(
    _ new: [String: ProblemDigest], _ retainedIDs: Set<String>
  ) -> [String: ProblemDigest]? {
    let kept = (earlier?.problems ?? [:]).filter { retainedIDs.contains($0.key) }
    let all = kept.merging(new) { _, new in new }
    return all.isEmpty ? nil : all
  }

  /// A note about a source is kept until a product of that source is staged again.
  private func notes(_ new: [SourceNote], _ staged: [Product]) -> [SourceNote]? {
    let seen = Set(staged.flatMap(\.sources).map(\.url) + new.map(\.source))
    let kept = (earlier?.notes ?? []).filter { !seen.contains($0.source) }
    let all = (kept + new).sorted { ($0.source, $0.message) < ($1.source, $1.message) }
    return all.isEmpty ? nil : all
  }
}

extension Manifest {
  /// Keeps the latest edition, of this cycle at most, of each product that is held back or missing. Refused bytes are never kept.
  mutating func keep(latestOf editions: [Product]) {
    let lacking = Set((held ?? []).map(\.id) + missing)
    guard !lacking.isEmpty else { return }
    let valid = valid(editions).filter { $0.cycle <= cycle }
    let latest = lacking.sorted().compactMap { id in
      let same = valid.filter { $0.id == id }
      return same.first { $0.cycle == same.map(\.cycle).max() }
    }
    kept = latest.isEmpty ? nil : latest
    held = held?.map { held in
      var held = held
      held.published = latest.first { $0.id == held.id }.map(PublishedEdition.init)
      return held
    }
  }

  /// Returns the editions without those that have the bytes of a refused product, and those that contain parts of them.
  private func valid(_ editions: [Product]) -> [Product] {
    let hashes = Dictionary((held ?? []).map { ($0.id, $0.sha256) }) { first, _ in first }
    let refused = editions.filter { hashes[$0.id] == $0.clientHashes }
    return editions.filter { edition in
      hashes[edition.id] != edition.clientHashes && !refused.contains(where: edition.hasParts)
    }
  }
}

extension Product {
  fileprivate func hasParts(of other: Product) -> Bool {
    let isExport = kind == .export && other.kind == .database && pipeline == other.pipeline
    return cycle == other.cycle && (isExport || includes?.contains(other.id) == true)
  }
}
