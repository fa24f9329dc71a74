import Core
import TestSupport
import Testing

@testable import ChartpipeKit

/// Rows and fields that cannot be used, and the reports about them.
struct BadRowTests {
  let folder = TemporaryFolder()
  let subscription: Subscription

  init() throws { subscription = try Subscription("2304") }

  @Test func `drops a malformed row and nothing else`() throws {
    try subscription.replace("\"2023/04/20\",\"01971.\"", with: "\"2023/04/20\",\"01971.", in: "APT_BASE")
    try subscription.replace(
      "\"2023/04/20\",\"02204.\",\"A\"", with: "\"2023/04/20\",\"02204.\",\"A\",\"\"", in: "APT_BASE")
    let built = try subscription.build(in: folder)
    try built.expect(
      "SELECT icao FROM airports WHERE icao IN ('KOAK', 'KSJC', 'KPAO', 'KSFO') ORDER BY 1",
      gives: ["KPAO", "KSFO"])
    let dropped = built.problems(.rowDropped, of: "APT_BASE.csv")
    #expect(dropped.map(\.line) == [9, 14])
    #expect(dropped.map(\.reason).contains("the number of fields is not the header's, 104"))
    // Their runways and frequencies have no airport, and are reported too.
    #expect(!built.problems(.rowDropped, of: "APT_RWY.csv").isEmpty)
    #expect(!built.problems(.rowDropped, of: "FRQ.csv").isEmpty)
    #expect(try built.column("PRAGMA foreign_key_check").isEmpty)
  }

  @Test func `sets an unreadable field to null and reports its place`() throws {
    try subscription.replace("-122.11505555,\"E\",6.8,", with: "-122.11505555,\"E\",six,", in: "APT_BASE")
    let built = try subscription.build(in: folder)
    try built.expect("SELECT elevation FROM airports WHERE icao = 'KPAO'", gives: ["NULL"])
    #expect(
      built.problems(.fieldDropped, of: "APT_BASE.csv") == [
        RecordProblem(
          kind: .fieldDropped, file: "APT_BASE.csv", line: 10, column: "ELEV", value: "six",
          reason: "it is no number")
      ])
    #expect(built.outcome.product.build.counts["droppedFields"] == 1)
  }

  @Test(arguments: ["91", "north"])
  func `drops an airport without a position`(latitude: String) throws {
    try subscription.replace("37.46111111", with: latitude, in: "APT_BASE")
    let built = try subscription.build(in: folder)
    #expect(try built.column("SELECT icao FROM airports WHERE icao = 'KPAO'").isEmpty)
    #expect(built.problems(.rowDropped, of: "APT_BASE.csv").map(\.column) == ["LAT_DECIMAL"])
  }

  @Test func `keeps unknown codes in lower case and reports them`() throws {
    try subscription.replace(
      "\"PALO ALTO\",\"PU\",\"PU\"", with: "\"PALO ALTO\",\"XQ\",\"PU\"", in: "APT_BASE")
    try subscription.replace("\"100LL,A\",\"MAJOR\"", with: "\"100LL,J,Z9\",\"MAJOR\"", in: "APT_BASE")
    try subscription.replace("\"ASPH\",\"GOOD\"", with: "\"LAVA\",\"GOOD\"", in: "APT_RWY")
    let built = try subscription.build(in: folder)
    try built.expect("SELECT ownership FROM airports WHERE icao = 'KPAO'", gives: ["xq"])
    try built.expect(
      "SELECT fuelTypes FROM airports WHERE icao = 'KPAO'", gives: ["[\"100LL\",\"J\",\"Z9\"]"])
    try built.expect("SELECT DISTINCT surface FROM runways WHERE airport = 'KPAO'", gives: ["lava"])
    let columns = built.problems(.unknownCode, of: "APT_BASE.csv").map(\.column)
    #expect(Set(columns) == ["OWNERSHIP_TYPE_CODE", "FUEL_TYPES"])
    #expect(built.outcome.problems.droppedRows == 0)
  }

  @Test func `reads bare CR, a byte order mark and Latin-1`() throws {
    let plain = try subscription.build(in: folder)
    subscription.edit("NAV_BASE") { $0.replacing("\r\n", with: "\r") }
    subscription.edit("FIX_BASE") { "\u{FEFF}" + $0.replacing("\r\n", with: "\n") }
    try subscription.replace("\"CEDAR\"", with: "\"JOS~\"", in: "NAV_BASE")
    subscription.tables["NAV_BASE"] = subscription.tables["NAV_BASE"]?.map {
      $0 == UInt8(ascii: "~") ? 0xC9 : $0
    }
    let built = try subscription.build(in: folder, as: "odd")
    #expect(try built.rows("SELECT * FROM fixes") == plain.rows("SELECT * FROM fixes"))
    #expect(try built.column("SELECT COUNT(*) FROM navaids") == plain.column("SELECT COUNT(*) FROM navaids"))
    try built.expect(
      "SELECT name FROM navaids WHERE identifier = 'AA' ORDER BY id", gives: ["KENIE", "JOSÉ"])
  }

  @Test func `reads the tables of 2026, which have other columns`() throws {
    let built = try Subscription("2602").build(in: folder)
    #expect(built.outcome.problems.droppedRows == 0)
    try built.expect(
      """
      SELECT a.icao, a.elevation, a.longestRunway, r.id, r.surface, r.lighting, r.baseEndTrueHeading, r.baseEndVGSI,
        r.baseEndDisplacedThreshold FROM airports a JOIN runways r ON r.airport = a.icao WHERE a.icao = '0J0'
      """, gives: [["0J0", "468.3", "5000", "18/36", "asphalt", "partTime", "172.0", "P2L", "NULL"]])
    try built.expect("SELECT charts FROM fixes WHERE identifier = 'AAALL'", gives: ["IAP"])
    try built.expect(
      "SELECT remark FROM remarks WHERE airport = '0J0'", gives: ["EXISTED PRIOR TO MAY 15, 1959."])
  }

  @Test func `accepts tables that have only a header`() throws {
    for table in ["FRQ", "APT_RWY_END", "APT_RMK", "NAV_BASE", "FIX_BASE"] {
      subscription.edit(table) { $0.split(whereSeparator: \.isNewline).first.map { $0 + "\r\n" } ?? "" }
    }
    let built = try subscription.build(in: folder)
    #expect(built.outcome.problems.droppedRows == 0)
    try built.expect("SELECT COUNT(*) FROM frequencies", gives: ["0"])
    try built.expect(
      "SELECT baseEndID, reciprocalEndID, baseEndLatitude FROM runways WHERE airport = 'KPAO'",
      gives: [["13", "31", "NULL"]])
  }

  @Test func `makes colliding identifiers different and reports them`() throws {
    try subscription.replace("\"16XA\",\"DENISON\"", with: "\"9XS4\",\"DENISON\"", in: "APT_BASE")
    try subscription.replace("\"KSQL\"", with: "\"KPAO\"", in: "APT_BASE")
    let built = try subscription.build(in: folder)
    try built.expect(
      "SELECT icao FROM airports WHERE siteNumber = '23747.31' ORDER BY icao", gives: ["9XS4", "9XS4-H"])
    try built.expect("SELECT icao FROM airports WHERE faaID = 'SQL'", gives: ["SQL"])
    try built.expect("SELECT faaID FROM airports WHERE icao = 'KPAO'", gives: ["PAO"])
    let changed = built.problems(.identifierChanged, of: "APT_BASE.csv")
    #expect(changed.map(\.value).sorted() == ["9XS4", "KPAO"])
    try built.expect("SELECT COUNT(*) FROM runways WHERE airport = '9XS4-H'", gives: ["1"])
  }

  @Test func `counts a repeated site, runway and runway end once`() throws {
    for table in ["APT_BASE", "APT_RWY", "APT_RWY_END"] {
      subscription.editLines(table) { $0 + $0.filter { $0.contains("\"PAO\"") } }
    }
    let built = try subscription.build(in: folder)
    try built.expect("SELECT COUNT(*) FROM airports", gives: ["21"])
    for (file, count) in [("APT_BASE.csv", 1), ("APT_RWY.csv", 1), ("APT_RWY_END.csv", 2)] {
      #expect(built.problems(.rowDropped, of: file).count == count, "\(file)")
    }
  }

  @Test func `does not assign a frequency of another state to an airport`() throws {
    subscription.editLines("FRQ") {
      $0.map {
        $0.contains("\"PAO\",\"PALO ALTO\",\"AIRPORT\"") ? $0.replacing("\"CA\"", with: "\"NV\"") : $0
      }
    }
    let built = try subscription.build(in: folder)
    try built.expect("SELECT COUNT(*) FROM frequencies WHERE airport = 'KPAO'", gives: ["0"])
    #expect(built.problems(.rowDropped, of: "FRQ.csv").allSatisfy { $0.value == "PAO" })
  }

  @Test func `counts problems by column with an example, and reads the report back from JSON`() throws {
    try subscription.replace("-122.11505555,\"E\",6.8,", with: "-122.11505555,\"E\",six,", in: "APT_BASE")
    let report = try subscription.build(in: folder).outcome.problems
    let table = try #require(report.tables.first { $0.file == "APT_BASE.csv" })
    #expect(table.rows == 21 && table.droppedRows == 0)
    let counts = report.counts.filter { $0.file == table.file }.map {
      "\($0.column ?? "row"): \($0.count) x \($0.kind), such as \(report.example(of: $0) ?? "")"
    }
    #expect(
      counts.prefix(2) == [
        "CTA: 1 x columnMissing, such as line 1: the table has no such column",
        "ELEV: 1 x fieldDropped, such as line 10: it is no number (six)",
      ])
    let data = try CanonicalJSON.line(report)
    #expect(try data.decoded(ProblemReport.self) == report)
  }
}
