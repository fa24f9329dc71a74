internal import Airac
internal import Pipeline
internal import Validation

/// Holds the tables of each database against those of its last cycle in the site: what was lost on the way from the FAA looks
/// like a database that is merely smaller.
struct RowDrift {
  /// A table that lost more than this is told.
  private static let odd = 0.05
  /// One that lost more than this is refused: from one cycle to the next the FAA's tables change by some hundredths.
  private static let refused = 0.25
  /// The share says nothing of a table of some dozens of rows.
  private static let fewRows = 100

  func findings(
    of products: [Product], in cycle: AiracCycle, _ manifests: [AiracCycle: StoredManifest]
  ) -> [ProductFinding] {
    let earlier = manifests.filter { $0.key < cycle }.sorted { $0.key > $1.key }.map(\.value.manifest)
    return products.filter { $0.kind == .database }.flatMap { product -> [ProductFinding] in
      let before = earlier.lazy.flatMap(\.products).first { $0.id == product.id }
      return before.map { losses(from: $0, to: product) } ?? []
    }
  }

  private func losses(from before: Product, to product: Product) -> [ProductFinding] {
    let tables = before.build.counts.filter { $0.value >= RowDrift.fewRows && !$0.key.hasPrefix("dropped") }
    return tables.sorted { $0.key < $1.key }.compactMap { table, old in
      let new = product.build.counts[table] ?? 0
      let loss = Double(old - new) / Double(old)
      guard loss > RowDrift.odd else { return nil }
      let isGiven = product.build.mayShrink?.contains(table) ?? false
      let message =
        "it has \(Counts.grouped(new)) rows, \(Int((loss * 100).rounded())) % fewer than the "
        + "\(Counts.grouped(old)) of cycle \(before.cycle)"
      return ProductFinding(
        product: product.id,
        Finding(
          rule: "database-rows", severity: loss > RowDrift.refused && !isGiven ? .error : .warning,
          where: table, message: message))
    }
  }
}
