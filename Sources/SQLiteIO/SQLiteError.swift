internal import CSQLite

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
