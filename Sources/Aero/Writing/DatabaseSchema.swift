/// The tables of `aviation.sqlite`.
public enum DatabaseSchema {
  /// Raised when a column changes its meaning or is removed; a new column needs no new version.
  static let version = 4
  /// "AVN1", in the file's header.
  static let applicationID = 0x4156_4e31
  /// Fixed, since the library's default can change and the bytes must not.
  static let pageSize = 4096

  /// The tables that are filled after the airports, in this order: each after those that its rows refer to.
  static let sourceTables: [SourceTable] =
    [.remarks, .attendance, .contacts, .arrestingGear]
    + [.classAirspaceHours, .militaryOperations]
    + [.controlFacilities, .controlServices, .atis, .controlRemarks, .radars]
    + [.navaids, .navaidRemarks, .navaidCheckpoints, .fixes, .fixCharts, .fixNavaids]
    + [.flightServiceStations, .communicationOutlets]
    + [.airways, .airwaySegments, .ils, .ilsGlideSlopes, .ilsDMEs, .ilsMarkers]
    + [.parachuteAreas, .parachuteContacts, .miscellaneousAreas, .miscellaneousAreaContacts]
    + SourceTable.procedures
    + [.holds, .holdAltitudes, .holdCharts, .holdRemarks]
    + [.preferredRoutes, .preferredRouteSegments, .preferredRouteStrings, .codedRoutes]
    + [.militaryRoutes, .militaryRoutePoints, .militaryRouteAgencies]
    + [.centers, .weatherLocations, .weatherServices, .identifiers]

  /// All tables, in the order of the file.
  public static let tables: [TableSchema] =
    [SourceTable.airports.schema, SourceTable.runways.schema, LinkedFrequency.airports.schema]
    + [SourceTable.weatherStations.schema]
    + detailTables.map(\.schema) + sourceTables.map(\.schema)
    + StationFrequencies.all.map(\.frequencies.schema) + [Boundary.table.schema]
    + airspaceTables + [StoredQuery.table, metadata]

  /// More columns of airports and runways; filled together with them.
  static let detailTables: [SourceTable] = [.airportDetails, .runwayDetails, .runwayEndDetails]

  /// All tables that are read from the FAA's tables field by field.
  package static let allSources: [SourceTable] =
    [.airports, .runways, .runwayEnds, .weatherStations] + detailTables + sourceTables

  static let airspaceTables = [
    AirspaceSchema.airspaces.schema, AirspaceSchema.times.schema, AirspaceSchema.frequencies.schema,
  ]

  public static let form = DatabaseForm(
    applicationID: applicationID, version: version, tables: tables, finishing: [analysis])

  /// Reads all of each index. For a sample, the versions of SQLite estimate other numbers of rows, which are in the file.
  static let analysis = "PRAGMA analysis_limit = 0; ANALYZE"

  static let metadata = TableSchema(
    "metadata", "What this file is: cycle, dates, source, row counts.",
    [.init("key", "TEXT PRIMARY KEY"), .init("value", "TEXT NOT NULL")], isKeyed: true)
}

/// The tables of `obstacles.sqlite`.
public enum ObstacleSchema {
  /// "OBS1"
  static let applicationID = 0x4f42_5331
  /// Raised when a column changes its meaning or is removed; a new column needs no new version.
  static let version = 1

  public static let tables = [SourceTable.obstacles.schema, StoredQuery.table, DatabaseSchema.metadata]

  public static let form = DatabaseForm(
    applicationID: applicationID, version: version, tables: tables, finishing: [DatabaseSchema.analysis])
}
