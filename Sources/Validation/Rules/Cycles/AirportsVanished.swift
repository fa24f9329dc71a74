internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// The airports that the last cycle had and this one has not.
struct AirportsVanished: CycleRule {
  let name = "airports-vanished"
  let protects = "No airport that a pilot could use goes from the map without anybody having noticed."

  func check(_ cycle: CycleUnderTest) throws -> [Finding] {
    try cycle.products.filter { $0.product.kind == .database }.flatMap { subject -> [Finding] in
      guard let (before, pair) = try cycle.airportPair(subject) else { return [] }
      return try gone(pair).map { airport in
        // The FAA hardly ever closes a tower's airport; a row that was lost is likelier.
        finding(
          airport.isTowered ? .error : .warning, subject, "airports \(airport.icao)",
          "cycle \(before) had it, \(airport.isTowered ? "with a tower" : "for public use"): \(airport.name); "
            + "look whether the FAA has closed it")
      }
    }
  }

  /// One that has another identifier, or another site number, is still there.
  private func gone(
    _ pair: DatabasePairing
  ) throws -> [(icao: String, name: String, isTowered: Bool)] {
    try pair.connection.prepare(
      """
      SELECT o.icao, o.name, o.isTowered FROM base.airports o
      WHERE (o."use" = 'public' OR o.isTowered)
        AND NOT EXISTS (SELECT 1 FROM main.airports n WHERE n.icao = o.icao)
        AND NOT EXISTS (
          SELECT 1 FROM main.airports n WHERE n.siteNumber = o.siteNumber AND n.siteType = o.siteType)
      ORDER BY o.isTowered DESC, 1
      """
    ).map { ($0.text(0) ?? "", $0.text(1) ?? "", $0.int(2) == 1) }
  }
}

extension CycleUnderTest {
  /// The airports of a database beside those of its last cycle, and that cycle. Nil where there is none, or where one of
  /// them is of an earlier version or damaged, of which other rules tell.
  func airportPair(_ subject: ProductUnderTest) throws -> (before: String, pair: DatabasePairing)? {
    guard let before = before(subject), let old = before.file(role: "database"),
      let new = subject.file(role: "database"), old.hasComparableAirports, new.hasComparableAirports
    else { return nil }
    return (before.product.cycle, try DatabasePairing(new, of: old))
  }
}

extension URL {
  fileprivate var hasComparableAirports: Bool {
    let needed: Set<String> = [
      "siteNumber", "siteType", "latitude", "longitude", "icao", "name", "use", "isTowered",
    ]
    guard FileManager.default.fileExists(atPath: path),
      let connection = try? SQLiteConnection(path, mode: .readOnly),
      let columns = try? connection.texts("SELECT name FROM pragma_table_info('airports')")
    else { return false }
    return needed.isSubset(of: columns)
  }
}
