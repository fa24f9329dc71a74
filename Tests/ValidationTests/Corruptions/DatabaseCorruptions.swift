import Core
import CryptoIO
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

private let forgetsPaloAlto = """
  INSERT INTO airports_fts (airports_fts, rowid, icao, faaID, name, city)
  SELECT 'delete', id, icao, faaID, name, city FROM airports WHERE icao = 'KPAO'
  """

/// Errors in `aviation.sqlite` with correct metadata.
private let inDatabase =
  changed(alone) + changed(among, isAlone: false) + [
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
      let page = try connection.numbers("SELECT rootpage FROM sqlite_schema WHERE name = 'fixes_identifier'")
      try connection.close()
      let start = (try #require(page.first) - 1) * 4096
      var bytes = try file.data
      bytes.replaceSubrange(start..<(start + 64), with: Data(repeating: 0xA5, count: 64))
      try bytes.write(to: file)
      try Forger(build, CleanBuild.database).signFiles()
    },
  ]

private func changed(_ changes: RuleChanges, isAlone: Bool = true) -> [Corruption] {
  Corruption.all(changes, isAlone: isAlone) { build, sql in
    try build.keepDatabaseAlone()
    try build.forge(sql)
  }
}

/// Errors that no other rule finds.
private let alone: RuleChanges = [
  "database-frequencies": [
    "a frequency out of every band":
      "UPDATE frequencies SET frequency = 95.1, vhf = 0 WHERE airport = 'KPAO' AND number = 7",
    "a frequency between two channels":
      "UPDATE frequencies SET frequency = 121.801 WHERE airport = 'KSFO' AND type = 'ground' AND number = 3",
    "a VOR on its neighbour's frequency": "UPDATE navaids SET frequency = 115.8 WHERE identifier = 'OAK'",
  ],
  "database-fts": [
    "an airport that the text index does not have": forgetsPaloAlto,
    "an airport that is found by another word":
      forgetsPaloAlto + "; INSERT INTO airports_fts (rowid, icao, faaID, name, city) "
      + "SELECT id, icao, faaID, 'PALO VERDE', city FROM airports WHERE icao = 'KPAO'",
  ],
  "database-rtree": [
    "an airport that has no box":
      "DELETE FROM airports_rtree WHERE id = (SELECT id FROM airports WHERE icao = 'KPAO')",
    "an airspace that has no box": "DELETE FROM airspaces_rtree WHERE id = 9",
    "a navaid whose box is elsewhere": "UPDATE navaids_rtree SET minLat = 30, maxLat = 30 WHERE id = 5",
    "a box of no row": "INSERT INTO navaids_rtree VALUES (99999, 1, 1, 1, 1)",
  ],
  "database-runways": [
    "a runway that was taken away, and its details with it":
      "DELETE FROM runwayDetails WHERE airport = 'KPAO'; DELETE FROM runwayEndDetails WHERE airport = 'KPAO'; "
      + "DELETE FROM runways WHERE airport = 'KPAO'",
    "a runway whose ends are exchanged": """
    UPDATE runways SET baseEndLatitude = reciprocalEndLatitude, reciprocalEndLatitude = baseEndLatitude,
      baseEndLongitude = reciprocalEndLongitude, reciprocalEndLongitude = baseEndLongitude WHERE airport = 'KPAO'
    """,
  ],
  "database-links": [
    "details of a runway that is not there":
      "UPDATE runwayDetails SET runway = '18/36' WHERE airport = 'KPAO'",
    "an airspace whose floor is above its ceiling":
      "UPDATE airspaces SET floor = 3000, floorFeet = 3000 WHERE id = 9",
    "an airspace whose ring does not close": """
    UPDATE airspaces SET geometry =
      '{"type":"Polygon","coordinates":[[[-122,37],[-121,37],[-121,38],[-122,37.5]]]}' WHERE id = 9
    """,
  ],
  "database-integrity": [
    "a remark to an airport that is not there":
      "UPDATE remarks SET airport = 'KXXX' WHERE airport = 'KPAO' AND number = 1"
  ],
  "database-places": ["an airport in another state": "UPDATE airports SET state = 'NV' WHERE icao = 'KPAO'"],
  "database-landmarks": [
    "an elevation without its point": "UPDATE airports SET elevation = 131 WHERE icao = 'KSFO'"
  ],
  "database-ranges": [
    "words among numbers": "UPDATE navaids SET elevation = 'high' WHERE identifier = 'OAK'"
  ],
  "database-words": ["a word that no app knows": "UPDATE airports SET status = 'shut' WHERE icao = 'KPAO'"],
  "database-queries": [
    "a stored query that takes the latitude for the longitude":
      "UPDATE queries SET sql = replace(replace(replace(sql, '?1', '?9'), '?2', '?1'), '?9', '?2') WHERE name = 'airportsNearest'",
    "a stored search that finds everything":
      "UPDATE queries SET sql = 'SELECT * FROM airports WHERE ?1 IS NOT NULL LIMIT ?2' WHERE name = 'airportsSearch'",
    "a stored query that is cut short":
      "UPDATE queries SET sql = substr(sql, 1, 400) WHERE name = 'navaidsNearest'",
  ],
  "audit": [
    "names that are shifted by a row": """
    CREATE TEMP TABLE old AS SELECT id, name FROM airports;
    UPDATE airports SET name = coalesce((SELECT name FROM old WHERE old.id = airports.id + 1), name);
    INSERT INTO airports_fts (airports_fts) VALUES ('rebuild')
    """
  ],
  "database-schema": [
    "an index is dropped": "DROP INDEX airports_faaID",
    "a trigger is added": "CREATE TRIGGER added AFTER INSERT ON airports BEGIN SELECT 1; END",
    "a view is added": "CREATE VIEW added AS SELECT icao FROM airports",
    "a table is added": "CREATE TABLE added (a)",
    "a column is dropped": "ALTER TABLE airports DROP COLUMN patternAltitude",
  ],
  "database-identity": [
    "the metadata is of another edition": "UPDATE metadata SET value = '2023-03-23' WHERE key = 'edition'",
    "another version of the schema": "PRAGMA user_version = 7",
    "the application id of another kind of file": "PRAGMA application_id = 7",
  ],
]

/// Errors that other rules find too.
private let among: RuleChanges = [
  "database-frequencies": [
    "a common frequency that is off by a digit":
      "UPDATE airports SET ctafFrequency = 118.7 WHERE icao = 'KPAO'",
    "a VOR on a frequency of the broadcasts": "UPDATE navaids SET frequency = 106.8 WHERE identifier = 'OAK'",
  ],
  "audit": [
    "towers on the frequencies of ground control": """
    UPDATE frequencies SET type = CASE type WHEN 'tower' THEN 'ground' ELSE 'tower' END
    WHERE type IN ('tower', 'ground')
    """,
    "localizers that point the other way": """
    INSERT INTO ils (airport, runwayEnd, identifier, type, frequency, course, magneticVariation, latitude, longitude)
    SELECT airport, runwayEnd, identifier, type, frequency, course - 180, magneticVariation, latitude, longitude
    FROM ils, (VALUES (1), (2), (3), (4))
    """,
    "all airports are private": "UPDATE airports SET use = 'private'",
    "half of the elevations are lost": "UPDATE airports SET elevation = NULL WHERE id % 2",
    "names in small letters": """
    UPDATE airports SET name = lower(name); INSERT INTO airports_fts (airports_fts) VALUES ('rebuild')
    """,
    "all frequencies are a tenth too high": """
    UPDATE frequencies SET frequency = round(frequency + 0.1, 3);
    UPDATE airports SET ctafFrequency = round(ctafFrequency + 0.1, 3), unicomFrequency = round(unicomFrequency + 0.1, 3)
    """,
    "surfaces in the FAA's codes":
      "UPDATE runways SET surface = CASE surface WHEN 'asphalt' THEN 'ASPH' ELSE upper(surface) END",
    "class D is called class E": "UPDATE airspaces SET class = 'echo' WHERE class = 'delta'",
  ],
  "database-ranges": [
    "an airport at no latitude that there is": "UPDATE airports SET latitude = 1e999 WHERE icao = 'KPAO'",
    "a latitude and a longitude that are exchanged":
      "UPDATE airports SET latitude = longitude, longitude = latitude WHERE icao = 'KPAO'",
  ],
  "database-runways": [
    "a runway's length without its last digit": "UPDATE runways SET length = 500 WHERE airport = 'KHAF'; "
      + "UPDATE airports SET longestRunway = 500 WHERE icao = 'KHAF'",
    "all headings are 15 degrees off":
      "UPDATE runways SET baseEndTrueHeading = (baseEndTrueHeading + 15) % 360",
  ],
  "database-places": [
    "an airport on the southern half of the earth": """
    UPDATE airports SET latitude = -latitude WHERE icao = 'CA35';
    UPDATE airports_rtree SET minLat = -38.0169, maxLat = -38.0168
      WHERE id = (SELECT id FROM airports WHERE icao = 'CA35')
    """,
    "a navaid on the eastern half of the earth": """
    UPDATE navaids SET longitude = -longitude WHERE identifier = 'PYE';
    UPDATE navaids_rtree SET minLon = 122.8678, maxLon = 122.8679
      WHERE id = (SELECT id FROM navaids WHERE identifier = 'PYE')
    """,
  ],
  "database-landmarks": [
    "runways in metres": """
    UPDATE runways SET length = CAST(length * 0.3048 AS INTEGER);
    UPDATE airports SET longestRunway =
      (SELECT coalesce(max(length) FILTER (WHERE surface IS NOT 'water'), max(length)) FROM runways WHERE airport = icao)
    """
  ],
  "database-variation": [
    "all magnetic variations are inverted": "UPDATE airports SET magneticVariation = -magneticVariation"
  ],
  "database-agreement": [
    "the towers are lost": "UPDATE airports SET isTowered = 0",
    "arrivals run backwards": "UPDATE arrivalPoints SET sequence = 1000 - sequence",
    "departures run backwards": "UPDATE departurePoints SET sequence = 1000 - sequence",
    "arrivals run backwards, as their rows say": """
    UPDATE arrivalPoints SET sequence = 1000 - sequence;
    UPDATE arrivalPoints SET previousPoint = (
      SELECT p.point FROM arrivalPoints p WHERE p.route = arrivalPoints.route AND p.sequence < arrivalPoints.sequence
      ORDER BY p.sequence DESC LIMIT 1)
    """,
  ],
  "database-lists": [
    "fuels that are no JSON": "UPDATE airports SET fuelTypes = '100LL,A' WHERE fuelTypes <> '[]'"
  ],
]

/// Errors in exports; each file is correct by itself.
private let inExports =
  exported.flatMap { id, changes in
    Corruption.all(["exports-agree": changes]) { build, sql in
      try build.forge(sql, in: id)
    }
  } + inDocuments

/// By export.
private let exported: RuleChanges = [
  "sample-nasr/airports": [
    "an airport that lies elsewhere in airports.db":
      "UPDATE airports SET latitude_deg = latitude_deg + 0.01 WHERE icao_code = 'KPAO'",
    "a frequency that is off by a digit in airports.db":
      "UPDATE aip_entries SET value = replace(value, '135.275', '135.375') WHERE airport_icao = 'KPAO'",
    "a runway that is longer in airports.db":
      "UPDATE runways SET length_ft = 3443 WHERE airport_icao = 'KPAO'",
    "a runway's end that lies higher in airports.db":
      "UPDATE runways SET le_elevation_ft = 40 WHERE airport_icao = 'KPAO'",
    "a runway's heading that is off in airports.db":
      "UPDATE runways SET le_heading_degT = le_heading_degT + 8 WHERE airport_icao = 'KPAO'",
    "a runway that is turf in airports.db": "UPDATE runways SET surface = 'turf' WHERE airport_icao = 'KPAO'",
    "a remark that is missing in airports.db":
      "DELETE FROM aip_entries WHERE std_field_id = 208 AND airport_icao = 'KPAO'",
    "an airport that is missing in airports.db": """
    DELETE FROM aip_entries WHERE airport_icao = 'CA35'; DELETE FROM runways WHERE airport_icao = 'CA35';
    DELETE FROM airports WHERE icao_code = 'CA35'
    """,
    "a waypoint that lies elsewhere in airports.db":
      "UPDATE waypoints SET longitude_deg = longitude_deg + 0.1 WHERE name = 'OAK'",
  ],
  "sample-nasr/identifiers": [
    "a place that lies elsewhere in the identifiers":
      "UPDATE airports SET lat = lat + 0.1 WHERE ident = 'PAO'",
    "a name in capitals in the identifiers": "UPDATE airports SET name = upper(name) WHERE ident = 'PAO'",
  ],
]

private let inDocuments = [
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
  written(
    "an airport that is elsewhere in the list beside the vector tiles", "vector-airports.json",
    "sample-nasr/vector",
    "\"KPAO\",\"PAO\"", to: "\"KSQL\",\"PAO\""),
  drawn("a remark that is missing in the vector tiles", "DELETE FROM remarks WHERE airport = 'KPAO'"),
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
    let other = build.folder.appending(path: "other.sqlite")
    try FileManager.default.copyItem(at: build.file(CleanBuild.database, role: .database), to: other)
    defer { try? other.remove() }
    try other.execute(sql)
    let id = "sample-nasr/vector"
    let tiles = try build.file(id, role: .pmtiles)
    try tiles.remove()
    let request = ExportRequest(
      export: ExportDefinition(id: "vector", format: .vectortiles, title: "Test"),
      definitionSha256: try SHA256Hex(of: []), product: id, database: other,
      base: try build.product(CleanBuild.database))
    _ = try ExportBuilder.build(request) { tiles.deletingLastPathComponent().appending(path: $0) }
    try Forger(build, id).signFiles()
  }
}

private func exported(_ id: String, _ changes: KeyValuePairs<String, String>) -> [Corruption] {
  changes.map { name, sql in
    Corruption(name, caughtBy: "exports-agree") { build in
      try build.forge(sql, in: id)
    }
  }
}

private func written(
  _ name: String, caughtBy rule: String = "exports-agree", _ file: String, _ id: String, _ old: String,
  to new: String
) -> Corruption {
  Corruption(name, caughtBy: rule) { build in
    try build.edit(file, of: id, old, to: new)
  }
}

@Suite(.slow) struct DatabaseCorruptionTests {
  @Test(arguments: inDatabase + inExports + inOpenEFB)
  func `catches errors in a database`(corruption: Corruption) throws {
    try corruption.expectCaught(in: "sample-nasr")
  }
}
