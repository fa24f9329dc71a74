internal import SQLiteIO

/// Writes the rows of batches to their tables, and numbers them.
final class RowInserter {
  /// A group of which the database did not take a row, since its key is there.
  struct Refusal {
    /// How many groups came before it.
    let group: Int
    let line: Int
    let reason: String
  }

  private let inserts: [(statement: SQLiteStatement, columns: Int)]
  /// How many rows each table has.
  private var numbers: [Int]
  /// How many of them belong to what the last one belongs to.
  private var counts: [Int]
  private var groups = 0
  private var refusals: [Refusal] = []
  private var trouble: (any Error)?

  init(_ inserts: [(statement: SQLiteStatement, columns: Int)]) {
    self.inserts = inserts
    numbers = inserts.map { _ in 0 }
    counts = numbers
  }

  var outcome: Result<[Refusal], any Error> { trouble.map(Result.failure) ?? .success(refusals) }

  /// After an error nothing more is written.
  func write(_ batch: RowBatch) {
    guard trouble == nil else { return }
    do {
      try batch.texts.withUnsafeBufferPointer { texts in
        var row = 0
        for group in batch.groups {
          if group.startsOwner { for table in counts.indices { counts[table] = 0 } }
          try write(batch, row..<group.endOfRows, texts, line: group.line)
          row = group.endOfRows
          groups += 1
        }
      }
    } catch {
      trouble = error
    }
  }

  private func write(
    _ batch: RowBatch, _ rows: Range<Int>, _ texts: UnsafeBufferPointer<UInt8>, line: Int
  ) throws {
    for row in batch.rows[rows] {
      do throws(SQLiteError) {
        try write(row, batch.values, texts)
      } catch {
        guard error.isConstraint else { throw error }
        refusals.append(Refusal(group: groups, line: line, reason: RowInserter.reason(error)))
        return
      }
    }
  }

  /// SQLite says `UNIQUE constraint failed: runways.airport, runways.id`.
  private static func reason(_ error: SQLiteError) -> String {
    let start = "UNIQUE constraint failed: "
    guard error.message.hasPrefix(start) else { return "the database refuses the row: \(error.message)" }
    let columns = error.message.dropFirst(start.count).split(separator: ", ").map {
      $0.split(separator: ".").last.map(String.init) ?? String($0)
    }
    return "the row is there twice: a row before it has the same \(columns.joined(separator: " and "))"
  }

  private func write(
    _ row: RowBatch.Row, _ values: [RowBatch.Value], _ texts: UnsafeBufferPointer<UInt8>
  ) throws(SQLiteError) {
    let (statement, columns) = inserts[row.table]
    for column in 0..<columns {
      try bind(values[row.firstValue + column], row.table, texts, to: statement, at: column + 1)
    }
    try statement.runBound()
    numbers[row.table] += 1
    counts[row.table] += 1
  }

  private func bind(
    _ value: RowBatch.Value, _ table: Int, _ texts: UnsafeBufferPointer<UInt8>, to statement: SQLiteStatement,
    at index: Int
  ) throws(SQLiteError) {
    switch value {
    case .null: try statement.bindNull(at: index)
    case .integer(let value): try statement.bind(value, at: index)
    case .real(let value): try statement.bind(value, at: index)
    case .text(let start, let count):
      try statement.bind(borrowed: UnsafeBufferPointer(rebasing: texts[start..<start + count]), at: index)
    case .blob(let start, let count):
      try statement.bind(.blob(Array(texts[start..<start + count])), at: index)
    case .number: try statement.bind(numbers[table] + 1, at: index)
    case .count: try statement.bind(counts[table] + 1, at: index)
    }
  }
}
