internal import Core

/// The products of one cycle, and those of earlier cycles to compare them with.
struct CycleUnderTest: RuleSubject, Sendable {
  /// The products to check.
  let products: [ProductUnderTest]
  /// Products of the same cycle that were validated before.
  let settled: [ProductUnderTest]
  /// The latest cycle's first.
  let earlier: [ProductUnderTest]
  /// The facts measured so far, by product.
  var facts: [String: ProductFacts]
  let place: String

  init(
    products: [ProductUnderTest], settled: [PlacedProduct], earlier: [PlacedProduct],
    facts: [String: ProductFacts] = [:]
  ) {
    (self.products, self.facts) = (products, facts)
    self.settled = settled.map(ProductUnderTest.init)
    self.earlier = earlier.map(ProductUnderTest.init)
    place = "cycle \(products.first?.product.cycle.identifier ?? "")"
  }

  private init(databasesOf cycle: CycleUnderTest) {
    let databases = { (subjects: [ProductUnderTest]) in subjects.filter(\.product.isOfDatabase) }
    products = databases(cycle.products)
    (settled, earlier, place) = (databases(cycle.settled), databases(cycle.earlier), cycle.place)
    let ids = Set((products + settled).map(\.product.id))
    facts = cycle.facts.filter { ids.contains($0.key) }
  }

  /// The databases and exports of the cycle.
  var withoutCharts: CycleUnderTest { CycleUnderTest(databasesOf: self) }

  /// Each chart with the databases of airports of the cycle.
  var charts: [CycleUnderTest] {
    let databases = { (subjects: [ProductUnderTest]) in subjects.filter(\.product.hasAirports) }
    return products.filter { $0.product.kind == .chart }.map { chart in
      CycleUnderTest(chart, products: [chart] + databases(products), settled: databases(settled))
    }
  }

  private init(_ chart: ProductUnderTest, products: [ProductUnderTest], settled: [ProductUnderTest]) {
    (self.products, self.settled, earlier, facts) = (products, settled, [], [:])
    place = "cycle \(chart.product.cycle)"
  }

  var all: [ProductUnderTest] { products + settled }

  /// Returns the product's last edition, or another build of this one, of those that can be compared.
  func before(
    _ subject: ProductUnderTest, where isFit: (Product) -> Bool = { _ in true }
  ) -> ProductUnderTest? {
    let fit = earlier.filter { $0.product.id == subject.product.id && isFit($0.product) }
    return fit.first { $0.product.cycle < subject.product.cycle }
      ?? fit.first { $0.product.cycle == subject.product.cycle }
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
    return Dictionary(grouping: charts) { String($0.product.id.prefix { $0 != "/" }) }
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
