import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// A copy of a database of the samples, with its sources.
private final class AuditedSample: @unchecked Sendable {
  static let nasr = ("sample-nasr", "aviation")
  static let obstacles = ("sample-obstacles", "obstacles")

  let copy = TemporaryFolder()
  let database: URL
  let subject: DatabaseUnderTest
  let connection: SQLiteConnection
  private let audit: DatabaseAudit
  let parts: [AuditPart]

  init(_ product: (pipeline: String, id: String), problems: ProblemReport? = nil) async throws {
    let folder = try await Samples.cycle().file("build/2304/\(product.pipeline)")
    database = copy.file("\(product.id).sqlite")
    try FileManager.default.copyItem(at: folder.appending(path: "\(product.id).sqlite"), to: database)
    let built = folder.appending(path: "\(product.id).problems.json")
    let description = folder.appending(path: "\(product.id).product.json")
    let sources = try description.decoded(Product.self).sources
    let samples = try SourceFolder(samplesFolder)
    audit = DatabaseAudit(
      database: database, cycle: "2304",
      tables: try #require(try samples.locate([sources[0].url])),
      problems: try problems ?? built.decoded(ProblemReport.self),
      jobs: 2)
    subject = try DatabaseUnderTest(database, place: "")
    connection = try SQLiteConnection(database.path, mode: .create)
    parts = try audit.parts(of: subject)
    for part in parts where part.isFirst { _ = try part.result(connection) }
  }

  func result() throws -> AuditResult { try audit.result() }

  /// The differences in a table after a change, which is undone.
  func differences(in table: String, _ change: () throws -> Void) throws -> Int {
    try connection.execute("BEGIN")
    defer { try? connection.execute("ROLLBACK") }
    try change()
    return try parts.filter { $0.tables.contains(table) }.reduce(0) { sum, part in
      sum + (try part.result(connection).differ)
    }
  }

  /// The columns by which a row is found.
  func key(of table: String) throws -> [String] {
    let keys = try connection.texts("SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0")
    return keys.isEmpty ? ["rowid"] : keys
  }

  /// Sets a value of one row to that of the next row with another value, or to another value where all are the same. False if the
  /// database refuses each of them.
  func spoil(_ table: String, _ column: String) throws -> Bool {
    let key = try key(of: table)
    let names = ([column] + key).map { "\"\($0)\"" }.joined(separator: ", ")
    let rows = try connection.prepare("SELECT \(names) FROM \(table)").map { row in
      (0...key.count).map { row.value($0) }
    }
    let others = zip(rows, rows.dropFirst()).filter { $0[0] != $1[0] }.map { ($0, $1[0]) }
    let made = rows.prefix(1).flatMap { row in
      [(row, SQLiteValue.text("X")), (row, .integer(7)), (row, .integer(9))]
    }
    let place = key.map { "\"\($0)\" = ?" }.joined(separator: " AND ")
    let update = try connection.prepare("UPDATE OR IGNORE \(table) SET \"\(column)\" = ? WHERE \(place)")
    for (row, value) in others.prefix(3) + made where value != row[0] {
      do {
        try update.run([value] + row.dropFirst())
      } catch {
        continue
      }
      if try connection.numbers("SELECT changes()").first == 1 { return true }
    }
    return false
  }
}

@Suite(.slow, .serialized) struct AuditTests {
  /// One test at a time uses them, and each undoes its changes.
  private static let samples = Samples.shared {
    let nasr = try await AuditedSample(AuditedSample.nasr)
    return (nasr: nasr, obstacles: try await AuditedSample(AuditedSample.obstacles))
  }

  private static func sample(with table: String) async throws -> AuditedSample {
    try await table == "obstacles" ? samples.value.obstacles : samples.value.nasr
  }

  /// What the audit does not compare. Other rules check it.
  private static let unaudited: Set<String> = ["metadata"]

  private static let tables = (DatabaseSchema.tables + ObstacleSchema.tables).map(\.name).filter {
    !["metadata", "queries"].contains($0)
  }

  @Test func `finds no difference in clean databases`() async throws {
    for table in ["airports", "obstacles"] {
      let result = try await Self.sample(with: table).result()
      #expect(result.differences.map { "\($0.place): \($0.text)" } == [])
      #expect(result.differ == 0)
      #expect(result.values > 500)
    }
  }

  @Test func `names what it does not compare`() async throws {
    let result = try await Self.sample(with: "airports").result()
    #expect(Set(result.unaudited) == Self.unaudited)
  }

  @Test(arguments: tables) func `finds a wrong value in each column`(table: String) async throws {
    let sample = try await Self.sample(with: table)
    var missed: [String] = []
    for column in try sample.connection.columns(of: table)
    where !Self.unaudited.contains("\(table).\(column)") {
      var isChanged = false
      let found = try sample.differences(in: table) { isChanged = try sample.spoil(table, column) }
      if isChanged, found == 0 { missed.append(column) }
    }
    #expect(missed == [])
  }

  @Test(arguments: tables) func `finds a missing row and an added one`(table: String) async throws {
    let sample = try await Self.sample(with: table)
    guard try sample.connection.count(table) > 0 else { return }
    let key = try sample.key(of: table)
    let first = key.map { "\"\($0)\"" }.joined(separator: ", ")
    let missing = try sample.differences(in: table) {
      try sample.connection.execute(
        "DELETE FROM \(table) WHERE (\(first)) = (SELECT \(first) FROM \(table) LIMIT 1)")
    }
    #expect(missing > 0)
    let columns = try sample.connection.columns(of: table)
    let values = columns.map { name in
      key.contains(name) && name != "airport" ? (name == "id" ? "NULL" : "\"\(name)\" || '1'") : "\"\(name)\""
    }
    var isAdded = false
    let added = try sample.differences(in: table) {
      try sample.connection.execute(
        "INSERT OR IGNORE INTO \(table) SELECT \(values.joined(separator: ", ")) FROM \(table) LIMIT 1")
      isAdded = try sample.connection.numbers("SELECT changes()").first == 1
    }
    #expect(!isAdded || added > 0)
  }

  @Test func `accepts the value of a correction that was used`() async throws {
    let correction = Correction(
      table: "APT_BASE", row: ["ARPT_ID": "PAO"], column: "CITY", faa: "PALO ALTO", right: "MENLO PARK",
      why: "A test.")
    let report = try Data(
      """
      {"tables":[],"counts":[],"examples":[],"corrections":[{"ending":"used","correction":\(String(
          decoding: try JSONEncoder().encode(correction), as: UTF8.self))}]}
      """.utf8
    ).decoded(ProblemReport.self)
    let sample = try await AuditedSample(AuditedSample.nasr, problems: report)
    #expect(try sample.result().differ == 1)
    try sample.connection.execute(
      "UPDATE airports SET city = 'MENLO PARK', searchWords = searchWords WHERE icao = 'KPAO'")
    #expect(try sample.result().differ == 0)
  }
}

struct AuditFileTests {
  /// Rows of the FAA's file of June 2026 (public domain); the columns of the second one are shifted.
  private static let obstacles = """
    OAS#      V CO ST CITY             DEG MIN SEC  DEG MIN SEC   TYPE                 HT    HT    H V IND STUDY            JDATE
    -------------------------------------------------------------------------------------------------------------------------------
    06-310880 U US CA EL CENTRO        32 49 30.90N 115 40 17.60W BLDG               1 00027 -0017 R 4 D N 2023AWP08259OE A 2025263\u{20}
    06-310881  U US CA EL CENTRO       32 49 30.90N 115 40 17.60W BLDG               1 00027 -0017 R 4 D N 2023AWP08259OE A 2025263\u{20}
    """

  @Test func `reads the obstacle file with fixed columns`() throws {
    let file = try AuditFile("DOF.DAT", Array(Self.obstacles.utf8))
    let (latitude, height) = (
      AuditNumber("LATDEC", -90...90, file.place), AuditNumber("AMSL", -1500...40_000, file.place)
    )
    var rows: [[String]] = []
    try file.scan { row in
      let texts = ["OAS", "CITY", "LIGHTING", "ACCURACY", "JDATE"].map { row.text(file.place($0)) ?? "" }
      rows.append(texts + [latitude, height].map { "\($0.value(row) ?? .nan)" })
    }
    #expect(rows == [["06-310880", "EL CENTRO", "R", "4 D", "2025263", "32.82525", "-17.0"]])
  }

  private static let quoted =
    Array("\u{FEFF}A,B\r\n\"x \"\"y\"\"\", 1.5 \r\n\"cut,2\r\nz,3,4\r\n".utf8) + Array("JOS".utf8) + [0xC9]
    + Array(",-7\n".utf8)

  private func rows(_ file: AuditFile) throws -> [String] {
    var rows: [String] = []
    try file.scan { rows.append("\($0.line) \($0.text(0) ?? "") \($0.number(1) ?? .nan)") }
    return rows
  }

  @Test func `reads rows with quotes, in two encodings, and skips those that are cut short`() throws {
    #expect(try rows(AuditFile("X.csv", Self.quoted)) == ["2 x \"y\" 1.5", "5 JOSÉ -7.0"])
  }

  @Test(arguments: [("X.csv", quoted), ("DOF.DAT", Array(obstacles.utf8))])
  func `reads a file in pieces of any size`(name: String, bytes: [UInt8]) throws {
    let whole = try rows(AuditFile(name, bytes))
    for size in 1...40 {
      let file = try AuditFile(name) { each in
        for start in stride(from: 0, to: bytes.count, by: size) {
          try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes(each)
        }
      }
      #expect(try rows(file) == whole)
    }
  }
}

@Suite(.slow) struct AuditRuleTests {
  private func report(_ build: CleanBuild, from sources: URL?) throws -> ValidationReport {
    try Validator().validate(
      ValidationRequest(
        [build.description(CleanBuild.database)], from: try sources.map { try SourceFolder($0) }),
      progress: SilentProgress())
  }

  @Test func `compares a product with its sources`() throws {
    let build = try CleanBuild()
    let clean = try report(build, from: samplesFolder)
    #expect(clean.findings == [])
    let audit = try #require(clean.facts[CleanBuild.database]?.audit)
    #expect(audit.differ == 0)
    #expect(
      ValidationText.render(clean).contains(
        "\(CleanBuild.database) audited: \(Counts.grouped(audit.values)) values, 0 differ"))
    try build.forge("UPDATE runways SET length = length + 1 WHERE airport = 'KPAO'")
    let found = try report(build, from: samplesFolder).findings.filter { $0.rule == "audit" }
    #expect(found.contains { $0.message.contains("length is 2444, and in the source 2443") }, "\(found)")
  }

  @Test func `keeps the evidence of the build for the same file alone`() throws {
    let build = try CleanBuild()
    #expect(try report(build, from: nil).facts[CleanBuild.database]?.audit?.differ == 0)
    try build.forge("UPDATE runways SET length = length + 1 WHERE airport = 'KPAO'")
    let facts = try report(build, from: nil).facts[CleanBuild.database]
    #expect(facts?.audit == nil)
    #expect(facts?.missing?.map(\.source) == [.audit])
  }

  @Test func `does not take a missing source for a good one`() throws {
    let build = try CleanBuild()
    let empty = TemporaryFolder()
    let found = try report(build, from: empty.url)
    #expect(!found.ok)
    #expect(found.findings.map(\.rule) == ["audit"])
    #expect(found.facts[CleanBuild.database]?.audit == nil)
  }
}
