/// A radio frequency of an airport of OurAirports.
struct WorldFrequency {
  static let columns = ["AIRPORT_IDENT", "TYPE", "DESCRIPTION", "FREQUENCY_MHZ"]

  let airport: String
  /// Free text: `TWR`, `Tower`, `A/G`.
  let type: String
  let description: String
  let megahertz: Double

  init(airport: String, type: String, description: String, megahertz: Double) {
    (self.airport, self.type, self.description) = (airport, type, description)
    self.megahertz = megahertz
  }

  init(_ row: SourceRow) throws(UnusableRow) {
    airport = try row.required(0)
    type = row.text(1) ?? ""
    description = row.text(2) ?? ""
    megahertz = try row.requiredNumber(3, in: 0...30_000)
  }

  /// Whether a civil aircraft radio receives it. ATIS is broadcast on VORs, from 108 MHz, too.
  var isVHF: Bool {
    let lowest = FrequencyWords.plain(type) == "ATIS" ? 108.0 : 118.0
    return lowest <= megahertz && megahertz < 137
  }
}
