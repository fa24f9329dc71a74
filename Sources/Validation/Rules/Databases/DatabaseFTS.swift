internal import SQLiteIO

/// The text index, asked for every airport and navaid by its own words. (SQLite's check of it would have to write.)
struct DatabaseFTS: DatabaseRule {
  let name = "database-fts"
  let protects = "A pilot who types an identifier or a name finds the airport."

  private static let indexed = ["airports": ["icao", "faaID", "name"], "navaids": ["identifier", "name"]]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try DatabaseFTS.indexed.sorted { $0.key < $1.key }.flatMap { table, columns in
      try wrongCount(table, database) + unfindable(table, columns, database)
    }
  }

  /// Counting the index itself would count the table, from which it takes its content.
  private func wrongCount(_ table: String, _ database: DatabaseUnderTest) throws -> [Finding] {
    let rows = try database.connection.numbers("SELECT count(*) FROM \(table)").first ?? 0
    let indexed = try database.connection.numbers("SELECT count(*) FROM \(table)_fts_docsize").first ?? 0
    guard rows != indexed else { return [] }
    return [error("\(database.place) \(table)_fts", "it has \(indexed) rows, but \(table) has \(rows)")]
  }

  private func unfindable(
    _ table: String, _ columns: [String], _ database: DatabaseUnderTest
  ) throws -> [Finding] {
    let search = try database.connection.prepare(
      "SELECT 1 FROM \(table)_fts WHERE \(table)_fts MATCH ? AND rowid = ?")
    var findings: [Finding] = []
    try database.connection.prepare(
      "SELECT rowid, \(columns.joined(separator: ", ")) FROM \(table) ORDER BY rowid"
    ).rows { row in
      let words = columns.indices.map { row.text($0 + 1) ?? "" }
      guard let question = DatabaseFTS.question(columns, words) else { return }
      let found = try search.map([.text(question), .integer(row.int(0))]) { _ in true }
      if found.isEmpty {
        findings.append(
          error("\(database.place) \(table) \(words[0])", "a search for its own words misses it"))
      }
    }
    return findings
  }

  /// `icao : "KPAO" AND name : "PALO ALTO"`; a value without a letter or digit has no word to search for.
  private static func question(_ columns: [String], _ values: [String]) -> String? {
    let terms = zip(columns, values).filter { $1.contains { $0.isLetter || $0.isNumber } }.map {
      "\($0) : \"\($1.replacing("\"", with: "\"\""))\""
    }
    return terms.isEmpty ? nil : terms.joined(separator: " AND ")
  }
}
