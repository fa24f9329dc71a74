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

  /// A sample of some airports needs no comparison.
  private func incomparable(_ subject: ProductUnderTest, _ database: DatabaseUnderTest) throws -> [Finding] {
    let airports = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    guard airports > DatabaseLandmarks.wholeCountry, subject.file(role: ColumnReference.role) == nil else {
      return []
    }
    return [
      finding(
        .warning, subject, "",
        "its columns were compared with nothing: give the pipeline's definition `columns`, or the last cycle (--against)"
      )
    ]
  }

  /// Columns with other values for most of the airports that stayed, as when names are shifted by a row.
  private func rewritten(_ subject: ProductUnderTest, _ cycle: CycleUnderTest) throws -> [Finding] {
    guard let (before, pair) = try cycle.airportPair(subject) else { return [] }
    let old = Set(try pair.connection.texts("SELECT name FROM base.pragma_table_info('airports')"))
    let columns = try pair.connection.texts("SELECT name FROM main.pragma_table_info('airports')").filter {
      old.contains($0) && !ColumnsChanged.expected.contains($0)
    }
    let changes = columns.map { "coalesce(sum(n.\"\($0)\" IS NOT o.\"\($0)\"), 0)" }
    let counts =
      try pair.connection.prepare(
        """
        SELECT count(*), \(changes.joined(separator: ", ")) FROM main.airports n
        JOIN base.airports o ON o.siteNumber = n.siteNumber AND o.siteType = n.siteType
        """
      ).map { row in (0...columns.count).map(row.int) }.first ?? []
    guard let all = counts.first, all >= ColumnsChanged.fewest else { return [] }
    return zip(columns, counts.dropFirst()).filter { $1 * 2 > all }.map { column, count in
      finding(
        .error, subject, "airports.\(column)",
        "it is another one for \(Counts.grouped(count)) of the \(Counts.grouped(all)) airports of cycle \(before)"
      )
    }
  }

  /// The row's number and day, which change with every cycle.
  private static let expected: Set<String> = ["id", "effectiveDate"]
  private static let fewest = 20
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
