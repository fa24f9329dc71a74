internal import Core
internal import Pipeline

/// Tables too small for shares, which are empty now or gone.
struct TablesVanished: CycleRule {
  let name = "tables-vanished"
  let protects = "Nothing that was there in the last cycle is gone without anybody's noticing."

  func check(_ cycle: CycleUnderTest) -> [Finding] {
    cycle.products.filter { $0.product.kind != .chart }.flatMap { subject -> [Finding] in
      guard let before = cycle.before(subject)?.product else { return [] }
      let small = DatabaseRows.rows(of: before, before: subject.product).filter {
        (1..<DatabaseRows.fewRows).contains($0.value)
      }
      return small.sorted { $0.key < $1.key }.compactMap { table, old in
        guard (subject.product.build.counts[table] ?? 0) == 0 else { return nil }
        return finding(
          .warning, subject, "table \(table)",
          "it has no row, and had \(Counts.grouped(old)) in cycle \(before.cycle); look whether the FAA's table came with "
            + "this cycle")
      }
    }
  }
}
