import Foundation
import SQLiteIO

/// RZFlight's reading rules and queries, implemented from their description: all airports in memory, columns by name, and the library's
/// default where a column is NULL.
struct RZFlightLibrary {
  struct Runway {
    let length: Int
    let surface: String
    let isLighted: Bool

    /// The library searches for these words, and so also finds them in `unpaved`.
    var isHard: Bool {
      ["asphalt", "concrete", "paved", "hard"].contains(where: surface.lowercased().contains)
    }
  }

  struct Airport {
    let icao: String
    let name: String
    let country: String
    let latitude: Double
    let longitude: Double
    var runways: [Runway] = []
    var entries: [(field: String, value: String)] = []
    var isBorderCrossing = false

    private func mentions(_ words: String...) -> Bool {
      entries.contains { entry in words.contains(where: entry.value.uppercased().contains) }
    }

    var hasAvgas: Bool { mentions("AVGAS", "100LL") }
    var hasJetA: Bool { mentions("JET") }
  }

  let airports: [String: Airport]
  let waypoints: [String: (latitude: Double, longitude: Double, type: String?)]

  init(_ file: URL) throws {
    let connection = try SQLiteConnection(file.path, mode: .readOnly)
    var airports: [String: Airport] = [:]
    try connection.prepare("SELECT * FROM airports").rows { row in
      guard let icao = row.text(row.place("icao_code")) else { return }
      airports[icao] = Airport(
        icao: icao, name: row.text(row.place("name")) ?? icao,
        country: row.text(row.place("iso_country")) ?? "", latitude: row.double(row.place("latitude_deg")),
        longitude: row.double(row.place("longitude_deg")))
    }
    try connection.prepare("SELECT * FROM runways").rows { row in
      airports[row.text(row.place("airport_icao")) ?? ""]?.runways.append(
        Runway(
          length: Int(row.double(row.place("length_ft"))), surface: row.text(row.place("surface")) ?? "",
          isLighted: row.int(row.place("lighted")) != 0))
    }
    try connection.prepare("SELECT * FROM aip_entries").rows { row in
      airports[row.text(row.place("airport_icao")) ?? ""]?.entries.append(
        (row.text(row.place("field")) ?? "", row.text(row.place("value")) ?? ""))
    }
    try connection.prepare("SELECT DISTINCT icao_code, matched_airport_icao FROM border_crossing_points").rows
    {
      row in
      for column in 0...1 { airports[row.text(column) ?? ""]?.isBorderCrossing = true }
    }
    self.airports = airports
    var waypoints: [String: (latitude: Double, longitude: Double, type: String?)] = [:]
    try connection.prepare("SELECT * FROM waypoints").rows { row in
      waypoints[row.text(row.place("name")) ?? ""] = (
        row.double(row.place("latitude_deg")), row.double(row.place("longitude_deg")),
        row.text(row.place("point_type"))
      )
    }
    self.waypoints = waypoints
  }

  /// The nearest airports, by degrees, as in the library's tree.
  func nearest(_ latitude: Double, _ longitude: Double, count: Int) -> [String] {
    let byDistance = airports.values.map { airport in
      (airport.icao, square(airport.latitude - latitude) + square(airport.longitude - longitude))
    }
    return byDistance.sorted { $0.1 < $1.1 }.prefix(count).map(\.0)
  }

  /// The airports within a distance of a route, the nearest first.
  func near(route: [String], within miles: Double) -> [String] {
    let places = route.compactMap { airports[$0] }
    let legs = places.count == 1 ? [(places[0], places[0])] : Array(zip(places, places.dropFirst()))
    let byDistance = airports.values.map { airport in
      (airport.icao, legs.map { distance(of: airport, from: $0, to: $1) }.min() ?? .infinity)
    }
    return byDistance.filter { $0.1 <= miles }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// Searches by identifier or name, ignoring case and accents.
  func matching(_ needle: String) -> Set<String> {
    let found = airports.values.filter { airport in
      [airport.icao, airport.name].contains {
        $0.range(of: needle, options: [.caseInsensitive, .diacriticInsensitive]) != nil
      }
    }
    return Set(found.map(\.icao))
  }

  func filter(_ isWanted: (Airport) -> Bool) -> Set<String> {
    Set(airports.values.filter(isWanted).map(\.icao))
  }

  /// Nautical miles from an airport to the nearest point of a leg, a straight line in degrees.
  private func distance(of airport: Airport, from start: Airport, to end: Airport) -> Double {
    let (north, east) = (end.latitude - start.latitude, end.longitude - start.longitude)
    let length = square(north) + square(east)
    let along =
      length > 0
      ? ((airport.latitude - start.latitude) * north + (airport.longitude - start.longitude) * east) / length
      : 0
    let part = min(max(along, 0), 1)
    let (latitude, longitude) = (start.latitude + part * north, start.longitude + part * east)
    let shrink = cos(latitude * .pi / 180)
    return 60
      * (square(airport.latitude - latitude) + square((airport.longitude - longitude) * shrink)).squareRoot()
  }

  private func square(_ value: Double) -> Double { value * value }
}

extension SQLiteRow {
  /// The index of a column by name.
  fileprivate func place(_ name: String) -> Int {
    (0..<columnCount).first { self.name($0) == name } ?? columnCount
  }
}
