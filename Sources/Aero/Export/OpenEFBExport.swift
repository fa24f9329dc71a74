internal import Foundation
internal import SQLiteIO

extension ExportSource {
  /// Writes `openefb.sqlite`, whose rows OpenEFB's Codable structs decode directly.
  ///
  /// A row that the app's types cannot express is left out, and a value becomes the app's nearest value. The problem report counts
  /// both. The counts include the runways and frequencies inside the rows of the airports.
  func writeOpenEFB(_ scratch: (String) -> URL) throws -> ExportContents {
    let file = ExportContents.database("\(definition.id).sqlite")
    var writer = try DatabaseWriter(scratch(file.name), as: OpenEFBSchema.form)
    let polygons = try OpenEFBPolygon.all(self)
    for table in try openEFBTables(polygons) {
      let rows = try writer.fill(table)
      if OpenEFBSchema.tables.contains(where: { $0.name == table.schema.name }) {
        count(rows, of: table.schema.name)
      }
    }
    var tree = OpenEFBPolygon.tree(polygons)
    try writer.write(&tree, over: OpenEFBPolygon.table.schema)
    let pairs = metadata + counts.map { ("counts." + $0.key, "\($0.value)") }
    try writer.write(metadata: Dictionary(uniqueKeysWithValues: pairs))
    try writer.finish()
    return ExportContents(
      files: [file], counts: counts,
      problemTotals: ["droppedRows": .rowDropped, "mappedValues": .valueMapped])
  }

  func openEFBTables(_ polygons: [OpenEFBPolygon]? = nil) throws -> [ExportTable] {
    let polygons = try polygons ?? OpenEFBPolygon.all(self)
    return try openEFBAirports()
      + [OpenEFBNavaid.rows(self), OpenEFBPolygon.table.rows { try polygons.forEach($0) }]
  }
}

extension ProblemLog {
  /// Records a row of the database that the app's format cannot express.
  ///
  /// - Parameter row: The name of the row for display, unique in its table: `KPAO 13/31`.
  func recordDropped(_ row: String, of table: String, _ omission: UnusableRow) {
    record(
      .rowDropped, file: table, part: row, line: 0, column: omission.column, value: omission.value,
      reason: omission.reason)
  }

  /// Records a value that is replaced with the nearest one of the app's format; nothing if it is the same.
  func recordMapped(
    _ row: String, of table: String, column: String, value: String, to word: String,
    because reason: String? = nil
  ) {
    guard value != word else { return }
    record(
      .valueMapped, file: table, part: row, line: 0, column: column, value: value,
      reason: "it is \(word) here" + (reason.map { ", since \($0)" } ?? ""))
  }
}

/// The tables of `openefb.sqlite`. Columns have the names of the properties of the app's Codable structs. Nested values are JSON text.
public enum OpenEFBSchema {
  /// "OEF1", in the file's header.
  public static let applicationID = 0x4f45_4631
  static let version = 1

  /// The tables that the app decodes.
  static let tables = [OpenEFBAirport.table.schema, OpenEFBNavaid.table.schema, OpenEFBPolygon.table.schema]
  /// The properties of the objects in the JSON of an airport's columns, by the column.
  static let nested = [OpenEFBRunway.table.schema, OpenEFBFrequency.table.schema]

  static let form = DatabaseForm(
    applicationID: applicationID, version: version,
    tables: tables + [OpenEFBAirport.words.schema, DatabaseSchema.metadata],
    finishing: [searchView, searchIndex, DatabaseSchema.analysis])

  static func key<Record>(_ number: @escaping @Sendable (Record) -> Int) -> RecordTable<Record>.Field {
    .init("rowid", "INTEGER PRIMARY KEY", "As in the R-tree's id. In airports in the order of importance.") {
      number($0)
    }
  }

  private static let searchView = """
    CREATE VIEW airportTexts AS SELECT a.rowid AS rowid, icao, faaID, name, city, words
    FROM airports a INNER JOIN airportWords w ON w.rowid = a.rowid
    """

  /// The weights are those of the same columns in `aviation.sqlite`.
  private static let searchIndex = """
    CREATE VIRTUAL TABLE airports_fts USING fts5(
      icao, faaID, name, city, words, content='airportTexts', content_rowid='rowid', prefix='2', tokenize='unicode61');
    INSERT INTO airports_fts(airports_fts, rank) VALUES ('rank', 'bm25(10, 20, 4, 2, 4)');
    INSERT INTO airports_fts(airports_fts, rank) VALUES ('hashsize', 33554432);
    INSERT INTO airports_fts(airports_fts) VALUES ('rebuild');
    INSERT INTO airports_fts(airports_fts, rank) VALUES ('hashsize', 1048576);
    """
}
