internal import SQLiteIO

/// Texts about an airport under a heading: one of the headings and numbers that the library uses for the parts of an AIP.
struct RZFlightEntry {
  let airport: String
  let heading: Heading
  let value: String
  let source: String

  /// A heading and the SQL query for its lines at an airport. NULL lines are left out.
  struct Heading {
    /// Nil for a heading that is unknown to the library, which shows it unchanged.
    let number: Int?
    let section: String
    let field: String
    var separator = "; "
    let query: String
  }

  /// The lines are the fuels of the airport.
  private static let fuels = Heading(
    number: 402, section: "handling", field: "Fuel and oil types", separator: ", ", query: "")

  private static let headings = [
    Heading(
      number: 202, section: "admin", field: "Direction and distance from city",
      query: """
        SELECT distanceFromCity || ' NM ' || directionFromCity || ' of ' || city
        FROM airportDetails JOIN airports ON icao = airport WHERE airport = ?
        """),
    Heading(
      number: 203, section: "admin", field: "Elevation / Reference temperature / Mean Low Temperature",
      query: "SELECT printf('%.1f ft', elevation) FROM airports WHERE icao = ? AND elevation IS NOT NULL"),
    Heading(
      number: 205, section: "admin", field: "Magnetic Variation / Annual Change",
      query: """
        SELECT printf('%.0f° %s', abs(magneticVariation), iif(magneticVariation < 0, 'W', 'E'))
        FROM airports WHERE icao = ? AND magneticVariation IS NOT NULL
        """),
    Heading(
      number: 206, section: "admin", field: "AD Administration",
      query: """
        SELECT upper(role) || coalesce(' ' || name, '') || coalesce(' ' || phone, '')
        FROM contacts WHERE airport = ? ORDER BY number
        """),
    Heading(
      number: 208, section: "admin", field: "Remarks", separator: "\n",
      query: "SELECT remark FROM remarks WHERE airport = ? AND subject = 'AIRPORT' ORDER BY number"),
    Heading(
      number: 301, section: "operational", field: "AD Administration",
      query: """
        SELECT CASE WHEN days IS NOT 'ALL' THEN coalesce(months, '') || coalesce(' ' || days, '')
            WHEN months = 'ALL' THEN 'daily' ELSE coalesce(months || ' ', '') || 'daily' END
          || CASE hours WHEN 'ALL' THEN ', all hours' ELSE coalesce(' ' || hours, '') END
        FROM attendance WHERE airport = ? ORDER BY number
        """),
    Heading(
      number: 302, section: "operational", field: "Customs and immigration",
      query: """
        SELECT CASE WHEN isEntry THEN 'International airport of entry'
          WHEN hasLandingRights THEN 'Landing rights airport: ask customs before landing' END
        FROM airportDetails WHERE airport = ?
        """),
    frequencies,
    Heading(
      number: 405, section: "handling", field: "Hangar space for visiting aircraft",
      query: "SELECT iif(hasHangars, 'Yes', NULL) FROM airportDetails WHERE airport = ?"),
    Heading(
      number: 406, section: "handling", field: "Repair facilities for visiting aircraft",
      query: """
        SELECT 'Airframe: ' || coalesce(airframeRepair, 'none') || ', power plant: ' || coalesce(powerPlantRepair, 'none')
        FROM airportDetails WHERE airport = ? AND coalesce(airframeRepair, powerPlantRepair) IS NOT NULL
        """),
    // Many rows of the FAA do not state the fee, so there is no line without one.
    Heading(
      number: nil, section: "handling", field: "Landing fee",
      query: "SELECT iif(hasLandingFee, 'Yes', NULL) FROM airportDetails WHERE airport = ?"),
  ]

  private static let frequencies = Heading(
    number: 307, section: "operational", field: "ATS",
    query: """
      SELECT upper(type) || coalesce(' ' || name, '') || ' ' || frequency FROM frequencies
      WHERE airport = ? AND vhf AND type <> 'other' GROUP BY type, name, frequency ORDER BY min(number)
      """)

  /// The entries of the FAA's airports.
  static func rows(
    _ schema: RZFlightSchema, _ source: ExportSource, _ airports: RZFlightAirports
  ) throws -> ExportTable {
    let queries = try headings.map { ($0, try source.database.prepare($0.query)) }
    return schema.entries.rows(where: "source = '\(ExportSource.faa)'") { add in
      func write(_ airport: DatabaseAirport, _ heading: Heading, _ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        try add(
          RZFlightEntry(
            airport: airport.icao, heading: heading, value: lines.joined(separator: heading.separator),
            source: ExportSource.faa))
      }
      for airport in airports.faa {
        for (heading, query) in queries {
          let lines = try query.map([.text(airport.icao)]) { $0.text(0) }.compactMap(\.self)
          try write(airport, heading, lines.filter { !FuelNames.wouldImplyFuel($0, fuels: airport.fuels) })
        }
        try write(airport, fuels, airport.fuels.map(FuelNames.plain))
      }
    }
  }

  /// The frequencies of OurAirports' airports, one entry per airport, in the form of the FAA's frequencies. Counts the frequencies.
  static func rows(
    _ schema: RZFlightSchema, _ source: ExportSource, _ airports: RZFlightAirports, of world: TableFiles
  ) throws -> ExportTable {
    var lines: [String: [String]] = [:]
    for name in ["frequencies", "frequenciesOutsideVHF", "frequencyTypesUnknown"] {
      source.count(0, of: name)
    }
    try world.forEach { (frequency: WorldFrequency) in
      guard let airport = airports.others[frequency.airport]?.identity else { return }
      guard frequency.isVHF else { return source.count(of: "frequenciesOutsideVHF") }
      if FrequencyNames.plain(frequency.type) == nil { source.count(of: "frequencyTypesUnknown") }
      let line = FrequencyNames.line(frequency)
      guard lines[airport]?.contains(line) != true else { return }
      lines[airport, default: []].append(line)
      source.count(of: "frequencies")
    }
    let entries = lines.sorted { $0.key < $1.key }
    return schema.entries.rows { add in
      for (airport, lines) in entries {
        try add(
          RZFlightEntry(
            airport: airport, heading: frequencies, value: lines.joined(separator: "; "),
            source: ExportSource.ourAirports))
      }
    }
  }
}

extension RZFlightSchema {
  /// The library's approaches for each kind of system.
  private static let approaches = """
    ('ils', 'ILS'), ('ils', 'LOC'), ('ilsDme', 'ILS'), ('ilsDme', 'LOC'), ('localizer', 'LOC'), ('localizerDme', 'LOC'),
    ('localizerGlideSlope', 'ILS'), ('localizerGlideSlope', 'LOC'), ('lda', 'LDA'), ('ldaDme', 'LDA'), ('sdf', 'SDF'),
    ('sdfDme', 'SDF')
    """

  /// The approaches to localizers, which are the only approaches in the subscription. The library joins the number and the letter of
  /// a runway.
  func rows(ofApproachesIn source: ExportSource, _ airports: Set<String>) -> ExportTable {
    procedures.rows(where: "source = '\(ExportSource.faa)'") { add in
      try source.database.prepare(
        """
        WITH approaches (type, approach) AS (VALUES \(Self.approaches)),
          ends AS (SELECT *, ltrim(runwayEnd, '0123456789') AS letter FROM ils)
        SELECT DISTINCT airport AS airport_icao, approach || ' RWY ' || runwayEnd AS name, 'approach' AS procedure_type,
          approach AS approach_type, runwayEnd AS runway_ident, nullif(letter, '') AS runway_letter,
          substr(runwayEnd, 1, length(runwayEnd) - length(letter)) AS runway_number,
          '\(ExportSource.faa)' AS source, 'FAA' AS authority, approach || ' RWY ' || runwayEnd AS raw_name, type
        FROM ends JOIN approaches USING (type)
        WHERE coalesce(status, '') NOT IN ('shutdown', 'decommissioned') AND runwayEnd IS NOT NULL
        ORDER BY airport, runwayEnd, type, approach
        """
      ).forEachNamed { if airports.contains($0.text("airport_icao") ?? "") { try add($0) } }
    }
  }
}
