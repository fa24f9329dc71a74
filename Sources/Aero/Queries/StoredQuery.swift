internal import Core
internal import SQLiteIO

/// A query that every app needs, kept as SQL text in the database's `queries` table, so that all apps run the same text.
///
/// The text runs with SQLite 3.35 and later, without SQLite's mathematical functions, which some systems leave out. Parameters
/// are numbered (`?1`), and may be bound as numbers or as text.
public struct StoredQuery: Sendable {
  public let name: String
  /// What the rows are, and their order.
  let answer: String
  /// The parameters in their order, separated by commas.
  let parameters: String
  public let sql: String

  /// Of `aviation.sqlite`, in the order of their names, which is the table's key.
  public static let all: [StoredQuery] = [
    nearest("airports"), airportsSearch, nearest("navaids"), nearest("weatherStations"),
  ]

  /// Of `obstacles.sqlite`.
  static let obstacles = [nearest("obstacles")]

  static let table = TableSchema(
    "queries", "Queries for apps: SQL text to run on this file as it is.",
    [
      .init("name", "TEXT PRIMARY KEY"),
      .init("answer", "TEXT NOT NULL", "What the rows are, and their order."),
      .init("parameters", "TEXT NOT NULL", "The values for ?1, ?2 ... in this order, separated by commas."),
      .init("sql", "TEXT NOT NULL", "The text to prepare."),
    ], isKeyed: true)
}

extension DatabaseWriter {
  func write(_ queries: [StoredQuery]) throws {
    try fill(StoredQuery.table, queries) { _, query in
      [.text(query.name), .text(query.answer), .text(query.parameters), .text(query.sql)]
    }
  }
}
