internal import Core
internal import Foundation
internal import SQLiteIO

/// The airports of the FAA and of OurAirports, each once.
///
/// For an airport in both, the FAA's values count, and OurAirports fills missing ones.
struct AirportUnion {
  /// The airports of the database, in its order.
  let faa: [DatabaseAirport]
  /// The matching airport of OurAirports, by the index in `faa`.
  private(set) var matches: [Int: WorldAirport] = [:]
  /// The other airports of OurAirports, in the order of their identifiers.
  private(set) var others: [WorldAirport] = []

  /// The maximum distance in nautical miles between the positions of an airport in the two sources, if a code matches.
  private static let sameCode = 5.0
  /// The same without a code.
  private static let samePosition = 0.5

  init(_ faa: [DatabaseAirport], _ world: [WorldAirport]) {
    self.faa = faa
    let rest = matchByCode(world)
    let places = NearbyPlaces(faa.map(\.position), within: AirportUnion.samePosition)
    for airport in rest {
      let near = places.near(airport.position).first {
        kind(ofType: faa[$0].type) == kind(ofType: airport.type)
      }
      if let near {
        if matches[near] == nil { matches[near] = airport }
      } else {
        others.append(airport)
      }
    }
  }

  /// Matches airports by code and position, and returns the rest. A code alone is not enough, since each country assigns its own.
  private mutating func matchByCode(_ world: [WorldAirport]) -> [WorldAirport] {
    let indices = Dictionary(first: faa.indices.map { (faa[$0].icao, $0) })
      .merging(faa.indices.map { (faa[$0].faaID, $0) }) { first, _ in first }
    return world.filter { airport in
      let match = airport.codes.compactMap { indices[$0] }.first { index in
        matches[index] == nil
          && NearbyPlaces.distance(faa[index].position, airport.position) < AirportUnion.sameCode
      }
      if let match { matches[match] = airport }
      return match == nil
    }
  }

  /// Returns a unique identifier for one of the others: its own, with the country where the FAA uses the same one. Nil for an airport in the
  /// United States whose identifier the FAA has since assigned to another airport.
  func identity(of other: WorldAirport, taken: Set<String>) -> String? {
    guard taken.contains(other.ident) else { return other.ident }
    return other["iso_country"] == "US" ? nil : "\(other.ident)-\(other["iso_country"] ?? "")"
  }
}

/// The kinds of airports. Two airports of different kinds can be at the same position.
private func kind(ofType type: String) -> String {
  switch type {
  case "heliport", "vertiport": "heliport"
  case "seaplane", "seaplane_base": "seaplane"
  case "balloonport": type
  default: "land"
  }
}

/// An airport of the app database.
struct DatabaseAirport {
  private let row: NamedRow

  /// All airports in the order of `icao`.
  static func all(in database: SQLiteConnection) throws -> [DatabaseAirport] {
    var airports: [DatabaseAirport] = []
    try database.prepare(
      """
      SELECT icao, faaID, name, city, state, country, latitude, longitude, elevation, type, isTowered,
        magneticVariation, isEntry, hasLandingRights, coalesce(status LIKE 'closed%', 0) AS isClosed,
        (SELECT group_concat(value, ',') FROM json_each(fuelTypes)) AS fuels
      FROM airports LEFT JOIN airportDetails ON airport = icao ORDER BY icao
      """
    ).forEachNamed { airports.append(DatabaseAirport(row: $0)) }
    return airports
  }

  var icao: String { row.text("icao") ?? "" }
  var faaID: String { row.text("faaID") ?? "" }
  var name: String { TitleCase.name(row.text("name") ?? "") }
  var city: String? { row.text("city").map(TitleCase.name) }
  var state: String? { row.text("state") }
  var country: String? { row.text("country") }
  var latitude: Double { row.real("latitude") ?? 0 }
  var longitude: Double { row.real("longitude") ?? 0 }
  var elevation: Double? { row.real("elevation") }
  var type: String { row.text("type") ?? "" }
  var isClosed: Bool { row.int("isClosed") == 1 }
  var isTowered: Bool { row.int("isTowered") == 1 }
  var variation: Double? { row.real("magneticVariation") }
  /// `100LL`, `JetA`
  var fuels: [String] { (row.text("fuels") ?? "").split(separator: ",").map(String.init) }
  var hasCustoms: Bool { row.int("isEntry") == 1 }
  var hasLandingRights: Bool { row.int("hasLandingRights") == 1 }

  var isHeliport: Bool { type == "heliport" || type == "vertiport" }

  var position: GeoPoint { GeoPoint(longitude: longitude, latitude: latitude) }

  /// The ISO country codes of the territories of the United States.
  static let territories = Set(countries.values)

  /// ISO codes by the codes of APT_BASE. The last ones are Midway, Wake and Palmyra.
  private static let countries = [
    "PR": "PR", "VI": "VI", "GU": "GU", "AS": "AS", "MP": "MP", "CQ": "MP", "QM": "UM", "QW": "UM",
    "XL": "UM",
  ]
  /// The continents of the countries of APT_BASE outside North America.
  private static let continents = [
    "GU": "OC", "AS": "OC", "MP": "OC", "UM": "OC", "MH": "OC", "FM": "OC", "PW": "OC", "IO": "AS",
    "SH": "AF",
  ]

  /// The country and region as in OurAirports and ISO 3166. The FAA lists territories as states of the US.
  var region: (country: String?, region: String?, continent: String?) {
    if let country, country != "US" {
      return (country, country + "-U-A", Self.continents[country] ?? "NA")
    }
    guard let state else { return (country, country.map { $0 + "-U-A" }, "NA") }
    if let own = Self.countries[state] {
      return (own, own + "-U-A", Self.continents[own] ?? "NA")
    }
    return ("US", "US-" + state, state == "HI" ? "OC" : "NA")
  }
}

/// Finds which of many positions are within a distance of a point.
struct NearbyPlaces {
  /// By latitude.
  private let places: [(index: Int, place: GeoPoint)]
  private let miles: Double

  init(_ places: [GeoPoint], within miles: Double) {
    self.places = places.enumerated().map { ($0, $1) }.sorted { $0.place.latitude < $1.place.latitude }
    self.miles = miles
  }

  /// The positions near a point by their indices, the nearest first.
  func near(_ point: GeoPoint) -> [Int] {
    let reach = miles / 60
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].place.latitude < point.latitude - reach { low = middle + 1 } else { high = middle }
    }
    return places[low...].prefix { $0.place.latitude <= point.latitude + reach }
      .map { ($0.index, NearbyPlaces.distance($0.place, point)) }
      .filter { $0.1 <= miles }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// Nautical miles between positions that are near each other.
  static func distance(_ one: GeoPoint, _ other: GeoPoint) -> Double {
    let north = (one.latitude - other.latitude) * 60
    var turn = abs(one.longitude - other.longitude)
    if turn > 180 { turn = 360 - turn }
    let east = turn * 60 * cos(one.latitude * .pi / 180)
    return (north * north + east * east).squareRoot()
  }
}
