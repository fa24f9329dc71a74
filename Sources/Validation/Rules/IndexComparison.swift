internal import Core
internal import SQLiteIO

/// Compares an R-tree with the boxes of its rows.
struct TreeComparison {
  let table: String
  /// The SQL expression that names a row.
  let label: String
  /// The query for each row's number and box: south, north, west, east.
  let boxes: String

  /// Degrees. The tree keeps 32-bit numbers, rounded outwards.
  private static let slack = 0.0001

  func problems(_ database: DatabaseUnderTest) throws -> [Difference] {
    let tree = table + "_rtree"
    guard database.tables.contains(tree) else { return [Difference(table, "there is no R-tree over it")] }
    do {
      return try problems(try RTreeNodes(tree, in: database.connection), database)
    } catch let damage as UserError {
      return [Difference("table \(tree)", damage.reason)]
    }
  }

  private func problems(_ tree: RTreeNodes, _ database: DatabaseUnderTest) throws -> [Difference] {
    var boxes = tree.boxes
    var wrong: [(row: Int, isMissing: Bool)] = []
    try database.connection.prepare(self.boxes).rows { row in
      guard !row.isNull(1), !row.isNull(3) else { return }
      let box = boxes.removeValue(forKey: row.int(0))
      if !TreeComparison.fits(box, row) { wrong.append((row.int(0), box == nil)) }
    }
    return zip(wrong, try labels(wrong.map(\.row), database)).map { entry, name in
      Difference(
        "\(table) \(name)",
        entry.isMissing ? "it is not in \(table)_rtree" : "its box in \(table)_rtree is wrong")
    } + boxes.keys.sorted().map { Difference("\(table)_rtree row \($0)", "there is no such row in \(table)") }
  }

  /// Whether a box fits a row closely.
  private static func fits(_ box: RTreeNodes.Box?, _ row: SQLiteRow) -> Bool {
    guard let box else { return false }
    let lows = [(Double(box.south), row.double(1)), (Double(box.west), row.double(3))]
    let highs = [(Double(box.north), row.double(2)), (Double(box.east), row.double(4))]
    return lows.allSatisfy { $0 <= $1 && $1 - $0 <= slack }
      && highs.allSatisfy { $0 >= $1 && $0 - $1 <= slack }
  }

  private func labels(_ rows: [Int], _ database: DatabaseUnderTest) throws -> [String] {
    let names = try database.connection.prepare("SELECT \(label) FROM \(table) WHERE rowid = ?")
    return try rows.map { try names.map([.integer($0)]) { $0.text(0) ?? "" }.first ?? "" }
  }
}

/// Reads an R-tree from its nodes. SQLite's own check queries each entry, which takes minutes for obstacles.
struct RTreeNodes {
  /// Degrees as 32-bit numbers, rounded outward.
  struct Box {
    let south, north, west, east: Float

    func contains(_ other: Box) -> Bool {
      south <= other.south && north >= other.north && west <= other.west && east >= other.east
    }
  }

  /// By row.
  private(set) var boxes: [Int: Box] = [:]
  private var nodes: [Int: [UInt8]] = [:]
  /// The node of each row, from the tree's table of rows.
  private var nodeOfRow: [Int: Int] = [:]

  private static let cellBytes = 24

  init(_ name: String, in connection: SQLiteConnection) throws {
    try connection.prepare("SELECT nodeno, data FROM \"\(name)_node\"").rows { nodes[$0.int(0)] = $0.blob(1) }
    try connection.prepare("SELECT rowid, nodeno FROM \"\(name)_rowid\"").rows {
      nodeOfRow[$0.int(0)] = $0.int(1)
    }
    guard let root = nodes[1], root.count >= 4 else { throw damage("it has no root") }
    let depth = Int(root[0]) << 8 | Int(root[1])
    guard depth <= 40 else { throw damage("its depth is \(depth)") }
    try visit(1, above: depth, within: nil)
    guard nodes.isEmpty else { throw damage("\(nodes.count) of its nodes belong to no other") }
    guard nodeOfRow.isEmpty else { throw damage("\(nodeOfRow.count) of its rows are in no node") }
  }

  private func damage(_ reason: String) -> UserError {
    UserError(.badInput, operation: "reading the R-tree", reason: reason)
  }

  /// Removes each visited node, so that a cycle ends.
  private mutating func visit(_ number: Int, above level: Int, within outer: Box?) throws {
    guard let node = nodes.removeValue(forKey: number), node.count >= 4 else {
      throw damage("its node \(number) is missing, or used twice")
    }
    let count = Int(node[2]) << 8 | Int(node[3])
    guard 4 + count * RTreeNodes.cellBytes <= node.count else {
      throw damage("its node \(number) is cut short")
    }
    for cell in 0..<count {
      let (id, box) = RTreeNodes.cell(node, 4 + cell * RTreeNodes.cellBytes)
      guard outer?.contains(box) != false else {
        throw damage("its node \(number) lies outside its parent's box")
      }
      if level > 0 {
        try visit(id, above: level - 1, within: box)
      } else {
        guard nodeOfRow.removeValue(forKey: id) == number else {
          throw damage("its row \(id) is not in the node that its parent names")
        }
        boxes[id] = box
      }
    }
  }

  /// Reads a number of 64 bits and four of 32, big-endian. The caller has checked the length.
  private static func cell(_ node: [UInt8], _ start: Int) -> (id: Int, box: Box) {
    node.withUnsafeBytes { bytes in
      func side(_ number: Int) -> Float {
        let bits = bytes.loadUnaligned(fromByteOffset: start + 8 + number * 4, as: UInt32.self)
        return Float(bitPattern: UInt32(bigEndian: bits))
      }
      let id = Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
      return (Int(id), Box(south: side(0), north: side(1), west: side(2), east: side(3)))
    }
  }
}

/// Compares a text index with a new one of the same rows, word by word.
struct TextIndexComparison {
  let index: String
  /// The table or view that has the content of the index.
  let rows: String
  let columns: [String]
  /// The SQL expression that names a row.
  let label: String

  /// The most words to report.
  private static let words = 25

  /// - Parameter table: the name of the rows in the findings.
  func problems(_ database: DatabaseUnderTest, as table: String) throws -> [Difference] {
    guard database.tables.contains(index) else {
      return [Difference(table, "there is no text index over it")]
    }
    // `count(*)` of the index would count the content table.
    let (count, indexed) = try (
      database.connection.count(rows), database.connection.count("\(index)_docsize")
    )
    let text = "it has \(indexed) rows, but \(table) has \(count)"
    return try (count == indexed ? [] : [Difference(index, text)]) + differing(table, database)
  }

  private func differing(_ table: String, _ database: DatabaseUnderTest) throws -> [Difference] {
    try rebuild(database.connection)
    guard try entries("temp.stored", database) != entries("temp.rebuilt", database) else { return [] }
    let terms = try database.connection.texts(
      """
      SELECT DISTINCT term FROM (
        SELECT * FROM (SELECT term, doc, cnt FROM temp.stored EXCEPT SELECT term, doc, cnt FROM temp.rebuilt)
        UNION ALL SELECT * FROM (SELECT term, doc, cnt FROM temp.rebuilt EXCEPT SELECT term, doc, cnt FROM temp.stored)
      ) ORDER BY term LIMIT \(TextIndexComparison.words)
      """)
    return try lines(terms, "temp.storedRows", "temp.rebuiltRows", database).map { row, term in
      Difference(
        "\(table) \(row)", "a search for \"\(term)\" finds it, although it does not contain the word")
    }
      + lines(terms, "temp.rebuiltRows", "temp.storedRows", database).map { row, term in
        Difference("\(table) \(row)", "a search for its word \"\(term)\" does not find it")
      }
  }

  /// Comparing two lists takes a third of the time of finding the differences in SQL.
  private func entries(_ vocabulary: String, _ database: DatabaseUnderTest) throws -> [String] {
    try database.connection.texts("SELECT term || ' ' || doc || ' ' || cnt FROM \(vocabulary)")
  }

  /// Builds an index of the same rows in memory, and vocabulary tables of both indexes.
  private func rebuild(_ connection: SQLiteConnection) throws {
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

  /// Returns the rows and words that one index has and the other lacks.
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
