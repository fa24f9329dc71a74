import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import Aero

/// The apps' own queries.
struct QueryTests {
  let folder: TemporaryFolder
  let built: Built

  init() throws {
    folder = try TemporaryFolder()
    built = try Subscription("2304").build(in: folder)
  }

  static let nearest = """
    SELECT a.icao, a.* FROM airports a INNER JOIN airports_rtree r ON a.rowid = r.id WHERE r.minLat <= ? AND r.maxLat >= ?
    AND r.minLon <= ? AND r.maxLon >= ? ORDER BY ((a.latitude - ?) * (a.latitude - ?) + (a.longitude - ?) *
    (a.longitude - ?) * COS(a.latitude * 0.0174533) * COS(a.latitude * 0.0174533)) ASC LIMIT ?
    """

  @Test func `the airports around Palo Alto come nearest first`() throws {
    let (latitude, longitude) = (37.46, -122.11)
    let found = try built.column(
      QueryTests.nearest,
      [
        latitude + 0.5, latitude - 0.5, longitude + 0.5, longitude - 0.5, latitude, latitude, longitude,
        longitude,
      ]
      .map(SQLiteValue.real) + [.integer(5)])
    #expect(found == ["KPAO", "KNUQ", "KSQL", "KSJC", "KRHV"])
  }

  @Test func `a box never misses an airport on its edge`() throws {
    let missed = try built.column(
      """
      SELECT icao FROM airports a WHERE NOT EXISTS (SELECT 1 FROM airports_rtree r WHERE r.id = a.rowid
        AND r.minLat <= a.latitude AND r.maxLat >= a.latitude AND r.minLon <= a.longitude AND r.maxLon >= a.longitude)
      """)
    #expect(missed.isEmpty)
    #expect(
      try built.column("SELECT COUNT(*) FROM navaids_rtree") == built.column("SELECT COUNT(*) FROM navaids"))
  }

  static let search = """
    SELECT a.icao FROM
      (SELECT rowid AS id, rank FROM airports_fts WHERE airports_fts MATCH :match ORDER BY rank LIMIT 20) f
    INNER JOIN airports a ON a.id = f.id ORDER BY :typed IN (a.icao, a.faaID) DESC, f.rank, a.icao
    """
  static let searchInOneStep = """
    SELECT a.icao FROM airports_fts f INNER JOIN airports a ON a.id = f.rowid WHERE airports_fts MATCH :match
    ORDER BY :typed IN (a.icao, a.faaID) DESC, f.rank, a.icao LIMIT 20
    """

  @Test(arguments: [
    ("\"KPAO\"*", "KPAO"), ("\"PAO\"*", "PAO"), ("\"palo\" \"alto\"*", "PALO ALTO"),
    ("\"palo\" \"a\"*", "PALO A"),
    ("\"kp\"*", "KP"),
  ])
  func `what people type finds Palo Alto first`(match: String, typed: String) throws {
    let found = try built.column(QueryTests.search, [.text(match), .text(typed)])
    #expect(found.first == "KPAO")
    #expect(try built.column(QueryTests.searchInOneStep, [.text(match), .text(typed)]) == found)
  }

  @Test(arguments: ["KPAO", "PAO", "PAO*", "palo alto", "palo alto*"])
  func `the plain order of rank does too`(match: String) throws {
    let found = try built.column(
      "SELECT icao FROM airports_fts WHERE airports_fts MATCH ? ORDER BY rank", [.text(match)])
    #expect(found.first == "KPAO")
  }

  @Test func `the text index agrees with its table`() throws {
    let connection = try SQLiteConnection(built.file.path, mode: .create)
    for table in ["airports_fts", "navaids_fts"] {
      try connection.execute("INSERT INTO \(table)(\(table), rank) VALUES ('integrity-check', 1)")
    }
    for table in ["airports_rtree", "navaids_rtree"] {
      let verdict = try connection.prepare("SELECT rtreecheck('\(table)')").map { $0.text(0) }
      #expect(verdict == ["ok"])
    }
    #expect(
      try built.column(
        "SELECT name FROM navaids WHERE id IN (SELECT rowid FROM navaids_fts WHERE navaids_fts MATCH 'kenie')"
      )
        == ["KENIE"])
  }
}
