import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// Corrections of obstacles and of airspace, whose sources are no tables of the subscription.
struct SourceCorrectionTests {
  let folder = TemporaryFolder()

  private func list(_ corrections: [[String]]) -> AdjacentFile<[Correction]> {
    AdjacentFile(
      file: "corrections.json5",
      content: corrections.map { words in
        let row = words[1].split(separator: ";").map { $0.split(separator: "=").map(String.init) }
        return Correction(
          table: words[0], row: Dictionary(uniqueKeysWithValues: row.map { ($0[0], $0[1]) }),
          column: words[2],
          faa: words[3], right: words[4], why: "A test.")
      })
  }

  private func endings(_ built: Built) -> [CorrectionOutcome.Ending] {
    built.outcome.problems.corrections.map(\.ending)
  }

  // MARK: - Obstacles

  private func obstacles(_ corrections: [[String]]) throws -> ObstacleSource {
    var source = try ObstacleSource()
    source.definition.corrections = list(corrections)
    return source
  }

  private var csv: [UInt8] {
    get throws { [UInt8](try fixtureFolder.appending(path: "obstacles/DOF.CSV").data) }
  }

  @Test func `corrects an obstacle and reports each outcome`() throws {
    let built = try obstacles([
      ["DOF", "OAS=09-021145", "AGL", "00084", "00184"],
      ["DOF", "OAS=09-021145", "LATDEC", "41.005065", "41.5"],
      ["DOF", "OAS=09-021145", "CITY", "GREENWHICH", "GREENWICH"], ["DOF", "OAS=09-999999", "AGL", "1", "2"],
      ["DOF", "COUNTRY=US", "AGL", "1", "2"], ["DOF", "OAS=09-021145", "AMSL", "00138", "00237"],
      ["DOF", "OAS=09-021145", "QUANTITY", "1", "01"],
    ]).build(csv, in: folder)
    #expect(
      endings(built) == [.used, .used, .alreadyRight, .unused, .ambiguous, .overtaken, .withoutEffect])
    try built.expect(
      "SELECT heightAGL, latitude FROM obstacles WHERE oas = '09-021145'", gives: [["184", "41.5"]])
    #expect(built.outcome.product.build.counts["correctionsUsed"] == 2)
    let text = "used: DOF with OAS 09-021145: AGL corrected from \"00084\" to \"00184\": A test."
    try built.expect("SELECT value FROM metadata WHERE key = 'corrections.1'", gives: [text])
    let audit = try DatabaseAudit(
      database: built.file, cycle: "2304", tables: zip([("DOF.CSV", csv)], in: folder, name: "audited.zip"),
      problems: built.outcome.problems, jobs: 1)
    #expect(try audit.result().differ == 0)
  }

  @Test(arguments: [
    ("DOF", "AGL", "00084", "high", "it is no whole number"),
    ("DOF", "OAS", "09-021145", "00-000001", "another row has it"),
    ("DOF", "HEIGHT", "00084", "1", "has no column HEIGHT"),
    ("APT_BASE", "AGL", "00084", "1", "no table APT_BASE"),
  ])
  func `rejects a correction of an obstacle that cannot be used`(
    table: String, column: String, faa: String, right: String, problem: String
  ) throws {
    let fault = try obstacles([[table, "OAS=09-021145", column, faa, right]]).fault(csv, in: folder)
    #expect(fault.path == "corrections.json5" && fault.reason.contains(problem), "\(fault.message)")
  }

  @Test func `corrects obstacles in fixed columns`() throws {
    let rows = FixedObstacleTests.file(FixedObstacleTests.rows)
    let file = try zip([("DOF.DAT", Array(rows.utf8))], in: folder, name: "fixed.zip")
    let plain = try ObstacleSource().build(file, in: folder, name: "plain.sqlite")
    let first = try plain.rows("SELECT oas, latitude FROM obstacles LIMIT 1")[0]
    let source = try obstacles([
      ["DOF", "OAS=\(first[0])", "LATDEC", first[1], "32.5"],
      ["DOF", "OAS=\(first[0])", "CITY", "NONE", "TOWN"],
    ])
    let built = try source.build(file, in: folder, name: "fixed.sqlite")
    #expect(endings(built) == [.used, .overtaken])
    try built.expect("SELECT latitude FROM obstacles WHERE oas = '\(first[0])'", gives: ["32.5"])
    #expect(built.outcome.problems.droppedRows == plain.outcome.problems.droppedRows)
    let audit = DatabaseAudit(
      database: built.file, cycle: "2304", tables: file, problems: built.outcome.problems, jobs: 1)
    #expect(try audit.result().differ == 0)
    for (column, right, problem) in [
      ("CITY", "A TOWN OF A LONG NAME", "is longer than"), ("LATDEC", "91", "no position"),
    ] {
      let fault = try obstacles([["DOF", "OAS=\(first[0])", column, "x", right]]).fault(of: file, in: folder)
      #expect(fault.reason.contains(problem), "\(fault.message)")
    }
  }

  // MARK: - Airspace

  private func audit(_ built: Built, _ bench: AirspaceBench) throws -> AuditResult {
    try DatabaseAudit(
      database: built.file, cycle: "2304", tables: bench.source(), problems: built.outcome.problems, jobs: 1
    ).result()
  }

  @Test func `corrects class airspace`() throws {
    let bench = try AirspaceBench(shapes: "airspace")
    let sector = "NAME=SAN DIEGO CLASS B;LOWER_VAL=4800"
    bench.subscription.definition.corrections = list([
      ["Class_Airspace", sector, "LOWER_VAL", "4800", "4700"],
      ["Class_Airspace", sector, "UPPER_VAL", "10000", "100"],
      ["Class_Airspace", sector, "UPPER_UOM", "FT", "FL"],
      ["Class_Airspace", "NAME=SAN DIEGO CLASS B", "IDENT", "SAN", "X"],
      ["Class_Airspace", "NAME=NIL", "IDENT", "SAN", "X"],
      ["Class_Airspace", "LOCAL_TYPE=CLASS_D", "UPPER_VAL", "2500", "2500.0"],
      ["Class_Airspace", "LOCAL_TYPE=CLASS_D", "IDENT", "RNX", "RNG"],
    ])
    let built = try bench.build()
    #expect(endings(built) == [.used, .used, .used, .ambiguous, .unused, .withoutEffect, .alreadyRight])
    try built.expect(
      "SELECT floor, floorText, ceilingText FROM airspaces WHERE floor = 4700",
      gives: [["4700", "4700 ft MSL", "FL100"]])
    #expect(try audit(built, bench).differ == 0)
  }

  @Test func `corrects special-use airspace`() throws {
    typealias Sample = SpecialUseSample
    let square = Sample.surface(Sample.line(["-117 35", "-116 35", "-116 36", "-117 36"]))
    let other = Sample.surface(Sample.line(["-115 35", "-114 35", "-114 36", "-115 36"]))
    let bench = try AirspaceBench(special: [
      Sample.airspace(
        "R-1", name: "R-1 ONE",
        [
          Sample.component("BASE", 1, "GND", "180 FL STD", square),
          Sample.component("UNION", 2, "GND", "5000 FT MSL", other),
        ]
      ), Sample.airspace("R-2", id: "Airspace2", [Sample.component("BASE", 1, "GND", "", other)]),
    ])
    bench.subscription.definition.corrections = list([
      ["AirspaceVolume", "designator=R-1;operationSequence=2", "upperLimit", "5000", "6000"],
      ["AirspaceVolume", "designator=R-1", "upperLimit", "5000", "6000"],
      ["AirspaceVolume", "designator=R-2", "upperLimit", "", "7000"],
      ["AirspaceVolume", "designator=R-2", "upperLimitReference", "", "MSL"],
      ["AirspaceVolume", "designator=R-1;operationSequence=1", "upperLimit uom", "FL", "FL "],
      ["Airspace", "designator=R-1", "name", "R-1 ONE", "R-1 FIRST"],
      ["Airspace", "designator=R-1", "suaType", "RA", "PA"],
      ["Airspace", "designator=R-1", "city", "BARSTO", "X"],
    ])
    let built = try bench.build()
    #expect(
      endings(built) == [.used, .ambiguous, .used, .used, .withoutEffect, .used, .used, .overtaken])
    try built.expect(
      "SELECT name, class, ceilingText FROM airspaces ORDER BY id",
      gives: [
        ["R-1 FIRST", "prohibited", "FL180"], ["R-1 FIRST", "prohibited", "6000 ft MSL"],
        ["R-2", "restricted", "7000 ft MSL"],
      ])
    let audit = try audit(built, bench)
    #expect(audit.differ == 0, "\(audit.differences)")
  }

  @Test(arguments: [
    ("AirspaceVolume", "upperLimit", "180", "high", "it is not an altitude"),
    ("AirspaceVolume", "upperLimit uom", "FL", "YD", "the unit of measure"),
    ("Airspace", "suaType", "RA", "XX", "the type is not known"),
    ("Airspace", "suaTipe", "RA", "XX", "Airspace has no column suaTipe"),
    ("Airspaces", "name", "x", "y", "no table Airspaces"),
  ])
  func `rejects a correction of airspace that cannot be used`(
    table: String, column: String, faa: String, right: String, problem: String
  ) throws {
    typealias Sample = SpecialUseSample
    let square = Sample.surface(Sample.line(["-117 35", "-116 35", "-116 36", "-117 36"]))
    let bench = try AirspaceBench(special: [
      Sample.airspace("R-1", [Sample.component("BASE", 1, "GND", "180 FL STD", square)])
    ])
    bench.subscription.definition.corrections = list([[table, "designator=R-1", column, faa, right]])
    let fault = try bench.fault()
    #expect(fault.path == "corrections.json5" && fault.reason.contains(problem), "\(fault.message)")
    guard faa != "x", !column.hasSuffix("Tipe") else { return }
    var request = try bench.subscription.request(bench.source())
    request.definition.specialUse = []
    #expect(try DatabaseBuilder.correctionOutcomes(request).map(\.ending) == [.unusable])
  }
}
