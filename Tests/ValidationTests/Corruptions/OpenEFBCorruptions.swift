/// Single errors in `openefb.sqlite`, by the rules that catch them.
let inOpenEFB = openEFB(alone) + openEFB(among, isAlone: false)

private func openEFB(_ changes: RuleChanges, isAlone: Bool = true) -> [Corruption] {
  Corruption.all(changes, isAlone: isAlone, suffix: " in openefb.sqlite") { build, sql in
    try build.removeCharts()
    try build.forge(sql, in: "sample-nasr/openefb")
  }
}

/// Errors that no other rule finds.
private let alone: RuleChanges = [
  "exports-agree": [
    "an elevation that differs from the database's":
      "UPDATE airports SET elevation = elevation + 100 WHERE icao = 'KPAO'",
    "a floor above ground that passes for one above the sea":
      "UPDATE airspaces SET floor = 700, floorAltitude = 700 WHERE name = 'Stockton Class E2'",
    "a ceiling that is off by a thousand feet":
      "UPDATE airspaces SET ceiling = 3000, ceilingAltitude = 3000 WHERE name = 'San Carlos Class D'",
    "a floor that does not follow the ground":
      "UPDATE airspaces SET floor = 1726, floorAltitude = 1726 WHERE name = 'Byron Class E5'",
    "an area above the sea that passes for one above ground":
      "UPDATE airspaces SET lowestGround = 0, highestGround = 10 WHERE name = 'Stockton Class E2'",
    "a frequency that is off by a digit": """
    UPDATE frequencies SET frequency = 118.7 WHERE airportICAO = 'KPAO' AND frequency = 118.6;
    UPDATE airports SET frequencies = replace(frequencies, '118.6', '118.7') WHERE icao = 'KPAO'
    """,
    "an airport without its runway": """
    DELETE FROM runways WHERE airportICAO = 'KPAO'; UPDATE airports SET runways = '[]' WHERE icao = 'KPAO'
    """,
    "a runway's end that lies elsewhere": """
    UPDATE runways SET baseEndLatitude = 37.56375061 WHERE airportICAO = 'KPAO';
    UPDATE airports SET runways = replace(runways, '37.46375061', '37.56375061') WHERE icao = 'KPAO'
    """,
    "a remark to another airport": "UPDATE remarks SET airportICAO = 'KSQL' WHERE airportICAO = 'KPAO'",
    "a fix that lies elsewhere": """
    UPDATE fixes SET latitude = latitude + 1 WHERE rowid = 1;
    UPDATE fixes_rtree SET minLat = minLat + 1, maxLat = maxLat + 1 WHERE id = 1
    """,
    "a navaid on another frequency": "UPDATE navaids SET frequency = 113.9 WHERE id = 'OAK'",
    "a fuel that the airport does not sell":
      "UPDATE airports SET fuelTypes = '[\"JetA\"]' WHERE icao = 'KPAO'",
    "an area of another name": "UPDATE airspaces SET name = 'Atlantis Class C' WHERE rowid = 1",
    "the center of another airport": "UPDATE airports SET artccID = 'ZLA' WHERE icao = 'KPAO'",
  ],
  "openefb-values": [
    "a migration that is not there": "DELETE FROM grdb_migrations WHERE identifier = 'v1'",
    "no migrations": "DELETE FROM grdb_migrations",
    "weather":
      "INSERT INTO weatherCache (id, stationID, flightCategory, fetchedAt) VALUES ('1', 'KPAO', 'vfr', '2023')",
    "ground of an unknown source": "UPDATE airspaces SET groundSource = 'map' WHERE groundSource = 'terrain'",
    "an airspace whose id is no UUID":
      "UPDATE airspaces SET id = 'X' || substr(id, 2) WHERE name = 'Stockton Class E2'",
    "a frequency whose id is no UUID":
      "UPDATE frequencies SET id = 'X' || substr(id, 2) WHERE airportICAO = 'KPAO'",
    "an airport whose row has another runway than the table": """
    UPDATE airports SET runways = replace(runways, '2443', '2543') WHERE icao = 'KPAO'
    """,
  ],
  "openefb-indexes": [
    "an airport that is not in the R-tree":
      "DELETE FROM airports_rtree WHERE id = (SELECT rowid FROM airports WHERE icao = 'KPAO')",
    "a navaid that the search misses": "DELETE FROM navaids_fts WHERE rowid = 1",
    "an airspace whose box lies elsewhere":
      "UPDATE airspaces_rtree SET minLat = 10, maxLat = 11 WHERE id = 1",
  ],
]

/// Errors that other rules find too.
private let among: RuleChanges = [
  "openefb-values": [
    "a type that the app has no case for": "UPDATE airports SET type = 'gliderport' WHERE icao = 'KPAO'",
    "a Boolean that is neither 0 nor 1": "UPDATE airports SET hasBeaconLight = 2 WHERE icao = 'KPAO'",
    "an airport without a name": "UPDATE airports SET name = '' WHERE icao = 'CA35'",
    "a kind of Jet A that the app does not find":
      "UPDATE airports SET fuelTypes = '[\"100LL\",\"JetA1+\"]' WHERE icao = 'KPAO'",
    "a surface that the app has no case for":
      "UPDATE runways SET surface = 'tarmac' WHERE airportICAO = 'KPAO'",
    "fuels that are no JSON": "UPDATE airports SET fuelTypes = '[100LL]' WHERE icao = 'KPAO'",
  ],
  "openefb-nested": [
    "a ring that is not that of the polygon": """
    UPDATE airspaces SET geometryJSON = replace(geometryJSON, '37.', '36.') WHERE name = 'San Carlos Class D'
    """,
    "a polygon that is no JSON": "UPDATE airspaces SET geometry = '{' WHERE name = 'San Carlos Class D'",
  ],
  "openefb-indexes": [
    "a city that the search misses": "UPDATE airports SET city = 'Atlantis' WHERE rowid = 1"
  ],
  "openefb-columns": ["a column that the app's type has": "ALTER TABLE airports DROP COLUMN fssID"],
]
