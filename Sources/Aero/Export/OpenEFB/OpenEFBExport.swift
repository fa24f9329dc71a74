internal import Foundation
internal import SQLiteIO

/// Writes `openefb.sqlite`, whose rows OpenEFB's Codable structs decode as they are written.
///
/// What the app's types cannot express is left out or has the nearest of the app's words. Both are counted in the problems.
struct OpenEFBExport {
  let database: SQLiteConnection
  /// What the file says of itself.
  let head: [(String, String)]
  let problems: ProblemLog

  /// The number of rows that each table has, and of the runways and frequencies in the airports' rows.
  func write(to file: URL) throws -> [String: Int] {
    var writer = try DatabaseWriter(file, as: OpenEFBSchema.form)
    var counts = try OpenEFBAirports(database: database, problems: problems).write(to: writer)
    counts["navaids"] = try OpenEFBNavaids(database: database, problems: problems).write(to: writer)
    counts.merge(try OpenEFBAirspaces(database: database, problems: problems).write(to: writer)) { $1 }
    let rows = counts.sorted { $0.key < $1.key }.map { ("counts." + $0.key, "\($0.value)") }
    try writer.fill(DatabaseSchema.metadata, (head + rows).sorted { $0.0 < $1.0 }) { _, pair in
      [.text(pair.0), .text(pair.1)]
    }
    try writer.finish()
    return counts
  }
}

extension ProblemLog {
  /// A row of the database that the app's form has no place for.
  /// - Parameter row: a name for people, different for each row of the table: `KPAO 13/31`.
  func leaveOut(_ row: String, of table: String, column: String, value: String, _ reason: String) {
    record(.rowDropped, file: table, part: row, line: 0, column: column, value: value, reason: reason)
  }

  /// A value for which the row has the nearest one that the app's form can express.
  func map(
    _ row: String, of table: String, column: String, value: String, to word: String,
    because reason: String? = nil
  ) {
    record(
      .valueMapped, file: table, part: row, line: 0, column: column, value: value,
      reason: "it is \(word) here" + (reason.map { ", since \($0)" } ?? ""))
  }
}
