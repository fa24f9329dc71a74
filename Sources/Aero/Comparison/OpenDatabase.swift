internal import Foundation
internal import SQLiteIO

/// One of two app databases that are compared. Whatever goes wrong in it is a fault that names its file.
final class OpenDatabase {
  /// The rows of a query, one after another.
  struct Rows {
    fileprivate let statement: SQLiteStatement
    fileprivate let file: URL

    func next() throws -> SQLiteRow? { try OpenDatabase.reading(file) { try statement.next() } }
  }

  let metadata: [String: String]
  private let file: URL
  private let connection: SQLiteConnection
  /// The columns of each table.
  private let tables: [String: [String]]

  init(_ file: URL) throws {
    self.file = file
    (connection, tables, metadata) = try OpenDatabase.reading(file) {
      let connection = try SQLiteConnection(file.path, mode: .readOnly)
      let tables = try OpenDatabase.tables(connection)
      let hasMetadata = tables["metadata"] == ["key", "value"]
      let metadata = hasMetadata ? try connection.prepare("SELECT key, value FROM metadata").pairs() : [:]
      return (connection, tables, metadata)
    }
  }

  /// The tables proper, without those in which R-trees and text indexes keep their own affairs.
  private static func tables(_ connection: SQLiteConnection) throws -> [String: [String]] {
    var tables: [String: [String]] = [:]
    try connection.prepare(
      """
      SELECT t.name, c.name FROM pragma_table_list t, pragma_table_info(t.name) c
      WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY t.name, c.cid
      """
    ).rows { tables[$0.text(0) ?? "", default: []].append($0.text(1) ?? "") }
    return tables
  }

  var edition: ComparedEdition {
    ComparedEdition(
      file: file.relativePath, cycle: metadata["cycle"], effective: metadata["effective"],
      expires: metadata["expires"], schemaVersion: metadata["schema_version"], source: metadata["source"])
  }

  var tableNames: [String] { tables.keys.sorted() }

  /// Empty where there is no such table.
  func columns(of table: String) -> [String] { tables[table] ?? [] }

  func rows(_ sql: String) throws -> Rows {
    try OpenDatabase.reading(file) { Rows(statement: try connection.prepare(sql), file: file) }
  }

  /// How many rows a table has; none where there is no such table.
  func count(_ table: String) throws -> Int {
    guard tables[table] != nil else { return 0 }
    let name = table.replacing("\"", with: "\"\"")
    return try OpenDatabase.reading(file) {
      try connection.prepare("SELECT count(*) FROM \"\(name)\"").map { $0.int(0) }.first ?? 0
    }
  }

  fileprivate static func reading<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw DatabaseFile.unreadable(file, error) }
  }
}

@available(*, unavailable)
extension OpenDatabase: Sendable {}
