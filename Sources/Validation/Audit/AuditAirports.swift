internal import Foundation

/// An airport of APT_BASE, as other tables refer to it.
struct AuditAirport: Sendable {
  let number: String
  let type: String
  /// The key that both are.
  let site: String
  let faaID: String
  let icao: String?
  let state: String?
  let latitude: Double
  let longitude: Double
  let isLightedAllNight: Bool
  /// Its `icao` in the database.
  var identity = ""
}

/// The airports by the keys that the FAA's tables use.
struct AuditAirports: Sendable {
  private var bySite: [String: AuditAirport] = [:]
  private var byIdentifier: [String: [AuditAirport]] = [:]
  private var identities: Set<String> = []

  init() {}

  /// Reads APT_BASE. A row without what an airport needs is no airport.
  init(_ file: AuditFile) throws {
    let columns = ["SITE_NO", "SITE_TYPE_CODE", "ARPT_ID", "ICAO_ID", "STATE_CODE", "LGT_SKED"].map(
      file.place)
    let position = file.position
    var sites: Set<String> = []
    var airports: [AuditAirport] = []
    try file.scan { row in
      let texts = columns.map(row.text)
      guard let number = texts[0], let type = texts[1], let faaID = texts[2],
        !(number + type + faaID).contains("\""), !sites.contains(number + "\0" + type),
        let (latitude, longitude) = position(row)
      else { return }
      let site = number + "\0" + type
      airports.append(
        AuditAirport(
          number: number, type: type, site: site, faaID: faaID, icao: texts[3], state: texts[4],
          latitude: latitude, longitude: longitude, isLightedAllNight: texts[5] == "SS-SR"))
      sites.insert(site)
    }
    // ICAO codes come first, since an FAA identifier may be the code of another airport.
    airports.sort { ($0.number, $0.type) < ($1.number, $1.type) }
    var taken: Set<String> = []
    let codes = airports.map { airport in airport.icao.flatMap { taken.insert($0).inserted ? $0 : nil } }
    for (var airport, code) in zip(airports, codes) {
      let (id, type) = (airport.faaID, airport.type)
      let long = [id, "\(id)-\(type)", "\(id)-\(type)-\(airport.number)"]
      airport.identity = code ?? long.first { taken.insert($0).inserted } ?? long[2]
      bySite[airport.site] = airport
      identities.insert(airport.identity)
      byIdentifier[id, default: []].append(airport)
    }
  }

  var byIdentity: [String: AuditAirport] {
    Dictionary(first: bySite.values.map { ($0.identity, $0) })
  }

  subscript(site: String?, type: String?) -> AuditAirport? {
    site.flatMap { bySite[$0 + "\0" + (type ?? "")] }
  }

  /// The identity of the one airport with an FAA identifier, or of the one with an ICAO code.
  func named(_ name: String) -> String? {
    let found = byIdentifier[name]?.map(\.identity) ?? (identities.contains(name) ? [name] : [])
    return found.count == 1 ? found[0] : nil
  }

  /// The one airport that a row of FRQ names by identifier, type and state.
  func served(_ identifier: String, type: String, state: String?) -> AuditAirport? {
    let found = (byIdentifier[identifier] ?? []).filter {
      $0.type == type && (state == nil || $0.state == nil || state == $0.state)
    }
    return found.count == 1 ? found[0] : nil
  }

  /// The one airport with a weather station's identifier in its state within 5 nautical miles.
  func near(_ identifier: String?, state: String?, _ latitude: Double, _ longitude: Double) -> AuditAirport? {
    let found = (byIdentifier[identifier ?? ""] ?? []).filter { airport in
      let east = (longitude - airport.longitude) * cos(latitude * .pi / 180)
      return state == airport.state && hypot(latitude - airport.latitude, east) <= 5.0 / 60
    }
    return found.count == 1 ? found[0] : nil
  }
}

/// A number of a row within a range, also from degrees, minutes and seconds.
struct AuditNumber {
  private let place: Int
  private let range: ClosedRange<Double>
  private let angle: AuditAngle?
  /// Whether DOF.DAT has degrees, minutes and seconds in the place of the decimals of DOF.CSV.
  private let isFixed: Bool

  init(_ column: String, _ range: ClosedRange<Double>, _ place: (String) -> Int) {
    (self.place, self.range) = (place(column), range)
    angle = AuditAngle(of: column, place)
    isFixed = ["LATDEC", "LONDEC"].contains(column)
  }

  func value(_ row: AuditRow) -> Double? {
    let number = row.number(place) ?? (row[place].isEmpty || isFixed ? angle?.degrees(row) : nil)
    return number.flatMap { range.contains($0) ? $0 : nil }
  }
}

extension AuditFile {
  /// Reads the position of a row.
  var position: (AuditRow) -> (latitude: Double, longitude: Double)? {
    let (latitude, longitude) = (
      AuditNumber("LAT_DECIMAL", -90...90, place), AuditNumber("LONG_DECIMAL", -180...180, place)
    )
    return { row in
      guard let north = latitude.value(row), let east = longitude.value(row) else { return nil }
      return (north, east)
    }
  }
}
