internal import Airac
internal import Pipeline
internal import Validation

/// How a cycle's manifest comes of what is staged now and what was staged of that cycle before.
///
/// A product that is staged again replaces its earlier self; one that is not stays. So the pipelines of a cycle can be
/// staged one after the other, and one chart can be made anew alone.
struct ManifestDraft {
  let cycle: AiracCycle
  let staying: [Product]
  private let earlier: Manifest?

  init(_ build: BuildScan, earlier: Manifest?) throws {
    let ids = Set(build.products.map(\.product.id))
    cycle = build.cycle
    self.earlier = earlier
    staying = earlier?.products.filter { !ids.contains($0.id) } ?? []
    guard staying.isEmpty || earlier?.validation.version == ToolVersion.version else {
      throw Fault(
        .refused, doing: "staging", subject: "cycle \(cycle.identifier)",
        problem: "\(staying.map(\.id).joined(separator: ", ")) would stay as validated by "
          + "\(ToolVersion.tool) \(earlier?.validation.version ?? ""), and this is \(ToolVersion.version)",
        remedy: "Build and stage all products of the cycle in one call.")
    }
  }

  func manifest(
    staged: [Product], _ verdict: StageGate.Verdict, missing: [String], notes: [SourceNote]
  ) -> Manifest {
    let products = (staying + staged).sorted { $0.id < $1.id }
    let stayingIDs = Set(staying.map(\.id))
    let kept = earlier?.validation.findings.filter { stayingIDs.contains($0.product) } ?? []
    let absent = Set(missing + (earlier?.missing ?? [])).subtracting(products.map(\.id))
    let facts = (earlier?.validation.facts ?? [:]).filter { stayingIDs.contains($0.key) }
      .merging(verdict.facts.filter { $0.value != ProductFacts() }) { _, new in new }
    let all = (kept + verdict.findings).enumerated()
      .sorted { ($0.element.product, $0.offset) < ($1.element.product, $1.offset) }.map(\.element)
    return Manifest(
      cycle: cycle, products: products, missing: absent.sorted(), notes: self.notes(notes, staged),
      validation: .init(
        ok: true, tool: ToolVersion.tool, version: ToolVersion.version, findings: all,
        facts: facts.isEmpty ? nil : facts))
  }

  /// What was noticed of a source holds until a product of that source is staged again.
  private func notes(_ new: [SourceNote], _ staged: [Product]) -> [SourceNote]? {
    let seen = Set(staged.flatMap(\.sources).map(\.url) + new.map(\.source))
    let kept = (earlier?.notes ?? []).filter { !seen.contains($0.source) }
    let all = (kept + new).sorted { ($0.source, $0.message) < ($1.source, $1.message) }
    return all.isEmpty ? nil : all
  }
}
