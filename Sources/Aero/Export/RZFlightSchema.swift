/// The tables of `airports.db`, as RZFlight's library reads and writes them.
enum RZFlightSchema {
  /// The library's files have neither an application id nor a version.
  static let form = DatabaseForm(
    applicationID: 0, version: 0,
    tables: [
      airports, runways, procedures, entries, crossings, waypoints, metadata, sources, entryChanges,
      airportChanges, runwayChanges, procedureChanges, crossingChanges,
    ],
    finishing: indexes.map { "CREATE INDEX idx_\($0.name) ON \($0.on)" })

  fileprivate static let stamps = columns("TEXT", "created_at", "updated_at")
  fileprivate static let id = TableSchema.Column("id", "INTEGER PRIMARY KEY AUTOINCREMENT")

  fileprivate static func columns(_ type: String, _ names: String...) -> [TableSchema.Column] {
    names.map { TableSchema.Column($0, type) }
  }

  fileprivate static func reference(_ column: String) -> String {
    "FOREIGN KEY (\(column)) REFERENCES airports (icao_code)"
  }

  static let airports = TableSchema(
    "airports", "Airports.",
    columns("TEXT NOT NULL", "icao_code") + columns("TEXT", "name", "type")
      + columns("REAL", "latitude_deg", "longitude_deg", "elevation_ft")
      + columns(
        "TEXT", "continent", "iso_country", "iso_region", "municipality", "scheduled_service", "gps_code",
        "iata_code", "local_code", "home_link", "wikipedia_link", "keywords", "sources") + stamps,
    constraints: ["PRIMARY KEY (icao_code)"])

  static let runways = TableSchema(
    "runways", "Runways; le is the end with the lower number.",
    [id] + columns("TEXT NOT NULL", "airport_icao") + columns("TEXT", "le_ident", "he_ident")
      + columns("REAL", "length_ft", "width_ft") + columns("TEXT", "surface")
      + columns("INTEGER", "lighted", "closed")
      + ["le", "he"].flatMap { end in
        ["latitude_deg", "longitude_deg", "elevation_ft", "heading_degT", "displaced_threshold_ft"]
          .map { TableSchema.Column("\(end)_\($0)", "REAL") }
      } + stamps)

  static let procedures = TableSchema(
    "procedures", "Instrument procedures.",
    [id] + columns("TEXT NOT NULL", "airport_icao")
      + columns(
        "TEXT", "name", "procedure_type", "approach_type", "runway_ident", "runway_letter", "runway_number",
        "source", "authority", "raw_name") + stamps)

  static let entries = TableSchema(
    "aip_entries", "What is published of an airport, under the headings of an AIP.",
    [id] + columns("TEXT", "airport_icao", "section", "field", "value", "std_field")
      + columns("INTEGER", "std_field_id") + columns("REAL", "mapping_score")
      + columns("TEXT", "alt_field", "alt_value", "source")
      + columns("INTEGER DEFAULT 0", "source_priority") + stamps,
    constraints: [reference("airport_icao"), "UNIQUE (airport_icao, section, field, source)"])

  static let crossings = TableSchema(
    "border_crossing_points", "Airports at which one may enter a country.",
    [id] + columns("TEXT NOT NULL", "icao_code", "country_iso", "airport_name")
      + columns("INTEGER", "is_airport") + columns("TEXT NOT NULL", "source")
      + columns("TEXT", "extraction_method", "metadata_json", "matched_airport_icao")
      + columns("REAL", "match_score") + stamps,
    constraints: [reference("matched_airport_icao"), "UNIQUE (icao_code, country_iso)"])

  static let waypoints = TableSchema(
    "waypoints", "Fixes and navaids; of those that share a name, one.",
    columns("TEXT NOT NULL PRIMARY KEY", "name") + columns("REAL", "latitude_deg", "longitude_deg")
      + columns("TEXT", "point_type", "fir_codes", "level_availability", "source") + stamps)

  static let metadata = TableSchema(
    "model_metadata", "What this file is.",
    columns("TEXT PRIMARY KEY", "key") + columns("TEXT", "value", "updated_at"))

  static let sources = TableSchema(
    "sources", "Of what it is made.",
    columns("TEXT PRIMARY KEY", "name") + columns("TEXT", "last_updated") + columns("INTEGER", "record_count")
  )
}

/// The tables in which the library's writer records changes. They are empty, since each file is new, but the library rejects a file without
/// them.
extension RZFlightSchema {
  fileprivate static func changes(
    _ table: String, _ before: [TableSchema.Column], _ after: [TableSchema.Column],
    _ constraints: [String] = []
  ) -> TableSchema {
    TableSchema(
      table + "_changes", "Always empty.",
      [id] + columns("TEXT", "airport_icao") + before + columns("TEXT", "old_value", "new_value") + after
        + columns("TEXT", "source", "changed_at"), constraints: [reference("airport_icao")] + constraints)
  }

  fileprivate static let entryChanges = changes(
    "aip_entries", columns("TEXT", "section", "field"),
    columns("TEXT", "std_field") + columns("INTEGER", "std_field_id") + columns("REAL", "mapping_score"))
  fileprivate static let airportChanges = changes(
    "airports", columns("TEXT", "field_name"), columns("TEXT", "field_type"))
  fileprivate static let runwayChanges = changes(
    "runways", columns("INTEGER", "runway_id") + columns("TEXT", "field_name"), columns("TEXT", "field_type"),
    ["FOREIGN KEY (runway_id) REFERENCES runways (id)"])
  fileprivate static let procedureChanges = changes(
    "procedures", columns("INTEGER", "procedure_id") + columns("TEXT", "field_name"), [],
    ["FOREIGN KEY (procedure_id) REFERENCES procedures (id)"])
  fileprivate static let crossingChanges = TableSchema(
    "border_crossing_points_changes", "Always empty.",
    [id] + columns("TEXT NOT NULL", "icao_code", "country_iso")
      + columns("TEXT NOT NULL", "action", "source") + columns("TEXT", "changed_at"))

  fileprivate static let indexes: [(name: String, on: String)] = [
    ("aip_entries_changes_airport_time", "aip_entries_changes (airport_icao, changed_at)"),
    ("aip_entries_changes_field_time", "aip_entries_changes (field, changed_at)"),
    ("airport_changes_airport_time", "airports_changes (airport_icao, changed_at)"),
    ("runways_changes_airport_time", "runways_changes (airport_icao, changed_at)"),
    ("procedures_changes_airport_time", "procedures_changes (airport_icao, changed_at)"),
    ("aip_entries_airport_section", "aip_entries (airport_icao, section)"),
    ("runways_airport", "runways (airport_icao)"),
    ("procedures_airport", "procedures (airport_icao)"),
    ("border_crossing_matched_airport", "border_crossing_points (matched_airport_icao)"),
    ("border_crossing_country", "border_crossing_points (country_iso)"),
    ("border_crossing_source", "border_crossing_points (source)"),
    ("border_crossing_points_changes_time", "border_crossing_points_changes (changed_at)"),
  ]
}
