internal import Core
internal import SQLiteIO

/// Where a stream writes the rows of one table: the statement that inserts a row, and the number of its columns.
typealias RowTarget = (statement: SQLiteStatement, columns: Int)

/// A stream of rows into one or more tables.
///
/// A second thread writes the rows in order while the caller reads the next ones: SQLite is half of the work. Rows that fit one
/// batch are written without a thread. Used by one thread, which waits for it before the transaction ends.
final class RowStream {
  /// For the rows of each table. They must not outlive the stream.
  let sinks: [RowSink]
  /// The batch that is filled. It is in unmanaged memory, since Swift would check exclusive access to a class's property for each of
  /// millions of values.
  private let batch: UnsafeMutablePointer<RowBatch>
  private let inserter: RowInserter
  /// Queues up to two batches while the caller fills the next one.
  private let thread = ThreadPool<Void>(width: 1)

  init(_ targets: [RowTarget]) {
    let batch = UnsafeMutablePointer<RowBatch>.allocate(capacity: 1)
    batch.initialize(to: RowBatch())
    self.batch = batch
    inserter = RowInserter(targets)
    sinks = targets.enumerated().map { RowSink(table: $0, columns: $1.columns, batch) }
  }

  deinit {
    batch.deinitialize(count: 1)
    batch.deallocate()
  }

  /// Ends the rows that come from one row of the source. If the database refuses one of them, those after it are skipped.
  func endGroup(line: Int, owner: Int? = nil) {
    batch.pointee.groups.append((batch.pointee.rows.count, line, owner))
    guard batch.pointee.isFull else { return }
    while thread.isFull { thread.next() }
    let full = batch.move()
    batch.initialize(to: RowBatch(after: full))
    thread.add { [inserter] in inserter.write(full) }
  }

  /// Waits until all rows are written. Returns those that the database refused, in order.
  func finish() throws -> [RowInserter.Refusal] {
    wait()
    inserter.write(batch.pointee)
    batch.pointee = RowBatch()
    return try inserter.outcome.get()
  }

  /// Waits until the thread is done, also after an error.
  func wait() { while thread.next() != nil {} }
}

/// Collects the values of a table's rows, one row after the other.
final class RowSink {
  private let table: Int
  private let values: UnsafeMutableBufferPointer<RowBatch.Value>
  private let batch: UnsafeMutablePointer<RowBatch>

  fileprivate init(table: Int, columns: Int, _ batch: UnsafeMutablePointer<RowBatch>) {
    self.table = table
    self.batch = batch
    values = .allocate(capacity: columns)
    values.initialize(repeating: .null)
  }

  deinit { values.deallocate() }

  /// Sets the value of a column, counted from 1.
  func bind(_ value: RowBatch.Value, at column: Int) { values[column - 1] = value }

  func bind(text: some Collection<UInt8>, at column: Int) {
    values[column - 1] = .text(batch.pointee.copy(text))
  }

  func bind(_ value: SQLiteValue, at column: Int) {
    switch value {
    case .null: bind(RowBatch.Value.null, at: column)
    case .integer(let value): bind(RowBatch.Value.integer(value), at: column)
    case .real(let value): bind(RowBatch.Value.real(value), at: column)
    case .text(let text): bind(text: text.utf8, at: column)
    case .blob(let bytes): values[column - 1] = .blob(batch.pointee.copy(bytes))
    }
  }

  /// Adds a row with the current values to the batch.
  func run() {
    batch.pointee.rows.append((table, batch.pointee.values.count))
    batch.pointee.values.append(contentsOf: values)
  }
}

/// Rows for the thread that writes them. It has copies of all texts, so it depends on no other memory.
struct RowBatch: Sendable {
  /// A value without a reference, unlike an `SQLiteValue`: references would be counted for each of millions of values.
  enum Value {
    case null
    case integer(Int)
    case real(Double)
    /// Among the texts of the batch.
    case text(Range<Int>)
    case blob(Range<Int>)
    /// One more than the table has rows. The writer numbers rows, since it may refuse some.
    case number
    /// One more than the table has rows of the same owner.
    case count
  }

  /// The rows that come from one row of the source. The owner is the number of what they belong to; nil if they belong to nothing.
  typealias Group = (endOfRows: Int, line: Int, owner: Int?)

  private static let mostValues = 1 << 14
  private static let mostTextBytes = 1 << 18

  var values: [Value] = []
  var texts: [UInt8] = []
  /// The index of each row's table in the stream, and the place of its first value.
  var rows: [(table: Int, firstValue: Int)] = []
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
  mutating func copy(_ bytes: some Collection<UInt8>) -> Range<Int> {
    let start = texts.count
    texts.append(contentsOf: bytes)
    return start..<texts.count
  }
}

/// Writes and numbers the rows of batches.
///
/// `@unchecked Sendable`: only the thread of the stream uses it until `RowStream.wait` returns, and only the caller afterwards.
final class RowInserter: @unchecked Sendable {
  /// A group with a row that the database refused, since its key exists already, and how many groups came before it.
  typealias Refusal = (group: Int, line: Int, reason: String)

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
        try write(row.table, batch.values[row.firstValue...], texts, owner: group.owner ?? 0)
      } catch {
        guard error.isConstraint else { throw error }
        refusals.append((groups, group.line, RowInserter.reason(error)))
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
    _ table: Int, _ values: ArraySlice<RowBatch.Value>, _ texts: UnsafeBufferPointer<UInt8>, owner: Int
  ) throws(SQLiteError) {
    let (statement, columns) = targets[table]
    if owner >= counts[table].count { counts[table] += Array(repeating: 0, count: owner + 1) }
    for column in 0..<columns {
      let index = column + 1
      switch values[values.startIndex + column] {
      case .null: try statement.bindNull(at: index)
      case .integer(let value): try statement.bind(value, at: index)
      case .real(let value): try statement.bind(value, at: index)
      case .text(let place):
        try statement.bind(borrowed: UnsafeBufferPointer(rebasing: texts[place]), at: index)
      case .blob(let place): try statement.bind(.blob(Array(texts[place])), at: index)
      case .number: try statement.bind(numbers[table] + 1, at: index)
      case .count: try statement.bind(counts[table][owner] + 1, at: index)
      }
    }
    try statement.runBound()
    numbers[table] += 1
    counts[table][owner] += 1
  }
}
