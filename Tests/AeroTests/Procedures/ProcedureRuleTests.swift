import Core
import CryptoIO
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The rules about procedures.
struct ProcedureRuleTests {
  let folder = TemporaryFolder()

  private func findings(_ rule: some Rule<DatabaseUnderTest>, after sql: String) throws -> [String] {
    let built = try ProcedureSource(isPart: true).build(
      try ProcedureSource.hayward, in: folder, name: "\(UUID()).sqlite")
    try built.execute(sql)
    return try rule.run(on: DatabaseUnderTest(built.file, place: "p")).findings.map(\.message)
  }

  @Test func `finds nothing in the FAA's records`() throws {
    #expect(try findings(ProcedureLegs(), after: "SELECT 1") == [])
    #expect(try findings(ProcedureGeometry(), after: "SELECT 1") == [])
    #expect(try findings(ProcedureAirspace(), after: "SELECT 1") == [])
  }

  @Test(arguments: [
    ("UPDATE legs SET fix = NULL WHERE type = 'DF'", "needs a fix"),
    ("UPDATE legs SET type = 'XX' WHERE type = 'DF'", "not known"),
    ("UPDATE legs SET sequence = 10 WHERE sequence = 20", "twice"),
    ("UPDATE legs SET fix = NULL WHERE type = 'IF'", "no fix"),
    ("UPDATE legs SET altitudeCode = 'B', altitude = 1, secondAltitude = 2", "upper"),
    ("UPDATE legs SET turn = 'E' WHERE type = 'HM'", "needs a turn"),
    ("UPDATE legs SET altitudeCode = 'Z'", "code is not known"),
    ("UPDATE legs SET altitudeCode = '+', altitude = NULL, altitudeWord = NULL", "no altitude"),
    ("UPDATE legs SET altitude = 1 WHERE substr(description, 4) = 'F'", "below its missed"),
  ])
  func `finds legs that cannot be flown`(sql: String, text: String) throws {
    #expect(try findings(ProcedureLegs(), after: sql).contains { $0.contains(text) })
  }

  /// An arc to the left around a point north of its start, with its end east of it.
  private static let arc = """
    UPDATE legs SET type = 'RF', turn = 'L', longitude = -121.78867, latitude = 38.16648, centerLongitude = -122, centerLatitude = 38.16667,
      arcRadius = 10, theta = 90 - 13.3, course = 360 - 13.3, navaidLatitude = NULL WHERE transition = 'SJC' AND procedure = 'R28L' AND sequence = 30;
    UPDATE legs SET longitude = -122, latitude = 38, navaidLatitude = NULL WHERE transition = 'SJC' AND procedure = 'R28L' AND sequence = 20;
    UPDATE airports SET magneticVariation = 13.3
    """

  /// The VOR of Oakland, which the records of Hayward do not have.
  private static let vor = """
    INSERT INTO navaids (identifier, region, latitude, vorLatitude, magneticVariation)
      VALUES ('OAK', 'K2', 37.725917, 37.725917, 17);
    UPDATE legs SET navaidLongitude = -122.22361, navaidLatitude = 37.725917 WHERE navaid = 'OAK'
    """

  @Test(arguments: [
    ("UPDATE legs SET course = 1 WHERE type = 'TF'", "course of 1.0°"),
    (arc + "; UPDATE legs SET theta = 260 WHERE type = 'RF'", "course of 260.0° at an end of its arc"),
    (arc + "; UPDATE legs SET course = 180 WHERE type = 'RF'", "course of 180.0° at an end of its arc"),
    (arc + "; UPDATE legs SET turn = 'R' WHERE type = 'RF'", "at an end of its arc is 180"),
    (arc + "; UPDATE legs SET arcRadius = 9 WHERE type = 'RF'", "off its radius of 9.0 NM"),
    ("UPDATE legs SET rho = rho + 1 WHERE type = 'CF'", "NM from the navaid, and it says"),
    ("UPDATE legs SET longitude = -longitude WHERE fix = 'SUDGE'", "NM from the one before it"),
    (vor + "; UPDATE legs SET theta = 133 WHERE navaid = 'OAK'", "off the radial of 133.0° from the navaid"),
  ])
  func `finds courses, arcs and radials that do not lead to their fixes`(sql: String, text: String) throws {
    #expect(try findings(ProcedureGeometry(), after: sql).contains { $0.contains(text) })
  }

  @Test func `finds nothing in an arc with its courses and in true radials`() throws {
    #expect(try !findings(ProcedureGeometry(), after: Self.arc).contains { $0.contains("arc") })
    #expect(try findings(ProcedureGeometry(), after: Self.vor) == [])
  }

  /// The messages about the procedures of Hayward beside the sample database of airports.
  private func findings(_ airports: Built, after sql: String = "SELECT 1") throws -> [String] {
    let built = try ProcedureSource(isPart: true).build(
      try ProcedureSource.hayward, in: folder, name: "procedures-\(UUID()).sqlite")
    try built.execute(sql)
    let products = try [built, airports].map { try $0.underTest }
    let cycle = CycleUnderTest(products: products, settled: [], earlier: [])
    return try ProcedurePlaces().run(on: cycle).findings.map(\.message)
  }

  @Test func `finds runways and waypoints that the database of airports has elsewhere, or does not have`()
    throws
  {
    let airports = try SampleRows.subscription.build(in: folder)
    let before = try findings(airports)
    #expect(!before.contains { $0.contains("RW28L") })
    let moved = try findings(
      airports, after: "UPDATE runways SET latitude = latitude + 0.01 WHERE identifier = 'RW28L'")
    #expect(moved.contains { $0.contains("elsewhere") && $0.contains("KHWD RW28L by 1") })
    let unknown = try findings(
      airports, after: "UPDATE runways SET identifier = 'RW09' WHERE identifier = 'RW28L'")
    #expect(unknown.contains { $0.contains("are not in the database of airports: KHWD RW09") })
  }

  @Test func `reports that there is no database of airports`() throws {
    let built = try ProcedureSource(isPart: true).build(try ProcedureSource.hayward, in: folder)
    let subject = try built.underTest
    let result = try ProcedurePlaces().run(on: CycleUnderTest(products: [subject], settled: [], earlier: []))
    #expect(result.findings.isEmpty)
    #expect(
      result.facts[subject.product.id]
        == .missing(.airports, "no aviation database of the cycle was validated with it"))
  }

  @Test func `the audit finds a changed value of any column`() throws {
    let built = try ProcedureSource(isPart: true).build(try ProcedureSource.hayward, in: folder)
    let source = try SourceFolder.file(folder.file("out.txt"))
    func audit(_ file: URL) throws -> AuditResult {
      try DatabaseAudit(database: file, cycle: "2003", tables: source, problems: nil, jobs: 1).result()
    }
    #expect(try audit(built.file).differ == 0)
    for (number, sql) in [
      "UPDATE legs SET course = course + 1 WHERE procedure = 'R28L'",
      "UPDATE waypoints SET type = 'R' WHERE id = 1",
      "UPDATE legs SET isMissed = 1", "UPDATE procedures SET transitions = '[]'",
      "DELETE FROM msas WHERE id = 2",
      "UPDATE runways SET latitude = latitude + 0.0001",
    ].enumerated() {
      let copy = folder.file("audit\(number).sqlite")
      try FileManager.default.copyItem(at: built.file, to: copy)
      try Built(outcome: built.outcome, file: copy).execute(sql)
      #expect(try audit(copy).differ > 0, "\(sql)")
    }
  }
}
