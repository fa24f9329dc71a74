internal import SQLiteIO

/// What the FAA tells of an airport, under the headings and numbers that the library gives to the parts of an AIP.
struct RZFlightEntries {
  let database: SQLiteConnection
  let stamp: String

  /// A heading, and the question for its lines at one airport; a NULL is nothing to tell.
  struct Heading {
    /// Nil for a heading that the library does not know, which it shows as it is.
    let number: Int?
    let section: String
    let field: String
    var separator = "; "
    let question: String
  }

  /// Answered by the airport itself, whose fuels the other lines are held against.
  private static let fuels = Heading(
    number: 402, section: "handling", field: "Fuel and oil types", separator: ", ", question: "")

  private static let headings = [
    Heading(
      number: 202, section: "admin", field: "Direction and distance from city",
      question: """
        SELECT distanceFromCity || ' NM ' || directionFromCity || ' of ' || city
        FROM airportDetails JOIN airports ON icao = airport WHERE airport = ?
        """),
    Heading(
      number: 203, section: "admin", field: "Elevation / Reference temperature / Mean Low Temperature",
      question: "SELECT printf('%.1f ft', elevation) FROM airports WHERE icao = ? AND elevation IS NOT NULL"),
    Heading(
      number: 205, section: "admin", field: "Magnetic Variation / Annual Change",
      question: """
        SELECT printf('%.0f° %s', abs(magneticVariation), iif(magneticVariation < 0, 'W', 'E'))
        FROM airports WHERE icao = ? AND magneticVariation IS NOT NULL
        """),
    Heading(
      number: 206, section: "admin", field: "AD Administration",
      question: """
        SELECT upper(role) || coalesce(' ' || name, '') || coalesce(' ' || phone, '')
        FROM contacts WHERE airport = ? ORDER BY number
        """),
    Heading(
      number: 208, section: "admin", field: "Remarks", separator: "\n",
      question: "SELECT remark FROM remarks WHERE airport = ? AND subject = 'AIRPORT' ORDER BY number"),
    Heading(
      number: 301, section: "operational", field: "AD Administration",
      question: """
        SELECT coalesce(months, '') || coalesce(' ' || days, '') || coalesce(' ' || hours, '')
        FROM attendance WHERE airport = ? ORDER BY number
        """),
    Heading(
      number: 302, section: "operational", field: "Customs and immigration",
      question: """
        SELECT CASE WHEN isEntry THEN 'International airport of entry'
          WHEN hasLandingRights THEN 'Landing rights airport: ask customs before landing' END
        FROM airportDetails WHERE airport = ?
        """),
    .frequencies,
    Heading(
      number: 405, section: "handling", field: "Hangar space for visiting aircraft",
      question: "SELECT iif(hasHangars, 'Yes', NULL) FROM airportDetails WHERE airport = ?"),
    Heading(
      number: 406, section: "handling", field: "Repair facilities for visiting aircraft",
      question: """
        SELECT 'Airframe: ' || coalesce(airframeRepair, 'none') || ', power plant: ' || coalesce(powerPlantRepair, 'none')
        FROM airportDetails WHERE airport = ? AND coalesce(airframeRepair, powerPlantRepair) IS NOT NULL
        """),
    // Many rows of the FAA leave the fee open, so its absence says nothing.
    Heading(
      number: nil, section: "handling", field: "Landing fee",
      question: "SELECT iif(hasLandingFee, 'Yes', NULL) FROM airportDetails WHERE airport = ?"),
  ]

  func write(_ airports: [DatabaseAirport], to writer: DatabaseWriter) throws -> Int {
    let questions = try RZFlightEntries.headings.map { ($0, try database.prepare($0.question)) }
    return try writer.insert(RZFlightSchema.entries) { insert in
      var count = 0
      func write(_ airport: DatabaseAirport, _ heading: Heading, _ lines: [String]) throws {
        guard !lines.isEmpty else { return }
        try insert.run(row(airport, heading, lines.joined(separator: heading.separator)))
        count += 1
      }
      for airport in airports {
        for (heading, question) in questions {
          let lines = try question.map([.text(airport.icao)]) { $0.text(0) }.compactMap(\.self)
          try write(airport, heading, lines.filter { !FuelWords.wouldPretend($0, fuels: airport.fuels) })
        }
        try write(airport, RZFlightEntries.fuels, airport.fuels.map(FuelWords.plain))
      }
      return count
    }
  }

  private func row(_ airport: DatabaseAirport, _ heading: Heading, _ value: String) -> [SQLiteValue] {
    RZFlightEntries.row(of: airport.icao, heading, value, from: RZFlightSource.faa, stamp)
  }

  static func row(
    of airport: String, _ heading: Heading, _ value: String, from source: String, _ stamp: String
  ) -> [SQLiteValue] {
    let standard: [SQLiteValue] =
      heading.number.map { [.text(heading.field), .integer($0), .real(1)] } ?? [.null, .null, .null]
    return [.null, .text(airport), .text(heading.section), .text(heading.field), .text(value)] + standard
      + [.null, .null, .text(source), .integer(0), .text(stamp), .text(stamp)]
  }
}

extension RZFlightEntries.Heading {
  static let frequencies = RZFlightEntries.Heading(
    number: 307, section: "operational", field: "ATS",
    question: """
      SELECT upper(type) || coalesce(' ' || name, '') || ' ' || frequency FROM frequencies
      WHERE airport = ? AND vhf AND type <> 'other' GROUP BY type, name, frequency ORDER BY min(number)
      """)
}

/// The rows of the procedures: the approaches to a localizer, which is all that the subscription tells of approaches.
struct RZFlightProcedures {
  let database: SQLiteConnection
  let stamp: String

  /// The approaches that a kind of system carries, in the library's words.
  private static let approaches = [
    "ils": ["ILS", "LOC"], "ilsDme": ["ILS", "LOC"], "localizer": ["LOC"], "localizerDme": ["LOC"],
    "localizerGlideSlope": ["ILS", "LOC"], "lda": ["LDA"], "ldaDme": ["LDA"], "sdf": ["SDF"],
    "sdfDme": ["SDF"],
  ]

  func write(_ own: [DatabaseAirport], to writer: DatabaseWriter) throws -> Int {
    let airports = Set(own.map(\.icao))
    return try writer.insert(RZFlightSchema.procedures) { insert in
      var count = 0
      try database.prepare(
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

  /// The library puts a runway's number and letter together again.
  private func values(_ airport: String, _ approach: String, _ end: String) -> [SQLiteValue] {
    let number = String(end.prefix { $0.isNumber })
    let letter = String(end.dropFirst(number.count))
    let name = "\(approach) RWY \(end)"
    return [
      .null, .text(airport), .text(name), .text("approach"), .text(approach), .text(end),
      SQLiteValue(letter.isEmpty ? nil : letter), .text(number), .text(RZFlightSource.faa), .text("FAA"),
      .text(name), .text(stamp), .text(stamp),
    ]
  }
}

/// The frequencies of OurAirports' airports, one entry an airport, as the FAA's frequencies are written.
struct RZFlightFrequencies {
  /// Under which identity the file has each of the world's airports that are not the FAA's.
  let airports: [String: String]
  let stamp: String

  /// How many entries and frequencies there are, and what OurAirports has that is not written in words.
  func write(_ world: WorldFile, to writer: DatabaseWriter) throws -> [String: Int] {
    var lines: [String: [String]] = [:]
    var counts = ["frequencies": 0, "frequenciesOutsideVHF": 0, "frequencyTypesUnknown": 0]
    try world.forEachFrequency { frequency in
      guard let airport = airports[frequency.airport] else { return }
      guard frequency.isVHF else {
        counts["frequenciesOutsideVHF", default: 0] += 1
        return
      }
      if FrequencyWords.plain(frequency.type) == nil { counts["frequencyTypesUnknown", default: 0] += 1 }
      let line = FrequencyWords.line(frequency)
      guard lines[airport]?.contains(line) != true else { return }
      lines[airport, default: []].append(line)
      counts["frequencies", default: 0] += 1
    }
    let entries = lines.sorted { $0.key < $1.key }
    try writer.fill(RZFlightSchema.entries, entries) { _, entry in
      RZFlightEntries.row(
        of: entry.key, .frequencies, entry.value.joined(separator: "; "), from: RZFlightSource.world, stamp)
    }
    counts["entries"] = entries.count
    return counts
  }
}
