internal import Core

extension Manifest {
  /// Returns the products that stay when others of the cycle are staged or published.
  ///
  /// - Throws: if another version validated them.
  func retained(besides ids: [String], doing: String, remedy: String) throws -> [Product] {
    let retained = products.filter { !ids.contains($0.id) }
    guard retained.isEmpty || validation.version == ToolVersion.version else {
      throw UserError(
        .refused, operation: doing, path: "cycle \(cycle)",
        reason: "\(retained.map(\.id).joined(separator: ", ")) were validated by "
          + "\(ToolVersion.tool) \(validation.version), not by this version \(ToolVersion.version)",
        suggestion: remedy)
    }
    return retained
  }

  /// Merges the manifest of new products with the earlier one of their cycle, for staging and for publishing.
  ///
  /// A new product replaces the earlier product with its id; all others are retained. So you can stage the pipelines of a cycle
  /// one after the other, and rebuild a single chart.
  ///
  /// - Parameters:
  ///   - retained: the products of the earlier manifest that stay.
  ///   - editions: the complete products of the earlier manifest and of earlier cycles, the latest first. The latest edition of a missing
  ///     product is kept.
  ///   - published: earlier products that only the target of the publication has.
  func merged(
    with earlier: Manifest?, retaining retained: [Product], beside editions: [Product],
    published: [Product] = []
  ) -> Manifest {
    let retainedIDs = Set(retained.map(\.id))
    var merged = self
    merged.products = (retained + products).sorted { $0.id < $1.id }
    // A product that was held back before stays held back until it is staged again or reported missing.
    let decided = Set(merged.products.map(\.id) + (held ?? []).map(\.id) + missing)
    let held = ((earlier?.held ?? []).filter { !decided.contains($0.id) } + (held ?? [])).sorted {
      $0.id < $1.id
    }
    let absent = Set(missing + (earlier?.missing ?? [])).subtracting(
      (merged.products.map(\.id) + held.map(\.id)))
    merged.missing = absent.sorted()
    merged.held = held.isEmpty ? nil : held
    // The latest failures of the products that are still missing.
    let known = ((earlier?.failures ?? []) + (failures ?? [])).filter { absent.contains($0.id) }
    let latest = Dictionary(known.map { ($0.id, $0) }) { $1 }.values.sorted { $0.id < $1.id }
    merged.failures = latest.isEmpty ? nil : latest
    // A note about a source is kept until a product of that source is staged again.
    let seen = Set(products.flatMap(\.sources).map(\.url) + (notes ?? []).map(\.source))
    let notes = ((earlier?.notes ?? []).filter { !seen.contains($0.source) } + (notes ?? []))
      .sorted { ($0.source, $0.message) < ($1.source, $1.message) }
    merged.notes = notes.isEmpty ? nil : notes
    let problems = (earlier?.problems ?? [:]).filter { retainedIDs.contains($0.key) }
      .merging(problems ?? [:]) { $1 }
    merged.problems = problems.isEmpty ? nil : problems
    merged.validation = validation.merged(with: earlier?.validation, of: retainedIDs)
    merged.kept = nil
    merged.keep(latestOf: editions, published: published)
    return merged
  }

  /// Keeps the latest edition, of this cycle at most, of each product that is held back or missing. Refused bytes are never kept.
  ///
  /// - Parameter published: editions that stay published, and of which there are no files here to keep.
  mutating func keep(latestOf editions: [Product], published: [Product] = []) {
    let lacking = Set((held ?? []).map(\.id) + missing).sorted()
    guard !lacking.isEmpty else { return }
    func latest(of editions: [Product]) -> [Product] {
      let valid = valid(editions).filter { $0.cycle <= cycle }
      return lacking.compactMap { id in
        let same = valid.filter { $0.id == id }
        return same.first { $0.cycle == same.map(\.cycle).max() }
      }
    }
    let (here, anywhere) = (latest(of: editions), latest(of: editions + published))
    kept = here.isEmpty ? nil : here
    held = held?.map { held in
      var held = held
      held.published = anywhere.first { $0.id == held.id }.map(PublishedEdition.init)
      return held
    }
  }

  /// Returns the editions without those that have the bytes of a refused product, and those that contain parts of them.
  private func valid(_ editions: [Product]) -> [Product] {
    let hashes = Dictionary(first: (held ?? []).map { ($0.id, $0.sha256) })
    let refused = editions.filter { hashes[$0.id] == $0.clientHashes }
    return editions.filter { edition in
      hashes[edition.id] != edition.clientHashes && !refused.contains(where: edition.hasParts)
    }
  }
}

extension Manifest.Validation {
  fileprivate func merged(with earlier: Self?, of retained: Set<String>) -> Self {
    let kept = earlier?.findings.filter { retained.contains($0.product ?? "") } ?? []
    let all = (kept + findings).enumerated()
      .sorted { ($0.element.product ?? "", $0.offset) < ($1.element.product ?? "", $1.offset) }.map(\.element)
    let facts = (earlier?.facts ?? [:]).filter { retained.contains($0.key) }
      .merging((facts ?? [:]).filter { $0.value != ProductFacts() }) { $1 }
    return Self(findings: all, facts: facts.isEmpty ? nil : facts)
  }
}

extension Product {
  fileprivate func hasParts(of other: Product) -> Bool {
    let isExport = kind == .export && other.kind == .database && id.pipelineOfID == other.id.pipelineOfID
    return cycle == other.cycle && (isExport || includes?.contains(other.id) == true)
  }
}
