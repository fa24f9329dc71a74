internal import Pipeline
internal import SQLiteIO

/// The airports of each database against where they lay in the last cycle.
struct AirportsMoved: CycleRule {
  let name = "airports-moved"
  let protects = "An airport that jumps over the map is looked at by a person before it misleads a pilot."

  /// A statute mile, in nautical ones.
  private static let mile = 1609.344 / 1852
  /// Where more than these move, a table is wrong and not some airports.
  private static let share = 0.01
  private static let fewest = 20
  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.products.filter { $0.product.kind == .database }.flatMap { subject -> [Finding] in
      guard let (before, pair) = try cycle.airportPair(subject) else { return [] }
      let (moved, all) = try moves(pair)
      cycle.note(subject) { $0.change?.movedAirports = moved.count }
      let isWrong = moved.count > max(AirportsMoved.fewest, Int(Double(all) * AirportsMoved.share))
      return moved.map { airport in
        finding(
          isWrong ? .error : .warning, subject, "airports \(airport.icao)",
          "it lies \(airport.miles) NM from where cycle \(before) had it")
      }
    }
  }

  /// By the FAA's site number and type, which stay when an identifier changes. On so short a way the earth is flat.
  private func moves(_ pair: DatabasePairing) throws -> (moved: [(icao: String, miles: Double)], all: Int) {
    let joined =
      "main.airports n JOIN base.airports o ON o.siteNumber = n.siteNumber AND o.siteType = n.siteType"
    let all = try pair.connection.numbers("SELECT count(*) FROM \(joined)").first ?? 0
    let moved = try pair.connection.prepare(
      """
      SELECT icao, miles FROM (
        SELECT n.icao, 60 * sqrt(pow(n.latitude - o.latitude, 2) + pow(
          min(abs(n.longitude - o.longitude), 360 - abs(n.longitude - o.longitude)) * cos(radians(o.latitude)), 2)) AS miles
        FROM \(joined)
      ) WHERE miles > \(AirportsMoved.mile) ORDER BY 1
      """
    ).map { (icao: $0.text(0) ?? "", miles: ($0.double(1) * 10).rounded() / 10) }
    return (moved, all)
  }
}
