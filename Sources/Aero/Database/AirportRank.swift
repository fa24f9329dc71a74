/// How important an airport is to most pilots: the order in which airports are written, and so of their ids.
///
/// A search for text takes the first of its matches by id and need not look at the others.
struct AirportRank: Comparable {
  private let entry: AirportDirectory.Entry
  private let longestRunway: Int

  init(_ entry: AirportDirectory.Entry, longestRunway: Int?) {
    self.entry = entry
    self.longestRunway = longestRunway ?? 0
  }

  private var weights: (Int, Int, Int, Int) {
    let airport = entry.airport
    return (airport.isOpen ? 0 : 1, airport.isPublic ? 0 : 1, airport.isTowered ? 0 : 1, -longestRunway)
  }

  static func < (left: AirportRank, right: AirportRank) -> Bool {
    let (a, b) = (left.weights, right.weights)
    return a == b ? left.entry.icao < right.entry.icao : a < b
  }

  static func == (left: AirportRank, right: AirportRank) -> Bool {
    left.weights == right.weights && left.entry.icao == right.entry.icao
  }
}
