internal import Core
internal import Foundation
internal import SQLiteIO

/// The airports of the database and those of the world, each of them once.
///
/// Where both have an airport, the FAA's word counts, and the other only fills in what the FAA does not say.
struct AirportUnion {
  /// The database's, in its order.
  let own: [DatabaseAirport]
  /// The world's airport for one of the database's, by its place.
  private(set) var matches: [Int: WorldAirport] = [:]
  /// Those that the database does not have, in the order of their identifiers.
  private(set) var others: [WorldAirport] = []

  /// Two sources may place one airport so far apart, in nautical miles.
  private static let sameCode = 5.0
  private static let samePlace = 0.5

  init(_ own: [DatabaseAirport], _ world: [WorldAirport]) {
    self.own = own
    let rest = matchByCode(world)
    let grid = PlaceGrid(own.map { ($0.latitude, $0.longitude) })
    for airport in rest {
      let near = grid.nearest(to: (airport.latitude, airport.longitude), within: AirportUnion.samePlace) {
        own[$0].kind == airport.kind
      }
      if let near {
        if matches[near] == nil { matches[near] = airport }
      } else {
        others.append(airport)
      }
    }
  }

  /// What has no match by a code. A code alone proves little, since each country gives out its own.
  private mutating func matchByCode(_ world: [WorldAirport]) -> [WorldAirport] {
    let places = Dictionary(own.indices.map { (own[$0].icao, $0) }) { first, _ in first }
      .merging(own.indices.map { (own[$0].faaID, $0) }) { first, _ in first }
    return world.filter { airport in
      let match = airport.codes.compactMap { places[$0] }.first { index in
        matches[index] == nil
          && PlaceGrid.distance(
            (own[index].latitude, own[index].longitude), (airport.latitude, airport.longitude))
            < AirportUnion.sameCode
      }
      if let match { matches[match] = airport }
      return match == nil
    }
  }

  /// The same without the airports that are not wanted.
  func keeping(
    own isWanted: (DatabaseAirport, WorldAirport?) -> Bool, others isOtherWanted: (WorldAirport) -> Bool
  ) -> AirportUnion {
    let kept = own.indices.filter { isWanted(own[$0], matches[$0]) }
    let pairs = kept.enumerated().compactMap { place, index in matches[index].map { (place, $0) } }
    return AirportUnion(
      own: kept.map { own[$0] }, matches: Dictionary(uniqueKeysWithValues: pairs),
      others: others.filter(isOtherWanted))
  }

  private init(own: [DatabaseAirport], matches: [Int: WorldAirport], others: [WorldAirport]) {
    (self.own, self.matches, self.others) = (own, matches, others)
  }

  /// What tells one of the others from all airports: its identifier, with the country where the FAA gave the same one out. Nil
  /// where the FAA did so in its own country: then it has given the identifier to another airport since.
  func identity(of other: WorldAirport, taken: Set<String>) -> String? {
    guard taken.contains(other.ident) else { return other.ident }
    return other.country == "US" ? nil : "\(other.ident)-\(other.country ?? "")"
  }
}

/// Airports of different kinds may lie side by side and are two.
private enum SiteKind {
  case land, water, helicopters, balloons
}

extension DatabaseAirport {
  fileprivate var kind: SiteKind {
    switch type {
    case "seaplane": .water
    case "heliport", "vertiport": .helicopters
    case "balloonport": .balloons
    default: .land
    }
  }
}

extension WorldAirport {
  fileprivate var kind: SiteKind {
    switch type {
    case "seaplane_base": .water
    case "heliport": .helicopters
    case "balloonport": .balloons
    default: .land
    }
  }
}

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

/// Places by cells of a twentieth of a degree, to find the nearest one without looking at all.
struct PlaceGrid {
  typealias Place = (latitude: Double, longitude: Double)

  private struct Cell: Hashable {
    var row: Int
    var column: Int

    init(_ place: Place) {
      row = Int((place.latitude * 20).rounded(.down))
      column = Int((place.longitude * 20).rounded(.down))
    }
  }

  private let places: [Place]
  private let cells: [Cell: [Int]]

  init(_ places: [Place]) {
    self.places = places
    cells = Dictionary(grouping: places.indices) { Cell(places[$0]) }
  }

  /// The number of the nearest place that is wanted; nil when none is within so many nautical miles, less than three.
  func nearest(to place: Place, within miles: Double, where isWanted: (Int) -> Bool) -> Int? {
    var best: (miles: Double, number: Int)?
    let middle = Cell(place)
    for row in -1...1 {
      for column in -1...1 {
        var cell = middle
        cell.row += row
        cell.column += column
        for number in cells[cell] ?? [] where isWanted(number) {
          let distance = PlaceGrid.distance(places[number], place)
          if distance <= miles, distance < best?.miles ?? .infinity { best = (distance, number) }
        }
      }
    }
    return best?.number
  }

  /// Nautical miles, for places that are near each other.
  static func distance(_ one: Place, _ other: Place) -> Double {
    let north = (one.latitude - other.latitude) * 60
    var turn = abs(one.longitude - other.longitude)
    if turn > 180 { turn = 360 - turn }
    let east = turn * 60 * cos(one.latitude * .pi / 180)
    return (north * north + east * east).squareRoot()
  }
}

/// Answers whether a point lies within a distance of any of many places.
struct NearbyPlaces {
  private let places: [GeoPoint]
  private let miles: Double

  init(_ places: [GeoPoint], within miles: Double) {
    self.places = places.sorted { $0.latitude < $1.latitude }
    self.miles = miles
  }

  func contains(_ point: GeoPoint) -> Bool {
    let reach = miles / 60
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].latitude < point.latitude - reach { low = middle + 1 } else { high = middle }
    }
    return places[low...].prefix { $0.latitude <= point.latitude + reach }.contains { place in
      PlaceGrid.distance((place.latitude, place.longitude), (point.latitude, point.longitude)) <= miles
    }
  }
}
