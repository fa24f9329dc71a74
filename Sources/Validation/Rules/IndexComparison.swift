internal import SQLiteIO

/// Compares an R-tree with the boxes of its rows.
///
/// - Parameters:
///   - label: The SQL expression that names a row.
///   - sides: The columns with the box: south, north, west, east.
func treeProblems(
  _ database: DatabaseUnderTest, over table: String, label: String, sides: String
) throws -> [Difference] {
  let tree = table + "_rtree"
  guard database.tables.contains(tree) else { return [Difference(table, "there is no R-tree over it")] }
  let damage = try database.connection.texts("SELECT rtreecheck('main', '\(tree)')").filter { $0 != "ok" }
  guard damage.isEmpty else { return damage.map { Difference("table \(tree)", $0) } }
  // Degrees. The tree keeps 32-bit numbers, rounded outwards.
  let slack = 0.0001
  let wrong = try database.connection.prepare(
    """
    WITH box (number, south, north, west, east) AS MATERIALIZED (SELECT rowid, \(sides) FROM \(table))
    SELECT (SELECT \(label) FROM \(table) WHERE rowid = box.number), tree.id IS NULL
    FROM box LEFT JOIN \(tree) AS tree ON tree.id = box.number
    WHERE south IS NOT NULL AND west IS NOT NULL
      AND NOT coalesce(
        south - minLat BETWEEN 0 AND \(slack) AND maxLat - north BETWEEN 0 AND \(slack)
          AND west - minLon BETWEEN 0 AND \(slack) AND maxLon - east BETWEEN 0 AND \(slack), 0)
    ORDER BY box.number
    """
  ).map { row in
    Difference(
      "\(table) \(row.text(0) ?? "")",
      row.int(1) == 1 ? "it is not in \(tree)" : "its box in \(tree) is wrong")
  }
  let strays = try database.connection.texts(
    "SELECT id FROM \(tree) WHERE id NOT IN (SELECT rowid FROM \(table)) ORDER BY id")
  return wrong + strays.map { Difference("\(tree) row \($0)", "there is no such row in \(table)") }
}

/// Compares a text index with a new one of the same rows, word by word.
struct TextIndexComparison {
  let table: String
  let columns: [String]
  /// The SQL expression that names a row.
  let label: String

  private var index: String { table + "_fts" }

  func problems(_ database: DatabaseUnderTest) throws -> [Difference] {
    guard database.tables.contains(index) else {
      return [Difference(table, "there is no text index over it")]
    }
    // `count(*)` of the index would count the content table.
    let (count, indexed) = try (
      database.connection.count(table), database.connection.count("\(index)_docsize")
    )
    let text = "it has \(indexed) rows, but \(table) has \(count)"
    return try (count == indexed ? [] : [Difference(index, text)]) + differing(database)
  }

  private func differing(_ database: DatabaseUnderTest) throws -> [Difference] {
    try rebuild(database.connection)
    return try words("temp.stored", "temp.rebuilt", database).map { row, word in
      Difference(
        "\(table) \(row)", "a search for \"\(word)\" finds it, although it does not contain the word")
    }
      + words("temp.rebuilt", "temp.stored", database).map { row, word in
        Difference("\(table) \(row)", "a search for its word \"\(word)\" does not find it")
      }
  }

  /// Builds an index of the same rows in memory, and tables of the words of both indexes.
  private func rebuild(_ connection: SQLiteConnection) throws {
    let names = columns.joined(separator: ", ")
    try connection.execute(
      """
      PRAGMA temp_store = MEMORY;
      DROP TABLE IF EXISTS temp.stored; DROP TABLE IF EXISTS temp.rebuilt; DROP TABLE IF EXISTS temp.fresh;
      CREATE VIRTUAL TABLE temp.fresh USING fts5(\(names), content='', tokenize='unicode61');
      INSERT INTO temp.fresh(rowid, \(names)) SELECT rowid, \(names) FROM main.\(table);
      CREATE VIRTUAL TABLE temp.stored USING fts5vocab(main, \(index), instance);
      CREATE VIRTUAL TABLE temp.rebuilt USING fts5vocab(temp, fresh, instance);
      """)
  }

  /// Returns the rows and words that one index has and the other lacks.
  private func words(
    _ one: String, _ other: String, _ database: DatabaseUnderTest
  ) throws -> [(row: String, word: String)] {
    try database.connection.prepare(
      """
      SELECT coalesce((SELECT \(label) FROM \(table) WHERE rowid = doc), 'row ' || doc), term
      FROM (SELECT term, doc FROM \(one) EXCEPT SELECT term, doc FROM \(other)) ORDER BY 2, 1
      """
    ).map { ($0.text(0) ?? "", $0.text(1) ?? "") }
  }
}
