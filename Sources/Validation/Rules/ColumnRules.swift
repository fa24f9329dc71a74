internal import Aero
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// Each column as a whole, compared with what the definition knows of good cycles.
struct DatabaseColumns: DatabaseRule {
  let name = "database-columns"
  let protects =
    "No column that was lost, inverted, or filled with the wrong words or units reaches an app, though each of its values is possible."

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
    // What a part of the database is not made of is empty in it.
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

/// The columns of two databases beside each other.
struct ColumnProblems {
  /// Smaller tables have no averages.
  private static let fewestRows = 20

  private let now: [String: TableProfile]
  private let before: [String: TableProfile]
  private let limits: ColumnLimits
  private let sparesEmpty: Bool

  /// - Parameter sparesEmpty: whether a column may be without any value.
  init(
    _ now: [String: TableProfile], _ before: [String: TableProfile], _ limits: ColumnLimits,
    sparesEmpty: Bool = false
  ) {
    (self.now, self.before, self.limits, self.sparesEmpty) = (now, before, limits, sparesEmpty)
  }

  /// One line for each column, tables and columns by name.
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
