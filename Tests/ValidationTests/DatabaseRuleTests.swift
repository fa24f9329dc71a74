import Foundation
import Testing
import Validation

/// Each fixture is wrong in one way, and only the rule that is there for it says so.
@Suite struct DatabaseRuleTests {
  let fixture: DatabaseFixture
  init() throws { fixture = try DatabaseFixture() }

  @Test func aGoodDatabaseHasNoFinding() throws {
    #expect(try fixture.findings() == [])
  }

  @Test func aRunwayOfNoAirportIsFoundByIntegrity() throws {
    try fixture.alter("UPDATE runways SET airport = 'KXXX' WHERE airport = 'KSQL'")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-integrity"])
    #expect(findings.first?.where == "\(fixture.file.path) table runways")
    #expect(findings.first?.message == "1 row belongs to no row of airports")
  }

  @Test func aRTreeThatIsDamagedWithinIsFoundByIntegrity() throws {
    try fixture.alter("INSERT INTO navaids_rtree_rowid VALUES (77, 1)")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-integrity"])
  }

  @Test(arguments: [
    "PRAGMA application_id = 1", "PRAGMA user_version = 0", "PRAGMA user_version = 7",
    "DELETE FROM metadata WHERE key = 'cycle'", "UPDATE metadata SET value = '2614' WHERE key = 'cycle'",
    "UPDATE metadata SET value = '2026-12-25T09:01:00Z' WHERE key = 'expires'",
    "UPDATE metadata SET value = '2026-10-29T09:01:00Z' WHERE key = 'effective'",
    "DELETE FROM metadata WHERE key = 'counts.airports'",
    "INSERT INTO metadata VALUES ('counts.fixes', '12')",
    "DELETE FROM frequencies WHERE number = 2", "DROP TABLE navaids_fts",
  ])
  func whatTheDatabaseSaysWronglyOfItselfIsFoundByIdentity(sql: String) throws {
    try fixture.alter(sql)
    #expect(Set(try fixture.findings().map(\.rule)) == ["database-identity"])
  }

  @Test(arguments: [
    ("DELETE FROM airports_rtree WHERE id = 4", "airports CA35", "it is not in airports_rtree"),
    (
      "UPDATE airports_rtree SET minLat = 30, maxLat = 30 WHERE id = 4", "airports CA35",
      "its box in airports_rtree is not where it lies"
    ),
    (
      "UPDATE navaids_rtree SET minLat = 30, maxLat = 50 WHERE id = 1", "navaids OAK",
      "its box in navaids_rtree is not where it lies"
    ),
    (
      "INSERT INTO airports_rtree VALUES (9, 1, 1, 1, 1)", "airports_rtree row 9",
      "there is no such row in airports"
    ),
  ])
  func aPlaceThatTheRTreeHasWrongIsFound(sql: String, place: String, message: String) throws {
    try fixture.alter(sql)
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-rtree"])
    #expect(findings.first?.where == "\(fixture.file.path) \(place)")
    #expect(findings.first?.message == message)
  }

  @Test func anAirportThatASearchMissesIsFound() throws {
    try fixture.alter(
      """
      INSERT INTO airports_fts (airports_fts, rowid, icao, faaID, name, city)
      VALUES ('delete', 4, 'CA35', 'CA35', 'SAN RAFAEL', 'SAN RAFAEL')
      """)
    let findings = try fixture.findings()
    #expect(Set(findings.map(\.rule)) == ["database-fts"])
    #expect(findings.last?.where == "\(fixture.file.path) airports CA35")
  }

  @Test func aNameThatWasChangedBehindTheIndexIsFound() throws {
    try fixture.alter("UPDATE navaids SET name = 'OAKVILLE' WHERE identifier = 'OAK'")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-fts"])
    #expect(findings.first?.where == "\(fixture.file.path) navaids OAK")
  }

  @Test(arguments: [
    (
      "airports SET elevation = 66300 WHERE icao = 'KHAF'", "airports KHAF",
      "elevation is 66300.0, not -1500 to 20000 feet"
    ),
    (
      "airports SET ctafFrequency = 108.6 WHERE icao = 'KPAO'", "airports KPAO",
      "ctafFrequency is 108.6, not 118 to 137 MHz"
    ),
    (
      "airports SET longestRunway = 0 WHERE icao = 'KPAO'", "airports KPAO",
      "longestRunway is 0, not 1 to 50000 feet"
    ),
    (
      "runways SET length = 244300 WHERE airport = 'KPAO'", "runways KPAO 13/31",
      "length is 244300, not 1 to 50000 feet"
    ),
    (
      "runways SET baseEndTrueHeading = 361 WHERE airport = 'KPAO'", "runways KPAO 13/31",
      "baseEndTrueHeading is 361.0, not 0 to 360 degrees"
    ),
    (
      "frequencies SET vhf = 1 WHERE frequency = 288.3", "frequencies KPAO approach",
      "vhf is 1, not 1 within 118 to 137 MHz and 0 elsewhere"
    ),
    (
      "navaids SET frequency = 353 WHERE identifier = 'OAK'", "navaids OAK",
      "frequency is 353.0, not in the band of its type"
    ),
    (
      "navaids SET frequency = 116.8 WHERE identifier = 'PIO'", "navaids PIO",
      "frequency is 116.8, not in the band of its type"
    ),
    (
      "navaids SET magneticVariation = 'east' WHERE identifier = 'OAK'", "navaids OAK",
      "magneticVariation is east, not -180 to 180 degrees"
    ),
  ])
  func aNumberThatCannotBeIsFoundByRanges(change: String, place: String, message: String) throws {
    try fixture.alter("UPDATE \(change)")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-ranges"])
    #expect(findings.first?.where == "\(fixture.file.path) \(place)")
    #expect(findings.first?.message == message)
    #expect(findings.first?.severity == .error)
  }

  @Test func aNumberThatIsOnlyOddIsAWarning() throws {
    try fixture.alter("UPDATE airports SET patternAltitude = 8000 WHERE icao = 'KPAO'")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-ranges"])
    #expect(findings.map(\.severity) == [.warning])
  }

  @Test func aQueryOfTheAppThatDoesNotRunIsFound() throws {
    try fixture.alter("INSERT INTO airports_fts (airports_fts, rank) VALUES ('rank', 'nonsense(1)')")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-queries"])
    #expect(findings.first?.message.hasPrefix("it cannot be checked: ") == true)
  }

  @Test func aDatabaseWithoutAirportsIsFound() throws {
    try fixture.alter(
      """
      DELETE FROM frequencies; DELETE FROM runways; DELETE FROM airports; DELETE FROM airports_rtree;
      INSERT INTO airports_fts (airports_fts) VALUES ('rebuild');
      UPDATE metadata SET value = '0' WHERE key IN ('counts.airports', 'counts.runways', 'counts.frequencies')
      """)
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-queries"])
    #expect(findings.first?.message == "there is no airport in it")
  }
}
