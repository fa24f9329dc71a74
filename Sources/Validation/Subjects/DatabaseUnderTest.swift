internal import Foundation
internal import SQLiteIO

/// An app database or an export database, opened read-only by one thread.
final class DatabaseUnderTest: RuleSubject {
  let place: String
  let connection: SQLiteConnection
  /// The names of all tables, including virtual ones.
  let tables: Set<String>
  /// Empty where the database has none.
  let metadata: [String: String]
  /// The product that the file belongs to; nil for a file that no description names.
  let product: ProductUnderTest?
  /// Where the sources of the database are; nil if they were not named.
  let sources: SourceFolder?

  /// Holds most of a full database, which every rule reads again.
  private static let cacheKilobytes = 32 << 10

  /// A kind of database that the rules know by its tables.
  struct Kind: Sendable {
    /// `aviation.sqlite`
    let name: String
    let form: DatabaseForm
    /// The tables without which the other rules cannot run; the first one identifies the kind.
    let tables: [String]
    var queries: [StoredQuery] = []

    var mainTable: String { tables[0] }
  }

  static let airports = Kind(
    name: "aviation.sqlite", form: DatabaseSchema.form,
    tables: [
      "airports", "airports_rtree", "airports_fts", "runways", "frequencies", "navaids", "navaids_rtree",
      "navaids_fts", "metadata",
    ], queries: StoredQuery.all)

  /// The first one whose main table a database has.
  static let kinds = [
    Kind(
      name: "procedures.sqlite", form: ProcedureSchema.form,
      tables: ["legs", "procedures", "waypoints", "airspaces", "metadata"]),
    airports,
    Kind(
      name: "obstacles.sqlite", form: ObstacleSchema.form,
      tables: ["obstacles", "obstacles_rtree", "metadata"],
      queries: StoredQuery.obstacles),
    Kind(
      name: "a set of PDFs", form: PlateSetSchema.form,
      tables: ["pdfs", "charts", "controlPoints", "metadata"]),
    Kind(name: "plates.sqlite", form: PlateSchema.form, tables: ["charts", "metadata"]),
  ]

  let kind: Kind
  /// The schema that the database should have.
  var form: DatabaseForm { kind.form }

  var missingTables: [String] { kind.tables.filter { !tables.contains($0) } }

  var isOfAirports: Bool { kind.form.applicationID == DatabaseSchema.form.applicationID }

  init(
    _ file: URL, place: String, of product: ProductUnderTest? = nil, from sources: SourceFolder? = nil
  ) throws {
    (self.place, self.product, self.sources) = (place, product, sources)
    let connection = try SQLiteConnection(file.path, mode: .readOnly)
    self.connection = connection
    try connection.execute("PRAGMA cache_size = -\(DatabaseUnderTest.cacheKilobytes)")
    tables = Set(try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'"))
    if let rows = ["metadata", "model_metadata"].first(where: tables.contains) {
      metadata = try connection.prepare("SELECT key, value FROM \(rows)").pairs()
    } else {
      metadata = [:]
    }
    // Decided by the tables, so that a wrong application id in the header is found.
    kind = Self.kinds.first { [tables] in tables.contains($0.mainTable) } ?? Self.airports
  }

  /// The marks of the databases that this program builds.
  static let applicationIDs =
    [
      IdentifierExport.applicationID, OpenEFBSchema.applicationID,
    ] + kinds.map(\.form.applicationID)

  /// The place of a row whose first column names it.
  func place(_ table: String, _ row: SQLiteRow) -> String { "\(place) \(table) \(row.text(0) ?? "")" }

  var isOfIdentifiers: Bool { applicationID == IdentifierExport.applicationID }
  var isOfOpenEFB: Bool { applicationID == OpenEFBSchema.applicationID }

  private var applicationID: Int? { try? connection.numbers("PRAGMA application_id").first }

  /// The schema's tables that the file has, each with the columns that it has: a database of an earlier version lacks some.
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

  /// Returns the columns of each table. Virtual tables are left out, since a damaged index cannot list its columns.
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
  /// The SQL expression that names a row in findings: an identifier, a key of several columns, or the row's number.
  var label: String {
    if isKeyed, let key = constraints.first(where: { $0.hasPrefix("PRIMARY KEY (") }) {
      let columns = key.dropFirst("PRIMARY KEY (".count).dropLast().split(separator: ", ")
      return columns.joined(separator: " || ' ' || ")
    }
    let names = Set(columns.map(\.name))
    return ["icao", "identifier", "oas", "key"].first(where: names.contains) ?? "'row ' || rowid"
  }

  func has(_ names: String...) -> Bool { names.allSatisfy { name in columns.contains { $0.name == name } } }
}
