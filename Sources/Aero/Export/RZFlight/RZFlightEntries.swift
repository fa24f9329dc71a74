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
