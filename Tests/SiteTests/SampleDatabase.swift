import Core
import CryptoIO
import Foundation
import SQLiteIO

@testable import ChartpipeKit

/// A database of two tables in a build folder, as the sample's product of that cycle.
struct SampleDatabase {
  let sample: SampleBuild

  /// - Parameter airports: SQL values of `icao`, `name`, `latitude`, `isTowered`.
  @discardableResult
  func build(_ cycle: String, _ airports: [String], problems: String? = nil) throws -> URL {
    let description = try sample.chart("aviation", cycle: cycle, pipeline: "nasr")
    let folder = description.deletingLastPathComponent()
    try FileManager.default.removeItem(at: folder.appending(path: "aviation.mbtiles"))
    let file = folder.appending(path: "aviation.sqlite")
    try? FileManager.default.removeItem(at: file)
    let connection = try SQLiteConnection(file.path, mode: .create)
    try connection.execute(
      """
      CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT);
      INSERT INTO metadata VALUES ('cycle', '\(cycle)'), ('source', 'a.zip');
      CREATE TABLE airports (id INTEGER PRIMARY KEY, icao TEXT, siteNumber TEXT, siteType TEXT, name TEXT, city TEXT,
        state TEXT, country TEXT, type TEXT, use TEXT, latitude REAL, longitude REAL, isTowered INTEGER,
        longestRunway INTEGER, status TEXT);
      """)
    for values in airports {
      try connection.execute(
        """
        INSERT INTO airports (icao, name, latitude, isTowered, longitude, siteType, type, use, state)
        VALUES (\(values), -122, 'A', 'airport', 'public', 'CA');
        UPDATE airports SET siteNumber = 'of ' || icao WHERE siteNumber IS NULL;
        """)
    }
    try connection.close()
    if let problems { try Data(problems.utf8).write(to: folder.appending(path: "aviation.problems.json")) }
    var product = try Product(describedBy: description)
    (product.kind, product.region) = (.database, nil)
    product.build.counts = ["airports": airports.count]
    product.files = [
      .init(
        path: "aviation.sqlite", sha256: try SHA256Hex(ofFile: file), bytes: try Data(contentsOf: file).count,
        mediaType: "application/vnd.sqlite3", role: .database)
    ]
    try CanonicalJSON.pretty(product).write(to: description)
    return description
  }

}
