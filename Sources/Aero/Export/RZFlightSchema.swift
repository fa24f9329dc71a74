internal import Core
internal import SQLiteIO

/// The tables of `airports.db`, as RZFlight's library reads and writes them.
struct RZFlightSchema {
  /// The effective date of the cycle, for `created_at` and `updated_at`.
  let stamp: String

  /// The library's files have neither an application id nor a version.
  static let form = DatabaseForm(
    applicationID: 0, version: 0, tables: RZFlightSchema(stamp: "").tables + changes,
    finishing: indexes.map { "CREATE INDEX idx_\($0.name) ON \($0.on)" })

  private var tables: [TableSchema] {
    [
      airports.schema, runways.schema, procedures.schema, entries.schema, crossings.schema, waypoints.schema,
      metadata.schema, sources.schema,
    ]
  }

  /// Which rows of the table of airports are the FAA's, and which rows of other tables belong to those airports.
  static let isOwn = "sources LIKE 'faa_nasr%'"
  static func isOwn(_ airport: String) -> String {
    "\(airport) IN (SELECT icao_code FROM main.airports WHERE \(isOwn))"
  }
  /// Columns that OurAirports fills: always, or where the database has no value.
  private static let isMatched = "here.sources = 'faa_nasr,ourairports'"
  private static func isFilled(_ column: String) -> String { "\(isMatched) AND there.\(column) IS NULL" }

  private static func id<Record>() -> RecordTable<Record>.Field {
    .init("id", "INTEGER PRIMARY KEY AUTOINCREMENT") { _ in SQLiteValue.null }
  }

  private func stamped<Record>(_ names: String..., type: String = "TEXT") -> [RecordTable<Record>.Field] {
    names.map { .init($0, type, mayDiffer: "1") { [stamp] _ in stamp } }
  }

  private static func constants<Record>(
    _ type: String, _ pairs: KeyValuePairs<String, SQLiteValue>
  ) -> [RecordTable<Record>.Field] {
    pairs.map { name, value in .init(name, type) { _ in value } }
  }

  private static func reference(_ column: String) -> String {
    "FOREIGN KEY (\(column)) REFERENCES airports (icao_code)"
  }

  private static func copied(_ column: String) -> RecordTable<RZFlightAirport>.Field {
    .init(column, "TEXT", mayDiffer: isMatched) { $0.world?[column] }
  }

  /// An airport of the FAA, of OurAirports or of both: the FAA's values count, and OurAirports fills those that it does not have.
  var airports: RecordTable<RZFlightAirport> {
    let columns: [RecordTable<RZFlightAirport>.Field] = [
      .init("icao_code", "TEXT NOT NULL") { $0.identity },
      .init("name", "TEXT") { $0.faa?.name ?? $0.world?.name },
      .init(
        "type", "TEXT",
        mayDiffer:
          "\(Self.isMatched) AND here.type LIKE '%\\_airport' ESCAPE '\\' AND there.type LIKE '%\\_airport' ESCAPE '\\'"
      ) { $0.type },
      .init("latitude_deg", "REAL") { $0.faa?.latitude ?? $0.world?.latitude },
      .init("longitude_deg", "REAL") { $0.faa?.longitude ?? $0.world?.longitude },
      .init("elevation_ft", "REAL", mayDiffer: Self.isFilled("elevation_ft")) {
        $0.faa?.elevation ?? $0.world?.elevation
      },
      .init("continent", "TEXT", mayDiffer: Self.isMatched) {
        $0.world?["continent"] ?? $0.faa?.region.continent
      },
      .init("iso_country", "TEXT") { $0.faa.map(\.region.country) ?? $0.world?["iso_country"] },
      .init("iso_region", "TEXT", mayDiffer: Self.isMatched) {
        $0.world?["iso_region"] ?? $0.faa?.region.region
      },
      .init("municipality", "TEXT", mayDiffer: Self.isFilled("municipality")) {
        $0.faa?.city ?? $0.world?["municipality"]
      },
      Self.copied("scheduled_service"), .init("gps_code", "TEXT") { $0.faa?.icao ?? $0.world?["gps_code"] },
      Self.copied("iata_code"), .init("local_code", "TEXT") { $0.faa?.faaID ?? $0.world?["local_code"] },
      Self.copied("home_link"), Self.copied("wikipedia_link"), Self.copied("keywords"),
      .init("sources", "TEXT", mayDiffer: Self.isMatched) { $0.sources },
    ]
    return RecordTable(
      "airports", "Airports.", columns + stamped("created_at", "updated_at"),
      constraints: ["PRIMARY KEY (icao_code)"], key: ["icao_code"])
  }

  func rows(of airports: [RZFlightAirport]) -> ExportTable {
    self.airports.rows(where: Self.isOwn) { try airports.forEach($0) }
  }

  var runways: RecordTable<RZFlightRunway> {
    typealias Field = RecordTable<RZFlightRunway>.Field
    func end(_ end: String, _ side: @escaping @Sendable (RZFlightRunway) -> RunwayDirection.End) -> [Field] {
      [
        .init("\(end)_latitude_deg", "REAL") { side($0).latitude },
        .init("\(end)_longitude_deg", "REAL") { side($0).longitude },
        .init("\(end)_elevation_ft", "REAL") { side($0).elevation },
        // Never NULL, since the library reads NULL as north.
        .init("\(end)_heading_degT", "REAL") { side($0).heading },
        .init("\(end)_displaced_threshold_ft", "REAL") { side($0).displaced },
      ]
    }
    let columns: [Field] = [
      Self.id(), .init("airport_icao", "TEXT NOT NULL") { $0.airport },
      .init("le_ident", "TEXT") { $0.low.ident }, .init("he_ident", "TEXT") { $0.high.ident },
      .init("length_ft", "REAL") { $0.length },
      .init("width_ft", "REAL") { $0.width },
      .init("surface", "TEXT") { $0.surface },
      .init("lighted", "INTEGER") { $0.isLighted },
      .init("closed", "INTEGER") { $0.isClosed },
    ]
    return RecordTable(
      "runways", "Runways; le is the end with the lower number.",
      columns + end("le", \.low) + end("he", \.high) + stamped("created_at", "updated_at"),
      key: ["airport_icao", "le_ident", "he_ident"])
  }

  var procedures: RecordTable<NamedRow> {
    let texts = [
      "name", "procedure_type", "approach_type", "runway_ident", "runway_letter", "runway_number", "source",
      "authority", "raw_name",
    ]
    let columns = [Self.id(), .init("airport_icao", "TEXT NOT NULL")] + texts.map { .init($0, "TEXT") }
    return RecordTable(
      "procedures", "Instrument procedures.", columns + stamped("created_at", "updated_at"),
      key: ["airport_icao", "name"])
  }

  var entries: RecordTable<RZFlightEntry> {
    let columns: [RecordTable<RZFlightEntry>.Field] = [
      Self.id(), .init("airport_icao", "TEXT") { $0.airport },
      .init("section", "TEXT") { $0.heading.section },
      .init("field", "TEXT") { $0.heading.field }, .init("value", "TEXT") { $0.value },
      .init("std_field", "TEXT") { $0.heading.number == nil ? nil : $0.heading.field },
      .init("std_field_id", "INTEGER") { $0.heading.number },
      .init("mapping_score", "REAL") { $0.heading.number == nil ? nil : 1.0 },
    ]
    let rest: [RecordTable<RZFlightEntry>.Field] =
      Self.constants("TEXT", ["alt_field": .null, "alt_value": .null]) + [
        .init("source", "TEXT") { $0.source },
        .init("source_priority", "INTEGER DEFAULT 0") { _ in 0 },
      ]
    return RecordTable(
      "aip_entries", "What is published of an airport, under the headings of an AIP.",
      columns + rest + stamped("created_at", "updated_at"),
      constraints: [Self.reference("airport_icao"), "UNIQUE (airport_icao, section, field, source)"],
      key: ["airport_icao", "field"])
  }

  var crossings: RecordTable<DatabaseAirport> {
    let columns: [RecordTable<DatabaseAirport>.Field] = [
      Self.id(), .init("icao_code", "TEXT NOT NULL") { $0.icao },
      .init("country_iso", "TEXT NOT NULL") { $0.region.country ?? "US" },
      .init("airport_name", "TEXT NOT NULL") { $0.name },
      .init("is_airport", "INTEGER") { _ in 1 },
      .init("source", "TEXT NOT NULL") { _ in ExportSource.faa },
      .init("extraction_method", "TEXT") { _ in "APT_BASE" },
      .init("metadata_json", "TEXT") {
        "{\"customs\":\($0.hasCustoms),\"landingRights\":\($0.hasLandingRights)}"
      },
      .init("matched_airport_icao", "TEXT") { $0.icao },
      .init("match_score", "REAL") { _ in 1 },
    ]
    return RecordTable(
      "border_crossing_points", "Airports at which one may enter a country.",
      columns + stamped("created_at", "updated_at"),
      constraints: [Self.reference("matched_airport_icao"), "UNIQUE (icao_code, country_iso)"],
      key: ["icao_code"])
  }

  var waypoints: RecordTable<RZFlightWaypoint> {
    let columns: [RecordTable<RZFlightWaypoint>.Field] = [
      .init("name", "TEXT NOT NULL PRIMARY KEY") { $0.name },
      .init("latitude_deg", "REAL") { $0.place.latitude },
      .init("longitude_deg", "REAL") { $0.place.longitude },
      .init("point_type", "TEXT") { $0.type },
      .init("fir_codes", "TEXT") { $0.regions },
      .init("level_availability", "TEXT") { _ in SQLiteValue.null },
      .init("source", "TEXT") { $0.source },
    ]
    return RecordTable(
      "waypoints", "Fixes and navaids; of those that share a name, one.",
      columns + stamped("created_at", "updated_at"), key: ["name"])
  }

  var metadata: RecordTable<(key: String, value: String)> {
    RecordTable(
      "model_metadata", "What this file is.",
      [
        .init("key", "TEXT PRIMARY KEY") { $0.key }, .init("value", "TEXT") { $0.value },
      ] + stamped("updated_at"))
  }

  /// A source of the file, and how many airports it has, or of a supplement, how many rows it adds.
  typealias Source = (name: String, source: String, licence: String, records: Int)

  /// The library does not know `source` and `licence`.
  var sources: RecordTable<Source> {
    RecordTable(
      "sources", "Of what it is made.",
      [.init("name", "TEXT PRIMARY KEY") { $0.name }] + stamped("last_updated") + [
        .init("record_count", "INTEGER") { $0.records }, .init("source", "TEXT") { $0.source },
        .init("licence", "TEXT") { $0.licence },
      ])
  }
}

/// The tables in which the library's writer records changes. They are empty, since each file is new, but the library rejects a file without
/// them.
extension RZFlightSchema {
  fileprivate static let changes =
    [
      changes(
        "aip_entries", "section TEXT, field TEXT",
        "std_field TEXT, std_field_id INTEGER, mapping_score REAL, "),
      changes("airports", "field_name TEXT", "field_type TEXT, "),
      changes(
        "runways", "runway_id INTEGER, field_name TEXT", "field_type TEXT, ",
        ["FOREIGN KEY (runway_id) REFERENCES runways (id)"]),
      changes(
        "procedures", "procedure_id INTEGER, field_name TEXT", "",
        ["FOREIGN KEY (procedure_id) REFERENCES procedures (id)"]),
      TableSchema(
        "border_crossing_points_changes", "Always empty.",
        columns(
          "icao_code TEXT NOT NULL, country_iso TEXT NOT NULL, action TEXT NOT NULL, source TEXT NOT NULL, changed_at TEXT"
        )),
    ]

  private static func changes(
    _ table: String, _ before: String, _ after: String, _ constraints: [String] = []
  ) -> TableSchema {
    TableSchema(
      table + "_changes", "Always empty.",
      columns(
        "airport_icao TEXT, \(before), old_value TEXT, new_value TEXT, \(after)source TEXT, changed_at TEXT"),
      constraints: [reference("airport_icao")] + constraints)
  }

  /// A number, and the columns of such a list.
  private static func columns(_ list: String) -> [TableSchema.Column] {
    "id INTEGER PRIMARY KEY AUTOINCREMENT, \(list)".split(separator: ", ").map { column in
      let name = column.prefix { $0 != " " }
      return TableSchema.Column(String(name), String(column.dropFirst(name.count + 1)))
    }
  }

  fileprivate static let indexes: [(name: String, on: String)] = [
    ("aip_entries_changes_airport_time", "aip_entries_changes (airport_icao, changed_at)"),
    ("aip_entries_changes_field_time", "aip_entries_changes (field, changed_at)"),
    ("airport_changes_airport_time", "airports_changes (airport_icao, changed_at)"),
    ("runways_changes_airport_time", "runways_changes (airport_icao, changed_at)"),
    ("procedures_changes_airport_time", "procedures_changes (airport_icao, changed_at)"),
    ("aip_entries_airport_section", "aip_entries (airport_icao, section)"),
    ("runways_airport", "runways (airport_icao)"), ("procedures_airport", "procedures (airport_icao)"),
    ("border_crossing_matched_airport", "border_crossing_points (matched_airport_icao)"),
    ("border_crossing_country", "border_crossing_points (country_iso)"),
    ("border_crossing_source", "border_crossing_points (source)"),
    ("border_crossing_points_changes_time", "border_crossing_points_changes (changed_at)"),
  ]
}
