internal import Aero
internal import Foundation
internal import SQLiteIO

/// An app database, opened once for all the rules, and never written to.
final class DatabaseUnderTest {
  /// The path as it was given; every finding's place begins with it.
  let place: String
  let connection: SQLiteConnection
  /// Tables, virtual ones too.
  let tables: Set<String>
  /// Empty where the database has none that can be read.
  let metadata: [String: String]
  /// The description of the product that it belongs to; nil for a file that none names.
  let product: ProductUnderTest?

  /// Most of a full database, which one rule after the other reads.
  private static let cacheKilobytes = 32 << 10

  /// What kind of database it should be: that of obstacles, else that of airports.
  let form: DatabaseForm

  /// Without these there is nothing that the other rules could look at.
  private var neededTables: [String] {
    isOfAirports
      ? [
        "airports", "airports_rtree", "airports_fts", "runways", "frequencies", "navaids", "navaids_rtree",
        "navaids_fts", "metadata",
      ] : ["obstacles", "obstacles_rtree", "metadata"]
  }

  var missingTables: [String] { neededTables.filter { !tables.contains($0) } }

  var isOfAirports: Bool { form.applicationID == DatabaseSchema.form.applicationID }

  init(_ file: URL, place: String, of product: ProductUnderTest? = nil) throws {
    self.place = place
    self.product = product
    connection = try SQLiteConnection(file.path, mode: .readOnly)
    try connection.execute("PRAGMA cache_size = -\(DatabaseUnderTest.cacheKilobytes)")
    tables = Set(
      try connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0.text(0) ?? "" })
    if let table = ["metadata", "model_metadata"].first(where: tables.contains) {
      metadata = try connection.prepare("SELECT key, value FROM \(table)").pairs()
    } else {
      metadata = [:]
    }
    // By its tables, so that a wrong mark in the header is found.
    let isOfObstacles = tables.contains("obstacles") && !tables.contains("airports")
    form = isOfObstacles ? ObstacleSchema.form : DatabaseSchema.form
  }

  /// "IDT1", the mark of a database of identifiers.
  private static let identifiersID = 0x4944_5431

  var isOfIdentifiers: Bool { applicationID == DatabaseUnderTest.identifiersID }
  var isOfOpenEFB: Bool { applicationID == OpenEFBSchema.applicationID }

  private var applicationID: Int? { try? connection.numbers("PRAGMA application_id").first }
}

extension DatabaseUnderTest {
  /// The tables of the schema that the file has, each with the columns that it has: a database of an earlier version lacks some.
  var known: [TableSchema] {
    get throws {
      let there = try columns()
      return form.tables.compactMap { table in
        guard let names = there[table.name] else { return nil }
        var table = table
        table.columns.removeAll { !names.contains($0.name) }
        return table
      }
    }
  }

  /// The columns of each table, but for virtual ones: of a damaged index not even these can be asked.
  func columns() throws -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    try connection.prepare(
      """
      SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'
      """
    ).rows { columns[$0.text(0) ?? "", default: []].insert($0.text(1) ?? "") }
    return columns
  }
}

extension TableSchema {
  /// What tells a row to people, in SQL: an identifier, a key of several columns, or the row's number.
  var label: String {
    if isKeyed, let key = constraints.first(where: { $0.hasPrefix("PRIMARY KEY (") }) {
      let columns = key.dropFirst("PRIMARY KEY (".count).dropLast().split(separator: ", ")
      return columns.map { "\($0)" }.joined(separator: " || ' ' || ")
    }
    let names = Set(columns.map(\.name))
    return ["icao", "identifier", "oas", "key"].first(where: names.contains) ?? "'row ' || rowid"
  }

  func has(_ names: String...) -> Bool { names.allSatisfy { name in columns.contains { $0.name == name } } }
}
