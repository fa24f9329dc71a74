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
    let airports = try AirportComparison(pair)
    try CancellationToken.current.check()
    let navaids = try ItemComparison.navaids.items(pair)
    let fixes = try ItemComparison.fixes.items(pair)
    try CancellationToken.current.check()
    let airspaces = try ItemComparison.airspaces.items(pair)
    let obstacles = try ObstacleComparison.tallies(pair)
    let growth = try pair.growthOfOtherTables()
    return DatabaseDifference(
      old: pair.old.edition, new: pair.new.edition, notCompared: pair.notCompared,
      summary: airports.tallies
        + [
          ChangeTally("navaids", navaids), ChangeTally("fixes", fixes), ChangeTally("airspaces", airspaces),
          ObstacleComparison.tally(obstacles),
        ],
      airports: airports.airports, navaids: navaids, fixes: fixes, airspaces: airspaces, obstacles: obstacles,
      otherTables: growth)
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

@available(*, unavailable)
extension DatabasePair: Sendable {}

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
  private let old: ComparedDatabase.Rows
  private let new: ComparedDatabase.Rows
  private let names: RowNames

  init(_ selection: Selection, columns: [String], in pair: DatabasePair) throws {
    keys = selection.keys
    self.columns = columns
    let all = keys + columns.map { "\(selection.table).\($0)" } + selection.context
    let order = selection.keys.indices.map { String($0 + 1) }.joined(separator: ", ")
    let sql =
      "SELECT \(all.joined(separator: ", ")) FROM \(selection.from ?? selection.table) ORDER BY \(order)"
    names = RowNames(keys + columns + selection.context)
    old = try pair.old.rows(sql)
    new = try pair.new.rows(sql)
  }

  /// Passes on the rows of each key that differ between the files.
  func forEachDifference(_ each: (_ old: [ComparedRow], _ new: [ComparedRow]) throws -> Void) throws {
    var (left, right) = (try old.next(), try new.next())
    var group: (old: [ComparedRow], new: [ComparedRow]) = ([], [])
    while left != nil || right != nil {
      let side = order(left, right, among: 0..<keys.count)
      if side == 0, order(left, right, among: keys.count..<keys.count + columns.count) == 0 {
        (left, right) = (try old.next(), try new.next())
        continue
      }
      if let last = group.old.last ?? group.new.last, let row = side <= 0 ? left : right,
        !hasSameKey(row, last)
      {
        try each(group.old, group.new)
        group = ([], [])
      }
      if side <= 0, let row = left {
        group.old.append(ComparedRow(row, names))
        left = try old.next()
      }
      if side >= 0, let row = right {
        group.new.append(ComparedRow(row, names))
        right = try new.next()
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

  private func hasSameKey(_ row: SQLiteRow, _ other: ComparedRow) -> Bool {
    keys.indices.allSatisfy { row.value($0) == other.values[$0] }
  }
}

@available(*, unavailable)
extension TableMergeJoin: Sendable {}

/// The indices of columns by name.
final class RowNames: Sendable {
  private let indices: [String: Int]

  init(_ names: [String]) {
    indices = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  subscript(name: String) -> Int? { indices[name] }
}

/// A copy of a row.
struct ComparedRow {
  let values: [SQLiteValue]
  private let names: RowNames

  init(_ row: SQLiteRow, _ names: RowNames) {
    values = (0..<row.columnCount).map(row.value)
    self.names = names
  }

  /// NULL for a column that is not in both files.
  subscript(column: String) -> SQLiteValue { names[column].map { values[$0] } ?? .null }

  func text(_ column: String) -> String? {
    if case .text(let text) = self[column] { text } else { nil }
  }

  func number(_ column: String) -> Double? {
    switch self[column] {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  func isTrue(_ column: String) -> Bool { self[column] == .integer(1) }
}

/// One of two compared app databases. Its errors name its file.
final class ComparedDatabase {
  /// The rows of a query.
  struct Rows {
    fileprivate let statement: SQLiteStatement
    fileprivate let file: URL

    func next() throws -> SQLiteRow? { try ComparedDatabase.reading(file) { try statement.next() } }
  }

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

  func rows(_ sql: String) throws -> Rows {
    try ComparedDatabase.reading(file) { Rows(statement: try connection.prepare(sql), file: file) }
  }

  /// The number of rows of a table; 0 for a missing table.
  func count(_ table: String) throws -> Int {
    guard tables[table] != nil else { return 0 }
    let name = table.replacing("\"", with: "\"\"")
    return try ComparedDatabase.reading(file) {
      try connection.prepare("SELECT count(*) FROM \"\(name)\"").map { $0.int(0) }.first ?? 0
    }
  }

  fileprivate static func reading<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw DatabaseFile.unreadable(file, error) }
  }
}

@available(*, unavailable)
extension ComparedDatabase: Sendable {}
