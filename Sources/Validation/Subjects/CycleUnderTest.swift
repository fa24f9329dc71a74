internal import Core

/// The products of one cycle, and those of earlier cycles to compare them with.
struct CycleUnderTest: RuleSubject, Sendable {
  /// The products to check.
  private(set) var products: [ProductUnderTest]
  /// Products of the same cycle that were validated before.
  private(set) var settled: [ProductUnderTest]
  /// The latest cycle's first.
  private(set) var earlier: [ProductUnderTest]
  /// The facts measured so far, by product.
  var facts: [String: ProductFacts]
  let place: String

  init(
    products: [ProductUnderTest], settled: [PlacedProduct], earlier: [PlacedProduct],
    facts: [String: ProductFacts] = [:]
  ) {
    (self.products, self.facts) = (products, facts)
    let subject = { (placed: PlacedProduct) in
      ProductUnderTest(
        placed.product, in: placed.folder, place: "\(placed.id) of cycle \(placed.product.cycle)")
    }
    (self.settled, self.earlier) = (settled.map(subject), earlier.map(subject))
    place = "cycle \(products.first?.product.cycle.identifier ?? "")"
  }

  /// The databases and exports of the cycle.
  var withoutCharts: CycleUnderTest {
    var cycle = self
    cycle.products.removeAll { !$0.product.isOfDatabase }
    cycle.settled.removeAll { !$0.product.isOfDatabase }
    cycle.earlier.removeAll { !$0.product.isOfDatabase }
    let ids = Set(cycle.all.map(\.product.id))
    cycle.facts = facts.filter { ids.contains($0.key) }
    return cycle
  }

  /// Each chart with the databases of airports of the cycle.
  var charts: [CycleUnderTest] {
    products.filter { $0.product.kind == .chart }.map { chart in
      var cycle = self
      cycle.products = [chart] + products.filter(\.product.hasAirports)
      cycle.settled = settled.filter(\.product.hasAirports)
      (cycle.earlier, cycle.facts) = ([], [:])
      return cycle
    }
  }

  var all: [ProductUnderTest] { products + settled }

  /// Returns the product's last edition, or another build of this one, of those that can be compared.
  private func before(_ subject: ProductUnderTest, where isFit: (Product) -> Bool) -> ProductUnderTest? {
    let fit = earlier.filter { $0.product.id == subject.product.id && isFit($0.product) }
    return fit.first { $0.product.cycle < subject.product.cycle }
      ?? fit.first { $0.product.cycle == subject.product.cycle }
  }

  /// The checked products of a kind that have an edition to compare them with.
  func compared(
    _ isOfKind: (Product) -> Bool = { _ in true }, where isFit: (Product) -> Bool = { _ in true }
  ) -> [(subject: ProductUnderTest, before: ProductUnderTest)] {
    products.filter { isOfKind($0.product) }.compactMap { subject in
      before(subject, where: isFit).map { (subject, $0) }
    }
  }

  /// All products of the cycle before this one.
  var lastCycle: [ProductUnderTest] {
    guard let own = products.first?.product.cycle,
      let last = earlier.map(\.product.cycle).filter({ $0 < own }).max()
    else { return [] }
    return earlier.filter { $0.product.cycle == last }
  }

  /// The charts with a family, by pipeline. Mosaics have none.
  var families: [FamilyUnderTest] {
    let charts = all.filter { $0.product.kind == .chart && $0.product.family != nil }
    return Dictionary(grouping: charts) { $0.product.id.pipelineOfID }
      .sorted { $0.key < $1.key }.map { FamilyUnderTest(pipeline: $0.key, charts: $0.value) }
  }
}

/// The charts of one pipeline in a cycle, including those validated before.
struct FamilyUnderTest {
  /// `vfr-sectional`
  let pipeline: String
  let charts: [ProductUnderTest]

  /// Whether all charts of the pipeline's definition are present.
  var isComplete: Bool {
    let expected = charts.compactMap(\.product.family?.charts).max()
    return expected.map { charts.count >= $0 } ?? false
  }

  /// The boxes that the definition promises to cover.
  var covers: [[Double]]? { charts.lazy.compactMap(\.product.family?.covers).first { !$0.isEmpty } }
}
