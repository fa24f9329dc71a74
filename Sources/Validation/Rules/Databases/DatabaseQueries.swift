internal import Core
internal import Foundation
internal import SQLiteIO

/// Runs the apps' own queries and those that the file stores.
struct DatabaseQueries: DatabaseRule {
  let name = "database-queries"
  let protects =
    "The apps' own and the stored queries run, use the indexes, and put the nearest and the exact match first."

  /// Word for word the app's.
  private static let nearest = """
    SELECT a.* FROM airports a INNER JOIN airports_rtree r ON a.rowid = r.id WHERE r.minLat <= ? AND r.maxLat >= ? AND
    r.minLon <= ? AND r.maxLon >= ? ORDER BY ((a.latitude - ?) * (a.latitude - ?) + (a.longitude - ?) * (a.longitude - ?) *
    COS(a.latitude * 0.0174533) * COS(a.latitude * 0.0174533)) ASC LIMIT ?
    """

  private static let search = """
    SELECT a.icao FROM airports_fts f INNER JOIN airports a ON a.id = f.rowid WHERE airports_fts MATCH ?
    ORDER BY ? IN (a.icao, a.faaID) DESC, f.rank, a.icao LIMIT 1
    """

  func check(_ database: DatabaseUnderTest) throws -> [Finding] {
    guard database.isOfAirports else {
      return try StoredQueries(database).problems().map { error(database.place, $0) }
    }
    guard let sample = try sample(database) else {
      return [error(database.place, "there is no airport in it")]
    }
    let problems = try [
      nearestProblem(at: sample, database), planProblem(at: sample, database),
      searchProblem(for: sample, database),
    ]
    return try (problems.compactMap(\.self) + StoredQueries(database).problems()).map {
      error(database.place, $0)
    }
  }

  /// One from the middle, where there are others around it.
  private func sample(_ database: DatabaseUnderTest) throws -> Sample? {
    try database.connection.prepare(
      """
      SELECT icao, latitude, longitude FROM airports ORDER BY icao
      LIMIT 1 OFFSET (SELECT count(*) / 2 FROM airports)
      """
    ).map { Sample(icao: $0.text(0) ?? "", latitude: $0.double(1), longitude: $0.double(2)) }.first
  }

  private func nearestProblem(at sample: Sample, _ database: DatabaseUnderTest) throws -> String? {
    let found = try database.connection.prepare(DatabaseQueries.nearest).map(sample.box) { row in
      let columns = Dictionary((0..<row.columnCount).map { (row.name($0), $0) }) { first, _ in first }
      guard let icao = columns["icao"], let latitude = columns["latitude"],
        let longitude = columns["longitude"]
      else { return Sample(icao: "", latitude: .nan, longitude: .nan) }
      return Sample(
        icao: row.text(icao) ?? "", latitude: row.double(latitude), longitude: row.double(longitude))
    }
    let distances = found.map { $0.squaredDistance(to: sample) }
    guard zip(distances, distances.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      return "the query for the nearest airports gives them out of order"
    }
    return distances.first == 0
      ? nil : "the query for the airports nearest to \(sample.icao) does not find it first"
  }

  private func planProblem(at sample: Sample, _ database: DatabaseUnderTest) throws -> String? {
    let plan = try database.connection.prepare("EXPLAIN QUERY PLAN " + DatabaseQueries.nearest)
      .map(sample.box) { $0.text(3) ?? "" }
    let usesTree = plan.contains { $0.hasPrefix("SCAN r VIRTUAL TABLE INDEX 2:") }
    return usesTree
      ? nil
      : "the query for the nearest airports does not use the R-tree's index: \(plan.joined(separator: "; "))"
  }

  private func searchProblem(for sample: Sample, _ database: DatabaseUnderTest) throws -> String? {
    let typed = sample.icao
    let first = try database.connection.prepare(DatabaseQueries.search)
      .map([.text("\"\(typed)\"*"), .text(typed)]) { $0.text(0) ?? "" }.first
    return first == typed ? nil : "a search for \(typed) finds \(first ?? "nothing") first"
  }
}

private struct Sample {
  let icao: String
  let latitude: Double
  let longitude: Double

  /// The app's parameters for a degree around.
  var box: [SQLiteValue] {
    [
      .real(latitude + 1), .real(latitude - 1), .real(longitude + 1), .real(longitude - 1),
      .real(latitude), .real(latitude), .real(longitude), .real(longitude), .integer(50),
    ]
  }

  /// As the app's query weighs it.
  func squaredDistance(to other: Sample) -> Double {
    let (north, east) = (latitude - other.latitude, longitude - other.longitude)
    let shrink = cos(latitude * 0.0174533)
    return north * north + east * east * shrink * shrink
  }
}
