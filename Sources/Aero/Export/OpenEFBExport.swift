internal import Foundation
internal import SQLiteIO

/// Writes `openefb.sqlite`, whose rows OpenEFB's Codable structs decode directly.
///
/// A row that the app's types cannot express is left out, and a value becomes the app's nearest value. The problem report counts both.
struct OpenEFBExport {
  let source: ExportSource

  /// The counts include the runways and frequencies inside the rows of the airports.
  func write(_ scratch: (String) -> URL) throws -> ExportContents {
    let file = ExportContents.File.database("\(source.definition.id).sqlite")
    var writer = try DatabaseWriter(scratch(file.name), as: OpenEFBSchema.form)
    let polygons = try OpenEFBPolygon.all(source)
    for table in try OpenEFBExport.tables(source, polygons) {
      let rows = try writer.fill(table)
      if OpenEFBSchema.tables.contains(where: { $0.name == table.schema.name }) {
        source.counts.add(rows, to: table.schema.name)
      }
    }
    var tree = OpenEFBPolygon.tree(polygons)
    try writer.write(&tree, over: OpenEFBPolygon.table.schema)
    let counts = source.counts.all
    let rows = counts.sorted { $0.key < $1.key }.map { ("counts." + $0.key, "\($0.value)") }
    try writer.fill(DatabaseSchema.metadata, (source.metadata + rows).sorted { $0.0 < $1.0 }) { _, pair in
      [.text(pair.0), .text(pair.1)]
    }
    try writer.finish()
    return ExportContents(
      files: [file], counts: counts,
      problemTotals: ["droppedRows": .rowDropped, "mappedValues": .valueMapped])
  }

  static func tables(_ source: ExportSource) throws -> [ExportTable] {
    try tables(source, OpenEFBPolygon.all(source))
  }

  private static func tables(_ source: ExportSource, _ polygons: [OpenEFBPolygon]) throws -> [ExportTable] {
    try OpenEFBAirports.tables(source) + [OpenEFBNavaid.rows(source), OpenEFBPolygon.rows(polygons)]
  }
}

extension ProblemLog {
  /// Records a row of the database that the app's format cannot express.
  ///
  /// - Parameter row: The name of the row for display, unique in its table: `KPAO 13/31`.
  func recordDropped(_ row: String, of table: String, column: String, value: String, _ reason: String) {
    record(.rowDropped, file: table, part: row, line: 0, column: column, value: value, reason: reason)
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
      .integer(number($0))
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
