internal import Core
internal import SQLiteIO

/// The rows of the airports.
struct RZFlightAirports {
  let union: AirportUnion
  let stamp: String
  /// Under which identity the file has each of the world's airports that are not the FAA's, by their own identifiers.
  let identities: [String: String]

  /// - Parameter all: the airports of both sources, of which the selected ones are written.
  init(_ all: AirportUnion, _ selection: AirportSelection, stamp: String) throws {
    self.stamp = stamp
    let taken = Set(all.own.map(\.icao))
    let named = all.others.compactMap { airport in
      all.identity(of: airport, taken: taken).map { (airport.ident, $0) }
    }
    let identities = Dictionary(named) { first, _ in first }
    union = all.keeping { airport, match in
      !airport.isHeliport
        && selection.contains(airport.icao, on: match?.continent ?? airport.place.continent)
    } others: { airport in
      guard !airport.isHeliport, let identity = identities[airport.ident] else { return false }
      return selection.contains(identity, on: airport.continent)
    }
    let written = Set(union.others.map(\.ident))
    self.identities = identities.filter { written.contains($0.key) }
    try selection.check(Set(union.own.map(\.icao)).union(self.identities.values))
  }

  var places: [GeoPoint] {
    union.own.map { GeoPoint(longitude: $0.longitude, latitude: $0.latitude) } + union.others.map(\.place)
  }

  /// Where the world's airports that are not the FAA's are, by their own identifiers.
  var placesOfOthers: [String: GeoPoint] {
    Dictionary(union.others.map { ($0.ident, $0.place) }) { first, _ in first }
  }

  func write(to writer: DatabaseWriter) throws -> Int {
    try writer.insert(RZFlightSchema.airports) { insert in
      var count = 0
      for (number, airport) in union.own.enumerated() {
        try insert.run(row(airport, union.matches[number]))
        count += 1
      }
      for airport in union.others {
        guard let identity = identities[airport.ident] else { continue }
        try insert.run(row(airport, as: identity))
        count += 1
      }
      return count
    }
  }

  /// The FAA's word, and the other's where the FAA has none.
  private func row(_ airport: DatabaseAirport, _ other: WorldAirport?) -> [SQLiteValue] {
    let place = airport.place
    let sources = [RZFlightSource.faa] + (other == nil ? [] : [RZFlightSource.world])
    return [
      .text(airport.icao), .text(airport.name), .text(RZFlightAirports.type(of: airport, other)),
      .real(airport.latitude), .real(airport.longitude), SQLiteValue(airport.elevation ?? other?.elevation),
      SQLiteValue(other?.continent ?? place.continent), SQLiteValue(place.country),
      SQLiteValue(other?.region ?? place.region), SQLiteValue(airport.city ?? other?.municipality),
      SQLiteValue(other?.scheduledService), .text(airport.icao), SQLiteValue(other?.iataCode),
      .text(airport.faaID), SQLiteValue(other?.homeLink), SQLiteValue(other?.wikipediaLink),
      SQLiteValue(other?.keywords), .text(sources.joined(separator: ",")), .text(stamp), .text(stamp),
    ]
  }

  private func row(_ airport: WorldAirport, as identity: String) -> [SQLiteValue] {
    [
      .text(identity), .text(airport.name), .text(airport.type),
      .real(airport.latitude), .real(airport.longitude), SQLiteValue(airport.elevation),
      SQLiteValue(airport.continent), SQLiteValue(airport.country), SQLiteValue(airport.region),
      SQLiteValue(airport.municipality), SQLiteValue(airport.scheduledService), SQLiteValue(airport.gpsCode),
      SQLiteValue(airport.iataCode), SQLiteValue(airport.localCode), SQLiteValue(airport.homeLink),
      SQLiteValue(airport.wikipediaLink), SQLiteValue(airport.keywords), .text(RZFlightSource.world),
      .text(stamp), .text(stamp),
    ]
  }

  /// The library's words. How large an airport is the FAA does not say: OurAirports does, else a tower speaks for it.
  private static func type(of airport: DatabaseAirport, _ other: WorldAirport?) -> String {
    if airport.isClosed { return "closed" }
    switch airport.type {
    case "seaplane": return "seaplane_base"
    case "balloonport": return "balloonport"
    default:
      if let type = other?.type, type.hasSuffix("_airport") { return type }
      return airport.isTowered ? "medium_airport" : "small_airport"
    }
  }
}
