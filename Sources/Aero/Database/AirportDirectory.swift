/// The airports of a cycle under the identity that each has in the database, and the ways of the other tables to them.
struct AirportDirectory {
  struct Entry {
    let icao: String
    let airport: Airport
    /// What its runways and frequencies say of it, while it is written.
    var longestRunway: Int?
    var ctaf: Double?
    var unicom: Double?
  }

  /// How FRQ names an airport.
  private struct Facility: Hashable {
    let identifier: String
    let siteType: String
  }

  /// In the order of `icao`; an airport's place here is its number in the other tables.
  let entries: [Entry]
  /// Where everything goes that is wrong with what belongs to them.
  let problems: ProblemLog
  private let bySite: [SiteKey: Int]
  private let byFacility: [Facility: [Int]]

  init(_ airports: [Airport], problems: ProblemLog) {
    let unique = AirportDirectory.withoutDoubles(airports, problems)
    let names = AirportDirectory.identities(unique, problems)
    let entries = names.indices.sorted { names[$0] < names[$1] }
      .map { Entry(icao: names[$0], airport: unique[$0]) }
    self.entries = entries
    self.problems = problems
    bySite = Dictionary(entries.indices.map { (entries[$0].airport.key, $0) }) { first, _ in first }
    byFacility = Dictionary(grouping: entries.indices) {
      Facility(identifier: entries[$0].airport.faaID, siteType: entries[$0].airport.key.type)
    }
  }

  /// Why a row belongs to no airport.
  static let noSuchSite = "no row of \(Airport.file) has its SITE_NO and SITE_TYPE_CODE"

  func number(of site: SiteKey) -> Int? { bySite[site] }

  /// The one airport that a frequency serves; nil when there is none, or more than one.
  ///
  /// Identifiers are shared across kinds of sites, so the kind decides, and the state where both sides name one.
  func number(servedBy frequency: Frequency) -> Int? {
    let candidates = byFacility[Facility(identifier: frequency.served, siteType: frequency.siteType)] ?? []
    let matches = candidates.filter { number in
      guard let state = frequency.state, let own = entries[number].airport.state else { return true }
      return state == own
    }
    return matches.count == 1 ? matches[0] : nil
  }

  /// Airports in the order of their keys, each key once.
  private static func withoutDoubles(_ airports: [Airport], _ problems: ProblemLog) -> [Airport] {
    var seen: Set<SiteKey> = []
    let unique = airports.filter { airport in
      if seen.insert(airport.key).inserted { return true }
      problems.record(
        .rowDropped, file: Airport.file, line: airport.place.line, column: "SITE_NO",
        value: airport.key.number,
        reason: "the site is there twice")
      return false
    }
    return unique.indices.sorted { unique[$0].key < unique[$1].key }.map { unique[$0] }
  }

  /// A different identity for each airport: its ICAO code, else its FAA identifier, else that with the site's type.
  ///
  /// The ICAO codes are given out first, since an FAA identifier can be the same as another field's ICAO code.
  private static func identities(_ airports: [Airport], _ problems: ProblemLog) -> [String] {
    var taken: Set<String> = []
    let codes = airports.map { airport in
      airport.icaoID.flatMap { taken.insert($0).inserted ? $0 : nil }
    }
    return zip(airports, codes).map { airport, code in
      if let code { return code }
      let plain = airport.faaID
      let withType = plain + "-" + airport.key.type
      let choices = [plain, withType, withType + "-" + airport.key.number]
      let choice = choices.first { taken.insert($0).inserted } ?? choices[2]
      if choice != airport.icaoID ?? plain {
        problems.record(
          .identifierChanged, file: Airport.file, line: airport.place.line,
          column: airport.icaoID == nil ? "ARPT_ID" : "ICAO_ID", value: airport.icaoID ?? plain,
          reason: "another airport has it, so this one is \(choice)")
      }
      return choice
    }
  }
}
