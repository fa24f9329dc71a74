import Core
import CryptoIO
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// What the rows of an obstacle file become.
struct ObstacleTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try ObstacleSource().build(try ObstacleTests.fixture, in: folder) }

  private static var fixture: [UInt8] {
    get throws { [UInt8](try fixtureFolder.appending(path: "obstacles/DOF.CSV").data) }
  }

  @Test func `reads a row of the FAA`() throws {
    try built.expect(
      "SELECT * FROM obstacles WHERE oas = '09-021145'",
      gives: [
        [
          "1", "09-021145", "1", "US", "CT", "GREENWICH", "41.005065", "-73.648312", "TOWER", "1", "84",
          "137", "none", "none", "50", "20", "2011ANE01884OE", "2012-09-24",
        ]
      ])
  }

  @Test func `trims padding, translates codes and sets unknown values to null`() throws {
    try built.expect(
      """
      SELECT verified, quantity, heightAGL, heightMSL, lighting, marking, horizontalAccuracy, verticalAccuracy, study, date
      FROM obstacles WHERE oas IN ('00-000001', '00-000002') ORDER BY id
      """,
      gives: [
        ["0", "2", "1234", "1300", "redAndMediumWhite", "orangeAndWhite", "20", "3", "NULL", "2024-12-31"],
        ["1", "1", "30", "-166", "z", "flags", "NULL", "NULL", "2020AWP00001OE", "2020-01-01"],
      ])
    #expect(built.problems(.unknownCode, of: "DOF.CSV").map(\.column) == ["LIGHTING"])
  }

  @Test func `reads Latin-1 and keeps the order of the file`() throws {
    try built.expect("SELECT city FROM obstacles WHERE country = 'MX'", gives: ["EJEMPLO NIÑO"])
    try built.expect(
      "SELECT oas FROM obstacles ORDER BY id",
      gives: ["09-021145", "00-000001", "00-000002", "00-000004", "00-000006"])
  }

  @Test func `skips dismantled obstacles, and reports repeated rows and rows without a position`() throws {
    #expect(built.outcome.product.build.counts["droppedAsDismantled"] == 1)
    #expect(built.outcome.product.build.counts["obstacles"] == 5)
    let dropped: [RecordProblem] = built.problems(.rowDropped, of: "DOF.CSV")
    #expect(dropped.map(\.line) == [7, 8] || dropped.map(\.line) == [8, 7])
    #expect(dropped.contains { $0.column == "LATDEC" } && dropped.contains { $0.reason.contains("twice") })
  }

  @Test func `finds the obstacles of a box by the tree`() throws {
    try built.expect(
      """
      SELECT o.oas FROM obstacles_rtree r JOIN obstacles o ON o.id = r.id
      WHERE r.maxLat >= 37.4 AND r.minLat <= 37.8 AND r.maxLon >= -123 AND r.minLon <= -121 ORDER BY o.id
      """, gives: ["00-000001", "00-000006"])
    try built.expect("SELECT rtreecheck('obstacles_rtree')", gives: ["ok"])
  }

  @Test func `builds the same database from a zip, a file and a folder`() throws {
    let zipped = try built.file.data
    let own = TemporaryFolder()
    let bare = own.file("DOF.CSV")
    try Data(try ObstacleTests.fixture).write(to: bare)
    let obstacles = try ObstacleSource()
    for (number, source) in [bare, own.url].enumerated() {
      let again = try obstacles.build(
        try SourceFolder.file(source), in: folder, name: "again\(number).sqlite")
      #expect(try again.rows("SELECT * FROM obstacles") == built.rows("SELECT * FROM obstacles"))
    }
    let once = try obstacles.build(try ObstacleTests.fixture, in: folder, name: "once.sqlite")
    #expect(try once.file.data == zipped)
  }

  /// Larger than the pieces in which the file is read, so rows lie across their borders.
  @Test func `loses no row between two pieces of a large file`() throws {
    let lines = try #require(String(bytes: try ObstacleTests.fixture, encoding: .isoLatin1)).split(
      separator: "\r\n")
    var rows = (0..<4000).map { String(lines[1]).replacing("09-021145", with: "11-\(100_000 + $0)") }
    rows[3333] = rows[3333].replacing("41.005065", with: "north")
    let text = ([String(lines[0])] + rows).joined(separator: "\r\n")
    let large = try ObstacleSource().build(Array(text.utf8), in: folder, name: "large.sqlite")
    try large.expect(
      "SELECT count(*), min(oas), max(oas) FROM obstacles", gives: [["3999", "11-100000", "11-103999"]])
    #expect(large.problems(.rowDropped, of: "DOF.CSV").map(\.line) == [3335])
  }

  @Test(arguments: [
    ("", "DOF.CSV is empty"), ("OAS,TYPE\r\n", "has no column VERIFIED STATUS"),
    ("\u{0}O\u{0}A\u{0}S", "was it saved as UTF-16?"),
    (String(repeating: "x", count: 600_000), "no line ends"),
  ])
  func `rejects a file that is not an obstacle file`(content: String, problem: String) throws {
    let fault = try ObstacleSource().fault(Array(content.utf8), in: folder)
    #expect(fault.kind == .badInput && fault.operation == "reading the obstacles")
    #expect(fault.reason.contains(problem), "\(fault.reason)")
  }

  @Test func `names the file and its hash in the metadata`() throws {
    let source = try #require(built.outcome.product.sources.last)
    try built.expect(
      "SELECT value FROM metadata WHERE key LIKE 'source%' ORDER BY key",
      gives: [[source.url], [source.sha256.text]])
    try built.expect("SELECT value FROM metadata WHERE key = 'newest_change'", gives: ["2024-12-31"])
    try built.expect("SELECT value FROM metadata WHERE key = 'counts.obstacles'", gives: ["5"])
  }

  @Test func `marks the file as obstacles and writes no other table`() throws {
    try built.expect("PRAGMA application_id", gives: ["\(0x4f42_5331)"])
    try built.expect("PRAGMA user_version", gives: ["1"])
    let tables =
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'"
    try built.expect(tables + " ORDER BY 1", gives: ["metadata", "obstacles", "queries"])
    let product = built.outcome.product
    #expect(product.id == "obstacles/obstacles" && product.files.map(\.path) == ["obstacles.sqlite"])
    #expect(product.kind == .database && !product.hasAirports && product.sources.count == 1)
    #expect(product.boundingBox == GeoBox(west: -122.25, south: 32, east: -73.648312, north: 41.005065))
  }

  @Test func `returns the nearest obstacle first`() throws {
    let sql = try #require(try built.column("SELECT sql FROM queries WHERE name = 'obstaclesNearest'").first)
    let found = try built.rows(sql, [.real(37.5), .real(-122.1), .integer(2)]).map { $0[1] }
    let brute = try built.column(
      """
      SELECT oas FROM obstacles ORDER BY (latitude - 37.5) * (latitude - 37.5)
        + (longitude + 122.1) * (longitude + 122.1) * 0.629 LIMIT 2
      """)
    #expect(found == brute && found.count == 2)
  }

  @Test func `names the file that has too few rows or is truncated`() throws {
    var obstacles = try ObstacleSource()
    obstacles.definition.gates.minimumRows = ["obstacles": 1000]
    let few = try obstacles.fault(try ObstacleTests.fixture, in: folder)
    #expect(few.operation == "reading the obstacles" && few.reason.contains("at least 1000 are expected"))
    let cut = try obstacles.fault(try ObstacleTests.fixture.dropLast(30), in: folder)
    #expect(cut.reason.contains("DOF.CSV ends in the middle of line"), "\(cut.reason)")
    obstacles.definition.gates.minimumRows = ["airports": 1]
    let stray = try obstacles.fault(try ObstacleTests.fixture, in: folder)
    #expect(stray.reason.contains("no table \"airports\"") && stray.suggestion?.contains("obstacles") == true)
    #expect(!folder.file("bad.sqlite").exists)
  }

  @Test func `rejects a column of unknown codes`() throws {
    let lines = try #require(String(bytes: try ObstacleTests.fixture, encoding: .isoLatin1)).split(
      separator: "\r\n")
    let rows = (0..<40).map { String(lines[1]).replacing("09-021145,O", with: "11-\(100_000 + $0),Y") }
    let text = ([String(lines[0])] + rows).joined(separator: "\r\n") + "\r\n"
    let fault = try ObstacleSource().fault(Array(text.utf8), in: folder)
    #expect(
      fault.reason.contains("column VERIFIED STATUS: none of the 40 values is known"), "\(fault.reason)")
    #expect(fault.operation == "reading the obstacles")
  }

  @Test func `rejects a truncated or damaged zip`() throws {
    var bytes = [UInt8](try folder.file("DOF.zip").data)
    for place in 200..<220 { bytes[place] ^= 0x55 }
    let damaged = folder.file("damaged.zip")
    try Data(bytes).write(to: damaged)
    let cut = folder.file("cut.zip")
    try Data(bytes.dropLast(30)).write(to: cut)
    for file in [damaged, cut] {
      let fault = try ObstacleSource().fault(of: try SourceFolder.file(file), in: folder)
      #expect(fault.kind == .badInput && fault.path == file.path)
    }
  }
}

/// A definition of the obstacle database, to be built of files that a test writes.
struct ObstacleSource {
  var definition: ObstacleDefinition

  init() throws {
    let json = """
      {"name": "obstacles", "title": "Test", "cadence": "28-day", "id": "obstacles", "sources": [],
       "gates": {"droppedRowShare": 0.5, "minimumRows": {}}}
      """
    definition = try Data(json.utf8).decoded(ObstacleDefinition.self)
  }

  /// Builds the database of the daily file in its zip.
  func build(_ bytes: [UInt8], in folder: TemporaryFolder, name: String = "out.sqlite") throws -> Built {
    try build(try zip([("DOF.CSV", bytes)], in: folder, name: "DOF.zip"), in: folder, name: name)
  }

  /// The fault that building ends with.
  func fault(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> UserError {
    try fault(of: zip([("DOF.CSV", bytes)], in: folder, name: "bad.zip"), in: folder)
  }

  func fault(of source: SourceFile, in folder: TemporaryFolder) throws -> UserError {
    try #require(throws: UserError.self) { try build(source, in: folder, name: "bad.sqlite") }
  }

  func build(_ source: SourceFile, in folder: TemporaryFolder, name: String) throws -> Built {
    let request = DatabaseRequest(
      definition: definition, definitionSha256: try SHA256Hex(of: []), source: source,
      cycle: "2304")
    let database = folder.file(name)
    let outcome = try ObstacleBuilder.build(request, to: database) { _ in }
    return Built(outcome: outcome, file: database)
  }
}

/// The obstacle file of 56 days, DOF.DAT with fixed columns.
struct FixedObstacleTests {
  let folder = TemporaryFolder()

  /// The header and rows of the FAA's files of June 2026 (public domain).
  private static let header = [
    "CURRENCY DATE = 06/27/26",
    "                                     LATITUDE    LONGITUDE     OBSTACLE            AGL  AMSL LT ACC MAR FAA       ACTION",
    "OAS#      V CO ST CITY             DEG MIN SEC  DEG MIN SEC   TYPE                 HT    HT    H V IND STUDY            JDATE",
    String(repeating: "-", count: 127),
  ]
  static let rows = [
    "01-001307 O US AL DAUPHIN ISLAND   30 10 45.00N 088 04 39.00W RIG                1 00236 00236 R 5 D M 1990ASO01578OE C 2014138 ",
    "02-292529 U US AK EARECKSON AIR ST 52 43 15.70N 174 06 36.60E TANK               1 00013 00187 N 4 D N 2020AAL00320OE A 2020246 ",
    "06-310880 U US CA EL CENTRO        32 49 30.90N 115 40 17.60W BLDG               1 00027 -0017 R 4 D N 2023AWP08259OE A 2025263 ",
    "08-025404 O US CO BRANSON          37 00 26.20N 103 51 59.90W TOWER              1 00256 06541 D 5 E N 2015ANM02292OE C 2015236 ",
  ]

  private func build(_ text: String, name: String = "dof.sqlite", isZipped: Bool = false) throws -> Built {
    let bytes = [UInt8](text.unicodeScalars.map { UInt8($0.value) })
    if isZipped {
      let zipped = try zip(
        [("DOF.DAT", bytes), ("CHG.DAT", [1, 2]), ("01-AL.Dat", bytes)], in: folder, name: "DOF_260628.zip")
      return try ObstacleSource().build(zipped, in: folder, name: name)
    }
    try Data(bytes).write(to: folder.file("DOF.DAT"))
    return try ObstacleSource().build(try SourceFolder.file(folder.file("DOF.DAT")), in: folder, name: name)
  }

  static func file(_ rows: [String], _ end: String = "\r\n") -> String {
    (header + rows).joined(separator: end) + end
  }

  @Test func `reads rows of the FAA in fixed columns`() throws {
    let built = try build(Self.file(Self.rows), isZipped: true)
    try built.expect(
      "SELECT * FROM obstacles WHERE id = 1",
      gives: [
        [
          "1", "01-001307", "1", "US", "AL", "DAUPHIN ISLAND", "30.17916666", "-88.0775", "RIG", "1", "236",
          "236", "red", "marked", "500", "50", "1990ASO01578OE", "2014-05-18",
        ]
      ])
    try built.expect(
      "SELECT longitude, city, verified, lighting, marking, horizontalAccuracy FROM obstacles WHERE id = 2",
      gives: [["174.11016666", "EARECKSON AIR ST", "0", "none", "none", "250"]])
    try built.expect("SELECT heightAGL, heightMSL FROM obstacles WHERE id = 3", gives: [["27", "-17"]])
    #expect(built.outcome.problems.droppedRows == 0 && built.outcome.problems.unknownCodes == 0)
    let plain = try build(Self.file(Self.rows, "\n"), name: "plain.sqlite")
    #expect(try plain.rows("SELECT * FROM obstacles") == built.rows("SELECT * FROM obstacles"))
  }

  @Test func `reads dismantled rows, Latin-1, commas and quotes, and reports lines of invalid rows`() throws {
    let rows = [
      Self.rows[0].replacing("OE C 2014138", with: "OE D 2014138"),
      Self.rows[1].replacing("EARECKSON AIR ST", with: "SÃO, \"X\"        "),
      Self.rows[2].replacing("115 40 17.60W", with: "115 60 17.60W"), "", Self.rows[3],
      Self.rows[3].replacing("08-025404", with: "08-025405").replacing(
        "TOWER             ", with: "NATURAL GAS SYSTEM"
      )
      .replacing(" 1 00256", with: "12 00256"),
    ]
    let built = try build(Self.file(rows))
    try built.expect("SELECT oas FROM obstacles", gives: ["02-292529", "08-025404", "08-025405"])
    try built.expect("SELECT city FROM obstacles WHERE id = 1", gives: ["SÃO, \"X\""])
    try built.expect(
      "SELECT type, quantity FROM obstacles WHERE id = 3", gives: [["NATURAL GAS SYSTEM", "12"]])
    #expect(built.outcome.product.build.counts["droppedAsDismantled"] == 1)
    let dropped = built.problems(.rowDropped, of: "DOF.DAT")
    #expect(dropped.map(\.line) == [7] && dropped.map(\.value) == ["115 60 17.60W"])
  }

  @Test(arguments: [(62, " ", 83), (83, " ", 89), (0, " ", 10), (119, " ", 128), (48, " ", 62)])
  func `drops and counts a row with shifted columns`(at: Int, text: String, byte: Int) throws {
    let shifted = String(Self.rows[1].prefix(at)) + text + String(Self.rows[1].dropFirst(at))
    let built = try build(Self.file([Self.rows[0], shifted, Self.rows[2]]))
    try built.expect("SELECT oas FROM obstacles", gives: ["01-001307", "06-310880"])
    let dropped = built.problems(.rowDropped, of: "DOF.DAT")
    #expect(dropped.map(\.line) == [6] && dropped.map(\.column) == [nil])
    #expect(
      dropped.first?.reason == "its columns are shifted: byte \(byte) of the line must be a blank",
      "\(dropped)")
  }

  @Test(arguments: [
    ("30 10 45.00N", "30 75 45.00N", "LATITUDE", "the minutes must be 0 to 59"),
    ("30 10 45.00N", "30 10 65.00N", "LATITUDE", "the seconds must be less than 60"),
    ("30 10 45.00N", "30 10 45.00E", "LATITUDE", "it is no position such as 30 10 45.00N or 088 04 39.00W"),
    ("088 04 39.00W", "             ", "LONGITUDE", "it is empty"),
  ])
  func `names an invalid position`(old: String, new: String, column: String, reason: String) throws {
    let built = try build(Self.file([Self.rows[0].replacing(old, with: new)] + Self.rows.dropFirst()))
    let dropped = built.problems(.rowDropped, of: "DOF.DAT")
    #expect(dropped.map(\.column) == [column] && dropped.map(\.reason) == [reason])
    #expect(dropped.map(\.value) == [new.filter { $0 != " " }.isEmpty ? "" : new])
  }

  @Test func `loses no row between pieces of fixed columns`() throws {
    let rows = (0..<9000).map {
      Self.rows[0].replacing("01-001307", with: String(format: "%02d-%06d", $0 % 60, $0))
    }
    let built = try build(Self.file(rows + [Self.rows[1].replacing("52 43", with: "92 43")]))
    try built.expect("SELECT count(*) FROM obstacles", gives: ["9000"])
    #expect(built.problems(.rowDropped, of: "DOF.DAT").map(\.line) == [9005])
  }

  @Test(arguments: [
    (
      file(rows).replacing("CITY             DEG", with: "CITY            DEG"),
      "the columns of DOF.DAT are not where"
    ),
    (String(file(rows).dropLast(40)), "ends in the middle of line 8: the file was cut short"),
    (rows.joined(separator: "\n"), "has no header"), ("", "has no header"),
    ("<html>\n</html>\n", "has no header"),
    (header[3] + "\n" + rows[0] + "\n", "has no header"),
  ])
  func `rejects a truncated or foreign file of fixed columns`(text: String, problem: String) throws {
    let fault = try #require(throws: UserError.self) { try build(text) }
    #expect(fault.kind == .badInput && fault.operation == "reading the obstacles")
    #expect(fault.reason.contains(problem), "\(fault.reason)")
    #expect(fault.suggestion?.contains("DOF_YYMMDD.zip") == true)
  }
}
