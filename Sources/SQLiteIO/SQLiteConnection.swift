internal import CSQLite

/// A connection to a database file, for one thread at a time.
///
/// SQLite opens it without mutexes, so the type is not `Sendable`.
public final class SQLiteConnection {
  public enum Mode: Sendable {
    /// A database that this program built or is about to validate.
    case readOnly
    /// A file of unknown origin, such as a tile archive. Each query has a budget that depends on the file's size.
    case foreign
    case create
  }

  public let path: String
  private var handle: OpaquePointer?
  /// Nil for a file that this program writes.
  let meter: QueryMeter?

  /// Reading leaves the file and its folder unchanged, also if the file is in WAL mode.
  public convenience init(_ path: String, mode: Mode) throws(SQLiteError) {
    let budget: QueryBudget? =
      switch mode {
      case .readOnly: .own
      case .foreign: .foreign(bytes: DatabaseFileState(path).bytes)
      case .create: nil
      }
    try self.init(path, mode: mode, budget: budget)
  }

  init(_ path: String, mode: Mode, budget: QueryBudget?) throws(SQLiteError) {
    self.path = path
    meter = budget.map(QueryMeter.init)
    let access = mode == .create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    let name = mode == .create ? path : try DatabaseFileState(path).readOnlyName()
    let code = sqlite3_open_v2(
      name, &handle, SQLITE_OPEN_NOMUTEX | access | (name == path ? 0 : SQLITE_OPEN_URI), nil)
    guard code == SQLITE_OK else {
      let error = lastError(code, sql: nil)
      sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    if let meter {
      chartpipe_distrust_schema(handle)
      meter.install(handle)
    }
    if mode == .foreign { denySlowFunctions() }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Makes statements and views that call `printf` or `format` errors. One call can count to a billion, and no budget can interrupt
  /// it: SQLite calls its progress handler only between instructions.
  private func denySlowFunctions() {
    sqlite3_set_authorizer(
      handle,
      { _, action, _, function, _, _ in
        guard action == SQLITE_FUNCTION, let function else { return SQLITE_OK }
        let name = String(cString: function).lowercased()
        return name == "printf" || name == "format" ? SQLITE_DENY : SQLITE_OK
      }, nil)
  }

  /// Closes the connection. Throws when a statement is still open.
  public func close() throws(SQLiteError) {
    guard let open = handle else { return }
    try check(sqlite3_close(open))
    handle = nil
  }

  /// Closes the connection to a complete file, and makes its bytes independent of the version of the library.
  public func closeReproducibly() throws {
    let roots = try prepare("SELECT rootpage FROM sqlite_schema WHERE rootpage > 0").map { $0.int(0) }
    try close()
    try UnusedBytes.clear(path, roots: roots)
  }

  /// Runs one or more statements that return no rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    meter?.begin(QueryUsage())
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
  }

  public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    meter?.begin(QueryUsage())
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil), sql: sql)
    guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, message: "empty statement", sql: sql) }
    return SQLiteStatement(statement, sql: sql, connection: self)
  }

  /// Adds a function of one text to SQL. Of NULL it is NULL.
  public func addFunction(_ name: String, _ body: @escaping (String) -> String) throws(SQLiteError) {
    typealias Body = (String) -> String
    let context = UnsafeMutablePointer<Body>.allocate(capacity: 1)
    context.initialize(to: body)
    // SQLite frees the context if it fails too.
    try check(
      sqlite3_create_function_v2(
        handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, context,
        { context, _, values in
          guard let text = sqlite3_value_text(values?.pointee) else { return sqlite3_result_null(context) }
          let body = sqlite3_user_data(context).assumingMemoryBound(to: Body.self)
          chartpipe_result_text(context, body.pointee(String(cString: text)))
        }, nil, nil,
        { context in
          context?.assumingMemoryBound(to: Body.self).deinitialize(count: 1)
          context?.deallocate()
        }))
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

  /// Whether the file is in WAL mode. SQLite's own answer depends on how the file was opened.
  public var isInLogMode: Bool { DatabaseFileState.isInLogMode(path) }

  /// The largest number of rows that a table of this file can have; nil without a budget.
  public var rowLimit: Int? { meter.map(\.budget.rows) }

  func check(_ code: Int32, sql: String? = nil) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw lastError(code, sql: sql) }
  }

  func lastError(_ code: Int32, sql: String?) -> SQLiteError {
    if code == SQLITE_INTERRUPT { return .endless(sql) }
    let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    return SQLiteError(code: code, message: message, sql: sql)
  }
}

@available(*, unavailable)
extension SQLiteConnection: Sendable {}

/// A failed SQLite call with SQLite's message and the statement.
public struct SQLiteError: Error, CustomStringConvertible {
  public let code: Int32
  public let message: String
  public let sql: String?
  /// What the user can do, for an error that SQLite does not report itself.
  public var suggestion: String?

  public var isFull: Bool { code & 0xFF == SQLITE_FULL }
  public var isConstraint: Bool { code & 0xFF == SQLITE_CONSTRAINT }

  /// Whether the file does not exist or must not be read.
  public var isUnopened: Bool { code & 0xFF == SQLITE_CANTOPEN }

  /// Whether a statement does not fit the schema, or a view in it.
  public var isOfSchema: Bool { code & 0xFF == SQLITE_ERROR || code & 0xFF == SQLITE_AUTH }

  /// Whether a query exceeded its budget.
  public var isEndless: Bool { code & 0xFF == SQLITE_INTERRUPT }

  static func endless(_ sql: String?) -> SQLiteError {
    SQLiteError(code: SQLITE_INTERRUPT, message: "a query does not end", sql: sql)
  }

  public var description: String {
    "SQLite error \(code): \(message)" + (sql.map { " - while executing `\($0)`" } ?? "")
  }
}
