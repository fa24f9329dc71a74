internal import Foundation
internal import SQLiteIO

/// A small list of the airports beside vector tiles, in which the page of a site searches: the tiles of the whole country have the same
/// airports in a thousand files.
enum AirportList {
  static let columns = "icao, faaID, name, city, state, longitude, latitude, searchWords"

  /// The airports as JSON arrays, the most important first, and what names them.
  static func lines(in database: SQLiteConnection) throws -> SQLiteStatement {
    try database.prepare(
      """
      SELECT json_array(icao, faaID, title_case(name), title_case(city), state, round(longitude, 4), round(latitude, 4),
        searchWords), icao FROM airports ORDER BY id
      """)
  }

  static func write(_ source: ExportSource, to file: URL) throws {
    _ = try JSONLines.write(
      lines(in: source.database), to: file,
      [("format", "chartpipe-airports-1")] + source.metadata + [("columns", columns)], array: "airports")
  }
}
