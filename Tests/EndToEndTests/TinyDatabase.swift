import Foundation
import SQLiteIO

/// A database of the app's kind, with the tables that `diff` reads, and without airports.
enum TinyDatabase {
  static func create(at file: URL, cycle: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(
      """
      PRAGMA application_id = \(0x4156_4e31);
      CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT);
      CREATE TABLE airports (icao TEXT, siteNumber TEXT, siteType TEXT, name TEXT, city TEXT, state TEXT, country TEXT,
        type TEXT, use TEXT, isTowered INTEGER, longestRunway INTEGER);
      INSERT INTO metadata VALUES ('cycle', '\(cycle)'), ('effective', '2026-11-26T09:01:00Z');
      """)
    return connection
  }
}
