import Foundation
import SQLiteIO

/// `openefb.sqlite` as the app opens it: a copy of the download, in WAL mode.
final class AppDatabase {
  let connection: SQLiteConnection

  init(_ file: URL, copiedTo copy: URL) throws {
    try FileManager.default.copyItem(at: file, to: copy)
    connection = try SQLiteConnection(copy.path, mode: .create)
    try connection.execute("PRAGMA journal_mode = WAL")
  }

  /// All rows of a query; a row that does not decode ends it.
  func fetchAll<Record: Decodable>(
    _ type: Record.Type, _ sql: String, _ arguments: [SQLiteValue] = []
  ) throws -> [Record] {
    try connection.prepare(sql).map(arguments) { row in
      let pairs = (0..<row.columnCount).map { (row.name($0), row.value($0)) }
      return try Record(from: RowDecoder(row: Dictionary(pairs) { first, _ in first }))
    }
  }

  /// The app's text for the nearest airports within a box, as docs/FORMATS.md has it.
  static let nearest = """
    SELECT a.* FROM airports a INNER JOIN airports_rtree r ON a.rowid = r.id WHERE r.minLat <= ? AND r.maxLat >= ? AND r.minLon <= ? AND r.maxLon >= ? ORDER BY ((a.latitude - ?) * (a.latitude - ?) + (a.longitude - ?) * (a.longitude - ?) * COS(a.latitude * 0.0174533) * COS(a.latitude * 0.0174533)) ASC LIMIT ?
    """

  /// - Parameter degrees: half the height and half the width of the box.
  func nearest(_ latitude: Double, _ longitude: Double, within degrees: Double, limit: Int) throws
    -> [Airport]
  {
    let box = [latitude + degrees, latitude - degrees, longitude + degrees, longitude - degrees]
    let place = [latitude, latitude, longitude, longitude]
    return try fetchAll(
      Airport.self, AppDatabase.nearest, (box + place).map(SQLiteValue.real) + [.integer(limit)])
  }
}
