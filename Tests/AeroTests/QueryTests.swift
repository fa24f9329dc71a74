import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The apps' own queries.
@Suite(.slow) struct QueryTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2304", in: folder) }

  static let nearest = """
    SELECT a.icao, a.* FROM airports a INNER JOIN airports_rtree r ON a.rowid = r.id WHERE r.minLat <= ? AND r.maxLat >= ?
    AND r.minLon <= ? AND r.maxLon >= ? ORDER BY ((a.latitude - ?) * (a.latitude - ?) + (a.longitude - ?) *
    (a.longitude - ?) * COS(a.latitude * 0.0174533) * COS(a.latitude * 0.0174533)) ASC LIMIT ?
    """

  @Test func `returns the airports around Palo Alto nearest first`() throws {
    let (latitude, longitude) = (37.46, -122.11)
    try built.expect(
      QueryTests.nearest,
      [
        latitude + 0.5, latitude - 0.5, longitude + 0.5, longitude - 0.5, latitude, latitude, longitude,
        longitude,
      ]
      .map(SQLiteValue.real) + [.integer(5)], gives: ["KPAO", "KNUQ", "KSQL", "KSJC", "KRHV"])
  }

  @Test func `never misses an airport on the edge of a box`() throws {
    let missed = try built.column(
      """
      SELECT icao FROM airports a WHERE NOT EXISTS (SELECT 1 FROM airports_rtree r WHERE r.id = a.rowid
        AND r.minLat <= a.latitude AND r.maxLat >= a.latitude AND r.minLon <= a.longitude AND r.maxLon >= a.longitude)
      """)
    #expect(missed.isEmpty)
    #expect(
      try built.column("SELECT COUNT(*) FROM navaids_rtree") == built.column("SELECT COUNT(*) FROM navaids"))
  }

  private func search(_ typed: SQLiteValue, rows: SQLiteValue = .integer(20)) throws -> [String] {
    let icao = try #require(SourceTable.airports.schema.columns.firstIndex { $0.name == "icao" })
    return try built.rows(StoredQuery.airportsSearch.sql, [typed, rows]).map { $0[icao] }
  }

  @Test(arguments: [
    ("KPAO", ["KPAO"]), ("pao", ["KPAO"]), ("  Pao ", ["KPAO"]), ("pao*", ["KPAO"]), ("\"pao\"", ["KPAO"]),
    ("palo alto", ["KPAO"]), ("PALO A", ["KPAO"]), ("kp", ["KPAO"]), ("alto palo", ["KPAO"]),
    // An identifier is found with the K that it does not have, and by its beginning.
    ("kl06", ["L06"]), ("W32", ["W32"]), ("kw32", ["W32"]), ("9x", ["9XS4"]),
    // With an apostrophe, a typographic one and none.
    ("murphy's", ["CT30"]), ("murphy’s l", ["CT30"]), ("MURPHYS", ["CT30"]), ("murphy s", ["CT30"]),
    ("reid-h", ["KRHV"]), ("quebec/jean", ["CYQB"]), ("mckeon", ["9XS4"]), ("mcke", ["9XS4"]),
    ("mc keon", ["9XS4"]),
    // By importance where the match is the same: a tower, then the longest runway.
    ("san", ["KSFO", "KSJC", "KRHV", "KSQL"]), ("san jose", ["KSJC", "KRHV"]),

    // Two identifiers that begin so, and none of the names.
    ("az", ["AZ00", "AZ86"]), ("denison", ["9XS4", "16XA"]),
    // A state at the end narrows; abbreviations have their words; words apart and together.
    ("Palo Alto, CA", ["KPAO"]), ("palo alto california", ["KPAO"]), ("palo alto tx", []),
    ("san francisco international", ["KSFO"]), ("san francisco intern", ["KSFO"]),
    ("palo alto airport", ["KPAO"]), ("palo alto airp", ["KPAO"]), ("palo alto field", ["KPAO"]),
    ("paloalto", ["KPAO"]), ("pal o alto", ["KPAO"]), ("paloalto ca", ["KPAO"]), ("KPAO.", ["KPAO"]),
  ])
  func `finds the best match of a typed text first`(typed: String, icao: [String]) throws {
    let found = try search(.text(typed))
    #expect(Set(found) == Set(icao))
    if typed != "az" && typed != "denison" { #expect(found == icao) }
  }

  @Test(arguments: [
    "", " ", ",", "*", "'", "-", "\"", "\"\"", "\" \"", "(", ")", "^", "+", ":", ".", "\\", "\t", "\n", "{",
    "’", "~", "*,'-\"",
    "NEAR(", "\u{0}", "'; DROP TABLE airports; --", "icao:kpao",
  ])
  func `finds nothing for punctuation, without an error`(typed: String) throws {
    #expect(try search(.text(typed)).isEmpty)
  }

  @Test(arguments: [
    ("ST PAUL/SOUTH", "FORT WORTH", "SAINT FT"), ("MT VIEW", "SAINTE STE ST", "MOUNT SAINTE SAINT"),
    ("MC DONALD'S", "MC", "MCDONALDS DONALDS"), ("O'HARE", "O'HARE", "OHARE"),
    ("MCCOY", "STATE COLLEGE", "NULL"), ("FORTUNA", "MOUNTAIN VIEW", "NULL"),
    ("REID-ST MT.", "", "SAINT MOUNT"),
  ])
  func `finds other spellings`(name: String, city: String, words: String) throws {
    let folder = TemporaryFolder()
    let subscription = try Subscription("2304")
    try subscription.replace("\"PALO ALTO\",\"US\"", with: "\"\(city)\",\"US\"", in: "APT_BASE")
    try subscription.replace("\"PALO ALTO\"", with: "\"\(name)\"", in: "APT_BASE")
    let built = try subscription.build(in: folder)
    try built.expect("SELECT searchWords FROM airports WHERE icao = 'KPAO'", gives: [words])
  }

  @Test func `searches names for one letter if few identifiers begin with it`() throws {
    #expect(try search(.text("s")).prefix(4) == ["KSFO", "KSJC", "KSQL", "KRHV"])
    #expect(try search(.text("s"), rows: .integer(3)) == ["KSFO", "KSJC", "KSQL"])
    #expect(try search(.text("q")) == ["CYQB"])
  }

  @Test func `accepts no text, numbers as text and a limit`() throws {
    #expect(try search(.null).isEmpty)
    #expect(try search(.integer(16)) == ["16XA"])
    #expect(try search(.text("san"), rows: .text("2")) == ["KSFO", "KSJC"])
    #expect(try search(.text("san"), rows: .integer(0)).isEmpty)
    #expect(try search(.text("san"), rows: .integer(-1)).isEmpty)
    #expect(try search(.text("san"), rows: .null).count == 4)
    #expect(try search(.text("san and")).isEmpty)
    #expect(try search(.text("pao\u{0}x")) == ["KPAO"])
  }

  @Test func `numbers airports in the order of their importance`() throws {
    let ranked = try built.column(
      """
      SELECT icao FROM airports ORDER BY coalesce(status, 'operational') <> 'operational', use IS NOT 'public', NOT isTowered,
        coalesce(longestRunway, 0) DESC, icao
      """)
    #expect(try built.column("SELECT icao FROM airports ORDER BY id") == ranked)
    #expect(ranked.first == "PGUM")
    let details = try built.column("SELECT airport FROM airportDetails ORDER BY airport")
    #expect(try built.column("SELECT icao FROM airports ORDER BY icao") == details)
  }

  @Test(
    arguments: [
      (.real(91), .real(0)), (.real(-90.5), .real(0)), (.null, .real(0)), (.real(40), .null),
      (.real(.infinity), .real(0)), (.real(40), .real(.infinity)),
    ] as [(SQLiteValue, SQLiteValue)])
  func `finds no nearest airport for an invalid place`(latitude: SQLiteValue, longitude: SQLiteValue) throws {
    let query = StoredQuery.nearest("airports").sql
    #expect(try built.rows(query, [latitude, longitude, .integer(5)]).isEmpty)
    #expect(try built.rows(query, [.text("37.4"), .text("238"), .integer(5)]).count == 5)
  }

  @Test func `ranks the airport of a city before a longer water lane`() throws {
    let subscription = try Subscription("2304")
    let old =
      "\"FLORENCE\",\"US\",\"ASO\",\"JAN\",\"ALABAMA\",\"LAUDERDALE\",\"AL\",\"SHOALS CREEK\",\"PR\",\"PR\""
    try subscription.replace(
      old,
      with: old.replacing("FLORENCE", with: "HALF MOON BAY").replacing(
        "\"PR\",\"PR\"", with: "\"PU\",\"PU\""), in: "APT_BASE")
    let folder = TemporaryFolder()
    let built = try subscription.build(in: folder)
    try built.expect("SELECT longestRunway FROM airports WHERE icao = 'AL46'", gives: ["11000"])
    for rows in 1...2 {
      let found = try built.rows(StoredQuery.airportsSearch.sql, [.text("half moon bay"), .integer(rows)])
      #expect(found.map { $0[1] } == Array(["KHAF", "AL46"].prefix(rows)))
    }
  }

  @Test func `stores the queries in the file, and each runs`() throws {
    let stored = try built.rows("SELECT name, sql FROM queries ORDER BY name")
    #expect(stored == StoredQuery.all.map { [$0.name, $0.sql] })
    for query in StoredQuery.all {
      let count = query.parameters.split(separator: ", ").count
      let values: [SQLiteValue] =
        count == 2 ? [.text("pao"), .integer(3)] : [.real(37.4), .real(-122), .integer(3)]
      _ = try built.rows(query.sql, values)
    }
  }

  @Test func `finds the nearest airports across 180 degrees and far away`() throws {
    func nearest(_ latitude: Double, _ longitude: Double, _ rows: Int) throws -> [String] {
      try built.rows(
        StoredQuery.nearest("airports").sql, [.real(latitude), .real(longitude), .integer(rows)]
      ).map { $0[1] }
    }
    #expect(try nearest(37.46, -122.11, 5) == ["KPAO", "KNUQ", "KSQL", "KSJC", "KRHV"])
    #expect(try nearest(0, 179, 2) == ["NSFQ", "PGUM"])
    #expect(try nearest(52, -179.9, 1) == nearest(52, 180.1, 1))
    #expect(try nearest(90, 0, 30).first == "CYQB")
    #expect(try nearest(90, 0, 30).count == 21)
  }

  @Test(arguments: ["KPAO", "PAO", "PAO*", "palo alto", "palo alto*"])
  func `gives the same result for the plain order of rank`(match: String) throws {
    let found = try built.column(
      "SELECT icao FROM airports_fts WHERE airports_fts MATCH ? ORDER BY rank", [.text(match)])
    #expect(found.first == "KPAO")
  }

  @Test func `keeps the text index equal to its table`() throws {
    let connection = try SQLiteConnection(built.file.path, mode: .create)
    for table in ["airports_fts", "navaids_fts"] {
      try connection.execute("INSERT INTO \(table)(\(table), rank) VALUES ('integrity-check', 1)")
    }
    for table in ["airports_rtree", "navaids_rtree"] {
      let verdict = try connection.prepare("SELECT rtreecheck('\(table)')").map { $0.text(0) }
      #expect(verdict == ["ok"])
    }
    try built.expect(
      "SELECT name FROM navaids WHERE id IN (SELECT rowid FROM navaids_fts WHERE navaids_fts MATCH 'kenie')",
      gives: ["KENIE"])
  }
}
