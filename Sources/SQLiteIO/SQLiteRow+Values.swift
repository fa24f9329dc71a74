internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SQLiteStatement {
  /// The next row, or nil at the end, for those who read two tables side by side. A row is valid until the next call, and
  /// only while the statement is held.
  public func next() throws(SQLiteError) -> SQLiteRow? { try step() ? SQLiteRow(handle) : nil }

  /// Two columns as a dictionary of texts; of a key that is there twice the first row counts.
  public func pairs() throws -> [String: String] {
    Dictionary(try map { ($0.text(0) ?? "", $0.text(1) ?? "") }) { first, _ in first }
  }
}

extension SQLiteRow {
  /// A copy, which stays when the statement goes on.
  public func value(_ column: Int) -> SQLiteValue {
    switch type(column) {
    case SQLITE_INTEGER: .integer(int(column))
    case SQLITE_FLOAT: .real(double(column))
    case SQLITE_TEXT: .text(text(column) ?? "")
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }

  /// Less than, equal to or greater than zero, as SQLite sorts without a collation: NULL, numbers, texts, blobs. Nothing
  /// is copied.
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
    // Bytes are counted after the pointer is asked for, as SQLite wants it.
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
