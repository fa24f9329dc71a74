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

/// Rows on their way from the task that reads them to the thread that writes them. Text is copied into it, so that it hangs on
/// nothing.
struct RowBatch: Sendable {
  enum Value {
    case null
    case integer(Int)
    case real(Double)
    /// Among the texts of the batch.
    case text(start: Int, count: Int)
    case blob(start: Int, count: Int)
    /// One more than the table has rows, which is known when the row is written: those before it may be refused.
    case number
    /// The same within what the row belongs to.
    case count
  }

  struct Row {
    /// Which of the stream's tables it goes to; its values end where another row's begin.
    let table: Int
    let firstValue: Int
  }

  /// The rows that are made of one row of the source.
  struct Group {
    let endOfRows: Int
    let line: Int
    /// Whether it belongs to something else than the group before.
    let startsOwner: Bool
  }

  private static let mostValues = 1 << 14
  private static let mostTextBytes = 1 << 18

  var values: [Value] = []
  var texts: [UInt8] = []
  var rows: [Row] = []
  var groups: [Group] = []

  init() {}

  /// An empty one, with room for as much as another holds: nothing is moved then while it is filled.
  init(after full: RowBatch) {
    values.reserveCapacity(full.values.count)
    texts.reserveCapacity(full.texts.count)
    rows.reserveCapacity(full.rows.count)
    groups.reserveCapacity(full.groups.count)
  }

  var isFull: Bool { values.count >= RowBatch.mostValues || texts.count >= RowBatch.mostTextBytes }

  /// Copies bytes, and tells where they are among the texts.
  mutating func copy(_ bytes: some Collection<UInt8>) -> (start: Int, count: Int) {
    let start = texts.count
    texts.append(contentsOf: bytes)
    return (start, texts.count - start)
  }
}

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
