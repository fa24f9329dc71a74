internal import SQLiteIO

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
