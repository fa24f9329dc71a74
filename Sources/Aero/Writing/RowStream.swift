internal import Core
internal import SQLiteIO

/// Where a stream writes the rows of one table: the statement that inserts a row, and the number of its columns.
typealias RowTarget = (statement: SQLiteStatement, columns: Int)

/// A stream of rows into one or more tables.
///
/// A second thread writes the rows in order while the caller reads the next ones: SQLite is half of the work. Rows that fit one
/// batch are written without a thread. Used by one thread, which waits for it before the transaction ends.
final class RowStream {
  /// For the rows of each table.
  let sinks: [RowSink]
  private let filling: FillingBatch
  private let writing: RowWriting

  init(_ targets: [RowTarget]) {
    let filling = FillingBatch()
    self.filling = filling
    writing = RowWriting(RowInserter(targets))
    sinks = targets.enumerated().map { RowSink(table: $0, columns: $1.columns, filling) }
  }

  /// Ends the rows that come from one row of the source. If the database refuses one of them, those after it are skipped.
  func endGroup(line: Int, owner: Int? = nil) {
    let rows = filling.batch.pointee.rows.count
    filling.batch.pointee.groups.append(RowBatch.Group(endOfRows: rows, line: line, owner: owner))
    if filling.batch.pointee.isFull { writing.submit(filling.take()) }
  }

  /// Waits until all rows are written. Returns those that the database refused, in order.
  func finish() throws -> [RowInserter.Refusal] { try writing.finish(filling.take()) }

  /// Waits until the thread is done, also after an error.
  func wait() { writing.wait() }
}

/// The batch that is filled. It is in unmanaged memory, since Swift would check exclusive access to a class's property for each of
/// millions of values.
private final class FillingBatch {
  let batch = UnsafeMutablePointer<RowBatch>.allocate(capacity: 1)

  init() { batch.initialize(to: RowBatch()) }

  deinit {
    batch.deinitialize(count: 1)
    batch.deallocate()
  }

  /// Returns the batch and starts the next one.
  func take() -> RowBatch {
    let taken = batch.move()
    batch.initialize(to: taken.isFull ? RowBatch(after: taken) : RowBatch())
    return taken
  }
}

/// Collects the values of a table's rows, one row after the other.
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

  /// Adds a row with the current values to the batch.
  func run() {
    filling.batch.pointee.rows.append(
      RowBatch.Row(table: table, firstValue: filling.batch.pointee.values.count))
    filling.batch.pointee.values.append(contentsOf: values)
  }
}

/// Passes batches to a thread that writes them.
///
/// `@unchecked Sendable`: only the thread uses the inserter until `wait` returns; only the caller uses the pool.
private final class RowWriting: @unchecked Sendable {
  private let inserter: RowInserter
  /// Queues up to two batches while the caller fills the next one.
  private let thread = ThreadPool<Void>(width: 1)

  init(_ inserter: RowInserter) { self.inserter = inserter }

  func submit(_ batch: RowBatch) {
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

/// Rows for the thread that writes them. It has copies of all texts, so it depends on no other memory.
struct RowBatch: Sendable {
  /// A value without a reference, unlike an `SQLiteValue`: references would be counted for each of millions of values.
  enum Value {
    case null
    case integer(Int)
    case real(Double)
    /// Among the texts of the batch.
    case text(start: Int, count: Int)
    case blob(start: Int, count: Int)
    /// One more than the table has rows. The writer numbers rows, since it may refuse some.
    case number
    /// One more than the table has rows of the same owner.
    case count
  }

  struct Row {
    /// The index of its table in the stream.
    let table: Int
    let firstValue: Int
  }

  /// The rows that come from one row of the source.
  struct Group {
    let endOfRows: Int
    let line: Int
    /// The number of what the rows belong to; nil if they belong to nothing.
    let owner: Int?
  }

  private static let mostValues = 1 << 14
  private static let mostTextBytes = 1 << 18

  var values: [Value] = []
  var texts: [UInt8] = []
  var rows: [Row] = []
  var groups: [Group] = []

  init() {}

  /// Makes an empty batch with the capacity of a full one, so that filling it moves nothing.
  init(after full: RowBatch) {
    values.reserveCapacity(full.values.count)
    texts.reserveCapacity(full.texts.count)
    rows.reserveCapacity(full.rows.count)
    groups.reserveCapacity(full.groups.count)
  }

  var isFull: Bool { values.count >= RowBatch.mostValues || texts.count >= RowBatch.mostTextBytes }

  /// Copies bytes, and returns their place among the texts.
  mutating func copy(_ bytes: some Collection<UInt8>) -> (start: Int, count: Int) {
    let start = texts.count
    texts.append(contentsOf: bytes)
    return (start, texts.count - start)
  }
}

/// Writes and numbers the rows of batches.
final class RowInserter {
  /// A group with a row that the database refused, since its key exists already.
  struct Refusal {
    /// How many groups came before it.
    let group: Int
    let line: Int
    let reason: String
  }

  private let targets: [RowTarget]
  /// How many rows each table has.
  private var numbers: [Int]
  /// By table: how many of its rows each owner has.
  private var counts: [[Int]]
  private var groups = 0
  private var refusals: [Refusal] = []
  private var failure: (any Error)?

  init(_ targets: [RowTarget]) {
    self.targets = targets
    numbers = targets.map { _ in 0 }
    counts = targets.map { _ in [] }
  }

  var outcome: Result<[Refusal], any Error> { failure.map(Result.failure) ?? .success(refusals) }

  /// Does nothing after an error.
  func write(_ batch: RowBatch) {
    guard failure == nil else { return }
    do {
      try batch.texts.withUnsafeBufferPointer { texts in
        var row = 0
        for group in batch.groups {
          try write(batch, row..<group.endOfRows, texts, group)
          row = group.endOfRows
          groups += 1
        }
      }
    } catch {
      failure = error
    }
  }

  private func write(
    _ batch: RowBatch, _ rows: Range<Int>, _ texts: UnsafeBufferPointer<UInt8>, _ group: RowBatch.Group
  ) throws {
    for row in batch.rows[rows] {
      do throws(SQLiteError) {
        try write(row, batch.values, texts, owner: group.owner ?? 0)
      } catch {
        guard error.isConstraint else { throw error }
        refusals.append(Refusal(group: groups, line: group.line, reason: RowInserter.reason(error)))
        return
      }
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

  private func write(
    _ row: RowBatch.Row, _ values: [RowBatch.Value], _ texts: UnsafeBufferPointer<UInt8>, owner: Int
  ) throws(SQLiteError) {
    let (statement, columns) = targets[row.table]
    if owner >= counts[row.table].count {
      counts[row.table] += Array(repeating: 0, count: owner + 1)
    }
    for column in 0..<columns {
      try bind(values[row.firstValue + column], row.table, owner, texts, to: statement, at: column + 1)
    }
    try statement.runBound()
    numbers[row.table] += 1
    counts[row.table][owner] += 1
  }

  private func bind(
    _ value: RowBatch.Value, _ table: Int, _ owner: Int, _ texts: UnsafeBufferPointer<UInt8>,
    to statement: SQLiteStatement, at index: Int
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
    case .count: try statement.bind(counts[table][owner] + 1, at: index)
    }
  }
}
