public import Core
public import Foundation
internal import SQLiteIO

/// Lists of a finished weather database as JSON, with the keys of the API of aviationweather.gov, which apps know.
public enum WeatherJSON: String, CaseIterable, Sendable {
  case metar, taf

  /// A list with its dates.
  public struct Made: Sendable {
    public var files: [(name: String, mediaType: String, scratch: URL)]
    public var rows: Int
    public var from: Instant
    public var to: Instant
  }

  /// The table of its rows.
  public var table: String { self == .metar ? "metars" : "tafs" }

  /// Writes the files to scratch files.
  public func write(_ database: URL, of base: Product, scratch: (String) -> URL) throws -> Made {
    let connection = try SQLiteConnection(database.path, mode: .readOnly)
    let name = "\(rawValue).json"
    let list = (name: name, mediaType: "application/json", scratch: scratch(name))
    switch self {
    case .metar:
      let hasStations = base.build.counts["stations"] != nil
      let rows = try WeatherJSON.array(connection, WeatherJSON.metars(hasStations), to: list.scratch)
      let map = scratch("weather.geojson")
      let points = try connection.prepare(WeatherJSON.points)
      _ = try JSONLines.write(points, to: map, [("type", "FeatureCollection")], array: "features")
      return Made(
        files: [list, ("weather.geojson", "application/geo+json", map)], rows: rows, from: base.effectiveDate,
        to: base.expirationDate)
    case .taf:
      let rows = try WeatherJSON.array(connection, WeatherJSON.tafs, to: list.scratch)
      let times = try connection.prepare("SELECT max(issued), max(validTo) FROM tafs").map {
        ($0.text(0).flatMap(Instant.init), $0.text(1).flatMap(Instant.init))
      }
      guard case (let issued?, let last?)? = times.first else {
        throw UserError(.badInput, operation: "making", path: name, reason: "the database has no TAF")
      }
      return Made(files: [list], rows: rows, from: issued, to: min(issued.adding(6 * 3600), last))
    }
  }

  /// Writes the first column of a query, which is JSON, as an array with one element a line.
  private static func array(_ connection: SQLiteConnection, _ query: String, to file: URL) throws -> Int {
    let rows = try connection.prepare(query).map { $0.text(0) ?? "null" }
    try Data("[\n\(rows.joined(separator: ",\n"))\n]\n".utf8).write(to: file)
    return rows.count
  }

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
    FROM metars m \(hasStations ? "LEFT JOIN stations s USING (station)" : "") ORDER BY m.id
    """
  }

  private static let points = """
    SELECT json_object('type', 'Feature', 'geometry',
      json_object('type', 'Point', 'coordinates', json_array(longitude, latitude)),
      'properties', json_object('station', station, 'category', flightCategory, 'raw', raw, 'observed', observed))
    FROM metars WHERE latitude IS NOT NULL ORDER BY id
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
