internal import SQLiteIO

/// `airports.db` against the database: all of it that both have.
struct AirportsAgreement {
  private let pair: DatabasePairing

  init(_ pair: DatabasePairing) { self.pair = pair }

  func problems() throws -> [Disagreement] {
    try AirportsAgreement.questions.flatMap { try pair.disagreements($0.table, $0.sql, $0.text) }
      + frequencies()
  }

  private typealias Question = (table: String, sql: String, text: String)

  /// Heliports are not in the export, nor are helipads.
  private static let isLand = "type NOT IN ('heliport', 'vertiport')"
  private static let isRunway = """
    NOT (reciprocalEndID IS NULL AND substr(baseEndID, 1, 1) = 'H' AND ltrim(substr(baseEndID, 2), '0123456789') = '')
    """
  private static let ownRunways = """
    base.runways JOIN base.airports ON icao = airport
    WHERE \(isLand) AND \(isRunway) AND icao IN (SELECT icao_code FROM airports)
    """

  private static let questions: [Question] = airports + both(runways) + both(ends) + [waypoints]

  private static let airports: [Question] = [
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
      SELECT icao_code, local_code, airports.name, faaID, b.name FROM airports JOIN base.airports b ON icao = icao_code
      WHERE local_code IS NOT faaID OR airports.name IS NOT b.name ORDER BY 1
      """, "it is % %, and in the database % %"
    ),
  ]

  /// The same rows of both, in the same columns: a name first.
  private static let runways = (
    here: """
    SELECT airport_icao || ' ' || min(le_ident, he_ident) || '/' || max(le_ident, he_ident),
      'length ' || coalesce(CAST(length_ft AS INTEGER), '') || ' width ' || coalesce(CAST(width_ft AS INTEGER), '')
    FROM runways WHERE airport_icao IN (SELECT icao FROM base.airports)
    """,
    there: """
    SELECT airport || ' ' || min(baseEndID, coalesce(reciprocalEndID, '')) || '/'
      || max(baseEndID, coalesce(reciprocalEndID, '')),
      'length ' || coalesce(length, '') || ' width ' || coalesce(width, '') FROM \(ownRunways)
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

  private static func both(_ rows: (here: String, there: String)) -> [Question] {
    [
      (
        "runways", "SELECT * FROM (\(rows.here)) EXCEPT SELECT * FROM (\(rows.there)) ORDER BY 1",
        "the database does not have it as it is here: %"
      ),
      (
        "runways", "SELECT * FROM (\(rows.there)) EXCEPT SELECT * FROM (\(rows.here)) ORDER BY 1",
        "it is not here as the database has it: %"
      ),
    ]
  }

  private static let waypoints: Question = (
    "waypoints",
    """
    SELECT name FROM waypoints w WHERE source = 'faa_nasr' AND NOT EXISTS (
      SELECT 1 FROM base.fixes f WHERE f.identifier = w.name AND abs(f.latitude - latitude_deg) <= 0.000001
        AND abs(f.longitude - longitude_deg) <= 0.000001
    ) AND NOT EXISTS (
      SELECT 1 FROM base.navaids n WHERE n.identifier = w.name AND abs(n.latitude - latitude_deg) <= 0.000001
        AND abs(n.longitude - longitude_deg) <= 0.000001
    ) ORDER BY 1
    """, "the database has nothing of that name there"
  )

  /// The lines about air traffic services end in a frequency each: `TOWER PALO ALTO 118.6; GROUND ...`.
  private func frequencies() throws -> [Disagreement] {
    let own = try pair.connection.prepare("SELECT frequency FROM base.frequencies WHERE airport = ?")
    return try pair.connection.prepare(
      "SELECT airport_icao, value FROM aip_entries WHERE std_field_id = 307 AND source = 'faa_nasr' ORDER BY airport_icao"
    ).map { row -> [Disagreement] in
      let airport = row.text(0) ?? ""
      let known = Set(try own.map([.text(airport)]) { $0.double(0) })
      let told = (row.text(1) ?? "").split(separator: ";").compactMap { line in
        line.split(separator: " ").last.flatMap { Double($0) }
      }
      return told.filter { !known.contains($0) }.map {
        Disagreement("aip_entries \(airport)", "the frequency \($0) is not among its own in the database")
      }
    }.flatMap(\.self)
  }
}
