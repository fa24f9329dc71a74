internal import SQLiteIO

/// A text index compared with a new one of the same rows, word by word.
struct TextIndexComparison {
  let index: String
  /// The table or the view from which the index takes its content.
  let rows: String
  let columns: [String]
  /// What names a row, in SQL.
  let label: String

  /// More examples add nothing.
  private static let words = 25

  typealias Problem = (place: String, text: String)

  /// - Parameter table: what the findings call the rows.
  func problems(_ database: DatabaseUnderTest, as table: String) throws -> [Problem] {
    guard database.tables.contains(index) else {
      return [("\(database.place) \(table)", "there is no text index over it")]
    }
    return try wrongCount(table, database) + differing(table, database)
  }

  /// Counting the index itself would count the rows, from which it takes its content.
  private func wrongCount(_ table: String, _ database: DatabaseUnderTest) throws -> [Problem] {
    let count = try database.connection.numbers("SELECT count(*) FROM \(rows)").first ?? 0
    let indexed = try database.connection.numbers("SELECT count(*) FROM \(index)_docsize").first ?? 0
    guard count != indexed else { return [] }
    return [("\(database.place) \(index)", "it has \(indexed) rows, but \(table) has \(count)")]
  }

  private func differing(_ table: String, _ database: DatabaseUnderTest) throws -> [Problem] {
    try makeNew(database.connection)
    guard try entries("temp.stored", database) != entries("temp.rebuilt", database) else { return [] }
    let terms = try database.connection.texts(
      """
      SELECT DISTINCT term FROM (
        SELECT * FROM (SELECT term, doc, cnt FROM temp.stored EXCEPT SELECT term, doc, cnt FROM temp.rebuilt)
        UNION ALL SELECT * FROM (SELECT term, doc, cnt FROM temp.rebuilt EXCEPT SELECT term, doc, cnt FROM temp.stored)
      ) ORDER BY term LIMIT \(TextIndexComparison.words)
      """)
    return try lines(terms, "temp.storedRows", "temp.rebuiltRows", database).map {
      ("\(database.place) \(table) \($0)", "a search for \"\($1)\" finds it, which is none of its words")
    }
      + lines(terms, "temp.rebuiltRows", "temp.storedRows", database).map {
        ("\(database.place) \(table) \($0)", "a search for its own word \"\($1)\" misses it")
      }
  }

  /// Comparing two lists takes a third of the time that SQL takes to find what differs.
  private func entries(_ vocabulary: String, _ database: DatabaseUnderTest) throws -> [String] {
    try database.connection.texts("SELECT term || ' ' || doc || ' ' || cnt FROM \(vocabulary)")
  }

  /// An index of the same rows beside the file's, in memory, and the words of both.
  private func makeNew(_ connection: SQLiteConnection) throws {
    let names = columns.joined(separator: ", ")
    try connection.execute(
      """
      PRAGMA temp_store = MEMORY;
      DROP TABLE IF EXISTS temp.stored; DROP TABLE IF EXISTS temp.storedRows;
      DROP TABLE IF EXISTS temp.rebuilt; DROP TABLE IF EXISTS temp.rebuiltRows; DROP TABLE IF EXISTS temp.fresh;
      CREATE VIRTUAL TABLE temp.fresh USING fts5(\(names), content='', tokenize='unicode61');
      INSERT INTO temp.fresh(rowid, \(names)) SELECT rowid, \(names) FROM main.\(rows);
      CREATE VIRTUAL TABLE temp.stored USING fts5vocab(main, \(index), row);
      CREATE VIRTUAL TABLE temp.storedRows USING fts5vocab(main, \(index), instance);
      CREATE VIRTUAL TABLE temp.rebuilt USING fts5vocab(temp, fresh, row);
      CREATE VIRTUAL TABLE temp.rebuiltRows USING fts5vocab(temp, fresh, instance);
      """)
  }

  /// Where the one index has a term and the other has not: the row and the word.
  private func lines(
    _ terms: [String], _ one: String, _ other: String, _ database: DatabaseUnderTest
  ) throws -> [(row: String, term: String)] {
    let names = try database.connection.prepare(
      """
      SELECT coalesce((SELECT \(label) FROM \(rows) WHERE rowid = doc), 'row ' || doc) FROM (
        SELECT doc FROM \(one) WHERE term = ?1 EXCEPT SELECT doc FROM \(other) WHERE term = ?1) ORDER BY 1
      """)
    return try terms.flatMap { term in
      try names.map([.text(term)]) { ($0.text(0) ?? "", term) }
    }
  }
}
