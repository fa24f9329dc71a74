internal import Core
internal import SQLiteIO

/// Rows of one or more tables that are filled side by side, on their way to the database.
///
/// Reading goes on while a thread of its own writes what was read before, in the same order: SQLite is half of the work. What
/// fits one batch is written without a thread. Used by one task, and waited for before the transaction ends.
final class RowStream {
  /// For the rows of each table.
  let sinks: [RowSink]
  private let filling: FillingBatch
  private let writing: RowWriting

  init(_ inserts: [(statement: SQLiteStatement, columns: Int)]) {
    let filling = FillingBatch()
    self.filling = filling
    writing = RowWriting(RowInserter(inserts))
    sinks = inserts.enumerated().map { RowSink(table: $0, columns: $1.columns, filling) }
  }

  /// Ends the rows that are made of one row of the source. When the database refuses one of them, those after it are left out.
  func endGroup(line: Int, startsOwner: Bool = false) {
    let rows = filling.batch.pointee.rows.count
    filling.batch.pointee.groups.append(
      RowBatch.Group(endOfRows: rows, line: line, startsOwner: startsOwner))
    if filling.batch.pointee.isFull { writing.handOver(filling.take()) }
  }

  /// Waits until all is written; what the database refused, in order.
  func finish() throws -> [RowInserter.Refusal] { try writing.finish(filling.take()) }

  /// Waits until nothing is written any more, however that ended.
  func wait() { writing.wait() }
}

/// The batch that is filled. It lies at a fixed place, since for each of millions of values Swift would check that nobody else is
/// at a class's property.
private final class FillingBatch {
  let batch = UnsafeMutablePointer<RowBatch>.allocate(capacity: 1)

  init() { batch.initialize(to: RowBatch()) }

  deinit {
    batch.deinitialize(count: 1)
    batch.deallocate()
  }

  /// Takes the batch away, and begins another.
  func take() -> RowBatch {
    let taken = batch.move()
    batch.initialize(to: taken.isFull ? RowBatch(after: taken) : RowBatch())
    return taken
  }
}

/// Takes the values of a table's rows, one row after the other.
final class RowSink {
  private let table: Int
  private let values: UnsafeMutableBufferPointer<RowBatch.Value>
  private let filling: FillingBatch

  fileprivate init(table: Int, columns: Int, _ filling: FillingBatch) {
    self.table = table
    self.filling = filling
    values = .allocate(capacity: columns)
    values.initialize(repeating: .null)
  }

  deinit { values.deallocate() }

  /// Sets the value of a column, counted from 1.
  func bind(_ value: RowBatch.Value, at column: Int) { values[column - 1] = value }

  func bind(text: some Collection<UInt8>, at column: Int) {
    let (start, count) = filling.batch.pointee.copy(text)
    values[column - 1] = .text(start: start, count: count)
  }

  func bind(_ value: SQLiteValue, at column: Int) {
    switch value {
    case .null: bind(RowBatch.Value.null, at: column)
    case .integer(let value): bind(RowBatch.Value.integer(value), at: column)
    case .real(let value): bind(RowBatch.Value.real(value), at: column)
    case .text(let text): bind(text: text.utf8, at: column)
    case .blob(let bytes):
      let (start, count) = filling.batch.pointee.copy(bytes)
      bind(RowBatch.Value.blob(start: start, count: count), at: column)
    }
  }

  /// Sends the row off with the values that are set.
  func run() {
    filling.batch.pointee.rows.append(
      RowBatch.Row(table: table, firstValue: filling.batch.pointee.values.count))
    filling.batch.pointee.values.append(contentsOf: values)
  }
}

/// Hands batches to a thread that writes them.
///
/// `@unchecked Sendable`: the inserter is used on the queue alone, until `wait` has seen the last batch written; the pool is
/// used by the caller alone.
private final class RowWriting: @unchecked Sendable {
  private let inserter: RowInserter
  /// Holds up to two batches while the caller fills the next one.
  private let thread = ThreadPool<Void>(width: 1)

  init(_ inserter: RowInserter) {
    self.inserter = inserter
  }

  func handOver(_ batch: RowBatch) {
    while thread.isFull { thread.next() }
    thread.add { [self] in inserter.write(batch) }
  }

  func finish(_ last: RowBatch) throws -> [RowInserter.Refusal] {
    wait()
    inserter.write(last)
    return try inserter.outcome.get()
  }

  func wait() { while thread.next() != nil {} }
}
