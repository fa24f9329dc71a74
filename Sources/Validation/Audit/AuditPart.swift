internal import SQLiteIO

/// A part of the audit, which reads the database with a connection of its own.
struct AuditPart: Sendable {
  let tables: [String]
  /// Whether other parts need the numbers of its rows.
  var isFirst = false
  let result: @Sendable (SQLiteConnection) throws -> AuditResult
}
