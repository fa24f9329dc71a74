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
    let found = try database.connection.prepare(DatabaseQueries.nearest).map(Self.box(sample.place)) { row in
      let columns = Dictionary((0..<row.columnCount).map { (row.name($0), $0) }) { first, _ in first }
      guard let latitude = columns["latitude"], let longitude = columns["longitude"] else {
        return GeoPoint(longitude: .nan, latitude: .nan)
      }
      return GeoPoint(longitude: row.double(longitude), latitude: row.double(latitude))
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

/// Runs the queries of the table `queries` and compares their rows with an exhaustive search.
struct StoredQueries {
  private let database: DatabaseUnderTest
  /// The SQL texts by name; empty where the file has no table `queries`.
  private let texts: [String: String]

  init(_ database: DatabaseUnderTest) throws {
    self.database = database
    let isThere = database.tables.contains("queries")
    texts = isThere ? try database.connection.prepare("SELECT name, sql FROM queries").pairs() : [:]
  }

  func problems() throws -> [String] {
    try texts.sorted { $0.key < $1.key }.flatMap { name, text in
      guard text.hasPrefix("WITH ") || text.hasPrefix("SELECT ") else {
        return ["the stored query \(name) is not a SELECT"]
      }
      do {
        return try problems(of: name, text)
      } catch let error as SQLiteError {
        return ["the stored query \(name) does not run: \(error.message)"]
      }
    }
  }

  private func problems(of name: String, _ text: String) throws -> [String] {
    let query = try database.connection.prepare(text)
    let ending = "Nearest"
    if name.hasSuffix(ending) { return try nearest(query, of: String(name.dropLast(ending.count))) }
    return name == "airportsSearch" ? try search(query) + order() : []
  }

  /// Runs the query at the edges of the table's area, where a box of degrees fails first, and inside.
  private func nearest(_ query: SQLiteStatement, of table: String) throws -> [String] {
    guard try database.known.contains(where: { $0.name == table && $0.extent == .point }) else {
      return ["the stored query \(table)Nearest is about no table of positions"]
    }
    // `database-rtree` reports wrong boxes of the R-tree.
    let points = try database.connection.prepare(
      """
      SELECT a.id, a.latitude, a.longitude FROM \(table)_rtree r CROSS JOIN \(table) a ON a.id = r.id
      WHERE abs(r.minLat - a.latitude) < 0.001 AND abs(r.minLon - a.longitude) < 0.001
      """
    ).map { (id: $0.int(0), place: GeoPoint(longitude: $0.double(2), latitude: $0.double(1))) }
    let wanted = min(StoredQueries.nearestRows, points.count)
    let places = Dictionary(points.map { ($0.id, $0.place) }) { first, _ in first }
    let all = points.map(\.place)
    return try Self.samples(all).compactMap { place in
      let found = try query.map([
        .real(place.latitude), .real(place.longitude), .integer(StoredQueries.nearestRows),
      ]) { row in places[row.int(0)].map { (row.int(0), $0) } }.compactMap(\.self)
      let best = place.least(wanted, of: all)
      let isRight =
        Set(found.map(\.0)).count == wanted && found.count == wanted
        && zip(found, best).allSatisfy { abs($0.1.haversine(to: place) - $1) <= 1e-9 * $1 + 1e-18 }
      let name = "\(place.latitude) \(place.longitude)"
      return isRight
        ? nil : "the stored query \(table)Nearest does not give the nearest at \(name), nearest first"
    }
  }

  private static let nearestRows = 5

  /// Checks that a search lists the exact identifier first.
  private func search(_ query: SQLiteStatement) throws -> [String] {
    let samples = try database.connection.prepare(
      """
      SELECT icao, faaID FROM airports
      WHERE id IN (SELECT min(id) FROM airports UNION SELECT max(id) FROM airports
        UNION SELECT id FROM airports WHERE id % 1009 = 0)
      """
    ).map { row in (icao: row.text(0) ?? "", typed: [row.text(0) ?? "", row.text(1) ?? ""]) }
    let column = try database.connection.columns(of: "airports").firstIndex(of: "icao") ?? 0
    func rows(_ typed: String) throws -> [String] {
      try query.map([.text(typed), .integer(20)]) { $0.text(column) ?? "" }
    }
    let wrong = try samples.flatMap { sample in
      try sample.typed.compactMap { typed -> String? in
        // An FAA identifier can be the ICAO code of another airport: both are exact.
        let first = try rows(typed.lowercased()).prefix(2)
        return first.contains(sample.icao)
          ? nil : "the stored query airportsSearch does not find \(sample.icao) first for \(typed)"
      }
    }
    let odd = try ["", " ", ",", "*", "'", "-", "\""].filter { try !rows($0).isEmpty }
    return wrong + odd.map { "the stored query airportsSearch has rows for \"\($0)\"" }
  }

  /// A search returns the first matches by id. Checks that ids are mostly ordered by importance.
  private func order() throws -> [String] {
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
        \(astray) of \(airports) airports are more important than the one before them; a search returns the first ids, which must be in \
        the order of open, public, towered, longest runway
        """
    }
  }
}

extension StoredQueries {
  /// Places close to the northernmost, southernmost, westernmost and easternmost points, and to one from the middle.
  private static func samples(_ points: [GeoPoint]) -> [GeoPoint] {
    let edges = [
      points.max { $0.latitude < $1.latitude }, points.min { $0.latitude < $1.latitude },
      points.min { $0.longitude < $1.longitude }, points.max { $0.longitude < $1.longitude },
      points.isEmpty ? nil : points[points.count / 2],
    ]
    return edges.compactMap(\.self).map {
      GeoPoint(longitude: $0.longitude + 0.4, latitude: min(90, $0.latitude + 0.3))
    }
  }
}

extension GeoPoint {
  fileprivate func haversine(to other: GeoPoint) -> Double {
    let radians = Double.pi / 180
    let north = sin((latitude - other.latitude) / 2 * radians)
    let east = sin((longitude - other.longitude) / 2 * radians)
    return north * north + cos(latitude * radians) * cos(other.latitude * radians) * east * east
  }

  /// Returns the least haversines from points, in ascending order.
  fileprivate func least(_ count: Int, of points: [GeoPoint]) -> [Double] {
    var (least, worst): ([Double], Double) = ([], .infinity)
    for point in points {
      // A haversine is at least that of the latitudes alone, which is at least a fifth of the square of half of their angle.
      let north = (point.latitude - latitude) * (.pi / 360)
      guard north * north < worst * 5 else { continue }
      let haversine = point.haversine(to: self)
      guard haversine < worst else { continue }
      least.insert(haversine, at: least.firstIndex { $0 > haversine } ?? least.count)
      if least.count > count { least.removeLast() }
      if least.count == count { worst = least.last ?? .infinity }
    }
    return least
  }
}
