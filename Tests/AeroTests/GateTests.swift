import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

struct GateTests {
  let folder = TemporaryFolder()
  let subscription: Subscription

  init() throws { subscription = try Subscription("2304") }

  @Test func `fails on too many unusable rows and names the first`() throws {
    try subscription.replace("37.46111111", with: "none", in: "APT_BASE")
    subscription.definition.gates.droppedRowShare = 0.04
    let fault = try subscription.fault(in: folder)
    #expect(fault.kind == .badInput)
    #expect(
      fault.reason
        == "1 of 21 rows of APT_BASE.csv cannot be used; the first is line 10: LAT_DECIMAL \"none\": it is no number within -90 to 90"
    )
    subscription.definition.gates.droppedRowShare = 0.5
    _ = try subscription.build(in: folder)
  }

  @Test func `names an empty table of airports, not the tables that depend on it`() throws {
    subscription.edit("APT_BASE") { String($0.prefix { !$0.isNewline }) + "\r\n" }
    let fault = try subscription.fault(in: folder)
    #expect(fault.reason == "APT_BASE.csv has no rows below its header, so there are no airports")
  }

  @Test func `names the columns in which runways and airports do not agree`() throws {
    subscription.edit("APT_RWY") { $0.replacing("\"A\"", with: "\"Q\"") }
    let fault = try subscription.fault(in: folder)
    #expect(
      fault.reason.contains("rows of APT_RWY.csv cannot be used; the first is line ")
        && fault.reason.contains("no row of APT_BASE.csv has its SITE_NO and SITE_TYPE_CODE"),
      "\(fault.reason)")
  }

  @Test(arguments: [("airports", 21), ("navaids", 9), ("fixes", 18), ("remarks", 1)])
  func `fails if a table has too few rows`(table: String, rows: Int) throws {
    subscription.definition.gates.minimumRows = [table: rows + 1]
    let fault = try subscription.fault(in: folder)
    #expect(fault.kind == .badInput)
    #expect(
      fault.reason == "it gives \(rows) rows for the table \(table), where at least \(rows + 1) are expected")
    subscription.definition.gates.minimumRows = [table: rows]
    _ = try subscription.build(in: folder, as: "good")
  }

  @Test func `rejects a gate for an unknown table`() throws {
    subscription.definition.gates.minimumRows = ["airpots": 1]
    let fault = try subscription.fault(in: folder)
    #expect(fault.kind == .badInput)
    #expect(fault.message.contains("airpots"))
  }

  @Test func `does not blame the source if the disk cannot be written`() throws {
    let source = try subscription.bare(in: folder)
    try expectFault(kind: .failed, message: "folder.sqlite") {
      try subscription.build(source, in: folder, name: "no/such/folder.sqlite")
    }
  }

  @Test func `expects the day of the last change in tables of the 56-day cadence`() throws {
    let cycle: AiracCycle = "2602"
    for table in ["ARB_SEG", "AWY_BASE", "DP_RTE", "MTR_PT", "PFR_SEG", "STAR_APT", "WXL_BASE"] {
      #expect(EffectiveDates.day(of: table, in: cycle)?.description == "2026-01-22", "\(table)")
    }
    for table in ["APT_BASE", "FRQ", "PJA_BASE", "AWOS"] {
      #expect(EffectiveDates.day(of: table, in: cycle)?.description == "2026-02-19", "\(table)")
    }
    #expect(EffectiveDates.day(of: "CDR", in: cycle) == nil)
    #expect(EffectiveDates.day(of: "PFR_RMT_FMT", in: cycle) == nil)
  }

  @Test func `reads the shipped definition`() throws {
    let nasr = try #require(
      try PipelineLibrary.read(repositoryRoot.appending(path: "pipelines/nasr.json5")) as? NASRDefinition)
    let cycle: AiracCycle = "2602"
    #expect(
      nasr.sourceNames(for: cycle) == [
        "28DaySubscription_Effective_2026-02-19.zip", "19_Feb_2026_CSV.zip",
        "28DaySubscription_Effective_2026-02-19", "19_Feb_2026_CSV",
      ])
    #expect(Set(nasr.gates.minimumRows.keys).isSubset(of: DatabaseSchema.tables.map(\.name)))
  }

  @Test func `reads the shipped definition of obstacles`() throws {
    let obstacles = try #require(
      try PipelineLibrary.read(repositoryRoot.appending(path: "pipelines/obstacles.json5"))
        as? ObstacleDefinition)
    let cycle: AiracCycle = "2608"
    #expect(
      obstacles.origin.names(obstacles.sources, for: cycle) == [
        "DAILY_DOF_CSV.ZIP", "DOF.CSV", "DOF_260802.zip", "DOF.DAT",
      ])
    #expect(obstacles.gates.minimumRows.keys.sorted() == ["obstacles"])
  }
}

/// Codes that are not known: they say neither yes nor no, are counted by column, and stop a build when they are too many.
struct ColumnGateTests {
  let folder = TemporaryFolder()
  let subscription: Subscription

  init() throws { subscription = try Subscription("2304") }

  /// Adds copies of Palo Alto under other numbers, so that the columns have values enough to be judged.
  private func crowded(_ count: Int = 60) throws -> Subscription {
    subscription.editLines("APT_BASE") { lines in
      let model = lines.first { $0.contains("\"PAO\"") } ?? ""
      let copies = (0..<count).map {
        model.replacing("\"02022.\"", with: "\"9\($0).\"").replacing("\"PAO\"", with: "\"ZQ\($0)\"")
          .replacing("\"KPAO\"", with: "\"\"")
      }
      return lines + copies
    }
    return subscription
  }

  @Test func `sets isTowered to null for an unknown tower code`() throws {
    try subscription.replace("\"NON-ATCT\"", with: "\"NO TOWER\"", in: "APT_BASE")
    let built = try subscription.build(in: folder)
    try built.expect("SELECT DISTINCT isTowered FROM airports ORDER BY 1", gives: ["NULL", "1"])
    let unknown = built.problems(.unknownCode, of: "APT_BASE.csv")
    #expect(Set(unknown.map(\.column)) == ["TWR_TYPE_CODE"])
    #expect(Set(unknown.map(\.value)) == ["NO TOWER"])
    #expect(built.outcome.product.build.counts["unknownCodes"] == unknown.count)
  }

  @Test func `reads an empty tower code as unknown and an empty beacon as none`() throws {
    try subscription.replace(
      "\"SS-SR\",\"ATCT\",\"Y\",\"WG\"", with: "\"SS-SR\",\"\",\"Y\",\"\"", in: "APT_BASE")
    let built = try subscription.build(in: folder)
    try built.expect(
      "SELECT isTowered, hasBeaconLight FROM airports WHERE icao = 'KPAO'", gives: [["NULL", "0"]])
  }

  /// Each yes or no of the database, with a word in place of its code that means neither.
  @Test(arguments: [
    (
      "APT_BASE", "\"Y\",\"WG\",\"N\"", "\"Y\",\"XX\",\"N\"",
      "SELECT hasBeaconLight FROM airports WHERE icao = 'KPAO'"
    ),
    (
      "APT_BASE", "\"N\",\"N\",\"N\",\"Y\",\"S\",\"S\"", "\"N\",\"N\",\"N\",\"J\",\"S\",\"S\"",
      "SELECT hasMilitaryLanding FROM airportDetails WHERE airport = 'KPAO'"
    ),
    (
      "APT_BASE", "\"NO OBJECTION\",\"N\"", "\"NO OBJECTION\",\"n\"",
      "SELECT isEntry FROM airportDetails WHERE airport = 'KPAO'"
    ), ("APT_RWY", "\"MED\"", "\"GLOW\"", "SELECT lighting FROM runways WHERE airport = 'KPAO'"),
  ])
  func `a flag neither yes nor no is NULL`(table: String, old: String, new: String, query: String) throws {
    #expect(try subscription.build(in: folder).column(query) != ["NULL"])
    try subscription.replace(old, with: new, in: table)
    let built = try subscription.build(in: folder, as: "odd")
    try built.expect(query, gives: ["NULL"])
    #expect(built.outcome.problems.unknownCodes > 0)
  }

  @Test func `says neither yes nor no where the FAA says neither`() throws {
    let details = try subscription.build(in: folder)
    let source = try #require(index(of: "LNDG_FEE_FLAG", in: "APT_BASE"))
    let values = withoutInnerCommas(subscription.text("APT_BASE")).split(whereSeparator: \.isNewline)
      .dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
      .filter { $0.count > source }
    let expected = Dictionary(grouping: values) { $0[source] }.mapValues(\.count)
    let counts = try details.rows("SELECT hasLandingFee, count(*) FROM airportDetails GROUP BY 1")
    #expect(
      Dictionary(uniqueKeysWithValues: counts.map { ($0[0], Int($0[1])) })
        == ["NULL": expected["\"\""], "0": expected["\"N\""], "1": expected["\"Y\""]].filter {
          $0.value != nil
        })
    // Of class airspace the FAA documents: Y, else nothing.
    let other = TemporaryFolder()
    let tables = try Subscription("2602-tables").build(in: other)
    let classes = try tables.rows("SELECT classB, classC, classD, classE FROM classAirspaceHours").flatMap(
      \.self)
    #expect(Set(classes) == ["0", "1"])
  }

  @Test func `sets the traffic pattern of an unknown code to null`() throws {
    let query = "SELECT DISTINCT baseEndTraffic FROM runways WHERE baseEndLatitude IS NOT NULL"
    let before = try subscription.build(in: folder).column(query)
    #expect(before.contains("left"))
    let column = try #require(index(of: "RIGHT_HAND_TRAFFIC_PAT_FLAG", in: "APT_RWY_END"))
    // Not all of them: a column of which no value is known stops the build.
    subscription.editLines("APT_RWY_END") {
      setting(Array($0.dropLast()), column, to: "\"R\"") + $0.suffix(1)
    }
    let built = try subscription.build(in: folder, as: "odd")
    #expect(try built.column(query).contains("NULL"))
    let unknown = built.problems(.unknownCode, of: "APT_RWY_END.csv")
    #expect(Set(unknown.map(\.value)) == ["R"] && unknown.count > 5)
  }

  @Test func `fails if every code of a column is unknown`() throws {
    let subscription = try crowded()
    try subscription.replace("\"NON-ATCT\"", with: "\"NONE\"", in: "APT_BASE")
    try subscription.replace("\"SS-SR\",\"ATCT\"", with: "\"SS-SR\",\"TOWER\"", in: "APT_BASE")
    subscription.edit("APT_BASE") { $0.replacing("\"ATCT", with: "\"TOWER") }
    // Not even a gate that lets everything pass helps.
    subscription.definition.gates.unusableValueShare = 1
    let fault = try subscription.fault(in: folder)
    #expect(fault.kind == .badInput)
    #expect(
      fault.reason.hasPrefix(
        "APT_BASE.csv: column TWR_TYPE_CODE: none of the 81 values is known, such as \""), "\(fault.reason)")
    #expect(fault.suggestion?.contains("correction") == true)
  }

  /// Columns that a cycle may lack, with values that no reader knows.
  @Test(arguments: [
    ("BCN_LENS_COLOR", "\"XX\""), ("LNDG_FEE_FLAG", "\"?\""), ("OTHER_SERVICES", "\"COFFEE\""),
    ("TPA", "high"), ("ACTIVATION_DATE", "\"04/1940\""), ("BULK_OXY_TYPE", "\"SOME\""),
  ])
  func `warns of an optional column without a known value and builds`(column: String, value: String) throws {
    let subscription = try crowded()
    let place = try #require(index(of: column, in: "APT_BASE"))
    let plain = try subscription.build(in: folder)
    #expect(plain.outcome.warnings.isEmpty)
    subscription.edit("APT_BASE", withoutInnerCommas)
    subscription.editLines("APT_BASE") { setting($0, place, to: value) }
    subscription.definition.tables = ["runways"]
    let built = try subscription.build(in: folder, as: "odd")
    let warning = try #require(built.outcome.warnings.first)
    #expect(built.outcome.warnings.count == 1, "\(built.outcome.warnings)")
    #expect(warning.hasPrefix("APT_BASE.csv: column \(column): none of the 81 values is known"), "\(warning)")
    try built.expect("SELECT * FROM metadata WHERE key LIKE 'warnings%'", gives: [["warnings.1", warning]])
    try built.expect("SELECT count(*) FROM airports", gives: ["81"])
  }

  @Test(arguments: [(40, false), (60, true)])
  func `fails if most of a column of an optional table is unknown`(odd: Int, stops: Bool) throws {
    let subscription = try Subscription("2602-tables")
    subscription.editLines("APT_CON") { lines in
      lines[..<1] + (0..<100).map { lines[1].replacing("MANAGER", with: $0 < odd ? "MAYOR" : "OWNER") }
    }
    let text = "APT_CON.csv: column TITLE: \(odd) of 100 values are unknown"
    if stops {
      #expect(try subscription.fault(in: folder).reason.hasPrefix(text))
    } else {
      let warnings = try subscription.build(in: folder).outcome.warnings
      #expect(warnings.count == 1 && warnings[0].hasPrefix(text), "\(warnings)")
    }
  }

  /// Commas within quotes, which `setting` takes for the ends of fields, become blanks.
  private func withoutInnerCommas(_ text: String) -> String {
    var isQuoted = false
    return String(
      text.map { character in
        if character == "\"" { isQuoted.toggle() }
        return isQuoted && character == "," ? " " : character
      })
  }

  @Test func `counts unknown uses of frequencies and fails if all are unknown`() throws {
    let column = try #require(index(of: "FREQ_USE", in: "FRQ"))
    let whole = subscription.text("FRQ")
    subscription.edit("FRQ") { $0.replacing("\"CTAF\"", with: "\"COMMON\"") }
    let built = try subscription.build(in: folder)
    let unknown = built.problems(.unknownCode, of: "FRQ.csv")
    #expect(!unknown.isEmpty && Set(unknown.map(\.value)) == ["COMMON"])
    subscription.tables["FRQ"] = Array(whole.utf8)
    subscription.editLines("FRQ") { lines in
      setting(lines.filter { $0.count { $0 == "," } == 20 }, column, to: "\"ZZ\"")
    }
    let fault = try subscription.fault(in: TemporaryFolder())
    #expect(fault.reason.contains("FRQ.csv: column FREQ_USE: none of the "), "\(fault.reason)")
  }

  @Test(arguments: [(4, false), (5, true), (9, true)])
  func `fails if a short column has no known value`(rows: Int, stops: Bool) throws {
    let column = try #require(index(of: "NAV_TYPE", in: "NAV_BASE"))
    subscription.editLines("NAV_BASE") { setting(Array($0.prefix(rows + 1)), column, to: "\"SHOUT\"") }
    guard stops else {
      _ = try subscription.build(in: folder)
      return
    }
    let fault = try subscription.fault(in: folder)
    #expect(
      fault.reason.contains("NAV_BASE.csv: column NAV_TYPE: none of the \(rows) values is known"),
      "\(fault.reason)")
    // One that is known makes the others few.
    subscription.editLines("NAV_BASE") {
      [$0[0], $0[1].replacing("\"SHOUT\"", with: "\"VOR\"")] + $0.dropFirst(2)
    }
    _ = try subscription.build(in: folder, as: "one")
  }

  @Test func `fails on more unusable values than the gate allows and names all columns`() throws {
    let subscription = try crowded(200)
    subscription.edit("APT_BASE") { text in
      var count = 0
      let lines = text.components(separatedBy: "\r\n").map { line in
        guard line.contains("\"ZQ") else { return line }
        count += 1
        return count > 30
          ? line
          : line.replacing("\"100LL,A\"", with: "\"Z9\"").replacing(
            "\"E\",6.8,\"S\"", with: "\"E\",six,\"S\"")
      }
      return lines.joined(separator: "\r\n")
    }
    let fault = try subscription.fault(in: folder)
    #expect(
      fault.reason.contains("column ELEV: 30 of 221 values are unknown or cannot be read, such as \"six\""))
    #expect(fault.reason.contains("column FUEL_TYPES: 30 of "))
    #expect(fault.suggestion?.contains("gates.unusableValueShare") == true)
    subscription.definition.gates.unusableValueShare = 0.2
    _ = try subscription.build(in: folder)
  }

  @Test func `counts frequencies of an unknown kind`() throws {
    try subscription.replace("\"AIRPORT\"", with: "\"AERODROME\"", in: "FRQ")
    let fault = try subscription.fault(in: folder)
    #expect(fault.reason.contains("FRQ.csv: column SERVICED_SITE_TYPE: "), "\(fault.reason)")
    #expect(fault.reason.contains("\"AERODROME\""))
  }

  private func index(of column: String, in table: String) -> Int? {
    subscription.text(table).split(whereSeparator: \.isNewline).first?.split(separator: ",")
      .firstIndex(of: "\"\(column)\"")
  }

  /// Rows without commas inside their values alone.
  private func setting(_ lines: [String], _ column: Int, to value: String) -> [String] {
    lines.enumerated().map { number, line in
      guard number > 0 else { return line }
      var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      fields[column] = value
      return fields.joined(separator: ",")
    }
  }
}
