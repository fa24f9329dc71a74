internal import Core
public import Foundation
internal import SQLiteIO

/// Lists of a finished weather database as JSON, with the keys of the API of aviationweather.gov, which apps know.
public enum WeatherJSON: String, Sendable {
  case metar, taf

  /// The table of its rows.
  public var table: String { self == .metar ? "metars" : "tafs" }

  /// Writes the files to scratch files, and completes their product.
  ///
  /// - Parameter product: that of the database. It becomes that of the list.
  public func write(_ database: URL, as product: inout Product, scratch: (String) -> URL) throws -> [URL] {
    let connection = try SQLiteConnection(database.path, mode: .readOnly)
    var files = [(name: "\(rawValue).json", type: "application/json", url: scratch("\(rawValue).json"))]
    let hasStations = product.build.counts["stations"] != nil
    let query = self == .metar ? WeatherJSON.metars(hasStations) : WeatherJSON.tafs
    product.build.counts = [table: try WeatherJSON.array(connection, query, to: files[0].url)]
    if self == .metar {
      files.append(("weather.geojson", "application/geo+json", scratch("weather.geojson")))
      let points = try connection.prepare(WeatherJSON.points)
      _ = try JSONLines.write(points, to: files[1].url, [("type", "FeatureCollection")], array: "features")
    } else {
      let times = try connection.prepare("SELECT max(issued), max(validTo) FROM tafs").map { row in
        [0, 1].compactMap { row.text($0).flatMap { Instant($0) } }
      }
      if let issued = times.first?.first, let last = times.first?.last {
        (product.edition, product.effectiveDate) = (.time(issued), issued)
        product.expirationDate = min(issued.adding(6 * 3600), last)
      }
    }
    product.format = "json"
    product.files = try files.map { try Product.File($0.name, $0.type, .json, at: $0.url) }
    return files.map(\.url)
  }

  /// Writes the first column of a query, which is JSON, as an array with one element a line.
  private static func array(_ connection: SQLiteConnection, _ query: String, to file: URL) throws -> Int {
    let rows = try connection.prepare(query).map { $0.text(0) ?? "null" }
    try Data("[\n\(rows.joined(separator: ",\n"))\n]\n".utf8).write(to: file)
    return rows.count
  }

  /// SQL: whether a METAR is at most two hours older than the newest. An older one is in the database alone.
  static func recent(_ newest: String) -> String { "julianday(observed) >= julianday(\(newest)) - 2.0 / 24" }
  private static let isRecent = recent("(SELECT value FROM metadata WHERE key = 'effective')")

  private static func seconds(_ column: String) -> String { "CAST(strftime('%s', \(column)) AS INTEGER)" }

  /// The keys that observations and forecasts share.
  private static let conditions = """
    'wdir', iif(isWindVariable, 'VRB', windDirection), 'wspd', windSpeed, 'wgst', windGust,
    'visib', iif(visibilityBound = 'more', CAST(visibility AS INTEGER) || '+', visibility),
    'vertVis', verticalVisibility, 'wxString', weather, 'clouds', json(coalesce(sky, '[]'))
    """

  private static func metars(_ hasStations: Bool) -> String {
    """
    SELECT json_object('icaoId', m.station, 'rawOb', raw, 'temp', temperature, 'dewp', dewpoint, \(conditions),
      'altim', pressure, 'obsTime', \(seconds("observed")), 'metarType', type, 'fltCat', flightCategory,
      'lat', m.latitude, 'lon', m.longitude, 'name', \(hasStations ? "s.name" : "NULL"))
    FROM metars m \(hasStations ? "LEFT JOIN stations s USING (station)" : "") WHERE \(isRecent) ORDER BY m.id
    """
  }

  private static let points = """
    SELECT json_object('type', 'Feature', 'geometry',
      json_object('type', 'Point', 'coordinates', json_array(longitude, latitude)),
      'properties', json_object('station', station, 'category', flightCategory, 'raw', raw, 'observed', observed))
    FROM metars WHERE latitude IS NOT NULL AND \(isRecent) ORDER BY id
    """

  private static let tafs = """
    SELECT json_object('icaoId', station, 'rawTAF', raw, 'issueTime', issued,
      'validTimeFrom', \(seconds("validFrom")), 'validTimeTo', \(seconds("validTo")), 'lat', latitude, 'lon', longitude,
      'fcsts', json((SELECT json_group_array(json_object('timeFrom', \(seconds("validFrom")),
        'timeTo', \(seconds("validTo")), 'timeBec', \(seconds("becomesBy")), 'fcstChange', change,
        'probability', probability, \(conditions))) FROM (SELECT * FROM taf_groups WHERE taf = tafs.id ORDER BY number))))
    FROM tafs ORDER BY id
    """
}
