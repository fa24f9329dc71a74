import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The FAA's tables, put right before they are read.
struct CorrectionTests {
  let folder = TemporaryFolder()

  /// The elevation of Palo Alto, 6.8 ft in the cycle 2304, with some keys said otherwise.
  private func elevation(_ changes: [String: Any] = [:]) -> [String: Any] {
    [
      "table": "APT_BASE", "row": ["ARPT_ID": "PAO", "SITE_TYPE_CODE": "A"], "column": "ELEV", "faa": "6.8",
      "right": "7.0", "why": "The survey says so.",
    ].merging(changes) { $1 }
  }

  private func subscription(_ corrections: [[String: Any]], cycle: String = "2304") throws -> Subscription {
    let data = try JSONSerialization.data(withJSONObject: corrections)
    let subscription = try Subscription(cycle)
    subscription.definition.corrections = AdjacentFile(
      file: "corrections.json5", content: try data.decoded([Correction].self))
    return subscription
  }

  private func build(_ corrections: [[String: Any]], cycle: String = "2304") throws -> Built {
    let subscription = try subscription(corrections, cycle: cycle)
    return try subscription.build(subscription.bare(in: folder), in: folder, name: "\(UUID()).sqlite")
  }

  /// The outcomes of the check without a database.
  private func outcomes(_ subscription: Subscription, _ source: SourceFile) throws -> [CorrectionOutcome] {
    try DatabaseBuilder.correctionOutcomes(subscription.request(source))
  }

  @Test func `applies a correction to the database and reports it everywhere`() throws {
    let built = try build([elevation()])
    try built.expect("SELECT elevation FROM airports WHERE icao = 'KPAO'", gives: ["7.0"])
    let outcome = try #require(built.outcome.problems.corrections.first)
    #expect(outcome.ending == .used && built.outcome.problems.corrections.count == 1)
    let text =
      "APT_BASE with ARPT_ID PAO, SITE_TYPE_CODE A: ELEV corrected from \"6.8\" to \"7.0\": The survey says so."
    #expect(outcome.text == text)
    #expect(built.outcome.product.build.counts["correctionsUsed"] == 1)
    try built.expect(
      "SELECT * FROM metadata WHERE key LIKE '%orrections%' ORDER BY key",
      gives: [["corrections.1", "used: " + text], ["counts.correctionsUsed", "1"]])
  }

  @Test func `reports each outcome of a correction`() throws {
    let built = try build([
      elevation(["faa": "6.80"]), elevation(["column": "CITY", "faa": "PALTO ALTO", "right": "PALO ALTO"]),
      elevation(["row": ["ARPT_ID": "PAX"]]), elevation(["row": ["SITE_NO": "23747.31"]]),
      elevation(["until": "2303", "column": "MAG_VARN"]),
      elevation(["until": "2304", "row": ["ARPT_ID": "PAO"]]),
    ])
    let outcomes = built.outcome.problems.corrections
    #expect(outcomes.map(\.ending) == [.overtaken, .alreadyRight, .unused, .ambiguous, .expired, .used])
    #expect(outcomes[0].found == "6.8" && outcomes[0].text.contains("the FAA has \"6.8\" now"))
    #expect(outcomes[1].text.contains("take the correction out"))
    #expect(outcomes[2].text.contains("no such row"))
    #expect(outcomes[3].text.contains("2 rows fit"))
    #expect(outcomes[4].text.contains("ended with the cycle 2303"))
    try built.expect(
      "SELECT elevation FROM airports WHERE siteNumber = '23747.31' ORDER BY icao", gives: ["682.0", "759.0"])
    let data = try JSONEncoder().encode(built.outcome.problems)
    #expect(try data.decoded(ProblemReport.self) == built.outcome.problems)
  }

  @Test func `keeps the file valid when the text has commas and quotes`() throws {
    let name = "PALO ALTO, \"THE\" FIELD"
    let quoted = try build([elevation(["column": "ARPT_NAME", "faa": "PALO ALTO", "right": name])])
    try quoted.expect("SELECT name FROM airports WHERE icao = 'KPAO'", gives: [name])
    try quoted.expect("SELECT count(*) FROM airports", gives: ["21"])
    let bare = elevation([
      "row": ["SITE_NO": "00103."], "column": "ARPT_NAME", "faa": "ABBEVILLE MUNI", "right": name,
    ])
    let unquoted = try build([bare], cycle: "2602")
    try unquoted.expect("SELECT name FROM airports WHERE faaID = '0J0'", gives: [name])
    #expect(unquoted.problems(.rowDropped, of: "APT_BASE.csv").isEmpty)
  }

  @Test func `finds a quoted value by its text, also beyond ASCII`() throws {
    let remark = elevation([
      "table": "APT_RMK", "row": ["ARPT_ID": "FAQ"], "column": "REMARK", "faa": "PCR \"90\", JOSÉ",
      "right": "PCR 90",
    ])
    let subscription = try subscription([remark])
    let latin = Array("\"PCR \"\"90\"\", JOS".utf8) + [0xC9] + Array("\"".utf8)
    let table = try #require(subscription.tables["APT_RMK"])
    let place = try #require(table.firstRange(of: Array("\"PCR VALUE: 90/R/A/W/T\"".utf8)))
    subscription.tables["APT_RMK"]?.replaceSubrange(place, with: latin)
    let built = try subscription.build(in: folder)
    #expect(built.outcome.problems.corrections.map(\.ending) == [.used])
    try built.expect("SELECT remark FROM remarks", gives: ["PCR 90"])
  }

  @Test func `compares two corrections of one row with the FAA's own values`() throws {
    let key = elevation(["column": "ARPT_ID", "faa": "PAO", "right": "PAX"])
    for corrections in [[elevation(), key], [key, elevation()]] {
      let built = try build(corrections)
      try built.expect("SELECT faaID, elevation FROM airports WHERE icao = 'KPAO'", gives: [["PAX", "7.0"]])
    }
  }

  @Test func `fills an empty field and empties a field`() throws {
    let built = try build([
      elevation(["column": "TPA", "faa": "", "right": "800"]), elevation(["right": ""]),
    ])
    try built.expect(
      "SELECT patternAltitude, elevation FROM airports WHERE icao = 'KPAO'", gives: [["800.0", "NULL"]])
  }

  @Test func `keeps the line numbers of problems in other rows`() throws {
    let subscription = try subscription([elevation(["right": "-1234.5"])])
    try subscription.replace("-122.24953111,\"E\",5.5,", with: "-122.24953111,\"E\",five,", in: "APT_BASE")
    let built = try subscription.build(in: folder)
    #expect(built.problems(.fieldDropped, of: "APT_BASE.csv").map(\.line) == [11])
    try built.expect("SELECT elevation FROM airports WHERE icao = 'KPAO'", gives: ["-1234.5"])
  }

  @Test func `gives the same bytes for the same corrections`() throws {
    let first = try build([elevation()]).file.data
    let second = try build([elevation()]).file.data
    #expect(first == second)
    let other = try build([elevation(["right": "7.1"])]).file.data
    #expect(first != other)
  }

  @Test(arguments: [
    (["table": "APT_BASSE"], "no table APT_BASSE", "Did you mean APT_BASE?"),
    (["column": "ELEVV"], "APT_BASE.csv has no column ELEVV", "Did you mean ELEV?"),
    (["table": "NOTHING_LIKE_IT"], "no table NOTHING_LIKE_IT", "remove it"),
  ])
  func `rejects unknown names`(changes: [String: String], problem: String, remedy: String) throws {
    let fault = try subscription([elevation(changes)]).fault(in: folder)
    #expect(fault.kind == .badInput && fault.path == "corrections.json5")
    #expect(fault.reason.contains(problem) && fault.suggestion?.contains(remedy) == true, "\(fault.message)")
  }

  /// Values that the reader of the column rejects, in each kind of column.
  static let unusable:
    [(table: String, row: [String: String], column: String, right: String, problem: String)] = [
      ("APT_BASE", ["ARPT_ID": "PAO"], "ELEV", "abc", "it is no number"),
      ("APT_BASE", ["ARPT_ID": "PAO"], "ELEV", "9999999", "it is out of range"),
      ("APT_BASE", ["ARPT_ID": "PAO"], "ARPT_STATUS", "SHUT", "the code is not known"),
      ("APT_BASE", ["ARPT_ID": "PAO"], "MAG_HEMIS", "Q", "there is no hemisphere with it"),
      ("APT_BASE", ["ARPT_ID": "PAO"], "FUEL_TYPES", "100LL,SODA", "the code is not known"),
      ("APT_BASE", ["ARPT_ID": "PAO"], "ARPT_ID", "", "it is empty"),
      ("APT_BASE", ["ARPT_ID": "SQL"], "ICAO_ID", "KPAO", "another airport has it"),
      ("APT_BASE", ["ARPT_ID": "PAO"], "LAST_INSPECTION", "yesterday", "it is no date"),
      ("APT_RWY", ["ARPT_ID": "PAO", "RWY_ID": "13/31"], "RWY_LEN", "24x3", "it is no whole number"),
      ("APT_RWY", ["ARPT_ID": "PAO", "RWY_ID": "13/31"], "RWY_LGT_CODE", "BRIGHT", "the code is not known"),
      (
        "APT_RWY_END", ["ARPT_ID": "PAO", "RWY_END_ID": "13"], "VISUAL_GLIDE_PATH_ANGLE", "steep",
        "it is no number"
      ),
      (
        "APT_RWY_END", ["ARPT_ID": "PAO", "RWY_END_ID": "13"], "RIGHT_HAND_TRAFFIC_PAT_FLAG", "R",
        "neither Y nor N"
      ), ("FRQ", ["SERVICED_FACILITY": "PAO", "FREQ": "121.3"], "FREQ", "1213", "it is no frequency"),
      (
        "FRQ", ["SERVICED_FACILITY": "PAO", "FREQ": "121.3"], "SERVICED_FACILITY", "NIL",
        "there is no such airport"
      ),
    ]

  @Test(arguments: unusable.indices)
  func `rejects a value that its column cannot have`(index: Int) throws {
    let (table, row, column, right, problem) = CorrectionTests.unusable[index]
    var correction: [String: Any] = [
      "table": table, "row": row, "column": column, "faa": "not the FAA's", "right": right,
      "why": "A survey.",
    ]
    let subscription = try subscription([correction])
    let source = try subscription.bare(in: folder)
    let present = try #require(try outcomes(subscription, source).first)
    #expect(present.ending == .overtaken)
    correction["faa"] = present.found
    subscription.definition.corrections = try self.subscription([correction]).definition.corrections
    let outcomes = try outcomes(subscription, source)
    #expect(
      outcomes.map(\.ending) == [.unusable] && outcomes[0].reason?.contains(problem) == true, "\(outcomes)")
    let fault = try subscription.fault(source, in: folder)
    #expect(fault.kind == .badInput && fault.path == "corrections.json5", "\(fault.message)")
    #expect(
      fault.reason.contains("\(present.correction.place) cannot be corrected to \"\(right)\": ")
        && fault.reason.contains(problem), "\(fault.message)")
  }

  @Test func `skips the corrections of tables that the source of a partial database lacks`() throws {
    let subscription = try subscription([
      elevation(), elevation(["table": "APT_RWY", "row": ["ARPT_ID": "CO4"], "column": "GROSS_WT_SW"]),
    ])
    subscription.tables = subscription.tables.filter { $0.key == "APT_BASE" }
    subscription.definition.tables = ["runways"]
    let built = try subscription.build(in: folder)
    #expect(built.outcome.problems.corrections.map(\.ending) == [.used, .unused])
  }

  /// Corrections of Palo Alto's row after which the database has the same values, each with the FAA's value and the "right" one.
  @Test(arguments: [
    // The decimals count.
    ("LAT_SEC", "40", "41"), ("LONG_HEMIS", "W", "E"),
    // Without its decimal the position comes from degrees, minutes and seconds.
    ("LAT_DECIMAL", "37.46111111", ""), ("LAT_DECIMAL", "37.46111111", "37.461111110"),
    // Another spelling of the same value.
    ("ELEV", "6.8", "6.80"), ("FUEL_TYPES", "100LL,A", "100LL/A"), ("BCN_LENS_COLOR", "WG", "WG "),
    // No table of the database has the column.
    ("ACREAGE", "102", "103"), ("ADO_CODE", "SFO", "OAK"),
  ])
  func `reports a correction that changes no value`(column: String, faa: String, right: String) throws {
    let change: [String: Any] = ["column": column, "faa": faa, "right": right]
    let plain = try build([]).rows("SELECT * FROM airports JOIN airportDetails ON airport = icao")
    let built = try build([elevation(change)])
    #expect(try built.rows("SELECT * FROM airports JOIN airportDetails ON airport = icao") == plain)
    let outcome = try #require(built.outcome.problems.corrections.first)
    #expect(outcome.ending == .withoutEffect && outcome.text.contains("changes no value of the database"))
    #expect(built.outcome.product.build.counts["correctionsWithoutEffect"] == 1)
    #expect(built.outcome.product.build.counts["correctionsUsed"] == nil)
    let subscription = try subscription([elevation(change)])
    let source = try subscription.bare(in: folder, name: "checked.zip")
    #expect(try outcomes(subscription, source).map(\.ending) == [.withoutEffect])
  }

  @Test func `judges the effect of a correction together with the others of its row`() throws {
    // Without the hemisphere the variation would be east; with a variation of 0 no hemisphere counts.
    let variation = elevation(["column": "MAG_VARN", "faa": "15", "right": "16"])
    let hemisphere = elevation(["column": "MAG_HEMIS", "faa": "E", "right": "W"])
    let none = elevation(["column": "MAG_VARN", "faa": "15", "right": "0"])
    #expect(try build([variation, hemisphere]).outcome.problems.corrections.map(\.ending) == [.used, .used])
    #expect(
      try build([hemisphere, none]).outcome.problems.corrections.map(\.ending) == [.withoutEffect, .used])
    // Keys, links and the columns of records count too.
    let others = try build([
      elevation(["column": "LGT_SKED", "faa": "SEE RMK", "right": "SS-SR"]),
      elevation([
        "table": "FRQ", "row": ["SERVICED_FACILITY": "PAO", "FREQ": "121.3"], "column": "REMARK", "faa": "",
        "right": "A REMARK",
      ]),
    ])
    #expect(others.outcome.problems.corrections.allSatisfy { $0.ending == .used })
    try others.expect("SELECT DISTINCT lighting FROM runways WHERE airport = 'KPAO'", gives: ["fullTime"])
  }

  /// Values by which a row would take the place of another one, which the reader of the other row would report there, or nobody.
  @Test(arguments: [
    ("APT_BASE", ["ARPT_ID": "PAO"], "ARPT_ID", "PAO", "SQL"),
    ("APT_BASE", ["ARPT_ID": "PAO"], "ARPT_ID", "PAO", "KSQL"),
    ("APT_BASE", ["ARPT_ID": "PAO"], "ICAO_ID", "KPAO", "KSQL"),
    ("APT_BASE", ["ARPT_ID": "PAO"], "ICAO_ID", "KPAO", "SQL"),
    ("APT_BASE", ["ARPT_ID": "PAO"], "SITE_NO", "02022.", "02187."),
    ("APT_RWY", ["ARPT_ID": "SFO", "RWY_ID": "01L/19R"], "RWY_ID", "01L/19R", "10L/28R"),
    ("APT_RWY", ["ARPT_ID": "SFO", "RWY_ID": "10R/28L"], "RWY_ID", "10R/28L", "10L/28R"),
  ])
  func `rejects a correction that takes the identity of another row`(
    table: String, row: [String: String], column: String, faa: String, right: String
  ) throws {
    let fault = try subscription([
      elevation(["table": table, "row": row, "column": column, "faa": faa, "right": right])
    ]).fault(in: folder)
    #expect(fault.reason.contains("cannot be corrected to \"\(right)\": "), "\(fault.message)")
    #expect(fault.kind == .badInput && fault.path == "corrections.json5")
  }

  @Test func `rejects two corrections of one field`() throws {
    let other = elevation(["row": ["ICAO_ID": "KPAO"], "right": "1234.5"])
    let fault = try subscription([elevation(), other]).fault(in: folder)
    #expect(
      fault.reason.contains("ICAO_ID KPAO: ELEV") && fault.reason.contains("change one field"),
      "\(fault.message)")
    // A position in decimals and one of its parts, where the decimals are missing.
    let subscription = try subscription([
      elevation(["column": "LAT_DECIMAL", "faa": "37.46111111", "right": "37.5"]),
      elevation(["column": "LAT_SEC", "faa": "40", "right": "41"]),
    ])
    try subscription.replace("37.46111111", with: "", in: "APT_BASE")
    #expect(try subscription.fault(in: folder).reason.contains("change one field"))
  }

  @Test func `exchanges two identifiers and rejects one identifier for two`() throws {
    let pao = elevation(["column": "ARPT_ID", "faa": "PAO", "right": "SQL"])
    let sql = elevation(["row": ["ICAO_ID": "KSQL"], "column": "ARPT_ID", "faa": "SQL", "right": "PAO"])
    let built = try build([pao, sql])
    try built.expect(
      "SELECT faaID FROM airports WHERE icao IN ('KPAO', 'KSQL') ORDER BY icao", gives: ["SQL", "PAO"])
    let fault = try subscription([
      pao.merging(["right": "ZZZ"]) { $1 }, sql.merging(["right": "ZZZ"]) { $1 },
    ]).fault(in: folder)
    #expect(fault.reason.contains("another airport has it"), "\(fault.message)")
  }

  @Test func `rejects a latitude beyond the pole in the check and in the build`() throws {
    let place = elevation(["column": "LAT_DECIMAL", "faa": "37.46111111", "right": "93"])
    let subscription = try subscription([place])
    let source = try subscription.bare(in: folder)
    let error = #expect(throws: UserError.self) { try outcomes(subscription, source) }
    for fault in [try #require(error), try subscription.fault(source, in: folder)] {
      #expect(fault.reason.contains("LAT_DECIMAL: \"93\" is no position in degrees"), "\(fault.message)")
    }
  }

  @Test func `accepts a correction in a row with another unusable value`() throws {
    let subscription = try subscription([elevation()])
    let row = try #require(
      subscription.text("APT_BASE").split(separator: "\n").first { $0.contains("\"PAO\"") })
    let other = row.replacing("\"O\",", with: "\"SHUT\",")
    try #require(other != row)
    try subscription.replace(String(row), with: String(other), in: "APT_BASE")
    let built = try subscription.build(in: folder)
    #expect(built.outcome.problems.corrections.map(\.ending) == [.used])
    let unknown = built.problems(.unknownCode, of: "APT_BASE.csv")
    #expect(unknown.contains { $0.column == "ARPT_STATUS" && $0.value == "SHUT" }, "\(unknown)")
  }
}
