import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Cycles that have less than others: no decimals, fewer columns, fewer tables.
struct OlderCycleTests {
  let folder = TemporaryFolder()

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
  func `reads the same positions without decimals`(name: String) throws {
    let subscription = try Subscription(name)
    let plain = try subscription.build(in: folder)
    var removed = 0
    for table in subscription.tables.keys.sorted() {
      let bare = withoutColumns(withAngles(subscription.text(table))) { $0.hasSuffix("_DECIMAL") }
      removed += bare.removed
      subscription.tables[table] = Array(bare.text.utf8)
    }
    #expect(removed >= 8)
    let built = try subscription.build(in: folder, as: "bare")
    for (table, columns) in OlderCycleTests.positions {
      let query = "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
      #expect(try built.rows(query) == plain.rows(query), "\(table)")
    }
    #expect(built.outcome.problems.droppedRows == plain.outcome.problems.droppedRows)
    #expect(built.outcome.problems.droppedFields == plain.outcome.problems.droppedFields)
  }

  @Test func `reads degrees, minutes and seconds if the decimal is empty`() throws {
    let subscription = try Subscription("2304")
    try subscription.replace("37.46111111", with: "", in: "APT_BASE")
    let built = try subscription.build(in: folder)
    try built.expect("SELECT latitude FROM airports WHERE icao = 'KPAO'", gives: ["37.46111111"])
    // With a hemisphere that is none, there is no position.
    try subscription.replace("37,27,40,\"N\",", with: "37,27,40,\"Q\",", in: "APT_BASE")
    let dropped = try subscription.build(in: folder, as: "odd")
    #expect(dropped.problems(.rowDropped, of: "APT_BASE.csv").map(\.column) == ["LAT_HEMIS"])
  }

  @Test(arguments: [
    ("37,27,40,\"N\"", "37,75,40,\"N\"", "LAT_MIN", "75", "the minutes must be a whole number from 0 to 59"),
    (
      "37,27,40,\"N\"", "37,27,60.5,\"N\"", "LAT_SEC", "60.5",
      "the seconds must be a number from 0 to less than 60"
    ),
    ("37,27,40,\"N\"", "x7,27,40,\"N\"", "LAT_DEG", "x7", "the degrees must be a whole number from 0 to 90"),
    ("37,27,40,\"N\"", "37,27,40,\"\"", "LAT_HEMIS", "", "the hemisphere must be N or S"),
    ("37,27,40,\"N\"", "37,27,40,\"E\"", "LAT_HEMIS", "E", "the hemisphere must be N or S"),
    (
      "37,27,40,\"N\"", "90,27,40,\"N\"", "LAT_DEG", "90",
      "degrees, minutes and seconds are more than 90 degrees"
    ), ("37,27,40,\"N\"", ",,,", "LAT_DECIMAL", "", "it is empty"),
  ])
  func `names the column that makes a position invalid`(
    old: String, new: String, column: String, value: String, reason: String
  ) throws {
    let subscription = try Subscription("2304")
    try subscription.replace(old + ",37.46111111", with: new + ",", in: "APT_BASE")
    let dropped = try subscription.build(in: folder).problems(.rowDropped, of: "APT_BASE.csv")
    #expect(dropped.map(\.column) == [column] && dropped.map(\.value) == [value])
    #expect(dropped.map(\.reason) == [reason])
  }

  /// The latitude of Palo Alto, corrected in a cycle with decimals, with empty ones and without their columns.
  @Test func `corrects a position in degrees, minutes and seconds`() throws {
    let list = [
      try correction(
        table: "APT_BASE", row: ["ARPT_ID": "PAO", "LAT_DECIMAL": "37.46111111"], column: "LAT_DECIMAL",
        faa: "37.46111111", right: "-37.51234567", why: "A test."),
      try correction(
        table: "APT_BASE", row: ["ARPT_ID": "PAO"], column: "LONG_DECIMAL", faa: "-122.1", right: "0",
        why: "A test."),
    ]
    let subscription = try Subscription("2304")
    subscription.definition.corrections = AdjacentFile(file: "corrections.json5", content: list)
    let plain = subscription.text("APT_BASE")
    let blank = plain.replacing("37.46111111", with: "")
    let missing = withoutColumns(plain) { $0.hasSuffix("_DECIMAL") }.text
    for (name, text) in [("plain", plain), ("blank", blank), ("missing", missing)] {
      subscription.tables["APT_BASE"] = Array(text.utf8)
      let built = try subscription.build(
        subscription.bare(in: folder, name: "\(name).zip"), in: folder, name: "\(name).sqlite")
      #expect(
        try built.column("SELECT latitude FROM airports WHERE icao = 'KPAO'") == ["-37.51234567"], "\(name)")
      let outcomes = built.outcome.problems.corrections
      #expect(outcomes.map(\.ending) == [.used, .overtaken], "\(name)")
      #expect(outcomes[1].found?.hasPrefix(name == "missing" ? "122-" : "-122.") == true)
    }
  }

  @Test func `rejects a correction of a position that is not a position`() throws {
    let subscription = try Subscription("2304")
    for (column, right, problem) in [
      ("LAT_DECIMAL", "91", "\"91\" is no position in degrees"),
      ("LAT_DECIMALS", "37", "APT_BASE.csv has no column LAT_DECIMALS"),
    ] {
      subscription.definition.corrections = AdjacentFile(
        file: "corrections.json5",
        content: [
          try correction(
            table: "APT_BASE", row: ["ARPT_ID": "PAO"], column: column, faa: "1", right: right, why: "A test."
          )
        ])
      let fault = try subscription.fault(in: folder)
      #expect(fault.reason.contains(problem), "\(fault.reason)")
    }
  }

  @Test(arguments: ["-37.51234567", "0", "89.99999999", "-0.00000001", "90", ""])
  func `converts a decimal to degrees, minutes and seconds and back`(decimal: String) throws {
    let columns = ["LAT_DEG", "LAT_MIN", "LAT_SEC", "LAT_HEMIS"]
    let angles = try #require(AngleColumns(beside: "LAT_DECIMAL", in: columns))
    let fields = try #require(angles.fields(for: decimal)).map(\.text)
    let text = fields[0...2].joined(separator: "-") + fields[3]
    #expect(AngleColumns.degrees(text) == Double(decimal), "\(text)")
    #expect(angles.fields(for: "90.1") == nil && angles.fields(for: "x") == nil)
  }

  @Test func `reads the codes of the FAA's older layout`() throws {
    let subscription = try Subscription("2304")
    let query = "SELECT icao, hasBeaconLight, isTowered FROM airports ORDER BY icao"
    let plain = try subscription.build(in: folder)
    for (new, old) in [("WG", "CG"), ("WGY", "CGY"), ("SWG", "SCG"), ("WY", "CY"), ("W", "C")] {
      subscription.edit("APT_BASE") { $0.replacing("\"\(new)\",", with: "\"\(old)\",") }
    }
    try subscription.replace("\"Y\",\"CG\",", with: "\"NONE\",\"CG\",", in: "APT_BASE")
    for (new, old) in [("EXCELLENT", "E"), ("GOOD", "G"), ("FAIR", "F"), ("POOR", "P"), ("FAILED", "L")] {
      subscription.edit("APT_RWY") { $0.replacing("\"\(new)\"", with: "\"\(old)\"") }
    }
    let built = try subscription.build(in: folder, as: "older")
    #expect(try built.rows(query) == plain.rows(query))
    #expect(try built.column("SELECT DISTINCT segmentedCircle FROM airportDetails").contains("none"))
    let conditions = "SELECT airport, id, condition FROM runways"
    #expect(try built.rows(conditions) == plain.rows(conditions))
    #expect(built.outcome.problems.unknownCodes == plain.outcome.problems.unknownCodes)
    // A cycle may lack the beacons: whether there is one is not known then.
    subscription.edit("APT_BASE") { withoutColumns($0) { $0 == "BCN_LENS_COLOR" }.text }
    let none = try subscription.build(in: folder, as: "none")
    try none.expect("SELECT DISTINCT hasBeaconLight FROM airports", gives: ["NULL"])
  }

  @Test func `reads dates with dashes`() throws {
    let subscription = try Subscription("2304")
    let plain = try subscription.build(in: folder)
    for table in subscription.tables.keys {
      subscription.edit(table) { $0.replacing("\"2023/04/20\"", with: "\"2023-04-20\"") }
    }
    let built = try subscription.build(in: folder, as: "dashes")
    #expect(try built.rows("SELECT * FROM airports") == plain.rows("SELECT * FROM airports"))
    #expect(built.outcome.problems.droppedRows == plain.outcome.problems.droppedRows)
    try subscription.replace("2023-04-20", with: "2023-05-18", in: "NAV_BASE")
    let fault = try subscription.fault(in: TemporaryFolder())
    #expect(fault.reason.contains("line 2 of NAV_BASE.csv is effective 2023-05-18"), "\(fault.reason)")
  }

  @Test(arguments: [
    ("42-07-12.68N", 42.12018888), ("42-07-12.6800S", -42.12018888), ("122-6-54.2W", -122.11505555),
    ("180-00-00E", 180), ("0-0-0.0001S", -0.00000002), ("0-0-0W", 0), ("07-30-.5N", 7.50013888),
  ])
  func `truncates positions after eight decimals`(text: String, value: Double) {
    #expect(AngleColumns.degrees(text) == value)
  }

  @Test(arguments: [
    "", "N", "42-07N", "42-60-00N", "42-07-60N", "90-00-00.1N", "91-0-0N", "181-0-0E", "-42-07-12N",
    "42-07-12", "42-07-12X", "4 2-07-12N", "42-07-1.2.3N", "42-07-1e1N", "9999-0-0W", "--N",
  ])
  func `rejects a text that is not a position`(text: String) { #expect(AngleColumns.degrees(text) == nil) }

  @Test func `counts the columns that an optional table lacks`() throws {
    let subscription = try Subscription("2602-tables")
    let bare = withoutColumns(subscription.text("AWOS")) { ["PHONE_NO", "NAVAID_FLAG"].contains($0) }
    subscription.tables["AWOS"] = Array(bare.text.utf8)
    let less = withoutColumns(subscription.text("ILS_BASE")) { ["CATEGORY", "APCH_BEAR"].contains($0) }
    subscription.tables["ILS_BASE"] = Array(less.text.utf8)
    let built = try subscription.build(in: folder, as: "first")
    try built.expect("SELECT DISTINCT phone, isAtNavaid FROM weatherStations", gives: [["NULL", "NULL"]])
    try built.expect("SELECT DISTINCT category, course FROM ils", gives: [["NULL", "NULL"]])
    #expect(
      built.problems(.columnMissing, of: "AWOS.csv").compactMap(\.column) == ["NAVAID_FLAG", "PHONE_NO"])
    #expect(
      built.problems(.columnMissing, of: "ILS_BASE.csv").compactMap(\.column) == ["APCH_BEAR", "CATEGORY"])
    // The column without which no row is of use is needed still.
    let none = withoutColumns(subscription.text("ILS_BASE")) { $0 == "ILS_LOC_ID" }
    subscription.tables["ILS_BASE"] = Array(none.text.utf8)
    let fault = try subscription.fault(in: folder)
    #expect(fault.reason.contains("ILS_BASE.csv has no column ILS_LOC_ID"), "\(fault.reason)")
  }

  @Test func `reports all problems of the tables at once`() throws {
    let subscription = try Subscription("2304")
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
      fault.reason
        == """
        8 problems: APT_BASE.csv has no column ELEV; APT_RWY.csv has no column RWY_LEN, RWY_WIDTH; \
        line 2 of APT_RWY.csv is effective 2023-03-23, in this cycle it must be 2023-04-20; \
        the table FRQ.csv is empty; the table APT_RMK.csv is missing; \
        line 2 of NAV_BASE.csv is effective 2023-03-23, in this cycle it must be 2023-04-20; \
        the table FIX_BASE.csv is missing; the table ILS_BASE.csv is missing
        """)
    #expect(fault.suggestion?.contains("--cycle") == true)
  }

  @Test func `reports the README and the inner archive of another cycle at once`() throws {
    let subscription = try Subscription("2304")
    let source = try subscription.whole(
      in: folder, readme: "AIS subscriber files effective date March 23, 2023.\n",
      inner: "23_Mar_2023_CSV.zip")
    let fault = try subscription.fault(source, in: folder)
    #expect(fault.reason.hasPrefix("2 problems: its README.txt says"))
    #expect(fault.reason.contains("; it holds 23_Mar_2023_CSV.zip"))
  }

  @Test func `reports all tables with too few rows at once`() throws {
    let subscription = try Subscription("2304")
    subscription.definition.gates.minimumRows = ["airports": 100, "fixes": 500, "navaids": 1]
    let fault = try subscription.fault(in: folder)
    #expect(
      fault.reason
        == """
        2 problems: it gives 21 rows for the table airports, where at least 100 are expected; \
        it gives 18 rows for the table fixes, where at least 500 are expected
        """)
  }

  // MARK: - A part of the database

  private static let part = ["runways", "frequencies", "remarks", "weatherStations"]

  @Test func `builds a part from the airports alone`() throws {
    let subscription = try Subscription("2304")
    subscription.definition.tables = OlderCycleTests.part
    subscription.definition.gates.minimumRows = [
      "airports": 21, "runways": 1000, "fixes": 60_000, "airspaces": 6000,
    ]
    for table in subscription.tables.keys where table != "APT_BASE" { subscription.tables[table] = nil }
    let built = try subscription.build(in: folder, as: "first")
    try built.expect("SELECT count(*) FROM airports", gives: ["21"])
    try built.expect("SELECT count(*) FROM runways", gives: ["0"])
    try built.expect(
      "SELECT value FROM metadata WHERE key = 'tables'",
      gives: ["airports,frequencies,remarks,runways,weatherStations"])
    #expect(built.problems(.tableMissing, of: "APT_RWY.csv").count == 1)
    // Nothing is reported about what the part does not have.
    #expect(built.problems(.tableMissing, of: "FIX_BASE.csv").isEmpty)
    subscription.tables["APT_BASE"] = nil
    subscription.tables["NAV_BASE"] = try Subscription("2304").tables["NAV_BASE"]
    let fault = try subscription.fault(subscription.bare(in: folder, name: "no.zip"), in: folder)
    #expect(fault.reason == "the table APT_BASE.csv is missing")
  }

  @Test func `fills the tables of a part like the whole and leaves the others empty`() throws {
    let subscription = try Subscription("2304")
    let whole = try subscription.build(in: folder)
    subscription.definition.tables = OlderCycleTests.part
    let built = try subscription.build(in: folder, as: "part")
    for table in ["airports", "runways", "frequencies", "remarks", "airportDetails", "runwayEndDetails"] {
      #expect(try built.rows("SELECT * FROM \(table)") == whole.rows("SELECT * FROM \(table)"), "\(table)")
    }
    for table in ["fixes", "navaids"] { try built.expect("SELECT count(*) FROM \(table)", gives: ["0"]) }
    // The runways are there although the table of their ends is not.
    subscription.tables["APT_RWY_END"] = nil
    let fewer = try subscription.build(in: folder, as: "fewer")
    #expect(try fewer.column("SELECT count(*) FROM runways") == whole.column("SELECT count(*) FROM runways"))
    try fewer.expect("SELECT count(*) FROM runwayEndDetails", gives: ["0"])
    #expect(fewer.outcome.problems.droppedRows == 0)
  }

  @Test func `rejects unknown tables, and tables without their owners`() throws {
    let subscription = try Subscription("2304")
    subscription.definition.tables = ["runway"]
    let unknown = try subscription.fault(in: folder)
    #expect(unknown.reason == "the database has no table \"runway\"")
    #expect(unknown.suggestion?.contains("runways") == true)
    subscription.definition.tables = ["airwaySegments"]
    let lonely = try subscription.fault(in: folder)
    #expect(lonely.reason.contains("belong to those of airways"))
  }

  private func correction(
    table: String, row: [String: String], column: String, faa: String, right: String, why: String
  ) throws -> Correction {
    let keys: [String: Any] = [
      "table": table, "row": row, "column": column, "faa": faa, "right": right, "why": why,
    ]
    return try JSONSerialization.data(withJSONObject: keys).decoded(Correction.self)
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
      if character == ",", !isQuoted { fields.append("") } else { fields[fields.count - 1].append(character) }
    }
    return fields
  }
}
