internal import Pipeline
internal import SQLiteIO

/// The values of `airports.db` as RZFlight's library reads them: what it would misread is an error.
struct AirportsValues: DatabaseRule {
  let name = "airports-values"
  let protects =
    "No airport lies off the coast of Africa, no runway points north for want of a heading, and no strip of turf passes for asphalt."

  private static let types =
    "'balloonport', 'closed', 'large_airport', 'medium_airport', 'seaplane_base', 'small_airport'"

  /// What to look for, by what names a row, and what is wrong with it.
  private static let questions: [(table: String, named: String, wrong: String, because: String)] = [
    ("airports", "icao_code", "length(icao_code) = 0", "it has no identity"),
    (
      "airports", "icao_code",
      "latitude_deg IS NULL OR longitude_deg IS NULL OR latitude_deg NOT BETWEEN -90 AND 90 OR longitude_deg NOT BETWEEN -180 AND 180",
      "it has no position on this earth"
    ),
    (
      "airports", "icao_code", "abs(latitude_deg) <= 1.5 AND abs(longitude_deg) <= 1.5",
      "it lies in the Gulf of Guinea, where OurAirports puts what is no airport"
    ),
    (
      "aip_entries", "airport_icao",
      "source = 'ourairports' AND (value LIKE '%JET%' OR value LIKE '%AVGAS%' OR value LIKE '%100LL%')",
      "the library takes its text for fuel that is sold, of which OurAirports says nothing"
    ),
    (
      "airports", "icao_code", "coalesce(type, '') NOT IN (\(types))",
      "its type is none that the library knows"
    ),
    (
      "airports", "icao_code", "updated_at NOT GLOB '????-??-??T??:??:??Z'",
      "its date is none that the library reads"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident", "le_heading_degT IS NULL OR he_heading_degT IS NULL",
      "an end without a heading would point north"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident",
      "le_heading_degT NOT BETWEEN 0 AND 360 OR he_heading_degT NOT BETWEEN 0 AND 360",
      "a heading is out of the circle"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident", "surface LIKE '%unpaved%'",
      "the library takes its surface for a hard one"
    ),
    (
      "runways", "airport_icao || ' ' || le_ident",
      "airport_icao NOT IN (SELECT icao_code FROM airports)", "it belongs to no airport"
    ),
    (
      "waypoints", "name", "latitude_deg NOT BETWEEN -90 AND 90 OR longitude_deg NOT BETWEEN -180 AND 180",
      "it has no position on this earth"
    ),
  ]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let findings = try AirportsValues.questions.flatMap { question in
      try database.connection.texts(
        "SELECT \(question.named) FROM \(question.table) WHERE \(question.wrong) ORDER BY 1"
      ).map { error("\(database.place) \(question.table) \($0)", question.because) }
    }
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    return findings + (count > 0 ? [] : [error(database.place, "there is no airport in it")])
  }
}
