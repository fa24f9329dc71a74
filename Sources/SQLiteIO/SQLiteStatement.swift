internal import CSQLite

/// A prepared statement; it is finalised when the last reference goes.
public final class SQLiteStatement {
  let handle: OpaquePointer
  private let sql: String
  private let connection: SQLiteConnection

  init(_ handle: OpaquePointer, sql: String, connection: SQLiteConnection) {
    self.handle = handle
    self.sql = sql
    self.connection = connection
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds values to `?` in order, runs the statement to its end, and makes it ready for the next call.
  public func run(_ values: [SQLiteValue] = []) throws(SQLiteError) {
    try bind(values)
    while try step() {}
    sqlite3_reset(handle)
  }

  /// Binds values and gives each row to a closure.
  public func rows(_ values: [SQLiteValue] = [], _ each: (SQLiteRow) throws -> Void) throws {
    try bind(values)
    defer { sqlite3_reset(handle) }
    while try step() { try each(SQLiteRow(handle)) }
  }

  /// The rows turned into values, all at once.
  public func map<T>(_ values: [SQLiteValue] = [], _ each: (SQLiteRow) throws -> T) throws -> [T] {
    var results: [T] = []
    try rows(values) { results.append(try each($0)) }
    return results
  }

  /// Binds the value of one `?`, counted from 1; what was bound there before is forgotten.
  public func bind(_ value: SQLiteValue, at index: Int) throws(SQLiteError) {
    try check(value.bind(to: handle, at: Int32(index)))
  }

  public func bind(_ value: Int, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(index), Int64(value)))
  }

  public func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_double(handle, Int32(index), value))
  }

  public func bindNull(at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(index)))
  }

  /// Binds UTF-8 where it lies, without a copy: it must stay there until the statement has run.
  public func bind(borrowed text: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
    try check(
      chartpipe_bind_borrowed_text(handle, Int32(index), text.baseAddress, Int32(text.count)))
  }

  /// Runs the statement with what is bound, and makes it ready for the next values.
  public func runBound() throws(SQLiteError) {
    defer { sqlite3_reset(handle) }
    while try step() {}
  }

  private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw connection.lastError(code, sql: sql) }
  }

  func step() throws(SQLiteError) -> Bool {
    connection.renewPatience()
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = connection.lastError(code, sql: sql)
      sqlite3_reset(handle)
      throw error
    }
  }
}

@available(*, unavailable)
extension SQLiteStatement: Sendable {}

/// The row that a statement stands on; valid only inside the closure that received it.
public struct SQLiteRow {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  public var columnCount: Int { Int(sqlite3_column_count(handle)) }
  public func name(_ column: Int) -> String { String(cString: sqlite3_column_name(handle, Int32(column))) }
  public func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }
  public func int(_ column: Int) -> Int { Int(sqlite3_column_int64(handle, Int32(column))) }
  public func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  /// The number of a column, or nil for NULL.
  public func real(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }

  public func isNumber(_ column: Int) -> Bool {
    let type = sqlite3_column_type(handle, Int32(column))
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT
  }

  /// The text of a column, or a number as SQLite writes it, where it lies: valid only inside the closure.
  public func withText<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let start = sqlite3_column_text(handle, Int32(column))
    return body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
  }

  /// The text of a column, or nil for NULL. It is counted, not ended by the first zero byte.
  public func text(_ column: Int) -> String? {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  public func blob(_ column: Int) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    guard count > 0, let start = sqlite3_column_blob(handle, Int32(column)) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}

@available(*, unavailable)
extension SQLiteRow: Sendable {}
