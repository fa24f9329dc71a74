internal import Core
internal import Foundation
internal import SQLiteIO

/// Runs the apps' own queries and those that the file stores.
struct DatabaseQueries: Rule {
  let name = "database-queries"
  let protects =
    "The apps' own and the stored queries run, use the indexes, and put the nearest and the exact match first."

  /// The app's query, unchanged.
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
      return try storedProblems(database).map { error(database.place, $0) }
    }
    guard let sample = try sample(database) else {
      return [error(database.place, "there is no airport in it")]
    }
    let problems = try [
      nearestProblem(at: sample, database), planProblem(at: sample, database),
      searchProblem(for: sample, database),
    ]
    return try (problems.compactMap(\.self) + storedProblems(database)).map {
      error(database.place, $0)
    }
  }

  /// An airport from the middle of the table, with others around it.
  private func sample(_ database: DatabaseUnderTest) throws -> Sample? {
    try database.connection.prepare(
      """
      SELECT icao, latitude, longitude FROM airports ORDER BY icao
      LIMIT 1 OFFSET (SELECT count(*) / 2 FROM airports)
      """
    ).map { ($0.text(0) ?? "", GeoPoint(longitude: $0.double(2), latitude: $0.double(1))) }.first
  }

  /// An identifier and its place.
  private typealias Sample = (icao: String, place: GeoPoint)

  /// The app's parameters for a box of one degree to each side.
  private static func box(_ place: GeoPoint) -> [SQLiteValue] {
    let (latitude, longitude) = (place.latitude, place.longitude)
    return [
      latitude + 1, latitude - 1, longitude + 1, longitude - 1, latitude, latitude, longitude, longitude,
    ]
    .map(SQLiteValue.real) + [.integer(50)]
  }

  private func nearestProblem(at sample: Sample, _ database: DatabaseUnderTest) throws -> String? {
    var found: [GeoPoint] = []
    try database.connection.prepare(DatabaseQueries.nearest).forEachNamed(Self.box(sample.place)) { row in
      found.append(
        GeoPoint(longitude: row.real("longitude") ?? .nan, latitude: row.real("latitude") ?? .nan))
    }
    // The distances that the app's query sorts by.
    let distances = found.map { place in
      let (north, east) = (
        place.latitude - sample.place.latitude, place.longitude - sample.place.longitude
      )
      let shrink = cos(place.latitude * 0.0174533)
      return north * north + east * east * shrink * shrink
    }
    guard zip(distances, distances.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      return "the query for the nearest airports gives them out of order"
    }
    return distances.first == 0
      ? nil : "the query for the airports nearest to \(sample.icao) does not find it first"
  }

  private func planProblem(at sample: Sample, _ database: DatabaseUnderTest) throws -> String? {
    let plan = try database.connection.prepare("EXPLAIN QUERY PLAN " + DatabaseQueries.nearest)
      .map(Self.box(sample.place)) { $0.text(3) ?? "" }
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

extension DatabaseQueries {
  /// The queries of the table `queries`. Tests compare the answers of this version's with an exhaustive search, and other rules compare
  /// the indexes with the rows, so their text is enough.
  private func storedProblems(_ database: DatabaseUnderTest) throws -> [String] {
    guard database.tables.contains("queries") else { return [] }
    let texts: [String: String] = try database.connection.prepare("SELECT name, sql FROM queries").pairs()
    let own = database.kind.queries
    let isOfThisVersion = database.metadata["version"] == ToolVersion.version
    let problems = try texts.sorted { $0.key < $1.key }.compactMap { name, text -> String? in
      guard text.hasPrefix("WITH ") || text.hasPrefix("SELECT ") else {
        return "the stored query \(name) is not a SELECT"
      }
      do {
        _ = try database.connection.prepare(text)
      } catch let error as SQLiteError {
        return "the stored query \(name) does not run: \(error.message)"
      }
      let isOwn = own.contains { $0.name == name && $0.sql == text }
      return isOfThisVersion && !isOwn
        ? "the stored query \(name) is not the one that this version writes; build it again" : nil
    }
    return try texts["airportsSearch"] == nil ? problems : problems + order(database)
  }

  /// Equal matches of a search are in the order of ids. Checks that ids are mostly ordered by importance.
  private func order(_ database: DatabaseUnderTest) throws -> [String] {
    let ranks = """
      (SELECT id, coalesce(status, 'operational') <> 'operational' AS isClosed, use IS NOT 'public' AS isPrivate,
        NOT isTowered AS isUntowered, -coalesce(longestRunway, 0) AS shortness FROM airports)
      """
    let counts = try database.connection.prepare(
      """
      SELECT count(*), coalesce(sum((b.isClosed, b.isPrivate, b.isUntowered, b.shortness)
        < (a.isClosed, a.isPrivate, a.isUntowered, a.shortness)), 0)
      FROM \(ranks) a CROSS JOIN \(ranks) b ON b.id = a.id + 1
      """
    ).map { ($0.int(0), $0.int(1)) }
    return counts.compactMap { airports, astray in
      guard astray * 10 > airports else { return nil }
      return """
        \(astray) of \(airports) airports are more important than the one before them; equal matches of a search are in the order of ids, \
        which must be that of open, public, towered, longest runway
        """
    }
  }
}
