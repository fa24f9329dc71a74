internal import Core
internal import Foundation

/// An airport of APT_BASE, as other tables refer to it.
final class AuditAirport: Sendable {
  let site: String
  let faaID: String
  let type: String
  let state: String?
  let latitude: Double
  let longitude: Double
  let isLightedAllNight: Bool
  /// Its `icao` in the database.
  let identity: String

  init(
    site: String, faaID: String, type: String, state: String?, place: (latitude: Double, longitude: Double),
    isLightedAllNight: Bool, identity: String
  ) {
    (self.site, self.faaID, self.type, self.state) = (site, faaID, type, state)
    (latitude, longitude) = place
    (self.isLightedAllNight, self.identity) = (isLightedAllNight, identity)
  }
}

/// The airports by the keys that the FAA's tables use.
struct AuditAirports: Sendable {
  private var bySite: [String: AuditAirport] = [:]
  private var byIdentifier: [String: [AuditAirport]] = [:]

  init() {}

  /// Reads APT_BASE. A row without what an airport needs is no airport.
  init(_ file: AuditFile) throws {
    struct Row {
      let site: [String]
      let faaID: String
      let icao: String?
      let state: String?
      let place: (Double, Double)
      let isLighted: Bool
    }
    let place = Dictionary(
      ["SITE_NO", "SITE_TYPE_CODE", "ARPT_ID", "ICAO_ID", "STATE_CODE", "LGT_SKED"].map {
        ($0, file.place($0))
      }
    ) { $1 }
    let position = [("LAT_DECIMAL", 90.0), ("LONG_DECIMAL", 180)].map { name, limit in
      AuditNumber(name, -limit...limit, file.place)
    }
    var rows: [String: Row] = [:]
    try file.scan { row in
      let text = { (column: String) in row.text(place[column] ?? -1) }
      guard let number = text("SITE_NO"), let type = text("SITE_TYPE_CODE"), let faaID = text("ARPT_ID"),
        !(number + type + faaID).contains("\""), rows[number + "\0" + type] == nil,
        let latitude = position[0].value(row), let longitude = position[1].value(row)
      else { return }
      rows[number + "\0" + type] = Row(
        site: [number, type], faaID: faaID, icao: text("ICAO_ID"), state: text("STATE_CODE"),
        place: (latitude, longitude), isLighted: text("LGT_SKED") == "SS-SR")
    }
    // ICAO codes come first, since an FAA identifier may be the code of another airport.
    let sorted = rows.values.sorted { ($0.site[0], $0.site[1]) < ($1.site[0], $1.site[1]) }
    var taken: Set<String> = []
    let codes = sorted.map { row in row.icao.flatMap { taken.insert($0).inserted ? $0 : nil } }
    for (row, code) in zip(sorted, codes) {
      let long = [row.faaID, "\(row.faaID)-\(row.site[1])", "\(row.faaID)-\(row.site[1])-\(row.site[0])"]
      let identity = code ?? long.first { taken.insert($0).inserted } ?? long[2]
      let airport = AuditAirport(
        site: row.site.joined(separator: "\0"), faaID: row.faaID, type: row.site[1], state: row.state,
        place: row.place, isLightedAllNight: row.isLighted, identity: identity)
      bySite[airport.site] = airport
      byIdentifier[row.faaID, default: []].append(airport)
    }
  }

  var byIdentity: [String: AuditAirport] {
    Dictionary(bySite.values.map { ($0.identity, $0) }) { first, _ in first }
  }

  subscript(site: String?, type: String?) -> AuditAirport? {
    site.flatMap { bySite[$0 + "\0" + (type ?? "")] }
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
