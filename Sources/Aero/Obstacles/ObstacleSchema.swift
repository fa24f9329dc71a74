/// What `obstacles.sqlite` is made of.
public enum ObstacleSchema {
  /// "OBS1"
  static let applicationID = 0x4f42_5331
  /// Raised when a column changes its meaning or goes; a new column is no new version.
  static let version = 1

  public static let tables = [SourceTable.obstacles.schema, StoredQuery.table, DatabaseSchema.metadata]

  public static let form = DatabaseForm(
    applicationID: applicationID, version: version, tables: tables, finishing: [DatabaseSchema.analysis])
}
