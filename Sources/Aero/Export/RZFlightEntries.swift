internal import SQLiteIO

/// Writes texts about airports under the headings and numbers that the library uses for the parts of an AIP.
struct RZFlightEntries {
  let source: ExportSource
  let airports: RZFlightAirports

  /// A heading and the SQL query for its lines at an airport. NULL lines are left out.
  private struct Heading {
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

  /// Returns the number of entries, and of OurAirports' frequencies.
  func write(to writer: DatabaseWriter) throws -> [String: Int] {
    let entries = try writeFAA(to: writer)
    guard let world = source.world else { return ["entries": entries] }
    return try writeFrequencies(world, to: writer).merging(["entries": entries]) { $0 + $1 }
  }

  private func writeFAA(to writer: DatabaseWriter) throws -> Int {
    let queries = try RZFlightEntries.headings.map { ($0, try source.database.prepare($0.query)) }
    return try writer.insert(RZFlightSchema.entries) { insert in
      var count = 0
      func write(_ airport: DatabaseAirport, _ heading: Heading, _ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        let text = lines.joined(separator: heading.separator)
        try insert.run(row(of: airport.icao, heading, text, from: RZFlightSource.faa))
        count += 1
      }
      for airport in airports.union.faa {
        for (heading, query) in queries {
          let lines = try query.map([.text(airport.icao)]) { $0.text(0) }.compactMap(\.self)
          try write(airport, heading, lines.filter { !FuelNames.wouldImplyFuel($0, fuels: airport.fuels) })
        }
        try write(airport, RZFlightEntries.fuels, airport.fuels.map(FuelNames.plain))
      }
      return count
    }
  }

  /// Writes the frequencies of OurAirports' airports, one entry per airport, in the form of the FAA's frequencies.
  private func writeFrequencies(_ world: OurAirports, to writer: DatabaseWriter) throws -> [String: Int] {
    var lines: [String: [String]] = [:]
    var counts = ["frequencies": 0, "frequenciesOutsideVHF": 0, "frequencyTypesUnknown": 0]
    try world.forEachFrequency { frequency in
      guard let airport = airports.identities[frequency.airport] else { return }
      guard frequency.isVHF else {
        counts["frequenciesOutsideVHF", default: 0] += 1
        return
      }
      if FrequencyNames.plain(frequency.type) == nil { counts["frequencyTypesUnknown", default: 0] += 1 }
      let line = FrequencyNames.line(frequency)
      guard lines[airport]?.contains(line) != true else { return }
      lines[airport, default: []].append(line)
      counts["frequencies", default: 0] += 1
    }
    let entries = lines.sorted { $0.key < $1.key }
    try writer.fill(RZFlightSchema.entries, entries) { _, entry in
      let text = entry.value.joined(separator: "; ")
      return row(of: entry.key, RZFlightEntries.frequencies, text, from: RZFlightSource.world)
    }
    counts["entries"] = entries.count
    return counts
  }

  private func row(
    of airport: String, _ heading: Heading, _ value: String, from origin: String
  ) -> [SQLiteValue] {
    let standard: [SQLiteValue] =
      heading.number.map { [.text(heading.field), .integer($0), .real(1)] } ?? [.null, .null, .null]
    return [.null, .text(airport), .text(heading.section), .text(heading.field), .text(value)] + standard
      + [.null, .null, .text(origin), .integer(0), source.stamp, source.stamp]
  }
}

/// Writes the procedures: the approaches to localizers, which are the only approaches in the subscription.
struct RZFlightProcedures {
  let source: ExportSource
  let airports: RZFlightAirports

  /// The library's approaches for each kind of system.
  private static let approaches = [
    "ils": ["ILS", "LOC"], "ilsDme": ["ILS", "LOC"], "localizer": ["LOC"], "localizerDme": ["LOC"],
    "localizerGlideSlope": ["ILS", "LOC"], "lda": ["LDA"], "ldaDme": ["LDA"], "sdf": ["SDF"],
    "sdfDme": ["SDF"],
  ]

  func write(to writer: DatabaseWriter) throws -> Int {
    let airports = Set(airports.union.faa.map(\.icao))
    return try writer.insert(RZFlightSchema.procedures) { insert in
      var count = 0
      try source.database.prepare(
        """
        SELECT airport, runwayEnd, type FROM ils WHERE coalesce(status, '') NOT IN ('shutdown', 'decommissioned')
        GROUP BY airport, runwayEnd, type ORDER BY airport, runwayEnd, type
        """
      ).rows { row in
        guard let airport = row.text(0), airports.contains(airport), let end = row.text(1) else { return }
        for approach in RZFlightProcedures.approaches[row.text(2) ?? ""] ?? [] {
          try insert.run(values(airport, approach, end))
          count += 1
        }
      }
      return count
    }
  }

  /// The library joins the number and the letter of a runway.
  private func values(_ airport: String, _ approach: String, _ end: String) -> [SQLiteValue] {
    let number = String(end.prefix { $0.isNumber })
    let letter = String(end.dropFirst(number.count))
    let name = "\(approach) RWY \(end)"
    return [
      .null, .text(airport), .text(name), .text("approach"), .text(approach), .text(end),
      SQLiteValue(letter.isEmpty ? nil : letter), .text(number), .text(RZFlightSource.faa), .text("FAA"),
      .text(name), source.stamp, source.stamp,
    ]
  }
}
