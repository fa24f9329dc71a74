/// How important an airport is to most pilots: the order in which airports are written, and so of their ids.
///
/// A search for text takes the first of its matches by id and need not look at the others.
struct AirportRank: Comparable {
  /// Smaller for what is open, public and towered, in this order.
  private let kind: Int
  private let longestRunway: Int
  /// The airport's place in the order of `icao`.
  let number: Int

  init(_ airport: Airport, longestRunway: Int?, number: Int) {
    kind = (airport.isOpen ? 0 : 4) + (airport.isPublic ? 0 : 2) + (airport.isTowered ? 0 : 1)
    self.longestRunway = longestRunway ?? 0
    self.number = number
  }

  static func < (left: AirportRank, right: AirportRank) -> Bool {
    (left.kind, -left.longestRunway, left.number) < (right.kind, -right.longestRunway, right.number)
  }
}
