internal import SQLiteIO

/// An airport as the app database has it.
struct DatabaseAirport {
  let icao: String
  let faaID: String
  let name: String
  let city: String?
  let state: String?
  let country: String?
  let latitude: Double
  let longitude: Double
  let elevation: Double?
  let type: String
  let isClosed: Bool
  let isTowered: Bool
  let variation: Double?
  /// `100LL`, `JetA`
  let fuels: [String]
  let hasCustoms: Bool
  let hasLandingRights: Bool

  /// All of them, in the order of `icao`.
  static func all(in database: SQLiteConnection) throws -> [DatabaseAirport] {
    try database.prepare(
      """
      SELECT icao, faaID, name, city, state, country, latitude, longitude, elevation, type,
        coalesce(status LIKE 'closed%', 0), isTowered, magneticVariation,
        coalesce(isEntry, 0), coalesce(hasLandingRights, 0),
        (SELECT group_concat(value, ',') FROM json_each(fuelTypes))
      FROM airports LEFT JOIN airportDetails ON airport = icao ORDER BY icao
      """
    ).map { row in
      DatabaseAirport(
        icao: row.text(0) ?? "", faaID: row.text(1) ?? "", name: row.text(2) ?? "", city: row.text(3),
        state: row.text(4), country: row.text(5), latitude: row.double(6), longitude: row.double(7),
        elevation: row.real(8), type: row.text(9) ?? "", isClosed: row.int(10) == 1,
        isTowered: row.int(11) == 1, variation: row.real(12),
        fuels: (row.text(15) ?? "").split(separator: ",").map(String.init), hasCustoms: row.int(13) == 1,
        hasLandingRights: row.int(14) == 1)
    }
  }

  var isHeliport: Bool { type == "heliport" || type == "vertiport" }

  /// The countries of the United States' territories.
  static let territories = Set(Territory.countries.values)

  /// Its country and region as OurAirports and the ISO have them: the FAA gives the territories as states of the US.
  var place: (country: String?, region: String?, continent: String?) {
    if let country, country != "US" {
      return (country, country + "-U-A", Territory.continents[country] ?? "NA")
    }
    guard let state else { return (country, country.map { $0 + "-U-A" }, "NA") }
    if let own = Territory.countries[state] {
      return (own, own + "-U-A", Territory.continents[own] ?? "NA")
    }
    return ("US", "US-" + state, state == "HI" ? "OC" : "NA")
  }
}

/// What lies under the FAA's care and is no state.
private enum Territory {
  /// By the codes of APT_BASE; the last ones are Midway, Wake and Palmyra.
  static let countries = [
    "PR": "PR", "VI": "VI", "GU": "GU", "AS": "AS", "MP": "MP", "CQ": "MP", "QM": "UM", "QW": "UM",
    "XL": "UM",
  ]
  /// Those of the countries of APT_BASE that are not in North America.
  static let continents = [
    "GU": "OC", "AS": "OC", "MP": "OC", "UM": "OC", "MH": "OC", "FM": "OC", "PW": "OC", "IO": "AS",
    "SH": "AF",
  ]
}
