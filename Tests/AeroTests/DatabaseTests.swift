import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// What the rows of a real cycle become.
struct DatabaseTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2304", in: folder) }

  @Test func `reads the row of Palo Alto`() throws {
    try built.expect(
      """
      SELECT faaID, siteNumber, siteType, name, city, state, country, latitude, longitude, elevation, type, ownership,
        use, status, ctafFrequency, unicomFrequency, artccID, fssID, magneticVariation, patternAltitude, fuelTypes,
        hasBeaconLight, isTowered, longestRunway, chart, effectiveDate
      FROM airports WHERE icao = 'KPAO'
      """,
      gives: [
        [
          "PAO", "02022.", "A", "PALO ALTO", "PALO ALTO", "CA", "US", "37.46111111", "-122.11505555", "6.8",
          "airport", "public", "public", "operational", "118.6", "122.95", "ZOA", "OAK", "15.0", "NULL",
          "[\"100LL\",\"JetA\"]", "1", "1", "2443", "SAN FRANCISCO", "2023-04-20",
        ]
      ])
  }

  /// As LAND O ' LAKES of 53FA.
  @Test func `has no search word for an apostrophe alone, and the audit expects none`() throws {
    let subscription = try Subscription("2304")
    try subscription.replace("\"FLORENCE\"", with: "\"FLO ' RENCE\"", in: "APT_BASE")
    let source = try subscription.bare(in: folder, name: "apostrophe.zip")
    let built = try subscription.build(source, in: folder, name: "apostrophe.sqlite")
    try built.expect("SELECT searchWords FROM airports WHERE city = 'FLO '' RENCE'", gives: ["NULL"])
    let audit = try DatabaseAudit(
      database: built.file, cycle: "2304", tables: source, problems: built.outcome.problems, jobs: 1
    ).result()
    #expect(audit.differ == 0)
  }

  @Test func `joins its runway with both ends`() throws {
    try built.expect(
      """
      SELECT id, length, width, surface, condition, lighting, edgeLights, baseEndID, baseEndLatitude,
        baseEndLongitude, baseEndElevation, baseEndTouchdownElevation, baseEndTrueHeading, baseEndTraffic, baseEndVGSI,
        baseEndMarking, reciprocalEndID, reciprocalEndTrueHeading, reciprocalEndTraffic, reciprocalEndMarking
      FROM runways WHERE airport = 'KPAO'
      """,
      gives: [
        [
          "13/31", "2443", "70", "asphalt", "good", "partTime", "medium", "13", "37.46375061",
          "-122.11765513", "6.6", "6.7", "142.0", "left", "P2L", "basic", "31", "322.0", "right",
          "nonprecision",
        ]
      ])
  }

  @Test func `sorts its frequencies by importance`() throws {
    let rows = try built.rows(
      "SELECT number, type, frequency, name, vhf FROM frequencies WHERE airport = 'KPAO' ORDER BY number")
    #expect(
      rows.map { $0[1...2].joined(separator: " ") } == [
        "ctaf 118.6", "tower 118.6", "ground 125.0", "atis 135.275", "approach 121.3", "approach 133.95",
        "approach 134.5", "approach 270.35", "approach 290.25", "approach 338.2", "departure 121.3",
        "departure 270.35", "unicom 122.95",
      ])
    #expect(rows.map { $0[0] } == (1...13).map(String.init))
    #expect(rows.filter { $0[4] == "0" }.map { $0[2] } == ["270.35", "290.25", "338.2", "270.35"])
    #expect(rows[0][3] == "PALO ALTO")
    #expect(rows[4][3] == "NORCAL")
  }

  @Test func `does not give an airport the frequency of a navaid with its identifier`() throws {
    try built.expect("SELECT name FROM airports WHERE faaID = 'ALB'", gives: ["ALBANY INTL"])
    try built.expect(
      "SELECT name FROM navaids WHERE identifier = 'ALB' AND type = 'vortac'", gives: ["ALBANY"])
    let frequencies = try built.column("SELECT frequency FROM frequencies WHERE airport = 'KALB'")
    #expect(!frequencies.isEmpty)
    #expect(!frequencies.contains("115.3"))
  }

  @Test func `accepts an airport and a heliport with one site number`() throws {
    let rows = try built.rows("SELECT icao, type FROM airports WHERE siteNumber = '23747.31' ORDER BY icao")
    #expect(rows == [["16XA", "heliport"], ["9XS4", "airport"]])
    let runways = try built.rows(
      "SELECT airport, id FROM runways WHERE airport IN ('16XA', '9XS4') ORDER BY airport")
    #expect(runways.map { $0[0] } == ["16XA", "9XS4"])
    #expect(runways[0][1] == "H1")
  }

  @Test func `reads a helipad with one end and no reciprocal`() throws {
    let row = try built.rows(
      "SELECT baseEndID, reciprocalEndID, lighting FROM runways WHERE id = 'H1' LIMIT 1")
    #expect(row.map { Array($0.prefix(2)) } == [["H1", "NULL"]])
  }

  @Test func `keeps signs and codes beyond the contiguous states`() throws {
    try built.expect(
      """
      SELECT icao, faaID, state, country, latitude < 0, longitude > 0, elevation, magneticVariation FROM airports
      WHERE faaID IN ('FAQ', 'GUM', 'CYQB', 'L06', 'ALB') ORDER BY icao
      """,
      gives: [
        ["CYQB", "CYQB", "NULL", "CA", "0", "0", "244.0", "-17.0"],
        ["KALB", "ALB", "NY", "US", "0", "0", "284.8", "-13.0"],
        ["L06", "L06", "CA", "US", "0", "0", "-210.0", "14.0"],
        ["NSFQ", "FAQ", "AS", "US", "1", "0", "110.4", "12.0"],
        ["PGUM", "GUM", "GU", "US", "0", "1", "305.0", "2.0"],
      ])
  }

  @Test func `keeps all kinds of sites`() throws {
    try built.expect(
      "SELECT DISTINCT type FROM airports ORDER BY type",
      gives: ["airport", "balloonport", "gliderport", "heliport", "seaplane", "ultralight"])
    try built.expect(
      "SELECT DISTINCT status FROM airports ORDER BY status",
      gives: ["closedIndefinitely", "closedPermanently", "operational"])
  }

  @Test func `keeps navaids of one identifier and type apart`() throws {
    let rows = try built.rows(
      "SELECT name, type, frequency, magneticVariation FROM navaids WHERE identifier = 'AA' ORDER BY id")
    #expect(rows == [["KENIE", "ndb", "365.0", "4.0"], ["CEDAR", "ndb", "341.0", "-4.0"]])
    try built.expect(
      "SELECT type, frequency, channel FROM navaids WHERE identifier = 'OAK'",
      gives: [["vorDme", "116.8", "115X"]])
  }

  @Test func `loses and doubles no row`() throws {
    for (table, rows) in [("airports", 21), ("navaids", 9), ("fixes", 18), ("remarks", 1)] {
      #expect(try built.column("SELECT COUNT(*) FROM \(table)") == ["\(rows)"], "\(table)")
      #expect(built.outcome.product.build.counts[table] == rows, "\(table)")
    }
    #expect(built.outcome.problems.droppedRows == 0)
    #expect(try built.column("PRAGMA foreign_key_check").isEmpty)
    try built.expect("PRAGMA integrity_check", gives: ["ok"])
  }
}

struct ProductTests {
  @Test func `describes the file in the product and the metadata`() throws {
    let folder = TemporaryFolder()
    let built = try Subscription("2304").build(in: folder)
    let product = built.outcome.product
    #expect(product.id == "nasr/aviation")
    #expect(product.kind == .database)
    #expect(product.format == "sqlite")
    #expect(product.edition == "2023-04-20")
    #expect(product.effectiveDate == "2023-04-20T09:01:00Z")
    #expect(product.expirationDate == "2023-05-18T09:01:00Z")
    let file = try #require(product.files.first)
    #expect(file.path == "aviation.sqlite")
    #expect(file.mediaType == "application/vnd.sqlite3")
    #expect(file.bytes == (try built.file.data).count)
    #expect(product.sources.map(\.url) == ["tables.zip"])
    #expect(product.build.libraries.keys.sorted() == ["gdal", "geos", "libc", "libzip", "sqlite", "swift"])
    let metadata = Dictionary(
      uniqueKeysWithValues: try built.rows("SELECT * FROM metadata").map { ($0[0], $0[1]) })
    #expect(metadata["cycle"] == "2304")
    #expect(metadata["expires"] == "2023-05-18T09:01:00Z")
    #expect(
      metadata["edition_56_day"] == "2023-04-20" && metadata["expires_56_day"] == "2023-06-15T09:01:00Z")
    #expect(metadata["schema_version"] == "4")
    #expect(metadata["counts.airports"] == "21")
    #expect(metadata["source_sha256"] == product.sources.first?.sha256.text)
    #expect(metadata["disclaimer"]?.contains("Not for navigation") == true)
  }

  @Test func `marks the file, which opens read-only and leaves no other file`() throws {
    let folder = TemporaryFolder()
    let built = try Subscription("2304").build(in: folder)
    try built.expect("PRAGMA user_version", gives: ["4"])
    try built.expect("PRAGMA application_id", gives: [String(0x4156_4e31)])
    try built.expect("PRAGMA journal_mode", gives: ["delete"])
    try built.expect("PRAGMA freelist_count", gives: ["0"])
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(files == ["out.sqlite", "tables.zip"])
  }

  @Test func `gives the same bytes for the same input, and the same order of airports for any rows`() throws {
    let folder = TemporaryFolder()
    let subscription = try Subscription("2304")
    let first = try subscription.build(in: folder).file.data
    let source = try subscription.bare(in: folder)
    let second = try subscription.build(source, in: folder, name: "second.sqlite").file.data
    #expect(first == second)
    for table in ["APT_BASE", "APT_RWY", "APT_RWY_END", "FRQ"] {
      subscription.editLines(table) { [$0[0]] + $0.dropFirst().reversed() }
    }
    let third = try subscription.build(source, in: folder, name: "third.sqlite").file.data
    #expect(first == third)
    let turned = try subscription.bare(in: folder, name: "turned.zip")
    let other = try subscription.build(turned, in: folder, name: "fourth.sqlite")
    let tables = ["airports", "runways", "frequencies"]
    for table in tables {
      #expect(
        try other.rows("SELECT * FROM \(table)")
          == Built(outcome: other.outcome, file: folder.file("second.sqlite")).rows("SELECT * FROM \(table)"))
    }
  }

  @Test func `reports progress table by table`() throws {
    let folder = TemporaryFolder()
    let log = ProgressLog()
    let subscription = try Subscription("2304")
    _ = try DatabaseBuilder.build(
      subscription.request(subscription.bare(in: folder)), to: folder.file("a.sqlite"), progress: log,
      step: "nasr")
    let total = DatabaseSchema.sourceTables.count + 4
    #expect(log.events == (1...total).map { .advanced(step: "nasr", done: $0, total: total, unit: "tables") })
  }
}

/// Compares the database with the FAA's files by a program that shares no code with this one.
@Suite(.blocking, .slow) struct IndependentCheckTests {
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first(where: FileManager.default.isExecutableFile).map { URL(filePath: $0) }
  /// `2304:/somewhere/20_Apr_2023_CSV.zip`, to compare a whole cycle too.
  private static let wholeCycle = ProcessInfo.processInfo.environment["CHARTPIPE_NASR"]

  @Test(.enabled(if: python != nil), arguments: ["2304", "2602"])
  func `agrees with the fixtures in every field`(cycle: String) throws {
    let folder = TemporaryFolder()
    let subscription = try Subscription(cycle)
    let source = try subscription.whole(in: folder)
    let built = try subscription.build(source, in: folder)
    try compare(built.file, source.url)
  }

  @Test(.enabled(if: python != nil && wholeCycle != nil)) func `agrees with a whole cycle`() throws {
    let parts = try #require(IndependentCheckTests.wholeCycle).split(separator: ":", maxSplits: 1)
    let folder = TemporaryFolder()
    let source = try SourceFolder.file(URL(filePath: String(try #require(parts.last))))
    let built = try Subscription(String(parts[0])).build(source, in: folder)
    try compare(built.file, source.url)
  }

  @Test(.enabled(if: python != nil)) func `finds the same nearest airports as an exhaustive search`() throws {
    let folder = TemporaryFolder()
    try run("check_nearest.py", [try Subscription("2304").build(in: folder).file.path])
  }

  private func compare(_ database: URL, _ source: URL) throws {
    try run("compare_airports.py", [database.path, source.path])
  }

  private func run(_ script: String, _ arguments: [String]) throws {
    try runPython(IndependentCheckTests.python, "Independent/" + script, arguments)
  }
}
