internal import Core
internal import Pipeline
internal import Validation

/// The rows of each table now, and against the last cycle. What a pilot asks for first stands first; the rest is folded.
struct RowTable {
  private let rows: [(table: String, now: Int)]
  private let change: ProductFacts.Change?

  private static let leading = [
    "airports", "runways", "frequencies", "navaids", "fixes", "airways", "airspaces", "obstacles",
    "weatherStations",
  ]

  init(_ product: Product, _ change: ProductFacts.Change?) {
    let counts = RowTable.rows(of: product)
    let gone = Set((change?.rows ?? [:]).keys).subtracting(counts.keys).map { ($0, 0) }
    rows = (counts.map { ($0.key, $0.value) } + gone).map { (table: $0.0, now: $0.1) }
      .sorted { (RowTable.place($0.table), $0.table) < (RowTable.place($1.table), $1.table) }
    self.change = change?.rows == nil ? nil : change
  }

  /// The counts of a description that are rows of tables.
  static func rows(of product: Product) -> [String: Int] {
    product.build.counts.filter { count in
      !["dropped", "corrections", "mapped"].contains { count.key.hasPrefix($0) }
    }
  }

  private static func place(_ table: String) -> Int { leading.firstIndex(of: table) ?? leading.count }

  var html: String {
    let first = rows.filter {
      RowTable.place($0.table) < RowTable.leading.count || rows.count <= RowTable.leading.count
    }
    let rest = rows.filter { row in !first.contains { $0.table == row.table } }
    let folded =
      rest.isEmpty
      ? "" : "\n<details><summary>\(Counts.of(rest.count, "more table"))</summary>\n\(table(rest))</details>"
    return (first.isEmpty ? "" : table(first)) + folded
  }

  private func table(_ rows: [(table: String, now: Int)]) -> String {
    guard let change else {
      return HTMLTable.of(
        rows.map {
          HTMLTable.row([("Table", escaped(FigureText.words($0.table))), ("Rows", Counts.grouped($0.now))])
        },
        ["Table", "Rows"], style: "plot")
    }
    return HTMLTable.of(
      rows.map { row($0.table, $0.now, change.rows?[$0.table]?.before) },
      ["Table", "Against \(escaped(change.cycle))", "Rows", "Change", "Share"], style: "plot")
  }

  private func row(_ table: String, _ now: Int, _ before: Int?) -> String {
    HTMLTable.row([
      ("Table", escaped(FigureText.words(table))), ("Against", before.map { bar(now, $0) } ?? ""),
      ("Rows", Counts.grouped(now)),
      ("Change", before.map { $0 == now ? "0" : FigureText.signed(now &- $0) } ?? "new"),
      ("Share", before.flatMap { FigureText.growth(from: $0, to: now) } ?? ""),
    ])
  }

  /// Filled to the mark where nothing was lost.
  private func bar(_ now: Int, _ before: Int) -> String {
    guard before > 0 else { return "" }
    let share = Double(now) / Double(before)
    return PlotBar.html(
      filled: share * PlotBar.markedAt, marks: [PlotBar.markedAt], style: share < 0.94 ? "off" : "within")
  }
}
