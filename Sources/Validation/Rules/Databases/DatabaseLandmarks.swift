internal import Geo
internal import Pipeline
internal import SQLiteIO

/// Well-known airports where everybody knows them to be.
struct DatabaseLandmarks: DatabaseRule {
  let name = "database-landmarks"
  let protects = "A table that is in other units, or shifted as a whole, does not pass for a good one."

  /// With more airports than this, all of the country is in it.
  private static let wholeCountry = 10_000

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    let question = try database.connection.prepare(
      "SELECT latitude, longitude, elevation, longestRunway FROM airports WHERE icao = ?")
    let count = try database.connection.numbers("SELECT count(*) FROM airports").first ?? 0
    return try Landmark.all.flatMap { landmark -> [Finding] in
      let place = "\(database.place) airports \(landmark.icao)"
      let found = try question.map([.text(landmark.icao)]) { problems(of: landmark, $0) }.first
      if let found { return found.map { error(place, $0) } }
      return count > DatabaseLandmarks.wholeCountry ? [error(place, "it is missing")] : []
    }
  }

  private func problems(of landmark: Landmark, _ row: SQLiteRow) -> [String] {
    var problems: [String] = []
    let place = GeoPoint(longitude: row.double(1), latitude: row.double(0))
    let miles = FlatWay(from: landmark.place, to: place).nauticalMiles
    if !(miles <= 1) {
      let shown = miles < 20_000 ? miles : 20_000
      problems.append("it lies \(Counts.grouped(Int(shown))) NM from where it is known to lie")
    }
    if let elevation = row.real(2), abs(elevation - landmark.elevation) > 30 {
      problems.append("elevation is \(elevation) feet, and it is known to lie at \(landmark.elevation)")
    }
    if let length = row.real(3), abs(length / landmark.longestRunway - 1) > 0.1 {
      problems.append(
        "longestRunway is \(row.text(3) ?? "") feet, and is known to be \(Int(landmark.longestRunway))")
    }
    return problems
  }
}
