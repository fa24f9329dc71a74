internal import SQLiteIO

/// The ways into a table, made after its rows: in one go is cheaper than row by row.
///
/// Near a place (`airports`, `navaids` ...): the R-tree holds 32-bit numbers rounded outwards, so a box never misses
/// an airport; the exact position is in the table. By text: `StoredQuery.airportsSearch`.
enum DatabaseIndexes {
  static let treeColumns = ["id", "minLat", "maxLat", "minLon", "maxLon"]

  static func make(over table: TableSchema, on connection: SQLiteConnection) throws {
    for columns in table.indexes {
      try connection.execute(
        "CREATE INDEX \(table.name)_\(columns.joined(separator: "_")) ON \(table.name)(\(columns.joined(separator: ", ")))"
      )
    }
    if let extent = table.extent { try makeTree(over: table, extent, on: connection) }
    if !table.search.isEmpty { try connection.execute(text(table)) }
  }

  private static func makeTree(
    over table: TableSchema, _ extent: TableSchema.Extent, on connection: SQLiteConnection
  ) throws {
    let sides =
      switch extent {
      case .point: "latitude, latitude, longitude, longitude"
      case .box: "south, north, west, east"
      }
    var tree = PackedRTree()
    try connection.prepare(
      "SELECT \(table.rowKey), \(sides) FROM \(table.name) WHERE \(sides.prefix { $0 != "," }) IS NOT NULL"
    )
    .rows { tree.add($0.int(0), $0.double(1), $0.double(2), $0.double(3), $0.double(4)) }
    try tree.write(
      "\(table.name)_rtree", columns: treeColumns, to: connection)
  }

  /// The hash is large while the index is built, so that it is written once and leaves no free pages behind. An index of
  /// prefixes pays for two letters only: the words that begin with three are few, and lie side by side.
  private static func text(_ table: TableSchema) -> String {
    let index = "\(table.name)_fts"
    let columns = table.search.map(\.column).joined(separator: ", ")
    let weights = table.search.map { "\($0.weight)" }.joined(separator: ", ")
    return """
      CREATE VIRTUAL TABLE \(index) USING fts5(
        \(columns), content='\(table.name)', content_rowid='\(table.rowKey)', prefix='2', tokenize='unicode61');
      INSERT INTO \(index)(\(index), rank) VALUES ('rank', 'bm25(\(weights))');
      INSERT INTO \(index)(\(index), rank) VALUES ('hashsize', 33554432);
      INSERT INTO \(index)(\(index)) VALUES ('rebuild');
      INSERT INTO \(index)(\(index), rank) VALUES ('hashsize', 1048576);
      """
  }
}
