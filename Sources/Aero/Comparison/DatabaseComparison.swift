internal import Core
public import Foundation
internal import SQLiteIO

/// Compares the app databases of two cycles.
public enum DatabaseComparison {
  /// Compares values exactly as they are stored. It reads both files in parallel in the order of their keys, so the memory depends on the
  /// differences and not on the size of the files.
  public static func compare(_ old: URL, with new: URL) throws -> DatabaseDifference {
    try DatabaseFile.checkAlike(old, new)
    let pair = try DatabasePair(old, new)
    if DatabaseFile.isOfProcedures(new) { return try codedProcedures(pair) }
    let airports = try AirportComparison(pair)
    try CancellationToken.current.check()
    let navaids = try ItemComparison.navaids.items(pair)
    let fixes = try ItemComparison.fixes.items(pair)
    try CancellationToken.current.check()
    let airspaces = try ItemComparison.airspaces.items(pair)
    try CancellationToken.current.check()
    let procedures = try ItemComparison.procedures.flatMap { try $0.items(pair) }
    let holds = try ItemComparison.holds.items(pair)
    let routes = try ItemComparison.routes.flatMap { try $0.items(pair) }
    let obstacles = try obstacles(pair)
    let growth = try pair.growthOfOtherTables()
    return DatabaseDifference(
      old: pair.old.edition, new: pair.new.edition, notCompared: pair.notCompared,
      summary: airports.tallies
        + [
          ChangeTally("navaids", navaids), ChangeTally("fixes", fixes), ChangeTally("airspaces", airspaces),
          ChangeTally("procedures", procedures), ChangeTally("holds", holds), ChangeTally("routes", routes),
          ChangeTally(obstacles),
        ],
      airports: airports.airports, navaids: navaids, fixes: fixes, airspaces: airspaces,
      procedures: procedures,
      holds: holds, routes: routes, obstacles: obstacles, otherTables: growth)
  }
}

extension DatabaseComparison {
  /// Compares the tables of coded procedures.
  private static func codedProcedures(_ pair: DatabasePair) throws -> DatabaseDifference {
    let tables = try ItemComparison.codedProcedures.map { comparison in
      try CancellationToken.current.check()
      return TableDifference(table: comparison.selection.table, items: try comparison.items(pair))
    }
    return DatabaseDifference(
      old: pair.old.edition, new: pair.new.edition, notCompared: pair.notCompared,
      summary: tables.map { ChangeTally($0.table, $0.items) }, airports: [], navaids: [], fixes: [],
      airspaces: [], procedures: [], holds: [], routes: [], obstacles: [],
      otherTables: try pair.growthOfOtherTables(), tables: tables.filter { !$0.items.isEmpty })
  }
}

/// Two app databases that are open for comparison.
final class DatabasePair {
  let old: ComparedDatabase
  let new: ComparedDatabase
  private var compared: Set<String> = ["metadata", "queries"]
  /// Tables and columns in one of the files only, as text.
  private(set) var notCompared: [String] = []

  init(_ old: URL, _ new: URL) throws {
    self.old = try ComparedDatabase(old)
    self.new = try ComparedDatabase(new)
  }

  /// Returns a table of both files; nil where one has none.
  func table(_ selection: TableMergeJoin.Selection) throws -> TableMergeJoin? {
    compared.insert(selection.table)
    let (left, right) = (old.columns(of: selection.table), new.columns(of: selection.table))
    if left.isEmpty && right.isEmpty { return nil }
    guard !left.isEmpty, !right.isEmpty else {
      notCompared.append("\(selection.table): only the \(left.isEmpty ? "new" : "old") file has this table")
      return nil
    }
    let wanted = { (column: String) in !selection.ignored.contains(column) }
    for (columns, others, side) in [(left, right, "old"), (right, left, "new")] {
      let unmatched = columns.filter { wanted($0) && !others.contains($0) }
      if !unmatched.isEmpty {
        notCompared.append(
          "\(selection.table): only the \(side) file has the columns \(unmatched.joined(separator: ", "))")
      }
    }
    return try TableMergeJoin(selection, columns: right.filter { wanted($0) && left.contains($0) }, in: self)
  }

  /// Returns the other tables whose number of rows differs.
  func growthOfOtherTables() throws -> [TableGrowth] {
    let names = Set(old.tableNames + new.tableNames).subtracting(compared).sorted()
    let counts = try names.map {
      TableGrowth(table: $0, old: try old.count($0), new: try new.count($0))
    }
    return counts.filter { $0.old != $0.new }
  }
}

/// A table of two files, read in parallel in the order of a key, so that neither needs to be in memory.
final class TableMergeJoin {
  /// The query of a table for comparison.
  struct Selection: Sendable {
    let table: String
    /// The FROM clause, where it is a join with the airports.
    var from: String?
    /// The columns of the key, by which rows match and are ordered.
    let keys: [String]
    /// Columns without own information: row numbers and derived values.
    var ignored: Set<String> = []
    /// Columns that are read but not compared.
    var context: [String] = []
  }

  let keys: [String]
  /// The columns of both files.
  let columns: [String]
  private let old: () throws -> SQLiteRow?
  private let new: () throws -> SQLiteRow?
  /// The places of the columns in a row.
  private let places: [String: Int]

  init(_ selection: Selection, columns: [String], in pair: DatabasePair) throws {
    keys = selection.keys
    self.columns = columns
    let all = keys + columns.map { "\(selection.table).\($0)" } + selection.context
    let order = selection.keys.indices.map { String($0 + 1) }.joined(separator: ", ")
    let sql =
      "SELECT \(all.joined(separator: ", ")) FROM \(selection.from ?? selection.table) ORDER BY \(order)"
    places = Dictionary(first: (keys + columns + selection.context).enumerated().map { ($1, $0) })
    old = try pair.old.rows(sql)
    new = try pair.new.rows(sql)
  }

  /// Passes on the rows of each key that differ between the files.
  func forEachDifference(_ each: (_ old: [NamedRow], _ new: [NamedRow]) throws -> Void) throws {
    var (left, right) = (try old(), try new())
    var group: (old: [NamedRow], new: [NamedRow]) = ([], [])
    while left != nil || right != nil {
      let side = order(left, right, among: 0..<keys.count)
      if side == 0, order(left, right, among: keys.count..<keys.count + columns.count) == 0 {
        (left, right) = (try old(), try new())
        continue
      }
      if let last = group.old.last ?? group.new.last, let row = side <= 0 ? left : right,
        !hasSameKey(row, last)
      {
        try each(group.old, group.new)
        group = ([], [])
      }
      if side <= 0, let row = left {
        group.old.append(NamedRow(row, places))
        left = try old()
      }
      if side >= 0, let row = right {
        group.new.append(NamedRow(row, places))
        right = try new()
      }
    }
    if !group.old.isEmpty || !group.new.isEmpty { try each(group.old, group.new) }
  }

  /// Compares two rows. A missing row is last.
  private func order(_ left: SQLiteRow?, _ right: SQLiteRow?, among columns: Range<Int>) -> Int {
    guard let left else { return 1 }
    guard let right else { return -1 }
    for column in columns {
      let order = left.order(column, against: right)
      if order != 0 { return order }
    }
    return 0
  }

  private func hasSameKey(_ row: SQLiteRow, _ other: NamedRow) -> Bool {
    keys.indices.allSatisfy { row.value($0) == other.values[$0] }
  }
}

/// One of two compared app databases. Its errors name its file.
final class ComparedDatabase {
  let metadata: [String: String]
  private let file: URL
  private let connection: SQLiteConnection
  /// The columns of each table.
  private let tables: [String: [String]]

  init(_ file: URL) throws {
    self.file = file
    (connection, tables, metadata) = try ComparedDatabase.reading(file) {
      let connection = try SQLiteConnection(file.path, mode: .readOnly)
      let tables = try ComparedDatabase.tables(connection)
      let hasMetadata = tables["metadata"] == ["key", "value"]
      let metadata = hasMetadata ? try connection.prepare("SELECT key, value FROM metadata").pairs() : [:]
      return (connection, tables, metadata)
    }
  }

  /// The tables without the internal ones of R-trees and text indexes.
  private static func tables(_ connection: SQLiteConnection) throws -> [String: [String]] {
    var tables: [String: [String]] = [:]
    try connection.prepare(
      """
      SELECT t.name, c.name FROM pragma_table_list t, pragma_table_info(t.name) c
      WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY t.name, c.cid
      """
    ).rows { tables[$0.text(0) ?? "", default: []].append($0.text(1) ?? "") }
    return tables
  }

  var edition: ComparedEdition {
    ComparedEdition(
      file: file.relativePath, cycle: metadata["cycle"], effective: metadata["effective"],
      expires: metadata["expires"], schemaVersion: metadata["schema_version"], source: metadata["source"])
  }

  var tableNames: [String] { tables.keys.sorted() }

  /// The columns of a table; empty for a missing table.
  func columns(of table: String) -> [String] { tables[table] ?? [] }

  /// The next row of a query at each call; nil at the end.
  func rows(_ sql: String) throws -> () throws -> SQLiteRow? {
    let statement = try ComparedDatabase.reading(file) { try connection.prepare(sql) }
    return { [file] in try ComparedDatabase.reading(file) { try statement.next() } }
  }

  /// The number of rows of a table; 0 for a missing table.
  func count(_ table: String) throws -> Int {
    guard tables[table] != nil else { return 0 }
    let name = table.replacing("\"", with: "\"\"")
    return try ComparedDatabase.reading(file) {
      try connection.prepare("SELECT count(*) FROM \"\(name)\"").map { $0.int(0) }.first ?? 0
    }
  }

  private static func reading<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw DatabaseFile.unreadable(file, error) }
  }
}
