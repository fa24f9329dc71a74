internal import Aero
internal import SQLiteIO

/// The text indexes, held against ones that are made anew of the same rows, word by word. (SQLite's own check would have to
/// write.)
struct DatabaseFTS: DatabaseRule {
  let name = "database-fts"
  let protects = "A pilot who types an identifier or a name finds the airport, and no other one."

  /// More words tell nobody anything new.
  private static let words = 25

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let searched = try database.known.filter { !$0.search.isEmpty }
    return try searched.flatMap { table -> [Finding] in
      guard database.tables.contains(table.name + "_fts") else {
        return [error("\(database.place) \(table.name)", "there is no text index over it")]
      }
      return try wrongCount(table.name, database) + differing(table, database)
    }
  }

  /// Counting the index itself would count the table, from which it takes its content.
  private func wrongCount(_ table: String, _ database: DatabaseUnderTest) throws -> [Finding] {
    let rows = try database.connection.numbers("SELECT count(*) FROM \(table)").first ?? 0
    let indexed = try database.connection.numbers("SELECT count(*) FROM \(table)_fts_docsize").first ?? 0
    guard rows != indexed else { return [] }
    return [error("\(database.place) \(table)_fts", "it has \(indexed) rows, but \(table) has \(rows)")]
  }

  private func differing(_ table: TableSchema, _ database: DatabaseUnderTest) throws -> [Finding] {
    try makeAnew(table, database.connection)
    guard try entries("temp.told", database) != entries("temp.made", database) else { return [] }
    let terms = try database.connection.texts(
      """
      SELECT DISTINCT term FROM (
        SELECT * FROM (SELECT term, doc, cnt FROM temp.told EXCEPT SELECT term, doc, cnt FROM temp.made)
        UNION ALL SELECT * FROM (SELECT term, doc, cnt FROM temp.made EXCEPT SELECT term, doc, cnt FROM temp.told)
      ) ORDER BY term LIMIT \(DatabaseFTS.words)
      """)
    return try lines(terms, "temp.toldRows", "temp.madeRows", table, database).map {
      error($0, "a search for \"\($1)\" finds it, which is none of its words")
    }
      + lines(terms, "temp.madeRows", "temp.toldRows", table, database).map {
        error($0, "a search for its own word \"\($1)\" misses it")
      }
  }

  /// Comparing two lists takes a third of the time that SQL takes to find what differs.
  private func entries(_ vocabulary: String, _ database: DatabaseUnderTest) throws -> [String] {
    try database.connection.texts("SELECT term || ' ' || doc || ' ' || cnt FROM \(vocabulary)")
  }

  /// An index of the same rows beside the file's, in memory, and the words of both.
  private func makeAnew(_ table: TableSchema, _ connection: SQLiteConnection) throws {
    let columns = table.search.map(\.column).joined(separator: ", ")
    try connection.execute(
      """
      PRAGMA temp_store = MEMORY;
      DROP TABLE IF EXISTS temp.told; DROP TABLE IF EXISTS temp.toldRows;
      DROP TABLE IF EXISTS temp.made; DROP TABLE IF EXISTS temp.madeRows; DROP TABLE IF EXISTS temp.fresh;
      CREATE VIRTUAL TABLE temp.fresh USING fts5(\(columns), content='', tokenize='unicode61');
      INSERT INTO temp.fresh(rowid, \(columns)) SELECT rowid, \(columns) FROM main.\(table.name);
      CREATE VIRTUAL TABLE temp.told USING fts5vocab(main, \(table.name)_fts, row);
      CREATE VIRTUAL TABLE temp.toldRows USING fts5vocab(main, \(table.name)_fts, instance);
      CREATE VIRTUAL TABLE temp.made USING fts5vocab(temp, fresh, row);
      CREATE VIRTUAL TABLE temp.madeRows USING fts5vocab(temp, fresh, instance);
      """)
  }

  /// Where the one index has a term and the other has not: the row and the word.
  private func lines(
    _ terms: [String], _ one: String, _ other: String, _ table: TableSchema, _ database: DatabaseUnderTest
  ) throws -> [(place: String, term: String)] {
    let rows = try database.connection.prepare(
      """
      SELECT coalesce((SELECT \(table.label) FROM \(table.name) WHERE rowid = doc), 'row ' || doc) FROM (
        SELECT doc FROM \(one) WHERE term = ?1 EXCEPT SELECT doc FROM \(other) WHERE term = ?1) ORDER BY 1
      """)
    return try terms.flatMap { term in
      try rows.map([.text(term)]) { ("\(database.place) \(table.name) \($0.text(0) ?? "")", term) }
    }
  }
}
