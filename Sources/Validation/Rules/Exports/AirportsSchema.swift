internal import SQLiteIO

/// The tables and columns of `airports.db` by which RZFlight's library asks.
struct AirportsSchema: DatabaseRule {
  let name = "airports-schema"
  let protects = "The app that reads the airports finds every table and column that it asks for."

  private static let columns: [(table: String, names: String)] = [
    (
      "airports",
      """
      icao_code name type latitude_deg longitude_deg elevation_ft continent iso_country iso_region municipality \
      scheduled_service gps_code iata_code local_code home_link wikipedia_link keywords sources created_at updated_at
      """
    ),
    (
      "runways",
      """
      id airport_icao le_ident he_ident length_ft width_ft surface lighted closed le_latitude_deg le_longitude_deg \
      le_elevation_ft le_heading_degT le_displaced_threshold_ft he_latitude_deg he_longitude_deg he_elevation_ft \
      he_heading_degT he_displaced_threshold_ft
      """
    ),
    (
      "procedures",
      "id airport_icao name procedure_type approach_type runway_ident runway_letter runway_number source authority raw_name"
    ),
    (
      "aip_entries",
      "id airport_icao section field value std_field std_field_id mapping_score alt_field alt_value source source_priority"
    ),
    ("border_crossing_points", "icao_code country_iso airport_name is_airport source matched_airport_icao"),
    ("waypoints", "name latitude_deg longitude_deg point_type fir_codes level_availability source"),
    ("model_metadata", "key value updated_at"), ("sources", "name last_updated record_count"),
  ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    try AirportsSchema.columns.compactMap { table, names in
      guard database.tables.contains(table) else { return "there is no table `\(table)`" }
      let there = try database.connection.texts("SELECT name FROM pragma_table_info('\(table)')")
      let missing = names.split(separator: " ").filter { !there.contains(String($0)) }
      return missing.isEmpty
        ? nil : "the table `\(table)` has no column \(missing.joined(separator: ", "))"
    }.map { error(database.place, $0) }
  }
}
