import CryptoIO
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// A change of the database with correct metadata.
private func changed(
  _ name: String, caughtBy rule: String, isAlone: Bool = true, _ sql: String
) -> Corruption {
  Corruption(name, caughtBy: rule, isAlone: isAlone) { build in
    try build.keepDatabaseAlone()
    try build.forge(sql)
  }
}

private let forgetsPaloAlto = """
  INSERT INTO airports_fts (airports_fts, rowid, icao, faaID, name, city)
  SELECT 'delete', id, icao, faaID, name, city FROM airports WHERE icao = 'KPAO'
  """

/// Errors in `aviation.sqlite`.
private let inDatabase: [Corruption] = [
  changed(
    "a frequency out of every band", caughtBy: "database-frequencies",
    "UPDATE frequencies SET frequency = 95.1, vhf = 0 WHERE airport = 'KPAO' AND number = 7"),
  changed(
    "a frequency between two channels", caughtBy: "database-frequencies",
    "UPDATE frequencies SET frequency = 121.801 WHERE airport = 'KSFO' AND type = 'ground' AND number = 3"),
  changed(
    "a common frequency that is off by a digit", caughtBy: "database-frequencies", isAlone: false,
    "UPDATE airports SET ctafFrequency = 118.7 WHERE icao = 'KPAO'"),
  changed(
    "a VOR on a frequency of the broadcasts", caughtBy: "database-frequencies", isAlone: false,
    "UPDATE navaids SET frequency = 106.8 WHERE identifier = 'OAK'"),
  changed(
    "a VOR on its neighbour's frequency", caughtBy: "database-frequencies",
    "UPDATE navaids SET frequency = 115.8 WHERE identifier = 'OAK'"),
  changed(
    "towers on the frequencies of ground control", caughtBy: "audit", isAlone: false,
    """
    UPDATE frequencies SET type = CASE type WHEN 'tower' THEN 'ground' ELSE 'tower' END
    WHERE type IN ('tower', 'ground')
    """),
  changed(
    "localizers that point the other way", caughtBy: "audit", isAlone: false,
    """
    INSERT INTO ils (airport, runwayEnd, identifier, type, frequency, course, magneticVariation, latitude, longitude)
    SELECT airport, runwayEnd, identifier, type, frequency, course - 180, magneticVariation, latitude, longitude
    FROM ils, (VALUES (1), (2), (3), (4))
    """),
  changed(
    "an airport at no latitude that there is", caughtBy: "database-ranges", isAlone: false,
    "UPDATE airports SET latitude = 1e999 WHERE icao = 'KPAO'"),
  changed(
    "an airport that the text index does not have", caughtBy: "database-fts", forgetsPaloAlto),
  changed(
    "an airport that is found by another word", caughtBy: "database-fts",
    forgetsPaloAlto + "; INSERT INTO airports_fts (rowid, icao, faaID, name, city) "
      + "SELECT id, icao, faaID, 'PALO VERDE', city FROM airports WHERE icao = 'KPAO'"),
  changed(
    "an airport that has no box", caughtBy: "database-rtree",
    "DELETE FROM airports_rtree WHERE id = (SELECT id FROM airports WHERE icao = 'KPAO')"),
  changed(
    "an airspace that has no box", caughtBy: "database-rtree", "DELETE FROM airspaces_rtree WHERE id = 9"),
  changed(
    "a navaid whose box is elsewhere", caughtBy: "database-rtree",
    "UPDATE navaids_rtree SET minLat = 30, maxLat = 30 WHERE id = 5"),
  changed(
    "a box of no row", caughtBy: "database-rtree", "INSERT INTO navaids_rtree VALUES (99999, 1, 1, 1, 1)"),
  changed(
    "a runway that was taken away, and its details with it", caughtBy: "database-runways",
    "DELETE FROM runwayDetails WHERE airport = 'KPAO'; DELETE FROM runwayEndDetails WHERE airport = 'KPAO'; "
      + "DELETE FROM runways WHERE airport = 'KPAO'"),
  changed(
    "a runway's length without its last digit", caughtBy: "database-runways", isAlone: false,
    "UPDATE runways SET length = 500 WHERE airport = 'KHAF'; "
      + "UPDATE airports SET longestRunway = 500 WHERE icao = 'KHAF'"),
  changed(
    "a runway whose ends are exchanged", caughtBy: "database-runways",
    """
    UPDATE runways SET baseEndLatitude = reciprocalEndLatitude, reciprocalEndLatitude = baseEndLatitude,
      baseEndLongitude = reciprocalEndLongitude, reciprocalEndLongitude = baseEndLongitude WHERE airport = 'KPAO'
    """),
  changed(
    "details of a runway that is not there", caughtBy: "database-links",
    "UPDATE runwayDetails SET runway = '18/36' WHERE airport = 'KPAO'"),
  changed(
    "an airspace whose floor is above its ceiling", caughtBy: "database-links",
    "UPDATE airspaces SET floor = 3000, floorFeet = 3000 WHERE id = 9"),
  changed(
    "an airspace whose ring does not close", caughtBy: "database-links",
    """
    UPDATE airspaces SET geometry =
      '{"type":"Polygon","coordinates":[[[-122,37],[-121,37],[-121,38],[-122,37.5]]]}' WHERE id = 9
    """),
  changed(
    "a remark to an airport that is not there", caughtBy: "database-integrity",
    "UPDATE remarks SET airport = 'KXXX' WHERE airport = 'KPAO' AND number = 1"),
  changed(
    "an airport on the southern half of the earth", caughtBy: "database-places", isAlone: false,
    """
    UPDATE airports SET latitude = -latitude WHERE icao = 'CA35';
    UPDATE airports_rtree SET minLat = -38.0169, maxLat = -38.0168
      WHERE id = (SELECT id FROM airports WHERE icao = 'CA35')
    """),
  changed(
    "a navaid on the eastern half of the earth", caughtBy: "database-places", isAlone: false,
    """
    UPDATE navaids SET longitude = -longitude WHERE identifier = 'PYE';
    UPDATE navaids_rtree SET minLon = 122.8678, maxLon = 122.8679
      WHERE id = (SELECT id FROM navaids WHERE identifier = 'PYE')
    """),
  changed(
    "a latitude and a longitude that are exchanged", caughtBy: "database-ranges", isAlone: false,
    "UPDATE airports SET latitude = longitude, longitude = latitude WHERE icao = 'KPAO'"),
  changed(
    "an airport in another state", caughtBy: "database-places",
    "UPDATE airports SET state = 'NV' WHERE icao = 'KPAO'"),
  changed(
    "an elevation without its point", caughtBy: "database-landmarks",
    "UPDATE airports SET elevation = 131 WHERE icao = 'KSFO'"),
  changed(
    "runways in metres", caughtBy: "database-landmarks", isAlone: false,
    """
    UPDATE runways SET length = CAST(length * 0.3048 AS INTEGER);
    UPDATE airports SET longestRunway = (SELECT max(length) FROM runways WHERE airport = icao)
    """),
  changed(
    "words among numbers", caughtBy: "database-ranges",
    "UPDATE navaids SET elevation = 'high' WHERE identifier = 'OAK'"),
  changed(
    "a word that no app knows", caughtBy: "database-words",
    "UPDATE airports SET status = 'shut' WHERE icao = 'KPAO'"),
  changed(
    "a stored query that takes the latitude for the longitude", caughtBy: "database-queries",
    "UPDATE queries SET sql = replace(replace(replace(sql, '?1', '?9'), '?2', '?1'), '?9', '?2') WHERE name = 'airportsNearest'"
  ),
  changed(
    "a stored search that finds everything", caughtBy: "database-queries",
    "UPDATE queries SET sql = 'SELECT * FROM airports WHERE ?1 IS NOT NULL LIMIT ?2' WHERE name = 'airportsSearch'"
  ),
  changed(
    "a stored query that is cut short", caughtBy: "database-queries",
    "UPDATE queries SET sql = substr(sql, 1, 400) WHERE name = 'navaidsNearest'"),
  changed(
    "all magnetic variations are inverted", caughtBy: "database-variation", isAlone: false,
    "UPDATE airports SET magneticVariation = -magneticVariation"),
  changed(
    "the towers are lost", caughtBy: "database-agreement", isAlone: false, "UPDATE airports SET isTowered = 0"
  ),
  changed(
    "all airports are private", caughtBy: "audit", isAlone: false, "UPDATE airports SET use = 'private'"),
  changed(
    "half of the elevations are lost", caughtBy: "audit", isAlone: false,
    "UPDATE airports SET elevation = NULL WHERE id % 2"),
  changed(
    "names in small letters", caughtBy: "audit", isAlone: false,
    """
    UPDATE airports SET name = lower(name); INSERT INTO airports_fts (airports_fts) VALUES ('rebuild')
    """),
  changed(
    "names that are shifted by a row", caughtBy: "audit",
    """
    CREATE TEMP TABLE old AS SELECT id, name FROM airports;
    UPDATE airports SET name = coalesce((SELECT name FROM old WHERE old.id = airports.id + 1), name);
    INSERT INTO airports_fts (airports_fts) VALUES ('rebuild')
    """),
  changed(
    "all frequencies are a tenth too high", caughtBy: "audit", isAlone: false,
    """
    UPDATE frequencies SET frequency = round(frequency + 0.1, 3);
    UPDATE airports SET ctafFrequency = round(ctafFrequency + 0.1, 3), unicomFrequency = round(unicomFrequency + 0.1, 3)
    """),
  changed(
    "surfaces in the FAA's codes", caughtBy: "audit", isAlone: false,
    "UPDATE runways SET surface = CASE surface WHEN 'asphalt' THEN 'ASPH' ELSE upper(surface) END"),
  changed(
    "class D is called class E", caughtBy: "audit", isAlone: false,
    "UPDATE airspaces SET class = 'echo' WHERE class = 'delta'"),
  changed(
    "all headings are 15 degrees off", caughtBy: "database-runways", isAlone: false,
    "UPDATE runways SET baseEndTrueHeading = (baseEndTrueHeading + 15) % 360"),
  changed(
    "fuels that are no JSON", caughtBy: "database-lists", isAlone: false,
    "UPDATE airports SET fuelTypes = '100LL,A' WHERE fuelTypes <> '[]'"),
  changed("an index is dropped", caughtBy: "database-schema", "DROP INDEX airports_faaID"),
  changed(
    "a trigger is added", caughtBy: "database-schema",
    "CREATE TRIGGER added AFTER INSERT ON airports BEGIN SELECT 1; END"),
  changed(
    "a view is added", caughtBy: "database-schema", "CREATE VIEW added AS SELECT icao FROM airports"),
  changed("a table is added", caughtBy: "database-schema", "CREATE TABLE added (a)"),
  changed(
    "a column is dropped", caughtBy: "database-schema",
    "ALTER TABLE airports DROP COLUMN patternAltitude"),
  changed(
    "the metadata is of another edition", caughtBy: "database-identity",
    "UPDATE metadata SET value = '2023-03-23' WHERE key = 'edition'"),
  changed("another version of the schema", caughtBy: "database-identity", "PRAGMA user_version = 7"),
  changed(
    "the application id of another kind of file", caughtBy: "database-identity", "PRAGMA application_id = 7"),
  Corruption("a wrong count", caughtBy: "database-identity") { build in
    try build.keepDatabaseAlone()
    try Forger(build, CleanBuild.database).alter(
      "UPDATE metadata SET value = '5' WHERE key = 'counts.navaids'", role: .database)
    try Forger(build, CleanBuild.database).signFiles()
  },
  Corruption("a damaged page", caughtBy: "database-integrity", isAlone: false) { build in
    try build.keepDatabaseAlone()
    let file = try build.file(CleanBuild.database, role: .database)
    let connection = try SQLiteConnection(file.path, mode: .readOnly)
    let page = try connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'fixes_identifier'")
      .map {
        $0.int(0)
      }
    try connection.close()
    let start = (try #require(page.first) - 1) * 4096
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(start..<(start + 64), with: Data(repeating: 0xA5, count: 64))
    try bytes.write(to: file)
    try Forger(build, CleanBuild.database).signFiles()
  },
]

/// Errors in exports; each file is correct by itself.
private let inExports: [Corruption] = [
  exported(
    "an airport that lies elsewhere in airports.db", "sample-nasr/airports",
    "UPDATE airports SET latitude_deg = latitude_deg + 0.01 WHERE icao_code = 'KPAO'"),
  exported(
    "a frequency that is off by a digit in airports.db", "sample-nasr/airports",
    "UPDATE aip_entries SET value = replace(value, '135.275', '135.375') WHERE airport_icao = 'KPAO'"),
  exported(
    "a runway that is longer in airports.db", "sample-nasr/airports",
    "UPDATE runways SET length_ft = 3443 WHERE airport_icao = 'KPAO'"),
  exported(
    "a runway's end that lies higher in airports.db", "sample-nasr/airports",
    "UPDATE runways SET le_elevation_ft = 40 WHERE airport_icao = 'KPAO'"),
  exported(
    "a runway's heading that is off in airports.db", "sample-nasr/airports",
    "UPDATE runways SET le_heading_degT = le_heading_degT + 8 WHERE airport_icao = 'KPAO'"),
  exported(
    "a runway that is turf in airports.db", "sample-nasr/airports",
    "UPDATE runways SET surface = 'turf' WHERE airport_icao = 'KPAO'"),
  exported(
    "a remark that is missing in airports.db", "sample-nasr/airports",
    "DELETE FROM aip_entries WHERE std_field_id = 208 AND airport_icao = 'KPAO'"),
  exported(
    "an airport that is missing in airports.db", "sample-nasr/airports",
    """
    DELETE FROM aip_entries WHERE airport_icao = 'CA35'; DELETE FROM runways WHERE airport_icao = 'CA35';
    DELETE FROM airports WHERE icao_code = 'CA35'
    """),
  exported(
    "a waypoint that lies elsewhere in airports.db", "sample-nasr/airports",
    "UPDATE waypoints SET longitude_deg = longitude_deg + 0.1 WHERE name = 'OAK'"),
  exported(
    "a place that lies elsewhere in the identifiers", "sample-nasr/identifiers",
    "UPDATE airports SET lat = lat + 0.1 WHERE ident = 'PAO'"),
  written(
    "a place that lies elsewhere in the identifiers' JSON", "identifiers.json",
    "sample-nasr/identifiers", "-122.11506", to: "-122.21506"),
  written(
    "a line of the identifiers' JSON that is none", caughtBy: "lines-parse", "identifiers.json",
    "sample-nasr/identifiers", "\"ident\":\"PAO\"", to: "\"ident\":PAO"),
  written(
    "a frequency that is off by a digit on the map", "airports.geojson", "sample-nasr/map",
    "\"ctafFrequency\":118.6", to: "\"ctafFrequency\":118.7"),
  written(
    "a tower that is missing on the map", "airports.geojson", "sample-nasr/map", "\"isTowered\":1",
    to: "\"isTowered\":0"),
  written(
    "an airspace on the map whose ring does not close", "airspaces.geojson", "sample-nasr/map",
    "[[[-121.72708,37.82324],", to: "[["),
  drawn(
    "a runway that is longer in the vector tiles",
    "UPDATE runways SET length = length + 100 WHERE airport = 'KPAO'"),
  drawn("an airport that is missing in the vector tiles", "DELETE FROM airports WHERE icao = 'KPAO'"),
  drawn(
    "a navaid that lies elsewhere in the vector tiles",
    "UPDATE navaids SET longitude = longitude + 0.001 WHERE identifier = 'OAK'"),
  drawn(
    "two airspaces whose names are exchanged in the vector tiles",
    "UPDATE airspaces SET name = 'OTHER' WHERE id = 1"),
  drawn(
    "a runway of another airport in the vector tiles", "UPDATE airports SET id = 9999 WHERE icao = 'KSQL'"),
]

/// Vector tiles of another database.
private func drawn(_ name: String, _ sql: String) -> Corruption {
  Corruption(name, caughtBy: "exports-agree") { build in
    try build.removeCharts()
    let other = build.folder.appending(path: "other.sqlite")
    try FileManager.default.copyItem(at: build.file(CleanBuild.database, role: .database), to: other)
    defer { try? FileManager.default.removeItem(at: other) }
    let connection = try SQLiteConnection(other.path, mode: .create)
    try connection.execute(sql)
    try connection.close()
    let id = "sample-nasr/vector"
    let tiles = try build.file(id, role: .pmtiles)
    try FileManager.default.removeItem(at: tiles)
    let request = ExportRequest(
      export: ExportDefinition(id: "vector", format: .vectortiles, title: "Test"),
      definitionSha256: try SHA256Hex(of: []), product: id, database: other,
      base: try build.product(CleanBuild.database), world: nil)
    _ = try ExportBuilder.build(request) { tiles.deletingLastPathComponent().appending(path: $0) }
    try Forger(build, id).signFiles()
  }
}

private func exported(
  _ name: String, caughtBy rule: String = "exports-agree", _ id: String, _ sql: String
) -> Corruption {
  Corruption(name, caughtBy: rule) { build in
    try build.removeCharts()
    try build.forge(sql, in: id)
  }
}

private func written(
  _ name: String, caughtBy rule: String = "exports-agree", _ file: String, _ id: String, _ old: String,
  to new: String
) -> Corruption {
  Corruption(name, caughtBy: rule) { build in
    try build.removeCharts()
    try build.edit(file, of: id, old, to: new)
  }
}

@Suite(.slow) struct DatabaseCorruptionTests {
  @Test(arguments: inDatabase + inExports + inOpenEFB)
  func `catches errors in a database`(corruption: Corruption) throws { try corruption.expectCaught() }
}
