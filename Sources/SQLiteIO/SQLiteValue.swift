internal import CSQLite

/// A value on its way into a statement.
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
