internal import Foundation
internal import SQLiteIO

/// Compares `airports.db` with the database, in everything that both contain.
struct AirportsAgreement {
  private let pair: DatabasePairing

  init(_ pair: DatabasePairing) { self.pair = pair }

  func problems() throws -> [Disagreement] {
    try AirportsAgreement.checks.flatMap { try pair.disagreements($0.table, $0.sql, $0.text) }
      + entries()
  }

  private typealias Check = (table: String, sql: String, text: String)

  /// The export has neither heliports nor helipads.
  private static let isLand = "type NOT IN ('heliport', 'vertiport')"
  private static let isRunway = """
    NOT (reciprocalEndID IS NULL AND substr(baseEndID, 1, 1) = 'H' AND ltrim(substr(baseEndID, 2), '0123456789') = '')
    """
  private static let ownRunways = """
    base.runways JOIN base.airports ON icao = airport
    WHERE \(isLand) AND \(isRunway) AND icao IN (SELECT icao_code FROM airports)
    """

  private static let checks: [Check] =
    airports + both("runways", runways) + both("runways", ends) + headings + both("procedures", procedures)
    + both("border_crossing_points", crossings) + [waypoints, missingWaypoints]

  private static let airports: [Check] = [
    (
      "airports",
      """
      SELECT icao FROM base.airports WHERE \(isLand) AND icao NOT IN (SELECT icao_code FROM airports)
        AND NOT EXISTS (SELECT 1 FROM model_metadata WHERE key = 'selection') ORDER BY 1
      """,
      "it is in the database, and missing here"
    ),
    (
      "airports",
      """
      SELECT icao_code FROM airports
      WHERE sources LIKE 'faa_nasr%' AND icao_code NOT IN (SELECT icao FROM base.airports) ORDER BY 1
      """, "it is not in the database"
    ),
    (
      "airports",
      """
      SELECT icao_code, latitude_deg, longitude_deg, latitude, longitude FROM airports JOIN base.airports ON icao = icao_code
      WHERE NOT (abs(latitude_deg - latitude) <= 0.000001 AND abs(longitude_deg - longitude) <= 0.000001) ORDER BY 1
      """, "it lies at %, %, and in the database at %, %"
    ),
    (
      "airports",
      """
      SELECT icao_code, elevation_ft, elevation FROM airports JOIN base.airports ON icao = icao_code
      WHERE elevation IS NOT NULL AND elevation_ft IS NOT elevation ORDER BY 1
      """, "elevation_ft is %, and in the database %"
    ),
    (
      "airports",
      """
      SELECT icao_code, local_code, a.name, faaID, b.name FROM airports a JOIN base.airports b ON icao = icao_code
      WHERE local_code IS NOT faaID OR a.name IS NOT b.name OR gps_code IS NOT icao
        OR municipality IS NOT coalesce(city, municipality) OR iso_country IS NOT (\(isoCountry))
        OR a.type NOT GLOB CASE WHEN status LIKE 'closed%' THEN 'closed' WHEN b.type = 'seaplane' THEN 'seaplane_base'
          WHEN b.type = 'balloonport' THEN b.type WHEN instr(sources, ',') THEN '*_airport'
          ELSE iif(isTowered, 'medium_airport', 'small_airport') END
        OR instr(sources, ',') = 0 AND iso_region IS NOT iif(iso_country = 'US', 'US-' || coalesce(state, 'U-A'), iso_country || '-U-A')
      ORDER BY 1
      """, "it is % %, and in the database % %, or they differ in city, country, code or type"
    ),
  ]

  /// The FAA lists territories as states.
  static let isoCountry = """
    CASE WHEN b.country <> 'US' THEN b.country WHEN state IN ('PR', 'VI', 'GU', 'AS', 'MP') THEN state WHEN state = 'CQ' THEN 'MP'
      WHEN state IN ('QM', 'QW', 'XL') THEN 'UM' WHEN state IS NULL THEN b.country ELSE 'US' END
    """

  /// Queries for the same rows of both, with the same columns: a name first.
  private static let runways = (
    here: """
    SELECT airport_icao || ' ' || min(le_ident, he_ident) || '/' || max(le_ident, he_ident),
      'length ' || coalesce(CAST(length_ft AS INTEGER), '') || ' width ' || coalesce(CAST(width_ft AS INTEGER), '')
      || ' ' || surface || coalesce(' lighted ' || lighted, '') || iif(closed, ' closed', '')
    FROM runways WHERE airport_icao IN (SELECT icao FROM base.airports)
    """,
    there: """
    SELECT airport || ' ' || min(baseEndID, coalesce(reciprocalEndID, '')) || '/'
      || max(baseEndID, coalesce(reciprocalEndID, '')),
      'length ' || coalesce(nullif(length, 0), '') || ' width ' || coalesce(nullif(width, 0), '')
      || ' ' || coalesce(replace(surface, 'macadam', 'paved macadam'), '') || coalesce(' lighted ' || (lighting <> 'none'), '')
    FROM \(ownRunways)
    """
  )

  private static let ends = (
    here: ["le", "he"].map {
      """
      SELECT airport_icao || ' ' || \($0)_ident, coalesce(\($0)_latitude_deg, '') || ', '
        || coalesce(\($0)_longitude_deg, '') || ', ' || coalesce(\($0)_elevation_ft, '') || ' feet, displaced '
        || coalesce(CAST(\($0)_displaced_threshold_ft AS INTEGER), '')
      FROM runways WHERE \($0)_ident <> '' AND airport_icao IN (SELECT icao FROM base.airports)
      """
    }.joined(separator: " UNION ALL "),
    there: ["baseEnd", "reciprocalEnd"].map {
      """
      SELECT airport || ' ' || \($0)ID, coalesce(\($0)Latitude, '') || ', ' || coalesce(\($0)Longitude, '') || ', '
        || coalesce(\($0)Elevation, '') || ' feet, displaced ' || coalesce(\($0)DisplacedThreshold, '')
      FROM \(ownRunways) AND \($0)ID IS NOT NULL
      """
    }.joined(separator: " UNION ALL ")
  )

  /// The database's heading if it agrees with the number of the runway, true or magnetic, else one that agrees with it.
  private static let headings: [Check] = [("le", "baseEnd"), ("he", "reciprocalEnd")].map { here, there in
    let isOff = { (heading: String) in
      ["0", "coalesce(magneticVariation, 0)"].map {
        "abs((\(heading) - CAST(\(here)_ident AS INTEGER) * 10 - \($0) + 900) % 360 - 180) > 31"
      }.joined(separator: " AND ")
    }
    let ends = ["baseEnd", "reciprocalEnd"].map { end in
      "WHEN \(end)ID = \(here)_ident THEN \(end)TrueHeading"
    }.joined(separator: " ")
    return (
      "runways",
      """
      SELECT airport_icao || ' ' || \(here)_ident, \(here)_heading_degT, heading FROM (
        SELECT *, CASE \(ends) END AS heading FROM runways e JOIN base.airports a ON a.icao = airport_icao
        JOIN base.runways r ON r.airport = a.icao AND (le_ident = baseEndID OR le_ident = reciprocalEndID))
      WHERE CAST(\(here)_ident AS INTEGER) BETWEEN 1 AND 36 AND \(here)_ident NOT GLOB '[0-9][0-9][0-9]*' AND (\(isOff(here + "_heading_degT")) OR heading IS NOT NULL
        AND NOT (\(isOff("heading"))) AND heading <> \(here)_heading_degT) ORDER BY 1
      """, "its heading is %, and in the database %"
    )
  }

  private static let procedures = (
    here:
      """
    SELECT airport_icao || ' ' || runway_ident, approach_type FROM procedures
    WHERE name = approach_type || ' RWY ' || runway_ident AND raw_name = name AND procedure_type = 'approach'
      AND runway_ident = runway_number || coalesce(runway_letter, '')
    """,
    there: """
    SELECT airport || ' ' || runwayEnd, approach FROM base.ils JOIN (SELECT 'ILS' AS approach UNION VALUES ('LOC'), ('LDA'), ('SDF'))
    WHERE airport IN (SELECT icao_code FROM airports) AND coalesce(status, '') NOT IN ('shutdown', 'decommissioned')
      AND CASE approach WHEN 'ILS' THEN type IN ('ils', 'ilsDme', 'localizerGlideSlope')
        WHEN 'LOC' THEN type GLOB 'ils*' OR type GLOB 'localizer*' ELSE type GLOB lower(approach) || '*' END
    """
  )

  private static let crossings = (
    here:
      "SELECT icao_code, airport_name || metadata_json FROM border_crossing_points WHERE matched_airport_icao = icao_code",
    there: """
    SELECT icao, name || '{"customs":' || iif(isEntry, 'true', 'false') || ',"landingRights":' || iif(hasLandingRights, 'true', 'false') || '}'
    FROM base.airports JOIN base.airportDetails ON airport = icao WHERE \(isLand) AND (isEntry OR hasLandingRights)
      AND coalesce(status, '') NOT LIKE 'closed%' AND icao IN (SELECT icao_code FROM airports)
    """
  )

  /// Compares how often each row is there.
  private static func both(_ table: String, _ rows: (here: String, there: String)) -> [Check] {
    let (here, there) = (
      "SELECT *, count(*) FROM (\(rows.here)) GROUP BY 1, 2",
      "SELECT *, count(*) FROM (\(rows.there)) GROUP BY 1, 2"
    )
    return [
      (
        table, "SELECT * FROM (\(here)) EXCEPT SELECT * FROM (\(there)) ORDER BY 1",
        "the database has no such row: %"
      ),
      (
        table, "SELECT * FROM (\(there)) EXCEPT SELECT * FROM (\(here)) ORDER BY 1",
        "it differs from the database, or is missing: %"
      ),
    ]
  }

  private static let navaidTypes = "('vortac', 'vorDme', 'vor', 'ndbDme', 'ndb', 'tacan', 'dme')"

  private static let waypoints: Check = (
    "waypoints",
    """
    SELECT name FROM waypoints w WHERE source = 'faa_nasr' AND NOT EXISTS (
      SELECT 1 FROM base.fixes f WHERE f.identifier = w.name AND abs(f.latitude - latitude_deg) <= 0.000001
        AND abs(f.longitude - longitude_deg) <= 0.000001
        AND point_type = iif(name GLOB '[A-Z][A-Z][A-Z][A-Z][A-Z]', '5LNC', 'WPT')
        AND coalesce(fir_codes, '') IN (artccHigh || ',' || artccLow, coalesce(artccHigh, artccLow, ''))
    ) AND NOT EXISTS (
      SELECT 1 FROM base.navaids n WHERE n.identifier = w.name AND abs(n.latitude - latitude_deg) <= 0.000001
        AND abs(n.longitude - longitude_deg) <= 0.000001 AND point_type = upper(type)
    ) ORDER BY 1
    """, "the database has no point of this name, type and center there"
  )

  private static let missingWaypoints: Check = (
    "waypoints",
    """
    SELECT identifier FROM (SELECT identifier FROM base.fixes UNION SELECT identifier FROM base.navaids WHERE type IN \(navaidTypes))
    WHERE identifier NOT IN (SELECT name FROM waypoints) AND NOT EXISTS (SELECT 1 FROM model_metadata WHERE key = 'selection')
    """, "it is in the database, and missing here"
  )

  // MARK: - Entries

  /// The lines of each entry, by its number or name, in their order, and what is between them.
  private static let lines: [(entry: String, separator: String, sql: String)] = [
    (
      "202", "; ",
      """
      distanceFromCity || ' NM ' || directionFromCity || ' of ' || city
      FROM base.airportDetails JOIN base.airports ON icao = airport WHERE icao = ?1
      """
    ),
    (
      "203", "; ",
      "printf('%.1f ft', elevation) FROM base.airports WHERE icao = ?1 AND elevation IS NOT NULL"
    ),
    (
      "205", "; ",
      """
      printf('%.0f° ', abs(magneticVariation)) || iif(magneticVariation < 0, 'W', 'E')
      FROM base.airports WHERE icao = ?1 AND magneticVariation IS NOT NULL
      """
    ),
    (
      "206", "; ",
      """
      upper(role) || iif(name IS NULL, '', ' ' || name) || iif(phone IS NULL, '', ' ' || phone)
      FROM base.contacts WHERE airport = ?1 ORDER BY number
      """
    ),
    ("208", "\n", "remark FROM base.remarks WHERE airport = ?1 AND subject = 'AIRPORT' ORDER BY number"),
    (
      "301", "; ",
      """
      trim(iif(months = 'ALL' AND days = 'ALL', '', coalesce(months, '')) || ' ' || iif(days = 'ALL', 'daily', coalesce(days, '')))
        || iif(hours = 'ALL', ', all hours', coalesce(' ' || hours, '')) FROM base.attendance WHERE airport = ?1 ORDER BY number
      """
    ),
    (
      "302", "; ",
      """
      iif(isEntry, 'International airport of entry', 'Landing rights airport: ask customs before landing')
      FROM base.airportDetails WHERE airport = ?1 AND (isEntry OR hasLandingRights)
      """
    ),
    (
      "402", ", ",
      """
      CASE WHEN value = 'J' THEN 'JET' WHEN value GLOB 'Jet*' THEN 'JET ' || substr(value, 4)
        WHEN value IN ('80', '100', '100R', '115') THEN 'AVGAS ' || value ELSE value END
      FROM base.airports, json_each(fuelTypes) WHERE icao = ?1
      """
    ),
    ("405", "; ", "'Yes' FROM base.airportDetails WHERE airport = ?1 AND hasHangars"),
    (
      "406", "; ",
      """
      'Airframe: ' || ifnull(airframeRepair, 'none') || ', power plant: ' || ifnull(powerPlantRepair, 'none')
      FROM base.airportDetails WHERE airport = ?1 AND (airframeRepair IS NOT NULL OR powerPlantRepair IS NOT NULL)
      """
    ),
    ("Landing fee", "; ", "'Yes' FROM base.airportDetails WHERE airport = ?1 AND hasLandingFee"),
    (
      "307", "; ",
      """
      upper(type) || iif(name IS NULL, '', ' ' || name) || ' ' || frequency FROM base.frequencies
      WHERE airport = ?1 AND vhf AND type <> 'other' GROUP BY type, name, frequency ORDER BY min(number)
      """
    ),
  ]

  /// Lines that would name a fuel that the airport does not sell are left out.
  private static let fuels = ["JET", "AVGAS", "100LL"]

  private func entries() throws -> [Disagreement] {
    try Self.lines.flatMap { entry, separator, sql in
      let lines = try pair.connection.prepare("SELECT \(sql)")
      return try pair.connection.prepare(
        """
        SELECT icao_code, coalesce(value, '') FROM airports LEFT JOIN aip_entries ON airport_icao = icao_code
          AND '\(entry)' = coalesce(std_field_id, '') || iif(std_field_id IS NULL, field, '') AND source = 'faa_nasr'
        WHERE icao_code IN (SELECT icao FROM base.airports) ORDER BY 1
        """
      ).map { row -> Disagreement? in
        var left = row.text(1)?[...] ?? ""
        for line in try lines.map([row.value(0)], { $0.text(0) }).compactMap(\.self) {
          if left == line || left.hasPrefix(line + separator) {
            left = left.dropFirst(line.count + separator.count)
          } else if !Self.fuels.contains(where: line.uppercased().contains) {
            return Disagreement(
              "aip_entries \(row.text(0) ?? "")", "\(entry) is not as in the database: \(line)")
          }
        }
        return left.isEmpty
          ? nil : Disagreement("aip_entries \(row.text(0) ?? "")", "the database has no \(left)")
      }.compactMap(\.self)
    }
  }
}
