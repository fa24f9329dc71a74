internal import CSQLite

/// One connection to one database file, used by one task at a time.
///
/// It is opened without SQLite's own mutexes, so it must never be shared; the type is not `Sendable` on purpose.
public final class SQLiteConnection {
  public enum Mode: Sendable {
    case readOnly
    case create
  }

  public let path: String
  private var handle: OpaquePointer?
  /// Bytes: a hostile file can tell of a value that is far larger than itself.
  private static let valueLimit: Int32 = 128 << 20
  /// Nil for a file of our own making.
  private let patience: SQLitePatience?

  /// - Parameter patience: with a file that is only read, in millions of SQLite's own small steps until the next row.
  public init(_ path: String, mode: Mode, patience: Int = SQLitePatience.usual) throws(SQLiteError) {
    self.path = path
    self.patience = mode == .readOnly ? SQLitePatience(millions: patience) : nil
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
    if let own = self.patience {
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, SQLiteConnection.valueLimit)
      chartpipe_distrust_schema(handle)
      own.watch(handle)
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Closes for good; a statement that was left open is an error here and not a silent leak.
  public func close() throws(SQLiteError) {
    guard let open = handle else { return }
    try check(sqlite3_close(open))
    handle = nil
  }

  /// Runs one or more statements that give no rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
  }

  public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil), sql: sql)
    guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, message: "empty statement", sql: sql) }
    return SQLiteStatement(statement, sql: sql, connection: self)
  }

  /// Runs a body inside a transaction, rolled back when it throws.
  public func transaction<T>(_ body: () throws -> T) throws -> T {
    try execute("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      try? execute("ROLLBACK")  // the first error is the one to tell
      throw error
    }
  }

  /// Sets up the library for the whole process: before anything in it opens a database, or it has no effect.
  public static func configureLibrary() { _ = chartpipe_count_no_memory() }

  /// The version of the library that is linked, since it can change the bytes of a file.
  public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// To be called before each step of a statement.
  func renewPatience() { patience?.renew() }

  func check(_ code: Int32, sql: String? = nil) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw lastError(code, sql: sql) }
  }

  func lastError(_ code: Int32, sql: String?) -> SQLiteError {
    let message =
      code == SQLITE_INTERRUPT
      ? "a question has no end" : handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    return SQLiteError(code: code, message: message, sql: sql)
  }
}

@available(*, unavailable)
extension SQLiteConnection: Sendable {}

/// Ends a statement that goes on and on: a view of a strange file can be such that no answer ever comes.
public final class SQLitePatience {
  /// Minutes. The longest that is asked of the largest of our files takes a hundredth of it.
  public static let usual = 4000

  private let millions: Int
  private var left: Int

  init(millions: Int) { (self.millions, left) = (millions, millions) }

  func renew() { left = millions }

  /// It must live as long as the connection.
  func watch(_ handle: OpaquePointer?) {
    sqlite3_progress_handler(
      handle, 1_000_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<SQLitePatience>.fromOpaque(context).takeUnretainedValue().isGone() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func isGone() -> Bool {
    left -= 1
    return left < 0
  }
}

@available(*, unavailable)
extension SQLitePatience: Sendable {}

/// What SQLite said when a call failed, and to which statement.
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
