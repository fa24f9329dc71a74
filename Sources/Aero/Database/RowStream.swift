internal import Dispatch
internal import SQLiteIO

/// Rows of one or more tables that are filled side by side, on their way to the database.
///
/// Reading goes on while a thread of its own writes what was read before, in the same order: SQLite is half of the work. What
/// fits one batch is written without a thread. Used by one task, and waited for before the transaction ends.
final class RowStream {
  /// For the rows of each table.
  private(set) var sinks: [RowSink] = []
  fileprivate var batch = RowBatch()
  private let writing: RowWriting

  init(_ inserts: [(statement: SQLiteStatement, columns: Int)]) {
    writing = RowWriting(RowInserter(inserts))
    sinks = inserts.enumerated().map { RowSink(table: $0, columns: $1.columns, self) }
  }

  /// Ends the rows that are made of one row of the source. When the database refuses one of them, those after it are left out.
  func endGroup(line: Int, startsOwner: Bool = false) {
    batch.groups.append(
      RowBatch.Group(endOfRows: batch.rows.count, line: line, startsOwner: startsOwner))
    guard batch.isFull else { return }
    writing.handOver(batch)
    batch = RowBatch()
  }

  /// Waits until all is written; what the database refused, in order.
  @discardableResult
  func finish() throws -> [RowInserter.Refusal] {
    let last = batch
    batch = RowBatch()
    return try writing.finish(last)
  }

  /// Waits until nothing is written any more, however that ended.
  func wait() { writing.wait() }
}

/// Takes the values of a table's rows, one row after the other.
final class RowSink {
  private let table: Int
  private let values: UnsafeMutableBufferPointer<RowBatch.Value>
  /// It keeps the sink.
  private unowned let stream: RowStream

  fileprivate init(table: Int, columns: Int, _ stream: RowStream) {
    self.table = table
    self.stream = stream
    values = .allocate(capacity: columns)
    values.initialize(repeating: .null)
  }

  deinit { values.deallocate() }

  /// Sets the value of a column, counted from 1.
  func bind(_ value: RowBatch.Value, at column: Int) { values[column - 1] = value }

  func bind(text: some Collection<UInt8>, at column: Int) {
    let (start, count) = stream.batch.copy(text)
    values[column - 1] = .text(start: start, count: count)
  }

  func bind(_ value: SQLiteValue, at column: Int) {
    switch value {
    case .null: bind(RowBatch.Value.null, at: column)
    case .integer(let value): bind(RowBatch.Value.integer(value), at: column)
    case .real(let value): bind(RowBatch.Value.real(value), at: column)
    case .text(let text): bind(text: text.utf8, at: column)
    case .blob(let bytes):
      let (start, count) = stream.batch.copy(bytes)
      bind(RowBatch.Value.blob(start: start, count: count), at: column)
    }
  }

  /// Sends the row off with the values that are set.
  func run() {
    stream.batch.rows.append(RowBatch.Row(table: table, firstValue: stream.batch.values.count))
    stream.batch.values.append(contentsOf: values)
  }
}

/// Hands batches to a thread that writes them.
///
/// `@unchecked Sendable`: the inserter is used on the queue alone, until `wait` has seen the last batch written; the rest is
/// Dispatch's own.
private final class RowWriting: @unchecked Sendable {
  /// So many batches may wait or be written while the next is filled.
  private static let most = 2

  private let inserter: RowInserter
  private let queue = DispatchQueue(label: "rows")
  private let room = DispatchSemaphore(value: 0)

  init(_ inserter: RowInserter) {
    self.inserter = inserter
    for _ in 0..<RowWriting.most { room.signal() }
  }

  func handOver(_ batch: RowBatch) {
    room.wait()
    queue.async { [self] in
      inserter.write(batch)
      room.signal()
    }
  }

  func finish(_ last: RowBatch) throws -> [RowInserter.Refusal] {
    wait()
    inserter.write(last)
    return try inserter.outcome.get()
  }

  func wait() { queue.sync {} }
}
