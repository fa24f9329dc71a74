internal import Pipeline
internal import SQLiteIO

/// Each column of a database as a whole, compared with the same column of the last cycle.
struct ColumnsChanged: CycleRule {
  let name = "columns-changed"
  let protects =
    "No column that was right in the last cycle is lost, inverted, or filled with the wrong words or units in this one."

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.products.filter { $0.product.kind == .database }.flatMap { subject -> [Finding] in
      guard let new = try subject.database else { return [] }
      guard let before = cycle.before(subject), let old = try before.database else {
        return try incomparable(subject, new)
      }
      let problems = ColumnProblems(try new.columnProfiles, try old.columnProfiles, .neighbour).all
      return problems.map { problem in
        finding(.error, subject, problem.place, "\(problem.text) in cycle \(before.product.cycle)")
      } + (try rewritten(subject, cycle))
    }
  }

  /// A sample of some airports or obstacles needs no comparison.
  private func incomparable(_ subject: ProductUnderTest, _ database: DatabaseUnderTest) throws -> [Finding] {
    let table = database.isOfAirports ? "airports" : "obstacles"
    let rows = try database.connection.numbers("SELECT count(*) FROM \(table)").first ?? 0
    guard rows > DatabaseLandmarks.wholeCountry, subject.file(role: ColumnReference.role) == nil else {
      return []
    }
    return [
      finding(
        .warning, subject, "",
        "its columns were compared with nothing: give the pipeline's definition `columns`, or the last cycle (--against)"
      )
    ]
  }

  /// By which columns a row of the last cycle is found again. Where several fit, such as two beacons of one name, all do.
  private static let keys = [
    (table: "airports", columns: ["siteNumber", "siteType"]), (table: "runways", columns: ["airport", "id"]),
    (table: "frequencies", columns: ["airport", "number"]),
    (table: "navaids", columns: ["identifier", "type", "state"]),
  ]
  /// The row's number and day, which change with every cycle.
  private static let expected: Set<String> = ["id", "effectiveDate"]
  private static let fewest = 20

  /// Columns with other values in most of the rows that stayed, as when names are shifted by a row.
  private func rewritten(_ subject: ProductUnderTest, _ cycle: CycleUnderTest) throws -> [Finding] {
    guard let (before, pair) = try cycle.airportPair(subject) else { return [] }
    return try ColumnsChanged.keys.flatMap { key in
      try rewritten(key.table, by: key.columns, pair.connection).map { column, count, all in
        finding(
          .error, subject, "\(key.table).\(column)",
          "it is another one in \(Counts.grouped(count)) of the \(Counts.grouped(all)) rows that cycle \(before) had too"
        )
      }
    }
  }

  private func rewritten(
    _ table: String, by key: [String], _ connection: SQLiteConnection
  ) throws -> [(column: String, count: Int, all: Int)] {
    let names = try ["main", "base"].map {
      try connection.texts("SELECT name FROM pragma_table_info('\(table)', '\($0)')")
    }
    guard names.allSatisfy({ Set(key).isSubset(of: $0) }) else { return [] }
    let columns = names[0].filter { names[1].contains($0) && !ColumnsChanged.expected.contains($0) }
    let changes = columns.map { "coalesce(sum(n.\"\($0)\" IS NOT o.\"\($0)\"), 0)" }
    let isSame = key.map { "o.\($0) IS n.\($0)" }.joined(separator: " AND ")
    let counts =
      try connection.prepare(
        "SELECT count(*), \(changes.joined(separator: ", ")) FROM main.\(table) n JOIN base.\(table) o ON \(isSame)"
      ).map { row in (0...columns.count).map(row.int) }.first ?? []
    guard let all = counts.first, all >= ColumnsChanged.fewest else { return [] }
    return zip(columns, counts.dropFirst()).filter { $1 * 2 > all }.map { ($0, $1, all) }
  }
}

extension ProductUnderTest {
  /// Nil where there is none that can be opened, which other rules report.
  fileprivate var database: DatabaseUnderTest? {
    get throws {
      guard let file = file(role: "database"), let database = try? DatabaseUnderTest(file, place: place),
        database.missingTables.isEmpty
      else { return nil }
      return database
    }
  }
}
