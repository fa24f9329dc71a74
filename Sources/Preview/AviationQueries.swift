internal import Core
internal import SQLiteIO

/// The page's queries of a cycle's `aviation.sqlite`. SQLite creates the JSON.
final class AviationQueries {
  private let database: SQLiteConnection

  init(opening path: String) throws { database = try SQLiteConnection(path, mode: .readOnly) }

  /// The most important airports come first, since a large view shows only some.
  func airports(_ view: MapView, runways: Bool) throws -> String {
    let rows = try inView(AviationSQL.airports, view, [.integer(runways ? 1 : 0)])
    return "{\"airports\":[\(rows.kept)],\"more\":\(rows.more)}"
  }

  /// Returns all airports as identifier, latitude, longitude and importance, the most important last.
  func dots() throws -> String {
    let rows = try database.prepare(AviationSQL.dots).map([]) { $0.text(0) ?? "" }
    return "{\"dots\":[\(rows.joined(separator: ","))]}"
  }

  func airspace(_ view: MapView, _ classes: [AirspaceClass]) throws -> String {
    let names = "[" + classes.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    let order = "[" + AirspaceClass.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    let rows = try inView(AviationSQL.airspace, view, [.text(names), .text(order)])
    return "{\"type\":\"FeatureCollection\",\"features\":[\(rows.kept)],\"more\":\(rows.more)}"
  }

  /// Returns nil for an unknown airport.
  func airport(_ icao: String) throws -> String? {
    try database.prepare(AviationSQL.airport).map([.text(icao)]) { $0.text(0) ?? "" }.first
  }

  /// Searches by identifier, name or town. The last word may be incomplete.
  func search(_ typed: String) throws -> String {
    let words = typed.prefix(80).split { !$0.isLetter && !$0.isNumber }.prefix(8)
    guard !words.isEmpty else { return "{\"airports\":[]}" }
    let match = words.map { "\"\($0)\"" }.joined(separator: " ") + "*"
    let rows = try database.prepare(AviationSQL.search)
      .map([.text(match), .text(typed.uppercased())]) { $0.text(0) ?? "" }
    return "{\"airports\":[\(rows.joined(separator: ","))]}"
  }

  /// Selects one row more than the limit, to detect whether rows are left out.
  private func inView(
    _ sql: String, _ view: MapView, _ more: [SQLiteValue]
  ) throws -> (kept: String, more: Bool) {
    let statement = try database.prepare(sql)
    var rows: [String] = []
    for box in view.windows {
      let place: [SQLiteValue] = [.real(box.south), .real(box.north), .real(box.west), .real(box.east)]
      rows += try statement.map(place + [.integer(view.limit + 1)] + more) { $0.text(0) ?? "" }
    }
    // An item across 180 degrees is in both windows.
    var seen: Set<String> = []
    rows.removeAll { !seen.insert($0).inserted }
    return (rows.prefix(view.limit).joined(separator: ","), rows.count > view.limit)
  }
}

@available(*, unavailable)
extension AviationQueries: Sendable {}

/// The SQL of the queries. Each row has one column, the JSON of one item. Items are chosen in a subquery first, so that JSON is
/// created only for those.
enum AviationSQL {
  private static let inView = "r.minLat <= ?2 AND r.maxLat >= ?1 AND r.minLon <= ?4 AND r.maxLon >= ?3"

  static let airports = """
    SELECT json_object('icao', a.icao, 'name', a.name, 'type', a.type, 'use', a.use, 'tower', a.isTowered,
      'lat', a.latitude, 'lon', a.longitude, 'longest', a.longestRunway,
      'runways', json(iif(?6, (
        SELECT json_group_array(json_array(w.id, w.baseEndLatitude, w.baseEndLongitude,
          w.reciprocalEndLatitude, w.reciprocalEndLongitude))
        FROM runways w WHERE w.airport = a.icao AND w.baseEndLatitude IS NOT NULL
          AND w.reciprocalEndLatitude IS NOT NULL), NULL)))
    FROM (
      SELECT a.id, row_number() OVER (
        ORDER BY a.isTowered DESC, a.use = 'public' DESC, a.type = 'airport' DESC, a.longestRunway DESC, a.icao
      ) AS place
      FROM airports_rtree r CROSS JOIN airports a ON a.id = r.id
      WHERE \(inView) AND coalesce(a.status, 'operational') = 'operational' ORDER BY place LIMIT ?5
    ) chosen JOIN airports a ON a.id = chosen.id ORDER BY chosen.place
    """

  /// The importance is 2 with a tower, 1 for other public airports, and 0 otherwise.
  static let dots = """
    SELECT json_array(icao, round(latitude, 4), round(longitude, 4),
      iif(isTowered, 2, use IS 'public' AND type IS 'airport')) FROM airports
    WHERE coalesce(status, 'operational') = 'operational' AND latitude IS NOT NULL AND longitude IS NOT NULL
    ORDER BY isTowered IS 1, use IS 'public', type IS 'airport', icao
    """

  /// `?6` lists the required classes; `?7` orders the classes, and the last are left out first.
  static let airspace = """
    SELECT json_object('type', 'Feature', 'id', a.id, 'geometry', json(a.geometry), 'properties', json_object(
      'class', a.class, 'type', a.type, 'name', a.name, 'floor', a.floorText, 'ceiling', a.ceilingText,
      'hours', a.hours))
    FROM (
      SELECT a.id, instr(?7, '"' || a.class || '"') AS place
      FROM airspaces_rtree r CROSS JOIN airspaces a ON a.id = r.id
      WHERE \(inView) AND instr(?6, '"' || a.class || '"') > 0 ORDER BY place, a.id LIMIT ?5
    ) chosen JOIN airspaces a ON a.id = chosen.id WHERE json_valid(a.geometry) ORDER BY chosen.place, a.id
    """

  static let airport = """
    SELECT json_object('icao', a.icao, 'faaID', a.faaID, 'name', a.name, 'city', a.city, 'state', a.state,
      'type', a.type, 'use', a.use, 'ownership', a.ownership, 'status', a.status, 'tower', a.isTowered,
      'lat', a.latitude, 'lon', a.longitude, 'elevation', a.elevation, 'pattern', a.patternAltitude,
      'variation', a.magneticVariation, 'fuel', json(a.fuelTypes), 'chart', a.chart, 'longest', a.longestRunway,
      'runways', json((SELECT json_group_array(json_object('id', id, 'length', length, 'width', width,
        'surface', surface, 'lighting', lighting, 'ends', json_array(
          json_object('id', baseEndID, 'heading', baseEndTrueHeading, 'elevation', baseEndElevation,
            'displaced', baseEndDisplacedThreshold, 'traffic', baseEndTraffic, 'vgsi', baseEndVGSI),
          json_object('id', reciprocalEndID, 'heading', reciprocalEndTrueHeading,
            'elevation', reciprocalEndElevation, 'displaced', reciprocalEndDisplacedThreshold,
            'traffic', reciprocalEndTraffic, 'vgsi', reciprocalEndVGSI))))
        FROM (SELECT * FROM runways WHERE airport = a.icao ORDER BY length DESC, id))),
      'frequencies', json((SELECT json_group_array(json_object('type', type, 'frequency', frequency,
        'name', name, 'sector', sector, 'hours', hours))
        FROM (SELECT * FROM frequencies WHERE airport = a.icao AND vhf = 1 ORDER BY number LIMIT 60))),
      'remarks', json((SELECT json_group_array(json_object('subject', subject, 'element', element,
        'remark', remark))
        FROM (SELECT * FROM remarks WHERE airport = a.icao ORDER BY number LIMIT 100))))
    FROM airports a WHERE a.icao = ?1
    """

  /// Airports with exactly this identifier come first, then larger airports.
  static let search = """
    SELECT json_object('icao', a.icao, 'name', a.name, 'city', a.city, 'state', a.state, 'lat', a.latitude,
      'lon', a.longitude)
    FROM (SELECT rowid AS id, rank FROM airports_fts WHERE airports_fts MATCH ?1 ORDER BY rank LIMIT 200) f
    JOIN airports a ON a.id = f.id WHERE a.latitude IS NOT NULL
    ORDER BY ?2 IN (a.icao, a.faaID) DESC, a.isTowered DESC, a.use = 'public' DESC, f.rank, a.icao LIMIT 12
    """
}
