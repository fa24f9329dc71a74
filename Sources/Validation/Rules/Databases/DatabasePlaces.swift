internal import Aero
internal import Core
internal import SQLiteIO

/// Each place within the state that is said of it.
struct DatabasePlaces: DatabaseRule {
  let name = "database-places"
  let protects = "No airport lies in another state than its own, since a digit or a sign was lost."

  /// Degrees. The FAA has some airports under a neighbouring state, by their post office.
  private static let odd = 0.3
  private static let wrong = 1.0
  /// The state of anything else may be that of the nearest shore.
  private static let farFromShore = 10.0
  private static let precise: Set<String> = ["airports", "navaids"]

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let tables = try database.known.filter { $0.has("state", "latitude", "longitude") }
    return try tables.flatMap { table -> [Finding] in
      let isAmerican = table.has("country") ? "coalesce(country, 'US') = 'US'" : "1"
      return try database.connection.prepare(
        """
        SELECT \(table.label), state, latitude, longitude FROM \(table.name)
        WHERE state IS NOT NULL AND latitude IS NOT NULL AND longitude IS NOT NULL AND \(isAmerican)
        """
      ).map { finding($0, table.name, database) }.compactMap(\.self).sortedByPlace
    }
  }

  private func finding(_ row: SQLiteRow, _ table: String, _ database: DatabaseUnderTest) -> Finding? {
    let (state, place) = (row.text(1) ?? "", GeoPoint(longitude: row.double(3), latitude: row.double(2)))
    let isPrecise = DatabasePlaces.precise.contains(table)
    guard let distance = StateBoxes.distance(of: place, from: state),
      distance > (isPrecise ? DatabasePlaces.odd : DatabasePlaces.farFromShore)
    else { return nil }
    let tenths = (distance * 10).rounded() / 10
    let isWrong = !isPrecise || distance > DatabasePlaces.wrong
    return Finding(
      rule: name, severity: isWrong ? .error : .warning,
      where: "\(database.place) \(table) \(row.text(0) ?? "")",
      message: "it lies \(tenths) degrees outside of \(state), the state that it is in")
  }
}
