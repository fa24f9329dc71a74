internal import Foundation
internal import SQLiteIO

extension ExportSource {
  /// Writes `openefb.sqlite`, which OpenEFB opens in place of its own database.
  ///
  /// A row that the app's types cannot express is left out, and a value becomes the app's nearest value. The problem report counts both.
  func writeOpenEFB(_ scratch: (String) -> URL) throws -> ExportContents {
    let file = ExportContents.database("\(definition.id).sqlite")
    var writer = try DatabaseWriter(scratch(file.name), as: OpenEFBSchema.form)
    for table in try openEFBTables() {
      let rows = try writer.fill(table)
      count(rows, of: table.schema.name)
      // The rows of the airports look up their runways and frequencies.
      try writer.makeIndexes(over: table.schema)
    }
    let pairs = metadata + OpenEFBSchema.about + counts.map { ("counts." + $0.key, "\($0.value)") }
    try writer.write(metadata: Dictionary(uniqueKeysWithValues: pairs))
    try writer.finish()
    return ExportContents(
      files: [file], counts: counts,
      problemTotals: ["droppedRows": .rowDropped, "mappedValues": .valueMapped])
  }

  /// The tables in the order in which they are written: the rows of the airports contain those of the runways and frequencies.
  func openEFBTables() throws -> [ExportTable] {
    // A database that is a part has not all tables.
    for table in DatabaseSchema.tables where try !database.hasTable(table.name) {
      try database.execute(table.sql(naming: "temp.\(table.name)"))
    }
    let airports = try openEFBAirports()
    var airportTable = OpenEFBSchema.airports.rows { try airports.forEach($0) }
    airportTable.joined = OpenEFBSchema.nested(of: "w.icao")
    var seen: Set<String> = []
    let runways = try openEFBRows(
      OpenEFBSchema.runways, of: airports, by: "id", named: { $0.text("id") ?? "" },
      { [self] row, airport, place in
        try makeOpenEFBRunway(&row, of: airport, at: place)
        return true
      })
    let frequencies = try openEFBRows(
      OpenEFBSchema.frequencies, of: airports, by: "number", named: { "frequency \($0.int("number"))" },
      { [self] row, airport, place in
        try makeOpenEFBFrequency(&row, of: airport)
        let values = ["type", "name"].map { row.text($0) ?? "" } + ["\(row.real("frequency") ?? 0)"]
        if seen.insert("\(airport.text("icao") ?? "") \(values)").inserted { return true }
        problems.record(
          .rowRepeated, file: "frequencies", part: place, line: 0, column: "frequency", value: values[2],
          reason: "\(values[0]) \(values[1]) is repeated with this frequency")
        return false
      })
    let remarks = try openEFBRows(
      OpenEFBSchema.remarks, of: airports, by: "number", named: { "remark \($0.int("number"))" },
      { _, _, _ in true })
    return [
      runways, frequencies, airportTable, remarks, try openEFBNavaids(), try openEFBFixes(),
      try openEFBAirspaces(),
    ]
  }

  /// Records the values of some columns that are not those of the database.
  func recordMapped(
    _ place: String, of table: String, _ columns: [String], from original: NamedRow, to row: NamedRow
  ) {
    for column in columns where original[column] != row[column] {
      problems.recordMapped(
        place, of: table, column: column, value: original.text(column) ?? "",
        to: row.text(column) ?? "\(row.int(column))")
    }
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

/// The tables of `openefb.sqlite`: those of the app's own database, with its columns, and more that the app does not read yet. Columns
/// have the names of the properties of the app's Codable structs.
public enum OpenEFBSchema {
  /// "OEF1", in the file's header.
  public static let applicationID = 0x4f45_4631
  static let version = 2

  /// The tables that are made of the database.
  static let tables = [airports, runways, frequencies, navaids, airspaces, fixes, remarks].map(\.schema)

  static let form = DatabaseForm(
    applicationID: applicationID, version: version,
    tables: tables + [weatherCache.schema, migrations.schema, DatabaseSchema.metadata],
    finishing: [migrated, airspaceTree]
      + [
        index("airports", weights: "10, 4, 20, 2, 4"), index("navaids", weights: "10, 4, 2"),
        DatabaseSchema.analysis,
      ])

  /// The columns of the text indexes, by table.
  static let indexes = [
    "airports": ["icao", "name", "faaID", "city", "searchWords"], "navaids": ["id", "name", "city"],
  ]

  /// What the app keeps in the file itself; empty.
  static let weatherCache = RecordTable<NamedRow>(
    "weatherCache", "The app's own store of weather; empty here.",
    [
      .init("id", "TEXT NOT NULL PRIMARY KEY"), .init("stationID", "TEXT NOT NULL UNIQUE"),
      .init("metar", "TEXT"), .init("taf", "TEXT"), .init("flightCategory", "TEXT NOT NULL"),
      .init("temperature", "REAL"), .init("dewpoint", "REAL"), .init("windDirection", "INTEGER"),
      .init("windSpeed", "INTEGER"), .init("windGusts", "INTEGER"), .init("windVariable", "BOOLEAN"),
      .init("visibility", "REAL"), .init("ceiling", "INTEGER"), .init("fetchedAt", "DATETIME NOT NULL"),
      .init("observationTime", "DATETIME"),
    ])

  private static let migrations = RecordTable<NamedRow>(
    "grdb_migrations",
    "The migrations of the app that the file has: without them it would make its tables again.",
    [.init("identifier", "TEXT NOT NULL PRIMARY KEY")])
  private static let migrated = "INSERT INTO grdb_migrations VALUES ('v1'), ('v2-airspaces');"

  /// About the file, for people.
  static let about = [
    ("source", "FAA NASR subscription, https://www.faa.gov/air_traffic/flight_info/aeronav/aero_data/"),
    ("tool", "\(ToolVersion.tool) \(ToolVersion.version)"),
    (
      "disclaimer",
      "Made of public data of the FAA, without any warranty. It does not replace the FAA's publications and NOTAMs: check them before each flight."
    ),
  ]

  static let airspaceTree = """
    CREATE VIRTUAL TABLE airspaces_rtree USING rtree(id, minLat, maxLat, minLon, maxLon);
    INSERT INTO airspaces_rtree SELECT rowid, minLat, maxLat, minLon, maxLon FROM airspaces ORDER BY rowid;
    """

  /// A text index with its own copy of the texts, since the app replaces rows without it.
  private static func index(_ table: String, weights: String) -> String {
    let columns = (indexes[table] ?? []).joined(separator: ", ")
    return """
      CREATE VIRTUAL TABLE \(table)_fts USING fts5(\(columns), prefix='2', tokenize='unicode61');
      INSERT INTO \(table)_fts(\(table)_fts, rank) VALUES ('rank', 'bm25(\(weights))');
      INSERT INTO \(table)_fts(\(table)_fts, rank) VALUES ('hashsize', 33554432);
      INSERT INTO \(table)_fts(rowid, \(columns)) SELECT rowid, \(columns) FROM \(table) ORDER BY rowid;
      INSERT INTO \(table)_fts(\(table)_fts, rank) VALUES ('hashsize', 1048576);
      """
  }
}
