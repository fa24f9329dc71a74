internal import Foundation

/// The airports of a cycle with their identities in the database. Other tables look up their airport here.
struct AirportDirectory {
  struct Entry {
    let icao: String
    let airport: Airport
    /// The number of its row in APT_BASE, from 0.
    let row: Int
  }

  /// In the order of `icao`. Other types name an airport by its index here.
  let entries: [Entry]
  private let bySite: [SiteKey: Int]
  /// By the identifier and the type of the site, as FRQ names an airport.
  let byFacility: [[String]: [Int]]
  private let byIdentifier: [String: [Int]]
  private let identities: Set<String>

  /// - Parameter airports: in the order of the file, each site once.
  init(_ airports: [Airport], problems: ProblemLog) {
    let rows = airports.indices.sorted { airports[$0].key < airports[$1].key }
    let names = AirportDirectory.identities(rows.map { airports[$0] }, problems)
    let entries = zip(names, rows).sorted { $0.0 < $1.0 }
      .map { Entry(icao: $0, airport: airports[$1], row: $1) }
    self.entries = entries
    bySite = Dictionary(first: entries.indices.map { (entries[$0].airport.key, $0) })
    byFacility = Dictionary(grouping: entries.indices) {
      [entries[$0].airport.faaID, entries[$0].airport.key.type]
    }
    identities = Set(names)
    byIdentifier = Dictionary(grouping: entries.indices) { entries[$0].airport.faaID }
  }

  /// The reason why a row has no airport.
  static let noSuchSite = "no row of \(Airport.file) has its SITE_NO and SITE_TYPE_CODE"

  func number(of site: SiteKey) -> Int? { bySite[site] }

  /// The `icao` of the one airport with an FAA identifier, or else of the airport with this `icao`.
  func icao(named name: String) -> String? {
    guard let numbers = byIdentifier[name] else { return identities.contains(name) ? name : nil }
    return numbers.count == 1 ? entries[numbers[0]].icao : nil
  }

  /// Weather stations farther than this from an airport with their identifier belong to another place.
  private static let stationRadius = 5.0 / 60

  /// The airport of a weather station: the airport of its site number, else the one airport near it that has its identifier.
  func number(ofStation row: SourceRow) -> Int? {
    let site = row.text("SITE_NO").map { SiteKey(number: $0, type: row.text("SITE_TYPE_CODE") ?? "A") }
    if let number = site.flatMap(number(of:)) { return number }
    guard let latitude = row.decimal("LAT_DECIMAL"), let longitude = row.decimal("LONG_DECIMAL"),
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return nil }
    let state = row.text("STATE_CODE")
    let near = (byIdentifier[row.text("ASOS_AWOS_ID") ?? ""] ?? []).filter { number in
      let airport = entries[number].airport
      let north = latitude - airport.latitude
      let east = (longitude - airport.longitude) * cos(latitude * .pi / 180)
      return state == airport.state
        && north * north + east * east <= AirportDirectory.stationRadius * AirportDirectory.stationRadius
    }
    return near.count == 1 ? near[0] : nil
  }

  /// A different identity for each airport: its ICAO code, else its FAA identifier, else the identifier with the site's type.
  ///
  /// ICAO codes are assigned first, since an FAA identifier can equal the ICAO code of another airport.
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
          .identifierChanged, file: Airport.file, line: airport.line,
          column: airport.icaoID == nil ? "ARPT_ID" : "ICAO_ID", value: airport.icaoID ?? plain,
          reason: "another airport has it, so this one is \(choice)")
      }
      return choice
    }
  }
}
