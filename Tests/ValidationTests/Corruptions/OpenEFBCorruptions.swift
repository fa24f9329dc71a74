/// Single errors in `openefb.sqlite`.
let inOpenEFB: [Corruption] = [
  openEFB(
    "an elevation that differs from the database's", caughtBy: "exports-agree",
    "UPDATE airports SET elevation = elevation + 100 WHERE icao = 'KPAO'"),
  openEFB(
    "a floor above ground that passes for one above the sea", caughtBy: "exports-agree",
    "UPDATE airspaces SET floor = 700 WHERE name = 'Stockton Class E2'"),
  openEFB(
    "a ceiling that is off by a thousand feet", caughtBy: "exports-agree",
    "UPDATE airspaces SET ceiling = ceiling + 1000 WHERE name = 'San Carlos Class D'"),
  openEFB(
    "a frequency that is off by a digit", caughtBy: "exports-agree",
    "UPDATE airports SET frequencies = replace(frequencies, '118.6', '118.7') WHERE icao = 'KPAO'"),
  openEFB(
    "an airport without its runway", caughtBy: "exports-agree",
    "UPDATE airports SET runways = '[]' WHERE icao = 'KPAO'"),
  openEFB(
    "a runway's end that lies elsewhere", caughtBy: "exports-agree",
    "UPDATE airports SET runways = replace(runways, '37.46375061', '37.56375061') WHERE icao = 'KPAO'"),
  openEFB(
    "a navaid on another frequency", caughtBy: "exports-agree",
    "UPDATE navaids SET frequency = 113.9 WHERE id = 'OAK'"),
  openEFB(
    "a fuel that the airport does not sell", caughtBy: "exports-agree",
    "UPDATE airports SET fuelTypes = '[\"JetA\"]' WHERE icao = 'KPAO'"),
  openEFB(
    "an area of another name", caughtBy: "exports-agree",
    "UPDATE airspaces SET name = 'Atlantis Class C' WHERE rowid = 1"),
  openEFB(
    "a type that the app has no case for", caughtBy: "openefb-values", isAlone: false,
    "UPDATE airports SET type = 'gliderport' WHERE icao = 'KPAO'"),
  openEFB(
    "a Boolean that is neither 0 nor 1", caughtBy: "openefb-values", isAlone: false,
    "UPDATE airports SET hasBeaconLight = 2 WHERE icao = 'KPAO'"),
  openEFB(
    "an airport without a name", caughtBy: "openefb-values", isAlone: false,
    "UPDATE airports SET name = '' WHERE icao = 'CA35'"),
  openEFB(
    "an airspace whose id is no UUID", caughtBy: "openefb-values",
    "UPDATE airspaces SET id = 'X' || substr(id, 2) WHERE rowid = 1"),
  openEFB(
    "a surface that the app has no case for", caughtBy: "openefb-nested", isAlone: false,
    "UPDATE airports SET runways = replace(runways, '\"asphalt\"', '\"tarmac\"') WHERE icao = 'KPAO'"),
  openEFB(
    "a frequency whose id is no UUID", caughtBy: "openefb-nested",
    "UPDATE airports SET frequencies = replace(frequencies, '\"id\":\"', '\"id\":\"x') WHERE icao = 'KPAO'"),
  openEFB(
    "fuels that are no JSON", caughtBy: "openefb-nested", isAlone: false,
    "UPDATE airports SET fuelTypes = '[100LL]' WHERE icao = 'KPAO'"),
  openEFB(
    "a kind of Jet A that the app does not find", caughtBy: "openefb-values", isAlone: false,
    "UPDATE airports SET fuelTypes = '[\"100LL\",\"JetA1+\"]' WHERE icao = 'KPAO'"),
  openEFB(
    "an airport that is not in the R-tree", caughtBy: "openefb-indexes",
    "DELETE FROM airports_rtree WHERE id = (SELECT rowid FROM airports WHERE icao = 'KPAO')"),
  openEFB(
    "an airspace whose box lies elsewhere", caughtBy: "openefb-indexes",
    "UPDATE airspaces_rtree SET minLat = 10, maxLat = 11 WHERE id = 1"),
  openEFB(
    "a city that the search misses", caughtBy: "openefb-indexes", isAlone: false,
    "UPDATE airportWords SET city = 'Atlantis' WHERE rowid = 1"),
  openEFB(
    "a column that the app's type has", caughtBy: "openefb-columns", isAlone: false,
    "ALTER TABLE airports DROP COLUMN fssID"),
  openEFB(
    "the center of another airport", caughtBy: "exports-agree",
    "UPDATE airports SET artccID = 'ZLA' WHERE icao = 'KPAO'"),
]

private func openEFB(
  _ name: String, caughtBy rule: String, isAlone: Bool = true, _ sql: String
) -> Corruption {
  Corruption(name + " in openefb.sqlite", caughtBy: rule, isAlone: isAlone) { build in
    try build.removeCharts()
    try build.forge(sql, in: "sample-nasr/openefb")
  }
}
