internal import Aero
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// The tables, columns and indexes of a database against those that this version makes.
struct DatabaseForms: DatabaseRule {
  let name = "database-schema"
  let protects =
    "An app finds every table, column and index that it asks for, and runs nothing that was added later."

  /// Tables of the FAA, which are carried along as they are.
  private static let rawPrefix = "table raw_"

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let expected = try database.form.objects()
    let found = try DatabaseForm.objects(of: database.connection)
    let missing = expected.keys.filter { found[$0] == nil }.sorted().map { "there is no \($0)" }
    // Another version may have more, so only what is missing is reported.
    guard database.metadata["version"] == ToolVersion.version else {
      return missing.map { warning(database.place, "\($0), which this version makes; build it again") }
    }
    let added = found.keys.filter { expected[$0] == nil && !$0.hasPrefix(Self.rawPrefix) }.sorted()
    let changed = expected.filter { name, sql in found[name].map { $0.plain != sql.plain } ?? false }.keys
    let all =
      missing + added.map { "there is a \($0), which does not belong there" }
      + changed.sorted().map { "the \($0) has other columns, or they are declared otherwise" }
    return all.map { error(database.place, $0 + "; build it again") }
  }
}

extension String {
  /// An SQL statement without comments and line ends.
  fileprivate var plain: String {
    split(separator: "\n").map {
      $0.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)[0]
    }
    .joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
