internal import Aero
internal import Core
internal import Pipeline
internal import SQLiteIO

/// Compares the row counts of each database and export with those of its last cycle. Rows that were lost in a download look like
/// a smaller database.
struct DatabaseRows: Rule {
  let name = "database-rows"
  let protects = "No third of the airports is missing because a download or a table was cut short."

  /// The share of lost rows means little for a smaller table.
  static let fewRows = 100

  func check(_ cycle: CycleUnderTest) -> RuleResult {
    cycle.products.filter { $0.product.kind != .chart }.reduce(into: RuleResult()) { result, subject in
      guard let before = cycle.before(subject)?.product else { return }
      let counts = DatabaseRows.rows(of: before, before: subject.product).map { table, old in
        (table, ProductFacts.Change.Count(before: old, now: subject.product.build.counts[table] ?? 0))
      }
      var facts = ProductFacts()
      facts.change = .init(cycle: before.cycle, rows: Dictionary(uniqueKeysWithValues: counts))
      result += RuleResult(losses(from: before, to: subject), facts: [subject.product.id: facts])
    }
  }

  /// A table of `aviation.sqlite` up to version 2 of the schema, and a product of its own since.
  private static let moved = "obstacles"

  /// Returns the row counts in a description, without tables that are products of their own by now.
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
    cycle.products.filter { $0.product.kind != .chart }.flatMap { subject -> [Finding] in
      guard let before = cycle.before(subject)?.product else { return [] }
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

/// Compares each row of a database with the same row of the last cycle.
struct RowsChanged: Rule {
  let name = "rows-changed"
  let protects =
    "No values moved to other rows since the last cycle, as when a column slips by a row or two words change places."

  /// The columns that identify a row in both cycles. Rows with equal keys are left out.
  private static let keys: [(table: String, columns: [String])] = [
    ("airports", ["siteNumber", "siteType"]), ("airportDetails", ["airport"]),
    ("runways", ["airport", "id"]), ("runwayDetails", ["airport", "runway"]),
    ("runwayEndDetails", ["airport", "runway", "runwayEnd"]), ("frequencies", ["airport", "number"]),
    ("navaids", ["identifier", "type", "state"]), ("fixes", ["identifier", "region", "state"]),
    ("ils", ["airport", "runwayEnd", "type"]), ("weatherStations", ["identifier", "type"]),
    ("airspaces", ["kind", "class", "designator", "name", "sector"]),
  ]

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.products.filter { $0.product.kind == .database }.flatMap { subject -> [Finding] in
      guard let (before, pair) = try cycle.airportPair(subject) else { return [] }
      return try RowsChanged.keys.flatMap { table, key -> [Finding] in
        guard let rows = try PairedRows(table, by: key, pair.connection) else { return [] }
        return try rows.problems().map {
          finding(
            .error, subject, $0.column.map { "\(table).\($0)" } ?? table, "\($0.text) cycle \(before) had too"
          )
        }
      }
    }
  }
}

/// The rows of a table that both cycles have, joined by their keys.
private struct PairedRows {
  struct Problem {
    /// Nil for a problem of whole rows.
    var column: String?
    /// Continues with the name of the earlier cycle.
    var text: String
  }

  /// Columns that change in every cycle, and shapes, which are compared by their boxes.
  private static let expected: Set<String> = [
    "id", "effectiveDate", "area", "geometry", "inspected", "statusDate", "searchWords",
  ]
  /// The largest difference that counts as equal. The FAA updates the variation of many airports at once.
  private static let slack = ["magneticVariation": 2.0]
  private static let usualSlack = 0.0005
  private static let fewest = 20
  private static let fewestOfState = 12
  /// Too few rows to compare remain in a table that keeps less than this share.
  private static let stayed = 0.6
  private static let manyRows = 50

  private let connection: SQLiteConnection
  private let columns: [TableSchema.Column]
  private let hasStates: Bool
  private let rows: Int
  private let rowsBefore: Int

  /// Nil where one of the databases lacks the table or its key.
  init?(_ table: String, by key: [String], _ connection: SQLiteConnection) throws {
    guard let schema = DatabaseSchema.tables.first(where: { $0.name == table }) else { return nil }
    let names = try ["main", "base"].map {
      Set(try connection.texts("SELECT name FROM pragma_table_info('\(table)', '\($0)')"))
    }
    let common = names[0].intersection(names[1])
    guard Set(key).isSubset(of: common) else { return nil }
    columns = schema.columns.filter {
      common.contains($0.name) && !key.contains($0.name) && !Self.expected.contains($0.name)
    }
    hasStates = common.contains("state")
    self.connection = connection
    let once = key.joined(separator: ", ")
    let isSame = key.map { "o.\"\($0)\" IS n.\"\($0)\"" }.joined(separator: " AND ")
    let sides = columns.map {
      "n.\"\($0.name)\" AS \"new_\($0.name)\", o.\"\($0.name)\" AS \"old_\($0.name)\""
    }
    try connection.execute(
      """
      PRAGMA temp_store = MEMORY;
      DROP TABLE IF EXISTS temp.pairs;
      CREATE TEMP TABLE pairs AS
      WITH n AS (SELECT * FROM main.\(table) GROUP BY \(once) HAVING count(*) = 1),
        o AS (SELECT * FROM base.\(table) GROUP BY \(once) HAVING count(*) = 1)
      SELECT \((["\(hasStates ? "o.state" : "NULL") AS place"] + sides).joined(separator: ", "))
      FROM n JOIN o ON \(isSame)
      """)
    rows = try connection.numbers("SELECT count(*) FROM temp.pairs").first ?? 0
    rowsBefore =
      try connection.numbers(
        "SELECT count(*) FROM (SELECT 1 FROM base.\(table) GROUP BY \(once) HAVING count(*) = 1)"
      ).first ?? 0
  }

  func problems() throws -> [Problem] {
    let all = try zip(columns, try changes()).flatMap { column, change -> [Problem] in
      guard change.rows >= Self.fewestOfState else { return [] }
      if Self.isMost(change.rows, of: change.filled) {
        return [problem(column, "", change.rows, change.filled)]
      }
      return try words(column) + states(column)
    }
    return [lostRows].compactMap(\.self) + all
  }

  private var lostRows: Problem? {
    guard rowsBefore >= Self.manyRows, Double(rows) < Self.stayed * Double(rowsBefore) else { return nil }
    return Problem(
      text: "it has \(Counts.grouped(rows)) of the \(Counts.grouped(rowsBefore)) rows that")
  }

  private func differs(_ column: TableSchema.Column) -> String {
    let (new, old) = ("\"new_\(column.name)\"", "\"old_\(column.name)\"")
    guard column.type.hasPrefix("REAL") else { return "\(new) IS NOT \(old)" }
    return
      "coalesce(abs(\(new) - \(old)) > \(Self.slack[column.name] ?? Self.usualSlack), \(new) IS NOT \(old))"
  }

  /// Returns for each column how many rows have another value, and how many have a value at all.
  private func changes() throws -> [(rows: Int, filled: Int)] {
    guard !columns.isEmpty else { return [] }
    let sums = columns.map { column in
      let isFilled = ["new", "old"].map { "nullif(\"\($0)_\(column.name)\", '[]') IS NOT NULL" }
      return "coalesce(sum(\(differs(column))), 0), coalesce(sum(\(isFilled.joined(separator: " OR "))), 0)"
    }
    return try connection.prepare("SELECT \(sums.joined(separator: ", ")) FROM temp.pairs").map { row in
      columns.indices.map { (row.int(2 * $0), row.int(2 * $0 + 1)) }
    }.first ?? []
  }

  /// Finds words that were replaced in most of the rows that had them.
  private func words(_ column: TableSchema.Column) throws -> [Problem] {
    guard column.isEnumerated else { return [] }
    return try connection.prepare(
      """
      SELECT "old_\(column.name)", sum(\(differs(column))), count(*) FROM temp.pairs
      WHERE "old_\(column.name)" NOT IN (0, '[]') GROUP BY 1 ORDER BY 1
      """
    ).map { row in
      Self.isMost(row.int(1), of: row.int(2))
        ? problem(column, " with \"\(row.text(0) ?? "")\"", row.int(1), row.int(2)) : nil
    }.compactMap(\.self)
  }

  /// Finds the same in the rows of one state, in columns that never change for a whole state at once.
  private func states(_ column: TableSchema.Column) throws -> [Problem] {
    let isPlace = ["latitude", "longitude"].contains(column.name)
    guard hasStates, isPlace || column.isEnumerated else { return [] }
    let word = isPlace ? "''" : "\"old_\(column.name)\""
    return try connection.prepare(
      """
      SELECT place, \(word), sum(\(differs(column))), count(*) FROM temp.pairs
      WHERE place IS NOT NULL AND \(word) NOT IN (0, '[]') GROUP BY 1, 2 ORDER BY 1, 2
      """
    ).map { row in
      let word = row.text(1) ?? ""
      let which = " of \(row.text(0) ?? "")" + (word.isEmpty ? "" : " with \"\(word)\"")
      return Self.isMost(row.int(2), of: row.int(3), fewest: Self.fewestOfState)
        ? problem(column, which, row.int(2), row.int(3)) : nil
    }.compactMap(\.self)
  }

  private static func isMost(_ part: Int, of all: Int, fewest: Int = fewest) -> Bool {
    all >= fewest && part * 2 > all
  }

  private func problem(_ column: TableSchema.Column, _ which: String, _ part: Int, _ all: Int) -> Problem {
    Problem(
      column: column.name,
      text: "it has another value in \(Counts.grouped(part)) of the \(Counts.grouped(all)) rows\(which) that")
  }
}

extension TableSchema.Column {
  /// Whether the column holds one of some words, or a Boolean.
  fileprivate var isEnumerated: Bool {
    !words.isEmpty || type.hasPrefix("INTEGER") && (name.hasPrefix("is") || name.hasPrefix("has"))
  }
}
