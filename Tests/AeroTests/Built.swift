import Aero
import Foundation
import SQLiteIO
import TestSupport

/// A built database, opened read-only as the apps do.
struct Built {
  let outcome: DatabaseOutcome
  let file: URL
  /// The folder that the file lies in, kept as long as the file is asked.
  var folder: TemporaryFolder?

  /// All rows of a query, as text, with `NULL` for null.
  func rows(_ sql: String, _ values: [SQLiteValue] = []) throws -> [[String]] {
    let connection = try SQLiteConnection(file.path, mode: .readOnly)
    return try connection.prepare(sql).map(values) { row in
      (0..<row.columnCount).map { row.text($0) ?? "NULL" }
    }
  }

  /// The first column of each row.
  func column(_ sql: String, _ values: [SQLiteValue] = []) throws -> [String] {
    try rows(sql, values).compactMap(\.first)
  }

  func problems(_ kind: RecordProblem.Kind, of file: String) -> [RecordProblem] {
    outcome.problems.examples.filter { $0.kind == kind && $0.file == file }
  }
}

extension ProblemReport {
  func tally(_ file: String) -> Table? { tables.first { $0.file == file } }
}
