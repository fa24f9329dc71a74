internal import Airac
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

  /// What comes beside the products themselves.
  struct News {
    var products: [Product]
    var findings: [ProductFinding]
    var facts: [String: ProductFacts]
    var problems: [String: ProblemDigest]
    var missing: [String]
    var failures: [ProductFailure]
    var notes: [SourceNote]
  }

  /// - Parameters:
  ///   - ids: of the products that come.
  ///   - doing: what is being done, for a fault.
  init(_ cycle: AiracCycle, ids: Set<String>, earlier: Manifest?, doing: String, remedy: String) throws {
    self.cycle = cycle
    self.earlier = earlier
    staying = earlier?.products.filter { !ids.contains($0.id) } ?? []
    guard staying.isEmpty || earlier?.validation.version == ToolVersion.version else {
      throw Fault(
        .refused, doing: doing, subject: "cycle \(cycle.identifier)",
        problem: "\(staying.map(\.id).joined(separator: ", ")) would stay as validated by "
          + "\(ToolVersion.tool) \(earlier?.validation.version ?? ""), and this is \(ToolVersion.version)",
        remedy: remedy)
    }
  }

  func manifest(_ news: News) -> Manifest {
    let products = (staying + news.products).sorted { $0.id < $1.id }
    let stayingIDs = Set(staying.map(\.id))
    let kept = earlier?.validation.findings.filter { stayingIDs.contains($0.product) } ?? []
    let absent = Set(news.missing + (earlier?.missing ?? [])).subtracting(products.map(\.id))
    let facts = (earlier?.validation.facts ?? [:]).filter { stayingIDs.contains($0.key) }
      .merging(news.facts.filter { $0.value != ProductFacts() }) { _, new in new }
    let all = (kept + news.findings).enumerated()
      .sorted { ($0.element.product, $0.offset) < ($1.element.product, $1.offset) }.map(\.element)
    return Manifest(
      cycle: cycle, products: products, missing: absent.sorted(),
      failures: failures(news.failures, of: absent), notes: notes(news.notes, news.products),
      problems: problems(news.problems, stayingIDs),
      validation: .init(
        ok: true, tool: ToolVersion.tool, version: ToolVersion.version, findings: all,
        facts: facts.isEmpty ? nil : facts))
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
