internal import Foundation
internal import Pipeline
internal import SQLiteIO

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
