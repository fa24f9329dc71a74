internal import CSQLite

/// A connection to a database file, for one thread at a time.
///
/// SQLite opens it without mutexes, so the type is not `Sendable`.
public final class SQLiteConnection {
  public enum Mode: Sendable {
    case readOnly
    case create
  }

  public let path: String
  private var handle: OpaquePointer?
  /// Bytes. A damaged or malicious file can declare a value that is far larger than the file.
  private static let valueLimit: Int32 = 128 << 20
  /// Nil for a file that this program writes.
  private let instructionLimit: InstructionLimit?

  /// - Parameter megaInstructions: For a file that is only read, how many million virtual machine instructions SQLite may execute
  ///   until the next row. The default takes minutes, a hundred times as long as the slowest query of the largest database.
  public init(_ path: String, mode: Mode, megaInstructions: Int = 4000) throws(SQLiteError) {
    self.path = path
    instructionLimit = mode == .readOnly ? InstructionLimit(millions: megaInstructions) : nil
    let flags =
      SQLITE_OPEN_NOMUTEX
      | (mode == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK else {
      let error = lastError(code, sql: nil)
      sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    if let instructionLimit {
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, SQLiteConnection.valueLimit)
      chartpipe_distrust_schema(handle)
      instructionLimit.install(handle)
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Closes the connection. Throws when a statement is still open.
  public func close() throws(SQLiteError) {
    guard let open = handle else { return }
    try check(sqlite3_close(open))
    handle = nil
  }

  /// Runs one or more statements that return no rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
  }

  public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil), sql: sql)
    guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, message: "empty statement", sql: sql) }
    return SQLiteStatement(statement, sql: sql, connection: self)
  }

  /// Runs `body` in a transaction and rolls it back when `body` throws.
  public func transaction<T>(_ body: () throws -> T) throws -> T {
    try execute("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      try? execute("ROLLBACK")  // report the first error
      throw error
    }
  }

  /// Configures the library for the process. Call it before the first connection opens.
  public static func configureLibrary() { _ = chartpipe_count_no_memory() }

  /// The version of the linked library, which can change the bytes of a file.
  public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// Called before each step of a statement.
  func resetInstructionCount() { instructionLimit?.reset() }

  func check(_ code: Int32, sql: String? = nil) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw lastError(code, sql: sql) }
  }

  func lastError(_ code: Int32, sql: String?) -> SQLiteError {
    let message =
      code == SQLITE_INTERRUPT
      ? "a query does not end" : handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    return SQLiteError(code: code, message: message, sql: sql)
  }
}

@available(*, unavailable)
extension SQLiteConnection: Sendable {}

/// Interrupts a statement that does not end. A view in an untrusted file can take forever.
private final class InstructionLimit {
  private let millions: Int
  private var left: Int

  init(millions: Int) { (self.millions, left) = (millions, millions) }

  func reset() { left = millions }

  /// Installs a progress handler. The limit must live as long as the connection.
  func install(_ handle: OpaquePointer?) {
    sqlite3_progress_handler(
      handle, 1_000_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<InstructionLimit>.fromOpaque(context).takeUnretainedValue().isExceeded() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func isExceeded() -> Bool {
    left -= 1
    return left < 0
  }
}

/// A failed SQLite call with SQLite's message and the statement.
public struct SQLiteError: Error, CustomStringConvertible {
  public let code: Int32
  public let message: String
  public let sql: String?

  public var isFull: Bool { code & 0xFF == SQLITE_FULL }
  public var isConstraint: Bool { code & 0xFF == SQLITE_CONSTRAINT }
  public var isNotADatabase: Bool { code & 0xFF == SQLITE_NOTADB || code & 0xFF == SQLITE_CORRUPT }

  public var description: String {
    "SQLite error \(code): \(message)" + (sql.map { " - while executing `\($0)`" } ?? "")
  }
}
