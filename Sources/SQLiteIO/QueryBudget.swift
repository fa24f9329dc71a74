internal import CSQLite
internal import Foundation

/// The most work that one execution of a statement may do. A view in an untrusted file can return rows without end, or compute
/// without returning one.
struct QueryBudget {
  /// Virtual machine instructions.
  var instructions: Int
  var rows: Int
  /// Bytes of one value, or of all values that are collected at once.
  var valueBytes: Int
  /// The processor time of SQLite, without the code that uses the rows. Waiting for a slow disk or a busy machine does not count.
  var seconds: Double

  /// A database of this program's own schema. The instructions take minutes, a hundred times as long as the slowest query of the
  /// largest database.
  static let own = QueryBudget(
    instructions: 4_000_000_000, rows: .max, valueBytes: 128 << 20, seconds: .infinity)

  /// A file of unknown origin. Stored data cannot exceed the file: a row takes at least four bytes, a value no more bytes than the
  /// file, and twenty instructions for each byte are many times more than a pass over a table of short rows needs.
  static func foreign(bytes: Int) -> QueryBudget {
    let bytes = min(max(bytes, 0), 1 << 50)
    return QueryBudget(
      instructions: 10_000_000 + 20 * bytes, rows: 1000 + bytes / 4,
      valueBytes: min(max(bytes, 64 << 10), 128 << 20), seconds: 5 + Double(bytes) / 10_000_000)
  }
}

/// What an execution of a statement has used so far.
struct QueryUsage {
  var instructions = 0
  var rows = 0
  var seconds = 0.0
}

/// Interrupts a statement that exceeds its budget. SQLite calls it during each step of each statement of a connection.
final class QueryMeter {
  let budget: QueryBudget
  private var usage = QueryUsage()
  private var start = 0.0

  init(_ budget: QueryBudget) { self.budget = budget }

  /// A time limit needs more frequent calls, since one instruction can take a millisecond.
  private var interval: Int32 { budget.seconds.isFinite ? 10_000 : 1_000_000 }

  /// Installs a progress handler. The meter must live as long as the connection.
  func install(_ handle: OpaquePointer?) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: budget.valueBytes))
    sqlite3_progress_handler(
      handle, interval,
      { context in
        guard let context else { return 0 }
        return Unmanaged<QueryMeter>.fromOpaque(context).takeUnretainedValue().advance() ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Called before each step of a statement.
  func begin(_ usage: QueryUsage) {
    self.usage = usage
    if budget.seconds.isFinite { start = QueryMeter.now }
  }

  /// Called after the step.
  func end() -> QueryUsage {
    if budget.seconds.isFinite { usage.seconds += QueryMeter.now - start }
    return usage
  }

  /// Returns whether the statement may continue.
  private func advance() -> Bool {
    usage.instructions += Int(interval)
    return usage.instructions <= budget.instructions
      && (!budget.seconds.isFinite || usage.seconds + QueryMeter.now - start <= budget.seconds)
  }

  /// The processor time of this thread, which executes the whole step.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
