internal import SQLiteIO

/// What the FAA tells of an airport, under the headings and numbers that the library gives to the parts of an AIP.
struct RZFlightEntries {
  let database: SQLiteConnection
  let stamp: String

  private struct Heading {
    let number: Int
    let section: String
    let field: String

    static let elevation = Heading(
      number: 203, section: "admin", field: "Elevation / Reference temperature / Mean Low Temperature")
    static let variation = Heading(
      number: 205, section: "admin", field: "Magnetic Variation / Annual Change")
    static let remarks = Heading(number: 208, section: "admin", field: "Remarks")
    static let customs = Heading(number: 302, section: "operational", field: "Customs and immigration")
    static let radio = Heading(number: 307, section: "operational", field: "ATS")
    static let fuels = Heading(number: 402, section: "handling", field: "Fuel and oil types")
  }

  func write(_ airports: [DatabaseAirport], to writer: DatabaseWriter) throws -> Int {
    let remarks = try database.prepare(
      "SELECT remark FROM remarks WHERE airport = ? AND subject = 'AIRPORT' ORDER BY number")
    let frequencies = try database.prepare(
      "SELECT upper(type), name, frequency FROM frequencies WHERE airport = ? AND vhf = 1 AND type <> 'other' ORDER BY number"
    )
    return try writer.insert(RZFlightSchema.entries) { insert in
      var count = 0
      for airport in airports {
        let told: [(Heading, String?)] = [
          (.elevation, airport.elevation.map { plain($0) + " ft" }),
          (.variation, airport.variation.map(magnetic)),
          (.remarks, joined(try remarks.map([.text(airport.icao)]) { $0.text(0) ?? "" }, airport, by: "\n")),
          (.customs, customs(airport)),
          (.radio, joined(try frequencies.map([.text(airport.icao)], call), airport, by: "; ")),
          (.fuels, airport.fuels.isEmpty ? nil : airport.fuels.map(FuelWords.plain).joined(separator: ", ")),
        ]
        for case (let heading, let value?) in told {
          try insert.run(row(airport, heading, value))
          count += 1
        }
      }
      return count
    }
  }

  /// `TOWER PALO ALTO 118.6`
  private func call(_ row: SQLiteRow) -> String {
    [row.text(0), row.text(1), row.text(2)].compactMap(\.self).joined(separator: " ")
  }

  /// `15° E`
  private func magnetic(_ variation: Double) -> String {
    "\(plain(abs(variation)))° \(variation < 0 ? "W" : "E")"
  }

  /// Without a zero behind the point; no number here is large.
  private func plain(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }

  /// Nil where nothing is left to tell.
  private func joined(_ texts: [String], _ airport: DatabaseAirport, by separator: String) -> String? {
    let honest = texts.filter { !FuelWords.wouldPretend($0, fuels: airport.fuels) }
    return honest.isEmpty ? nil : honest.joined(separator: separator)
  }

  private func customs(_ airport: DatabaseAirport) -> String? {
    if airport.hasCustoms { return "International airport of entry" }
    return airport.hasLandingRights ? "Landing rights airport: ask customs before landing" : nil
  }

  private func row(_ airport: DatabaseAirport, _ heading: Heading, _ value: String) -> [SQLiteValue] {
    [
      .null, .text(airport.icao), .text(heading.section), .text(heading.field), .text(value),
      .text(heading.field), .integer(heading.number), .real(1), .null, .null, .text(RZFlightSource.faa),
      .integer(0), .text(stamp), .text(stamp),
    ]
  }
}

/// Fuel as the library looks for it: anywhere in an airport's entries it takes `AVGAS` or `100LL` for avgas and `JET` for jet fuel.
enum FuelWords {
  /// `JET A+` for `JetA+`, `AVGAS 100` for `100`; others as they are.
  static func plain(_ name: String) -> String {
    if name.hasPrefix("Jet") { return "JET " + name.dropFirst(3) }
    if name == "J" { return "JET" }
    return ["80", "100", "100R", "115"].contains(name) ? "AVGAS " + name : name
  }

  /// Whether a text that speaks of a fuel, or of jets, would make an airport look as if it sold what it does not.
  static func wouldPretend(_ text: String, fuels: [String]) -> Bool {
    let text = text.uppercased()
    let sold = fuels.map(plain)
    let marks = [["JET"], ["AVGAS", "100LL"]]
    return marks.contains { marks in
      marks.contains(where: text.contains) && !sold.contains { fuel in marks.contains(where: fuel.contains) }
    }
  }
}
