internal import Core
internal import Pipeline

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
