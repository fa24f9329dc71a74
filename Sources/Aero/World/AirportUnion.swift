internal import Core
internal import Foundation

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
