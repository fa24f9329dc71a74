import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

/// Cycles that have less than others: no decimals, fewer columns, fewer tables.
struct OlderCycleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let positions: [(table: String, columns: [String])] = [
    ("airports", ["latitude", "longitude"]), ("fixes", ["latitude", "longitude"]),
    ("navaids", ["latitude", "longitude"]),
    ("runways", ["baseEndLatitude", "baseEndLongitude", "reciprocalEndLatitude", "reciprocalEndLongitude"]),
    ("runwayEndDetails", ["displacedThresholdLatitude", "displacedThresholdLongitude"]),
    ("weatherStations", ["latitude", "longitude"]), ("ils", ["latitude", "longitude"]),
    ("parachuteAreas", ["latitude", "longitude"]), ("militaryRoutePoints", ["latitude", "longitude"]),
    ("communicationOutlets", ["latitude", "longitude"]), ("weatherLocations", ["latitude", "longitude"]),
    ("boundaries", ["geometry"]), ("centers", ["latitude", "longitude"]),
  ]

  @Test(arguments: ["2304", "2602", "2602-tables"])
  func `without decimals the positions are the same`(name: String) throws {
    var subscription = try Subscription(name)
    let plain = try subscription.build(in: folder)
    var removed = 0
    for table in subscription.tables.keys.sorted() {
      let bare = withoutColumns(withAngles(subscription.text(table))) { $0.hasSuffix("_DECIMAL") }
      removed += bare.removed
      subscription.tables[table] = Array(bare.text.utf8)
    }
    #expect(removed >= 8)
    let built = try subscription.build(
      subscription.bare(in: folder, name: "bare.zip"), in: folder, name: "bare.sqlite")
    for (table, columns) in OlderCycleTests.positions {
      let query = "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
      #expect(try built.rows(query) == plain.rows(query), "\(table)")
    }
    #expect(built.outcome.problems.droppedRows == plain.outcome.problems.droppedRows)
    #expect(built.outcome.problems.droppedFields == plain.outcome.problems.droppedFields)
  }

  @Test func `a decimal that is empty is had from the degrees, minutes and seconds beside it`() throws {
    var subscription = try Subscription("2304")
    try subscription.replace("37.46111111", with: "", in: "APT_BASE")
    let built = try subscription.build(in: folder)
    #expect(try built.column("SELECT latitude FROM airports WHERE icao = 'KPAO'") == ["37.46111111"])
    // With a hemisphere that is none, there is no position.
    try subscription.replace("37,27,40,\"N\",", with: "37,27,40,\"Q\",", in: "APT_BASE")
    let dropped = try subscription.build(
      subscription.bare(in: folder, name: "odd.zip"), in: folder, name: "odd.sqlite")
    #expect(dropped.problems(.rowDropped, of: "APT_BASE.csv").map(\.column) == ["LAT_DECIMAL"])
  }

  @Test(arguments: [
    ("42-07-12.68N", 42.12018888), ("42-07-12.6800S", -42.12018888), ("122-6-54.2W", -122.11505555),
    ("180-00-00E", 180), ("0-0-0.0001S", -0.00000002), ("0-0-0W", 0), ("07-30-.5N", 7.50013888),
  ])
  func `degrees, minutes and seconds are cut off after eight decimals`(text: String, value: Double) {
    #expect(AngleColumns.degrees(text) == value)
  }

  @Test(arguments: [
    "", "N", "42-07N", "42-60-00N", "42-07-60N", "90-00-00.1N", "91-0-0N", "181-0-0E", "-42-07-12N",
    "42-07-12",
    "42-07-12X", "4 2-07-12N", "42-07-1.2.3N", "42-07-1e1N", "9999-0-0W", "--N",
  ])
  func `what is no position is none`(text: String) {
    #expect(AngleColumns.degrees(text) == nil)
  }

  @Test func `a table that a cycle may lack may lack columns too, and they are counted`() throws {
    var subscription = try Subscription("2602-tables")
    let bare = withoutColumns(subscription.text("AWOS")) { ["PHONE_NO", "NAVAID_FLAG"].contains($0) }
    subscription.tables["AWOS"] = Array(bare.text.utf8)
    let less = withoutColumns(subscription.text("ILS_BASE")) { ["CATEGORY", "APCH_BEAR"].contains($0) }
    subscription.tables["ILS_BASE"] = Array(less.text.utf8)
    let built = try subscription.build(subscription.bare(in: folder), in: folder, name: "first.sqlite")
    #expect(try built.rows("SELECT DISTINCT phone, isAtNavaid FROM weatherStations") == [["NULL", "NULL"]])
    #expect(try built.rows("SELECT DISTINCT category, course FROM ils") == [["NULL", "NULL"]])
    #expect(
      built.problems(.columnMissing, of: "AWOS.csv").compactMap(\.column) == ["NAVAID_FLAG", "PHONE_NO"])
    #expect(
      built.problems(.columnMissing, of: "ILS_BASE.csv").compactMap(\.column) == ["APCH_BEAR", "CATEGORY"])
    // The column without which no row is of use is needed still.
    let none = withoutColumns(subscription.text("ILS_BASE")) { $0 == "ILS_LOC_ID" }
    subscription.tables["ILS_BASE"] = Array(none.text.utf8)
    let fault = try subscription.fault(in: folder)
    #expect(fault.problem.contains("ILS_BASE.csv has no column ILS_LOC_ID"), "\(fault.problem)")
  }

  @Test func `all that is wrong with the tables is reported at once`() throws {
    var subscription = try Subscription("2304")
    for table in ["APT_RMK", "FIX_BASE"] { subscription.tables[table] = nil }
    subscription.tables["FRQ"] = []
    try subscription.replace("\"ELEV\"", with: "\"HEIGHT\"", in: "APT_BASE")
    try subscription.replace("\"RWY_LEN\"", with: "\"X\"", in: "APT_RWY")
    try subscription.replace("\"RWY_WIDTH\"", with: "\"Y\"", in: "APT_RWY")
    try subscription.replace("\"2023/04/20\"", with: "\"2023/03/23\"", in: "APT_RWY")
    try subscription.replace("\"2023/04/20\"", with: "\"2023/03/23\"", in: "NAV_BASE")
    subscription.definition.gates.minimumRows = ["ils": 1400]
    let fault = try subscription.fault(in: folder)
    #expect(
      fault.problem
        == """
        8 problems: APT_BASE.csv has no column ELEV; APT_RWY.csv has no column RWY_LEN, RWY_WIDTH; \
        line 2 of APT_RWY.csv is effective 2023-03-23, in this cycle it must be 2023-04-20; \
        the table FRQ.csv is empty; the table APT_RMK.csv is missing; \
        line 2 of NAV_BASE.csv is effective 2023-03-23, in this cycle it must be 2023-04-20; \
        the table FIX_BASE.csv is missing; the table ILS_BASE.csv is missing
        """)
    #expect(fault.remedy?.contains("--cycle") == true)
  }

  @Test func `the README and the inner archive of another cycle are reported at once`() throws {
    let subscription = try Subscription("2304")
    let source = try subscription.whole(
      in: folder, readme: "AIS subscriber files effective date March 23, 2023.\n",
      inner: "23_Mar_2023_CSV.zip")
    let fault = try subscription.fault(source, in: folder)
    #expect(fault.problem.hasPrefix("2 problems: its README.txt says"))
    #expect(fault.problem.contains("; it holds 23_Mar_2023_CSV.zip"))
  }

  @Test func `all tables that came out too short are reported at once`() throws {
    var subscription = try Subscription("2304")
    subscription.definition.gates.minimumRows = ["airports": 100, "fixes": 500, "navaids": 1]
    let fault = try subscription.fault(in: folder)
    #expect(
      fault.problem
        == """
        2 problems: it gives 21 rows for the table airports, where at least 100 are expected; \
        it gives 18 rows for the table fixes, where at least 500 are expected
        """)
  }

  // MARK: - A part of the database

  private static let part = ["runways", "frequencies", "remarks", "weatherStations"]

  @Test func `a part needs the airports and no other table`() throws {
    var subscription = try Subscription("2304")
    subscription.definition.tables = OlderCycleTests.part
    subscription.definition.gates.minimumRows = [
      "airports": 21, "runways": 1000, "fixes": 60_000, "airspaces": 6000,
    ]
    for table in subscription.tables.keys where table != "APT_BASE" { subscription.tables[table] = nil }
    let built = try subscription.build(subscription.bare(in: folder), in: folder, name: "first.sqlite")
    #expect(try built.column("SELECT count(*) FROM airports") == ["21"])
    #expect(try built.column("SELECT count(*) FROM runways") == ["0"])
    #expect(
      try built.column("SELECT value FROM metadata WHERE key = 'tables'") == [
        "airports,frequencies,remarks,runways,weatherStations"
      ])
    #expect(built.problems(.tableMissing, of: "APT_RWY.csv").count == 1)
    // Nothing is reported about what the part does not have.
    #expect(built.problems(.tableMissing, of: "FIX_BASE.csv").isEmpty)
    subscription.tables["APT_BASE"] = nil
    subscription.tables["NAV_BASE"] = try Subscription("2304").tables["NAV_BASE"]
    let fault = try subscription.fault(subscription.bare(in: folder, name: "no.zip"), in: folder)
    #expect(fault.problem == "the table APT_BASE.csv is missing")
  }

  @Test func `a part has what the whole has in its tables, and nothing in the others`() throws {
    var subscription = try Subscription("2304")
    let whole = try subscription.build(in: folder)
    subscription.definition.tables = OlderCycleTests.part
    let built = try subscription.build(
      subscription.bare(in: folder, name: "part.zip"), in: folder, name: "part.sqlite")
    for table in ["airports", "runways", "frequencies", "remarks", "airportDetails", "runwayEndDetails"] {
      #expect(try built.rows("SELECT * FROM \(table)") == whole.rows("SELECT * FROM \(table)"), "\(table)")
    }
    for table in ["fixes", "navaids"] {
      #expect(try built.column("SELECT count(*) FROM \(table)") == ["0"])
    }
    // The runways are there although the table of their ends is not.
    subscription.tables["APT_RWY_END"] = nil
    let fewer = try subscription.build(
      subscription.bare(in: folder, name: "fewer.zip"), in: folder, name: "fewer.sqlite")
    #expect(try fewer.column("SELECT count(*) FROM runways") == whole.column("SELECT count(*) FROM runways"))
    #expect(try fewer.column("SELECT count(*) FROM runwayEndDetails") == ["0"])
    #expect(fewer.outcome.problems.droppedRows == 0)
  }

  @Test func `tables that are none, or whose rows belong to others, are refused`() throws {
    var subscription = try Subscription("2304")
    subscription.definition.tables = ["runway"]
    let unknown = try subscription.fault(in: folder)
    #expect(unknown.problem == "the database has no table \"runway\"")
    #expect(unknown.remedy?.contains("runways") == true)
    subscription.definition.tables = ["airwaySegments"]
    let lonely = try subscription.fault(in: folder)
    #expect(lonely.problem.contains("belong to those of airways"))
  }

  /// Fills in degrees, minutes and seconds in rows that have decimals alone; real rows mostly have both.
  private func withAngles(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map(fields)
    let header = lines[0].map { $0.replacing("\"", with: "") }
    let pairs = [
      ("LAT_DECIMAL", "LAT", "NS"), ("LONG_DECIMAL", "LONG", "EW"), ("LAT_DECIMAL", "RWY_END_LAT", "NS"),
      ("LONG_DECIMAL", "RWY_END_LONG", "EW"),
    ]
    let body = lines.map { line -> String in
      var line = line
      for (decimal, prefix, sides) in pairs {
        guard line.count == header.count, let from = header.firstIndex(of: decimal),
          let to = header.firstIndex(of: prefix + "_DEG"), line[to].isEmpty, let value = Double(line[from])
        else { continue }
        let micros = Int((abs(value) * 1e8).rounded()) * 36
        line[to] = "\(micros / 3_600_000_000)"
        line[to + 1] = "\(micros / 60_000_000 % 60)"
        line[to + 2] = String(format: "%d.%06d", micros / 1_000_000 % 60, micros % 1_000_000)
        line[to + 3] = String(sides.dropFirst(value < 0 ? 1 : 0).prefix(1))
      }
      return line.joined(separator: ",")
    }
    return body.joined(separator: "\r\n") + "\r\n"
  }

  /// A table without some of its columns; how many these were.
  private func withoutColumns(_ text: String, _ isRemoved: (String) -> Bool) -> (text: String, removed: Int) {
    let lines = text.split(whereSeparator: \.isNewline).map(fields)
    let kept = lines[0].indices.filter { index in
      !isRemoved(lines[0][index].replacing("\"", with: "").replacing("\u{FEFF}", with: ""))
    }
    let body = lines.map { line in
      line.count == lines[0].count
        ? kept.map { line[$0] }.joined(separator: ",") : line.joined(separator: ",")
    }
    return (body.joined(separator: "\r\n") + "\r\n", lines[0].count - kept.count)
  }

  /// The fields of a line, with their quotes.
  private func fields(_ line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return fields
  }
}
