/// What `aviation.sqlite` is made of.
enum DatabaseSchema {
  /// Raised when a column changes its meaning or goes; a new column is no new version.
  static let version = 2
  /// "AVN1", in the file's header.
  static let applicationID = 0x4156_4e31
  /// Fixed, since the library's default has changed before and the bytes must not.
  static let pageSize = 4096

  /// The tables that are read row by row, in the order in which they are filled: after the airports, to which many of
  /// their rows belong.
  static let sourceTables: [SourceTable] = [.remarks, .navaids, .fixes]

  /// The tables that hold rows of the source.
  static let tables: [TableSchema] =
    [AirportSchema.airports, AirportSchema.runways, AirportSchema.frequencies]
    + sourceTables.map(\.schema) + [SourceTable.obstacles.schema, metadata]

  static let form = DatabaseForm(
    applicationID: applicationID, version: version, tables: tables, finishing: ["ANALYZE"])

  static let metadata = TableSchema(
    "metadata", "What this file is: cycle, dates, source, row counts.",
    [.init("key", "TEXT PRIMARY KEY"), .init("value", "TEXT NOT NULL")], isKeyed: true)
}
