internal import Core

/// Compares the row counts of each database and export with those of its last cycle. Rows that were lost in a download look like
/// a smaller database.
struct DatabaseRows: Rule {
  let name = "database-rows"
  let protects = "No third of the airports is missing because a download or a table was cut short."

  /// The share of lost rows means little for a smaller table.
  static let fewRows = 100

  func check(_ cycle: CycleUnderTest) -> RuleResult {
    cycle.compared(\.isOfDatabase).reduce(into: RuleResult()) { result, pair in
      let (subject, before) = (pair.subject, pair.before.product)
      let counts = DatabaseRows.rows(of: before, before: subject.product).map { table, old in
        (table, ProductFacts.Change.Count(before: old, now: subject.product.build.counts[table] ?? 0))
      }
      let facts = ProductFacts(
        change: .init(cycle: before.cycle, rows: Dictionary(uniqueKeysWithValues: counts)))
      result += RuleResult(losses(from: before, to: subject), facts: [subject.product.id: facts])
    }
  }

  /// A table of `aviation.sqlite` up to version 2 of the schema, and a product of its own since.
  private static let moved = "obstacles"

  /// Returns the row counts in a description, without tables that are products of their own by now.
  static func rows(of before: Product, before now: Product) -> [String: Int] {
    before.rowCounts.filter { $0.key != moved || now.build.counts[moved] != nil }
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
          + "\(Counts.grouped(old)) of cycle \(before.cycle); compare both with "
          + "`chartpipe diff`, and if the FAA removed them, accept it")
    }
  }
}

/// Finds small tables that are empty or missing now.
struct TablesVanished: Rule {
  let name = "tables-vanished"
  let protects = "A table of the last cycle is never lost unnoticed."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.compared(\.isOfDatabase).flatMap { subject, before -> [Finding] in
      let before = before.product
      let small = DatabaseRows.rows(of: before, before: subject.product).filter {
        (1..<DatabaseRows.fewRows).contains($0.value)
      }
      return small.sorted { $0.key < $1.key }.compactMap { table, old in
        guard (subject.product.build.counts[table] ?? 0) == 0 else { return nil }
        return finding(
          .warning, subject, "table \(table)",
          "it has no row, and had \(Counts.grouped(old)) in cycle \(before.cycle); check whether the FAA's files of this cycle "
            + "contain the table")
      }
    }
  }
}

extension Product {
  /// Those of its counts that are numbers of rows of tables.
  var rowCounts: [String: Int] {
    build.counts.filter { count in
      !["dropped", "corrections", "mapped", "limits", "tile"].contains { count.key.hasPrefix($0) }
        && !count.key.contains("TooSmallAtZoom")
    }
  }
}
