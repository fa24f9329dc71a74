internal import Pipeline
internal import Validation

/// Holds the tables of each database, and of what is made of it, against those of its last cycle in the site: what was lost on
/// the way from the FAA looks like a database that is merely smaller.
struct RowDrift {
  /// The share says nothing of a table of some dozens of rows.
  private static let fewRows = 100

  func findings(of products: [Product], after earlier: EarlierProducts) -> [ProductFinding] {
    products.filter { $0.kind != .chart }.flatMap { product in
      earlier.last(product.id).map { losses(from: $0, to: product) } ?? []
    }
  }

  private func losses(from before: Product, to product: Product) -> [ProductFinding] {
    let limit = product.build.rowLoss ?? .init()
    let tables = before.build.counts.filter { key, count in
      count >= RowDrift.fewRows && !key.hasPrefix("dropped") && !key.hasPrefix("corrections")
    }
    return tables.sorted { $0.key < $1.key }.compactMap { table, old in
      let new = product.build.counts[table] ?? 0
      let loss = Double(old - new) / Double(old)
      guard loss > limit.warn else { return nil }
      let message =
        "it has \(Counts.grouped(new)) rows, \(Int((loss * 100).rounded())) % fewer than the "
        + "\(Counts.grouped(old)) of cycle \(before.cycle)"
      return ProductFinding(
        product: product.id,
        Finding(
          rule: "database-rows", severity: loss >= limit.stop ? .error : .warning,
          where: table, message: message))
    }
  }
}
