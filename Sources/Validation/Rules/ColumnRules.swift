internal import Aero
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// Compares each column as a whole with the profiles of good cycles in the pipeline's definition.
struct DatabaseColumns: Rule {
  let name = "database-columns"
  let protects =
    "No column that was lost, inverted, or filled with the wrong words or units reaches an app, even if each of its values is possible."

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    // `columns-changed` reports where there is none.
    guard let reference = try reference(database) else { return [] }
    let unknown = Self.unknownNames(reference, database.form.tables)
    guard unknown.isEmpty else {
      return [
        error(
          database.place,
          "the definition's columns name \(unknown.joined(separator: ", ")), which no database has: correct the file"
        )
      ]
    }
    // A database of some tables has empty columns where other tables would fill them.
    let isPart = database.metadata["tables"] != nil
    let problems = ColumnProblems(
      try database.columnProfiles(of: reference).filter { !isPart || $1.rows > 0 }, reference, .reference,
      sparesEmpty: isPart)
    return problems.all.map { problem in
      error("\(database.place) \(problem.place)", "\(problem.text) in the good cycle of the definition")
    }
  }

  private static func unknownNames(
    _ reference: [String: TableProfile], _ known: [TableSchema]
  ) -> [String] {
    guard !reference.isEmpty else { return ["nothing"] }
    let tables = Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0) })
    return reference.keys.sorted().flatMap { name -> [String] in
      guard let table = tables[name] else { return [name] }
      let known = Set(table.columns.map(\.name))
      return reference[name, default: TableProfile(rows: 0, columns: [:])].columns.keys.sorted()
        .filter { !known.contains($0) }.map { "\(name).\($0)" }
    }
  }

  private func reference(_ database: DatabaseUnderTest) throws -> [String: TableProfile]? {
    guard let file = database.product?.file(role: ColumnReference.role) else { return nil }
    return try JSONDecoder().decode([String: TableProfile].self, from: Data(contentsOf: file))
  }
}

/// The differences between the columns of two databases.
struct ColumnProblems {
  /// Smaller tables are not compared.
  private static let fewestRows = 20

  private let now: [String: TableProfile]
  private let before: [String: TableProfile]
  private let limits: ColumnLimits
  private let sparesEmpty: Bool

  /// - Parameter sparesEmpty: whether a column may be empty.
  init(
    _ now: [String: TableProfile], _ before: [String: TableProfile], _ limits: ColumnLimits,
    sparesEmpty: Bool = false
  ) {
    (self.now, self.before, self.limits, self.sparesEmpty) = (now, before, limits, sparesEmpty)
  }

  /// One text for each column, sorted by table and column.
  var all: [(place: String, text: String)] {
    before.keys.sorted().flatMap { table -> [(place: String, text: String)] in
      guard let old = before[table], let new = now[table],
        min(old.rows, new.rows) >= ColumnProblems.fewestRows
      else { return [] }
      return old.columns.keys.sorted().compactMap { column in
        guard let profile = new.columns[column], let other = old.columns[column],
          !(sparesEmpty && profile.nulls == 1)
        else { return nil }
        let comparison = ColumnComparison(
          now: profile, rows: new.rows, before: other, rowsBefore: old.rows, isSample: old.isSample == true,
          limits: limits)
        return ColumnProblems.line(comparison.problems).map { ("\(table).\(column)", $0) }
      }
    }
  }

  private static func line(_ problems: [String]) -> String? {
    guard !problems.isEmpty else { return nil }
    let more = problems.count > 3 ? ["and \(problems.count - 3) more differences"] : []
    return (problems.prefix(3) + more).joined(separator: "; ")
  }
}

/// Compares each column as a whole with the same column of the last cycle.
struct ColumnsChanged: Rule {
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

  /// Warns of a full database without a reference. A sample of some airports or obstacles needs none.
  private func incomparable(_ subject: ProductUnderTest, _ database: DatabaseUnderTest) throws -> [Finding] {
    let table = database.isOfAirports ? "airports" : "obstacles"
    let rows = try database.connection.numbers("SELECT count(*) FROM \(table)").first ?? 0
    guard rows > DatabaseLandmarks.wholeCountry, subject.file(role: ColumnReference.role) == nil else {
      return []
    }
    return [
      finding(
        .warning, subject, "",
        "its columns were not compared: add `columns` to the pipeline's definition, or name the last cycle (--against)"
      )
    ]
  }
}

extension ProductUnderTest {
  /// Nil where the database is missing or cannot be opened, which other rules report.
  fileprivate var database: DatabaseUnderTest? {
    get throws {
      guard let file = file(role: "database"), let database = try? DatabaseUnderTest(file, place: place),
        database.missingTables.isEmpty
      else { return nil }
      return database
    }
  }
}
