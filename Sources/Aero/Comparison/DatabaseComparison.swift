internal import Core
public import Foundation
internal import Pipeline
internal import SQLiteIO

/// Holds one cycle's app database against another's.
public enum DatabaseComparison {
  /// Values are compared exactly as they are stored. Both files are read side by side in the order of their keys, so that the
  /// memory hangs on what differs and not on how large they are.
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

/// Two app databases, opened to be held against each other, and never written to.
final class DatabasePair {
  let old: OpenDatabase
  let new: OpenDatabase
  private var asked: Set<String> = ["metadata", "queries"]
  /// What only one of the files has, so that it cannot be compared.
  private(set) var notCompared: [String] = []

  init(_ old: URL, _ new: URL) throws {
    self.old = try OpenDatabase(old)
    self.new = try OpenDatabase(new)
  }

  /// A table of both files; nil where one has none.
  func table(_ selection: TablePair.Selection) throws -> TablePair? {
    asked.insert(selection.table)
    let (left, right) = (old.columns(of: selection.table), new.columns(of: selection.table))
    if left.isEmpty && right.isEmpty { return nil }
    guard !left.isEmpty, !right.isEmpty else {
      notCompared.append("\(selection.table): only the \(left.isEmpty ? "new" : "old") file has this table")
      return nil
    }
    let wanted = { (column: String) in !selection.ignored.contains(column) }
    for (columns, others, side) in [(left, right, "old"), (right, left, "new")] {
      let lonely = columns.filter { wanted($0) && !others.contains($0) }
      if !lonely.isEmpty {
        notCompared.append(
          "\(selection.table): only the \(side) file has the columns \(lonely.joined(separator: ", "))")
      }
    }
    return try TablePair(selection, columns: right.filter { wanted($0) && left.contains($0) }, in: self)
  }

  /// Of the tables that were not asked for, those that have more rows or fewer.
  func growthOfOtherTables() throws -> [TableGrowth] {
    let names = Set(old.tableNames + new.tableNames).subtracting(asked).sorted()
    let counts = try names.map {
      TableGrowth(table: $0, old: try old.count($0), new: try new.count($0))
    }
    return counts.filter { $0.old != $0.new }
  }
}

@available(*, unavailable)
extension DatabasePair: Sendable {}

/// One table of two files, read side by side in the order of a key, so that neither has to be held in memory.
final class TablePair {
  /// How a table is read for comparison.
  struct Selection: Sendable {
    let table: String
    /// What comes after FROM where it is more than the table: a join with the airports.
    var from: String?
    /// What tells which rows belong together; rows are read in this order.
    let keys: [String]
    /// Columns that say nothing of their own: numbers of rows, and what is made of other columns.
    var ignored: Set<String> = []
    /// What is wanted of the row besides, and not compared.
    var context: [String] = []
  }

  let keys: [String]
  /// The columns that both files have.
  let columns: [String]
  private let old: OpenDatabase.Rows
  private let new: OpenDatabase.Rows
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

  /// Gives out what differs: the rows of one key that are in one file and not, or not so, in the other.
  func groups(_ each: (_ old: [ComparedRow], _ new: [ComparedRow]) throws -> Void) throws {
    var (left, right) = (try old.next(), try new.next())
    var group: (old: [ComparedRow], new: [ComparedRow]) = ([], [])
    while left != nil || right != nil {
      let side = order(left, right, among: 0..<keys.count)
      if side == 0, order(left, right, among: keys.count..<keys.count + columns.count) == 0 {
        (left, right) = (try old.next(), try new.next())
        continue
      }
      if let last = group.old.last ?? group.new.last, let row = side <= 0 ? left : right,
        !isOfGroup(row, last)
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

  /// Which row comes first; one that is not there comes last.
  private func order(_ left: SQLiteRow?, _ right: SQLiteRow?, among columns: Range<Int>) -> Int {
    guard let left else { return 1 }
    guard let right else { return -1 }
    for column in columns {
      let order = left.order(column, against: right)
      if order != 0 { return order }
    }
    return 0
  }

  private func isOfGroup(_ row: SQLiteRow, _ other: ComparedRow) -> Bool {
    keys.indices.allSatisfy { row.value($0) == other.values[$0] }
  }
}

@available(*, unavailable)
extension TablePair: Sendable {}

/// The places of a row's columns.
final class RowNames: Sendable {
  private let places: [String: Int]

  init(_ names: [String]) {
    places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  subscript(name: String) -> Int? { places[name] }
}

/// A row that was taken out of its file.
struct ComparedRow {
  let values: [SQLiteValue]
  private let names: RowNames

  init(_ row: SQLiteRow, _ names: RowNames) {
    values = (0..<row.columnCount).map(row.value)
    self.names = names
  }

  /// NULL where the files have no such column in common.
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

/// One of two app databases that are compared. Whatever goes wrong in it is a fault that names its file.
final class OpenDatabase {
  /// The rows of a query, one after another.
  struct Rows {
    fileprivate let statement: SQLiteStatement
    fileprivate let file: URL

    func next() throws -> SQLiteRow? { try OpenDatabase.reading(file) { try statement.next() } }
  }

  let metadata: [String: String]
  private let file: URL
  private let connection: SQLiteConnection
  /// The columns of each table.
  private let tables: [String: [String]]

  init(_ file: URL) throws {
    self.file = file
    (connection, tables, metadata) = try OpenDatabase.reading(file) {
      let connection = try SQLiteConnection(file.path, mode: .readOnly)
      let tables = try OpenDatabase.tables(connection)
      let hasMetadata = tables["metadata"] == ["key", "value"]
      let metadata = hasMetadata ? try connection.prepare("SELECT key, value FROM metadata").pairs() : [:]
      return (connection, tables, metadata)
    }
  }

  /// The tables proper, without those in which R-trees and text indexes keep their own affairs.
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

  /// Empty where there is no such table.
  func columns(of table: String) -> [String] { tables[table] ?? [] }

  func rows(_ sql: String) throws -> Rows {
    try OpenDatabase.reading(file) { Rows(statement: try connection.prepare(sql), file: file) }
  }

  /// How many rows a table has; none where there is no such table.
  func count(_ table: String) throws -> Int {
    guard tables[table] != nil else { return 0 }
    let name = table.replacing("\"", with: "\"\"")
    return try OpenDatabase.reading(file) {
      try connection.prepare("SELECT count(*) FROM \"\(name)\"").map { $0.int(0) }.first ?? 0
    }
  }

  fileprivate static func reading<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw DatabaseFile.unreadable(file, error) }
  }
}

@available(*, unavailable)
extension OpenDatabase: Sendable {}
