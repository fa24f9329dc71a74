internal import Aero
internal import Core
public import Foundation
public import Pipeline
internal import SQLiteIO

/// What the columns of a database's tables look like.
enum TableSurvey {
  /// Of larger tables evenly spread rows are looked at, about so many.
  private static let rows = 50_000

  /// - Parameter reference: what the profiles will be compared with; nil asks for all columns of all tables.
  static func profiles(
    of database: DatabaseUnderTest, for reference: [String: TableProfile]? = nil
  ) throws -> [String: TableProfile] {
    var tables = try database.known.filter { $0.name != "metadata" }
    if let reference {
      tables = tables.filter { reference[$0.name] != nil }
    }
    return Dictionary(
      uniqueKeysWithValues: try tables.map { table in
        let columns = reference?[table.name].map { Set($0.columns.keys) }
        return (table.name, try profile(of: table, columns, database.connection))
      })
  }

  private static func profile(
    of table: TableSchema, _ needed: Set<String>?, _ connection: SQLiteConnection
  ) throws -> TableProfile {
    // Keys and links name rows, and are compared by other rules.
    let columns = table.columns.filter {
      !$0.type.contains("INTEGER PRIMARY KEY") && needed?.contains($0.name) ?? true
    }
    let names = (["0"] + columns.map { "\"\($0.name)\"" }).joined(separator: ", ")
    let all = try connection.numbers("SELECT count(*) FROM \(table.name)").first ?? 0
    let step = table.isKeyed ? 1 : max(1, all / rows)
    let some = step == 1 ? "" : " WHERE rowid % \(step) = 0"
    var surveys = [ColumnSurvey](repeating: ColumnSurvey(), count: columns.count)
    var looked = 0
    try connection.prepare("SELECT \(names) FROM \(table.name)\(some)").rows { row in
      looked += 1
      for index in surveys.indices { surveys[index].add(row, index + 1) }
    }
    let profiles = zip(columns, surveys).map { ($0.name, $1.profile) }
    return TableProfile(rows: looked, columns: Dictionary(uniqueKeysWithValues: profiles))
  }
}

extension DatabaseUnderTest {
  func columnProfiles(of reference: [String: TableProfile]? = nil) throws -> [String: TableProfile] {
    try TableSurvey.profiles(of: self, for: reference)
  }
}

/// What the columns of a database look like, to be kept with a definition.
public enum DatabaseColumnProfiles {
  public static func of(_ file: URL) throws -> [String: TableProfile] {
    let profiles = try TableSurvey.profiles(of: DatabaseUnderTest(file, place: file.relativePath))
    guard !profiles.isEmpty else {
      throw UserError(
        .badInput, operation: "inspecting the columns of", path: file.relativePath,
        reason: "it has none of the tables of an app database")
    }
    return profiles.filter { $1.rows > 0 }
  }
}
