internal import Core
internal import Pipeline

/// The tables of each database, and of what is made of it, against those of its last cycle: what was lost on the way from the
/// FAA looks like a database that is merely smaller.
struct DatabaseRows: CycleRule {
  let name = "database-rows"
  let protects = "No third of the airports is missing because a download or a table was cut short."

  /// The share says nothing of a table of some dozens of rows.
  static let fewRows = 100

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.filter { $0.product.kind != .chart }.flatMap { subject in
      guard let before = cycle.before(subject)?.product else { return [Finding]() }
      let rows = DatabaseRows.rows(of: before, before: subject.product)
      cycle.note(subject) { facts in
        let counts = rows.map { table, old in
          (table, ProductFacts.Change.Count(before: old, now: subject.product.build.counts[table] ?? 0))
        }
        facts.change = .init(cycle: before.cycle, rows: Dictionary(uniqueKeysWithValues: counts))
      }
      return losses(from: before, to: subject)
    }
  }

  /// Up to version 2 of the schema it was one of the tables of `aviation.sqlite`.
  private static let moved = "obstacles"

  /// The counts of a description that are rows of tables, without a table that is a product of its own by now.
  static func rows(of before: Product, before now: Product) -> [String: Int] {
    before.build.counts.filter { key, _ in
      !key.hasPrefix("dropped") && !key.hasPrefix("corrections")
        && (key != moved || now.build.counts[moved] != nil)
    }
  }

  private func losses(from before: Product, to subject: ProductUnderTest) -> [Finding] {
    let product = subject.product
    let limit = product.build.rowLoss ?? .init()
    let tables = DatabaseRows.rows(of: before, before: product).filter { $0.value >= DatabaseRows.fewRows }
    return tables.sorted { $0.key < $1.key }.compactMap { table, old in
      let new = product.build.counts[table] ?? 0
      let loss = Double(old - new) / Double(old)
      guard loss > limit.warn else { return nil }
      return finding(
        loss >= limit.stop ? .error : .warning, subject, "table \(table)",
        "it has \(Counts.grouped(new)) rows, \(Int((loss * 100).rounded())) % fewer than the "
          + "\(Counts.grouped(old)) of cycle \(before.cycle); hold both against each other with "
          + "`chartpipe diff`, and if the FAA did remove them, accept it")
    }
  }
}
