internal import CryptoIO
internal import Pipeline

/// The products of a cycle beside each other: of one issue, and of the same sources.
struct CycleUnmixed: CycleRule {
  let name = "cycle-unmixed"
  let protects = "No cycle is put together of one month's airports and another month's airspace."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    issues(cycle) + bases(cycle) + sources(cycle)
  }

  /// Those of one kind and one pipeline are of one issue.
  private func issues(_ cycle: CycleUnderTest) -> [Finding] {
    let groups = Dictionary(grouping: cycle.all) { subject in
      subject.product.kind == .chart ? String(subject.pipeline) : "the databases and what is made of them"
    }
    return groups.sorted { $0.key < $1.key }.flatMap { group, subjects -> [Finding] in
      let counts = Dictionary(grouping: subjects) { $0.issue }
      let usual = counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
      return subjects.filter { $0.issue != usual }.map {
        finding(.error, $0, "", "it is \($0.issue), and the others of \(group) are \(usual ?? "")")
      }
    }
  }

  /// An export tells the sources of its database as its own.
  private func bases(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.pairs.compactMap { export, base in
      let own = Set(export.product.sources.map(\.sha256.text))
      guard let missing = base.product.sources.first(where: { !own.contains($0.sha256.text) }) else {
        return nil
      }
      return finding(
        .error, export, "",
        "it was not made of the \(missing.url) that \(base.product.id) was made of; build it again")
    }
  }

  /// A file of one name is the same file, whatever was made of it.
  private func sources(_ cycle: CycleUnderTest) -> [Finding] {
    let data = cycle.all.filter { $0.product.kind != .chart }
    let told = data.flatMap { subject in subject.product.sources.map { ($0.url, (subject, $0.sha256.text)) } }
    return Dictionary(grouping: told) { $0.0 }.sorted { $0.key < $1.key }.compactMap { url, uses in
      guard let first = uses.first?.1, let other = uses.first(where: { $0.1.1 != first.1 })?.1 else {
        return nil
      }
      return finding(
        .error, other.0, "", "it was made of another \(url) than \(first.0.product.id); build both of one")
    }
  }
}

extension ProductUnderTest {
  fileprivate var issue: String { "of \(product.effectiveDate) to \(product.expirationDate)" }
}
