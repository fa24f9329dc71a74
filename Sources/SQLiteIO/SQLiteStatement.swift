internal import CSQLite
internal import Foundation

/// A prepared statement. It is finalised with its last reference.
public final class SQLiteStatement {
  let handle: OpaquePointer
  private let sql: String
  private let connection: SQLiteConnection
  /// What the current execution has used.
  private var usage = QueryUsage()

  init(_ handle: OpaquePointer, sql: String, connection: SQLiteConnection) {
    (self.handle, self.sql, self.connection) = (handle, sql, connection)
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds values to `?` in order, runs the statement to its end and resets it.
  public func run(_ values: [SQLiteValue] = []) throws(SQLiteError) {
    try bind(values)
    while try step() {}
    reset()
  }

  /// Binds values and passes each row to a closure.
  public func rows(_ values: [SQLiteValue] = [], _ each: (SQLiteRow) throws -> Void) throws {
    try bind(values)
    defer { reset() }
    while try step() { try each(SQLiteRow(handle)) }
  }

  /// Binds values and returns the transformed rows.
  public func map<T>(_ values: [SQLiteValue] = [], _ each: (SQLiteRow) throws -> T) throws -> [T] {
    var results: [T] = []
    try rows(values) { results.append(try each($0)) }
    return results
  }

  /// Binds the value of one `?`, counted from 1.
  public func bind(_ value: SQLiteValue, at index: Int) throws(SQLiteError) {
    try check(value.bind(to: handle, at: Int32(index)))
  }

  public func bind(_ value: Int, at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_int64(handle, Int32(index), Int64(value)))
  }

  public func bindNull(at index: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(index)))
  }

  /// Binds UTF-8 without a copy. The buffer must stay valid until the statement has run.
  public func bind(borrowed text: UnsafeBufferPointer<UInt8>, at index: Int) throws(SQLiteError) {
    try check(chartpipe_bind_borrowed_text(handle, Int32(index), text.baseAddress, Int32(text.count)))
  }

  /// Runs the statement with the bound values and resets it.
  public func runBound() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }

  private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    reset()
    sqlite3_clear_bindings(handle)
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw connection.lastError(code, sql: sql) }
  }

  private func reset() {
    sqlite3_reset(handle)
    usage = QueryUsage()
  }

  func step() throws(SQLiteError) -> Bool {
    switch meteredStep() {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = connection.lastError(code, sql: sql)
      reset()
      throw error
    }
  }

  private func meteredStep() -> Int32 {
    guard let meter = connection.meter else { return sqlite3_step(handle) }
    meter.begin(usage)
    let code = sqlite3_step(handle)
    usage = meter.end()
    usage.rows += 1
    return code == SQLITE_ROW && usage.rows > meter.budget.rows ? SQLITE_INTERRUPT : code
  }
}

@available(*, unavailable)
extension SQLiteStatement: Sendable {}

/// The current row of a statement. It is valid only inside the closure that received it.
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

  /// The whole number of a column; nil for NULL, text, bytes and fractions.
  public func whole(_ column: Int) -> Int? {
    switch type(column) {
    case SQLITE_INTEGER: int(column)
    case SQLITE_FLOAT: Int(exactly: double(column))
    default: nil
    }
  }

  public func isBlob(_ column: Int) -> Bool { type(column) == SQLITE_BLOB }

  public func isNumber(_ column: Int) -> Bool {
    let type = sqlite3_column_type(handle, Int32(column))
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT
  }

  /// Passes the UTF-8 text of a column, or of its number, without a copy. It is valid only inside the closure.
  public func withText<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let start = sqlite3_column_text(handle, Int32(column))
    return body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
  }

  /// The text of a column, or nil for NULL. It may contain zero bytes.
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

extension SQLiteStatement {
  /// Returns the next row, or nil at the end, to read two tables in parallel. A row is valid until the next call and only as long as
  /// the statement.
  public func next() throws(SQLiteError) -> SQLiteRow? { try step() ? SQLiteRow(handle) : nil }

  /// Returns two columns as a dictionary of texts. For a repeated key the first row counts.
  public func pairs() throws -> [String: String] {
    var pairs: [String: String] = [:]
    var room = connection.meter?.budget.valueBytes ?? .max
    try rows { row in
      let (key, value) = (row.text(0) ?? "", row.text(1) ?? "")
      room -= key.utf8.count + value.utf8.count
      guard room >= 0 else { throw SQLiteError.endless(sql) }
      if pairs[key] == nil { pairs[key] = value }
    }
    return pairs
  }
}

extension SQLiteRow {
  /// A copy of the value, which stays valid.
  public func value(_ column: Int) -> SQLiteValue {
    switch type(column) {
    case SQLITE_INTEGER: .integer(int(column))
    case SQLITE_FLOAT: .real(double(column))
    case SQLITE_TEXT: .text(text(column) ?? "")
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }

  /// Compares two values without copies, in SQLite's order without a collation: NULL, numbers, texts, blobs. Returns a number less
  /// than, equal to or greater than zero.
  public func order(_ column: Int, against other: SQLiteRow) -> Int {
    let (left, right) = (type(column), other.type(column))
    if left == SQLITE_INTEGER, right == SQLITE_INTEGER {
      return SQLiteRow.order(int(column), other.int(column))
    }
    let (rank, otherRank) = (SQLiteRow.rank(left), SQLiteRow.rank(right))
    if rank != otherRank { return rank - otherRank }
    switch rank {
    case 0: return 0
    case 1: return SQLiteRow.order(double(column), other.double(column))
    default: return order(ofBytes: column, against: other)
    }
  }

  private func type(_ column: Int) -> Int32 { sqlite3_column_type(handle, Int32(column)) }

  private func order(ofBytes column: Int, against other: SQLiteRow) -> Int {
    // SQLite requires the call for the pointer before the call for the number of bytes.
    let (left, right) = (
      sqlite3_column_blob(handle, Int32(column)), sqlite3_column_blob(other.handle, Int32(column))
    )
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    let otherCount = Int(sqlite3_column_bytes(other.handle, Int32(column)))
    if let left, let right {
      let difference = memcmp(left, right, min(count, otherCount))
      if difference != 0 { return Int(difference) }
    }
    return count - otherCount
  }

  private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  private static func rank(_ type: Int32) -> Int {
    switch type {
    case SQLITE_INTEGER, SQLITE_FLOAT: 1
    case SQLITE_TEXT: 2
    case SQLITE_BLOB: 3
    default: 0
    }
  }
}

/// A value to bind to a statement.
public enum SQLiteValue: Equatable, Sendable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case blob([UInt8])

  public init(_ value: Int?) { self = value.map(SQLiteValue.integer) ?? .null }
  public init(_ value: Double?) { self = value.map(SQLiteValue.real) ?? .null }
  public init(_ value: String?) { self = value.map(SQLiteValue.text) ?? .null }
  public init(_ value: Bool?) { self = value.map { .integer($0 ? 1 : 0) } ?? .null }

  func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let value): sqlite3_bind_int64(statement, index, Int64(value))
    case .real(let value): sqlite3_bind_double(statement, index, value)
    case .text(let value): bindText(value, to: statement, at: index)
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        chartpipe_bind_blob(statement, index, $0.baseAddress, UInt64($0.count))
      }
    }
  }

  private func bindText(_ value: String, to statement: OpaquePointer, at index: Int32) -> Int32 {
    var value = value
    return value.withUTF8 { utf8 in
      guard let start = utf8.baseAddress else { return chartpipe_bind_text(statement, index, "", 0) }
      return start.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
        chartpipe_bind_text(statement, index, $0, Int32(utf8.count))
      }
    }
  }
}
