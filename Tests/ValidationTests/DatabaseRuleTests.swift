import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Each fixture has one error, and only the rule for it reports it.
@Suite(.slow) struct DatabaseRuleTests {
  let fixture: DatabaseFixture
  init() throws { fixture = try DatabaseFixture() }

  @Test func `has no findings in a good database`() throws { #expect(try fixture.findings() == []) }

  @Test func `finds a runway without an airport`() throws {
    try fixture.alter(
      """
      UPDATE runways SET airport = 'KXXX' WHERE airport = 'KSQL';
      UPDATE airports SET longestRunway = NULL WHERE icao = 'KSQL'
      """)
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-integrity"])
    #expect(findings.first?.where == "\(fixture.file.path) table runways")
    #expect(findings.first?.message == "1 row belongs to no row of airports")
  }

  /// A change, the rule and the row that must be reported, and the message.
  struct Wrong: Sendable {
    let rule: String
    let place: String
    let message: String
    let change: String

    init(_ rule: String, _ place: String, _ message: String, _ change: String) {
      (self.rule, self.place, self.message, self.change) = (rule, place, message, change)
    }
  }

  @Test(arguments: [
    Wrong(
      "database-rtree", "airports CA35", "it is not in airports_rtree",
      "DELETE FROM airports_rtree WHERE id = 4"),
    Wrong(
      "database-rtree", "airports CA35", "its box in airports_rtree is wrong",
      "UPDATE airports_rtree SET minLat = 30, maxLat = 30 WHERE id = 4"),
    Wrong(
      "database-rtree", "navaids OAK", "its box in navaids_rtree is wrong",
      "UPDATE navaids_rtree SET minLat = 30, maxLat = 50 WHERE id = 1"),
    Wrong(
      "database-rtree", "airports_rtree row 9", "there is no such row in airports",
      "INSERT INTO airports_rtree VALUES (9, 1, 1, 1, 1)"),
    Wrong(
      "database-ranges", "airports CA35", "elevation is 66300.0, not -1500 to 30000 feet",
      "UPDATE airports SET elevation = 66300 WHERE icao = 'CA35'"),
    Wrong(
      "database-ranges", "airports CA35", "longestRunway is 162000, not 1 to 99999 feet",
      "UPDATE runways SET length = 162000 WHERE airport = 'CA35'; UPDATE airports SET longestRunway = 162000 WHERE icao = 'CA35'"
    ),
    Wrong(
      "database-ranges", "runways KPAO 13/31", "baseEndTrueHeading is 361.0, not 0 to 360 degrees",
      "UPDATE runways SET baseEndTrueHeading = 361 WHERE airport = 'KPAO'"),
    Wrong(
      "database-ranges", "frequencies KPAO 2", "receiveOnly is 2, not 0 to 1",
      "UPDATE frequencies SET receiveOnly = 2 WHERE number = 2"),
    Wrong(
      "database-ranges", "navaids OAK", "magneticVariation is east, not -180 to 180 degrees",
      "UPDATE navaids SET magneticVariation = 'east' WHERE identifier = 'OAK'"),
    Wrong(
      "database-frequencies", "frequencies KPAO 2",
      "frequency is 288.3, but vhf says otherwise: it is 1 within 118 to 137 MHz",
      "UPDATE frequencies SET vhf = 1 WHERE frequency = 288.3"),
    Wrong(
      "database-frequencies", "navaids OAK", "frequency is 353.0, which is not in the band of its type",
      "UPDATE navaids SET frequency = 353 WHERE identifier = 'OAK'"),
    Wrong(
      "database-frequencies", "navaids PIO", "frequency is 116.8, which is not in the band of its type",
      "UPDATE navaids SET frequency = 116.8 WHERE identifier = 'PIO'"),
    Wrong(
      "database-frequencies", "airports KHAF",
      "unicomFrequency is missing, but its first row in frequencies has another",
      "UPDATE airports SET unicomFrequency = NULL WHERE icao = 'KHAF'"),
  ])
  func `finds a wrong value of a row`(wrong: Wrong) throws {
    try fixture.alter(wrong.change)
    let findings = try fixture.findings()
    #expect(Set(findings.map(\.rule)) == [wrong.rule])
    // A length of a runway is also that of the longest one of its airport.
    #expect(findings.count == 1 || wrong.rule == "database-ranges")
    #expect(findings.first?.where == "\(fixture.file.path) \(wrong.place)")
    #expect(findings.first?.message == wrong.message)
    #expect(findings.first?.severity == .error)
  }

  @Test func `finds an airport that the text index misses`() throws {
    try fixture.alter(
      """
      INSERT INTO airports_fts (airports_fts, rowid, icao, faaID, name, city)
      VALUES ('delete', 4, 'CA35', 'CA35', 'SAN RAFAEL', 'SAN RAFAEL')
      """)
    let findings = try fixture.findings()
    #expect(Set(findings.map(\.rule)) == ["database-fts"])
    #expect(findings.last?.where == "\(fixture.file.path) airports CA35")
  }

  @Test func `finds a name that was changed without the index`() throws {
    try fixture.alter("UPDATE navaids SET name = 'OAKVILLE' WHERE identifier = 'OAK'")
    let findings = try fixture.findings()
    #expect(Set(findings.map(\.rule)) == ["database-fts"])
    #expect(findings.map(\.where) == Array(repeating: "\(fixture.file.path) navaids OAK", count: 2))
    #expect(findings.last?.message == "a search for its word \"oakville\" does not find it")
  }

  @Test(arguments: [
    ("airports SET patternAltitude = 8000 WHERE icao = 'KPAO'", "database-ranges"),
    ("airports SET isTowered = 1 WHERE icao = 'CA35'", "database-frequencies"),
    ("frequencies SET frequency = 288.31 WHERE number = 2", "database-frequencies"),
    ("navaids SET channel = '56X' WHERE identifier = 'OAK'", "database-frequencies"),
    ("runways SET id = '13/32', reciprocalEndID = '32' WHERE airport = 'KPAO'", "database-runways"),
    ("runways SET baseEndLatitude = 38 WHERE airport = 'KPAO'", "database-runways"),
    ("runways SET baseEndDisplacedThreshold = 2500 WHERE airport = 'KPAO'", "database-runways"),
    ("airports SET use = 'secret' WHERE icao = 'KPAO'", "database-words"),
  ])
  func `warns of unusual values`(change: String, rule: String) throws {
    try fixture.alter("UPDATE \(change)")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == [rule])
    #expect(findings.map(\.severity) == [.warning])
  }

  @Test func `repeats the build's warnings of unknown codes`() throws {
    try fixture.alter(
      "INSERT INTO metadata VALUES ('warnings.1', 'APT_BASE.csv: column BCN_LENS_COLOR: none of the 81 values is known')"
    )
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-words"] && findings.map(\.severity) == [.warning])
    #expect(findings.first?.message.contains("BCN_LENS_COLOR") == true)
  }

  @Test(arguments: [
    // The channel of an NDB's DME is paired with another frequency than the NDB's.
    "navaids SET type = 'ndbDme', channel = '104X' WHERE identifier = 'PIO'",
    // A channel of 12.5 kHz, whole and without its last digit.
    "frequencies SET frequency = 138.4375 WHERE number = 2",
    "frequencies SET frequency = 138.437 WHERE number = 2",
    // The FAA publishes no tower frequencies of the military.
    "airports SET isTowered = 1, use = 'private' WHERE icao = 'CA35'",
    // Dulles.
    "airports SET state = 'DC', latitude = 38.94745638, longitude = -77.45992861, magneticVariation = -10 WHERE icao = 'CA35'",
  ])
  func `accepts unusual but correct values`(change: String) throws {
    try fixture.alter(
      """
      UPDATE \(change);
      DELETE FROM airports_rtree; INSERT INTO airports_rtree SELECT id, latitude, latitude, longitude, longitude FROM airports
      """)
    #expect(try fixture.findings().isEmpty)
  }

  @Test(arguments: ["138.43", "138.436", "138.4385", "121.437"])
  func `reports a frequency next to a narrow channel`(frequency: String) throws {
    try fixture.alter(
      "UPDATE frequencies SET frequency = \(frequency), vhf = \(frequency) < 137 WHERE number = 2")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-frequencies"])
  }

  @Test func `finds an app query that does not run`() throws {
    try fixture.alter("INSERT INTO airports_fts (airports_fts, rank) VALUES ('rank', 'nonsense(1)')")
    let findings = try fixture.findings()
    #expect(findings.map(\.rule) == ["database-queries"])
    #expect(findings.first?.message.hasPrefix("it cannot be checked: ") == true)
  }

  @Test func `reports a database without airports`() throws {
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
