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
      let problems = ColumnProblems(try new.columnProfiles(), try old.columnProfiles(), .neighbour).all
      return problems.map { problem in
        finding(.error, subject, problem.place, "\(problem.text) in cycle \(before.product.cycle)")
      }
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
