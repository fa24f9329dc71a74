internal import SQLiteIO

/// Writes rows into one or more tables in the order of their source.
final class RowStream {
  /// The tables, in order.
  let sinks: [RowSink]
  /// The rows of the source of which the database refused a row, since its key exists already.
  private(set) var refusals: [(line: Int, reason: String)] = []

  /// - Parameter insertions: for each table the statement that inserts a row.
  init(_ insertions: [SQLiteStatement]) { sinks = insertions.map(RowSink.init) }

  /// Writes a row of each table with the values that are bound, which come from one row of the source. If the database refuses one of
  /// them, those after it are left out. Returns whether all are written.
  ///
  /// - Parameter owner: the number of what the rows belong to; nil if they belong to nothing.
  @discardableResult
  func write(line: Int, owner: Int? = nil) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      for sink in sinks { try sink.run(owner) }
      return true
    } catch {
      guard error.isConstraint else { throw error }
      refusals.append((line, RowStream.reason(error)))
      return false
    }
  }

  /// SQLite's message is `UNIQUE constraint failed: runways.airport, runways.id`.
  private static func reason(_ error: SQLiteError) -> String {
    let start = "UNIQUE constraint failed: "
    guard error.message.hasPrefix(start) else { return "the database refuses the row: \(error.message)" }
    let columns = error.message.dropFirst(start.count).split(separator: ", ").map {
      $0.split(separator: ".").last.map(String.init) ?? String($0)
    }
    return "the row is there twice: a row before it has the same \(columns.joined(separator: " and "))"
  }
}

extension SQLiteStatement {
  /// Binds the text of a field, without a copy if it can. An empty field becomes NULL: the FAA's files do not distinguish the two.
  func bind(_ value: CSVValue, at index: Int) throws(SQLiteError) {
    if value.isEmpty {
      try bindNull(at: index)
    } else if let ascii = value.asciiBytes {
      try bind(borrowed: ascii, at: index)
    } else {
      try bind(.text(value.text), at: index)
    }
  }
}

/// A table that rows are written to, and how many it has.
final class RowSink {
  /// Inserts a row. A bound value stays for the next row.
  let insertion: SQLiteStatement
  private(set) var rows = 0
  private var rowsOfOwner: [Int: Int] = [:]

  fileprivate init(_ insertion: SQLiteStatement) { self.insertion = insertion }

  /// How many rows belong to an owner.
  func rows(of owner: Int?) -> Int { rowsOfOwner[owner ?? 0] ?? 0 }

  fileprivate func run(_ owner: Int?) throws(SQLiteError) {
    try insertion.runBound()
    rows += 1
    rowsOfOwner[owner ?? 0, default: 0] += 1
  }
}
