internal import Core
internal import Pipeline

/// The products of one cycle beside each other, and what was before them.
final class CycleUnderTest {
  /// Those to be judged.
  let products: [ProductUnderTest]
  /// Those that stand already.
  let settled: [ProductUnderTest]
  /// The latest cycle's first.
  private let earlier: [ProductUnderTest]
  private let measured: [String: ProductFacts]
  /// What the rules of the cycle measured, by product.
  private(set) var facts: [String: ProductFacts] = [:]

  /// - Parameter measured: by the rules of each product alone.
  init(
    products: [ProductUnderTest], settled: [PlacedProduct], earlier: [PlacedProduct],
    measured: [String: ProductFacts] = [:]
  ) {
    self.products = products
    self.measured = measured
    self.settled = settled.map(ProductUnderTest.init)
    self.earlier = earlier.map(ProductUnderTest.init)
  }

  var all: [ProductUnderTest] { products + settled }

  /// The product as it was in the last cycle, or another build of this one, of those that are fit to be compared with.
  func before(
    _ subject: ProductUnderTest, where isFit: (Product) -> Bool = { _ in true }
  ) -> ProductUnderTest? {
    let fit = earlier.filter { $0.product.id == subject.product.id && isFit($0.product) }
    return fit.first { $0.product.cycle < subject.product.cycle }
      ?? fit.first { $0.product.cycle == subject.product.cycle }
  }

  /// All that the cycle before this one had.
  var lastCycle: [ProductUnderTest] {
    let cycles = earlier.map(\.product.cycle).filter { $0 < (products.first?.product.cycle ?? "") }
    guard let last = cycles.max() else { return [] }
    return earlier.filter { $0.product.cycle == last }
  }

  /// All that was measured of a product so far.
  func allFacts(_ subject: ProductUnderTest) -> ProductFacts {
    var all = measured[subject.product.id] ?? ProductFacts()
    if let own = facts[subject.product.id] { all.add(own) }
    return all
  }

  func note(_ subject: ProductUnderTest, _ change: (inout ProductFacts) -> Void) {
    change(&facts[subject.product.id, default: ProductFacts()])
  }
}

/// The charts of one pipeline that a cycle has, those that were settled before among them.
struct FamilyUnderTest {
  /// `vfr-sectional`
  let pipeline: String
  let charts: [ProductUnderTest]

  /// Whether all charts of its definition are there.
  var isComplete: Bool {
    let expected = charts.compactMap(\.product.family?.charts).max()
    return expected.map { charts.count >= $0 } ?? false
  }

  /// What the definition says that they cover, as boxes.
  var covers: [[Double]]? { charts.lazy.compactMap(\.product.family?.covers).first { !$0.isEmpty } }
}

extension CycleUnderTest {
  /// Mosaics are no charts of their own.
  var families: [FamilyUnderTest] {
    let charts = all.filter { $0.product.kind == .chart && $0.product.family != nil }
    return Dictionary(grouping: charts) { String($0.product.id.prefix { $0 != "/" }) }
      .sorted { $0.key < $1.key }.map { FamilyUnderTest(pipeline: $0.key, charts: $0.value) }
  }
}
