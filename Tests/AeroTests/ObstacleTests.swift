import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline
import SQLiteIO
import TestSupport
import Testing

@testable import Aero

/// What the rows of an obstacle file become.
struct ObstacleTests {
  let folder: TemporaryFolder
  let built: Built

  init() throws {
    folder = try TemporaryFolder()
    built = try ObstacleSource().build(try ObstacleTests.fixture, in: folder)
  }

  private static var fixture: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: fixtureFolder.appending(path: "obstacles/DOF.CSV"))) }
  }

  @Test func `the FAA's own row is what it says`() throws {
    let rows = try built.rows("SELECT * FROM obstacles WHERE oas = '09-021145'")
    #expect(
      rows == [
        [
          "1", "09-021145", "1", "US", "CT", "GREENWICH", "41.005065", "-73.648312", "TOWER", "1", "84",
          "137",
          "none", "none", "50", "20", "2011ANE01884OE", "2012-09-24",
        ]
      ])
  }

  @Test func `padding goes, codes become words, and what is not known is null`() throws {
    let rows = try built.rows(
      """
      SELECT verified, quantity, heightAGL, heightMSL, lighting, marking, horizontalAccuracy, verticalAccuracy, study, date
      FROM obstacles WHERE oas IN ('00-000001', '00-000002') ORDER BY id
      """)
    #expect(
      rows == [
        ["0", "2", "1234", "1300", "redAndMediumWhite", "orangeAndWhite", "20", "3", "NULL", "2024-12-31"],
        ["1", "1", "30", "-166", "z", "flags", "NULL", "NULL", "2020AWP00001OE", "2020-01-01"],
      ])
    #expect(built.problems(.unknownCode, of: "DOF.CSV").map(\.column) == ["LIGHTING"])
  }

  @Test func `Latin-1 is read, and the rows stay in the order of the file`() throws {
    #expect(try built.column("SELECT city FROM obstacles WHERE country = 'MX'") == ["EJEMPLO NIÑO"])
    #expect(
      try built.column("SELECT oas FROM obstacles ORDER BY id")
        == ["09-021145", "00-000001", "00-000002", "00-000004", "00-000006"])
  }

  @Test func `a dismantled obstacle is left out and is no problem; a double and a row without a place are`()
    throws
  {
    #expect(built.outcome.product.build.counts["droppedAsDismantled"] == 1)
    #expect(built.outcome.product.build.counts["obstacles"] == 5)
    let dropped: [RecordProblem] = built.problems(.rowDropped, of: "DOF.CSV")
    #expect(dropped.map(\.line) == [7, 8] || dropped.map(\.line) == [8, 7])
    #expect(dropped.contains { $0.column == "LATDEC" } && dropped.contains { $0.reason.contains("twice") })
  }

  @Test func `those in a box are found by the tree`() throws {
    let found = try built.column(
      """
      SELECT o.oas FROM obstacles_rtree r JOIN obstacles o ON o.id = r.id
      WHERE r.maxLat >= 37.4 AND r.minLat <= 37.8 AND r.maxLon >= -123 AND r.minLon <= -121 ORDER BY o.id
      """)
    #expect(found == ["00-000001", "00-000006"])
    #expect(try built.column("SELECT rtreecheck('obstacles_rtree')") == ["ok"])
  }

  @Test func `zipped, bare and in a folder it is the same database`() throws {
    let zipped = try Data(contentsOf: built.file)
    let own = try TemporaryFolder()
    let bare = own.file("DOF.CSV")
    try Data(try ObstacleTests.fixture).write(to: bare)
    let obstacles = try ObstacleSource()
    for (number, source) in [bare, own.url].enumerated() {
      let again = try obstacles.build(
        try SourceFolder.file(source), in: folder, name: "again\(number).sqlite")
      #expect(try again.rows("SELECT * FROM obstacles") == built.rows("SELECT * FROM obstacles"))
    }
    let once = try obstacles.build(try ObstacleTests.fixture, in: folder, name: "once.sqlite")
    #expect(try Data(contentsOf: once.file) == zipped)
  }

  /// Larger than the pieces in which the file is read, so rows lie across their borders.
  @Test func `no row is lost between two pieces of a large file`() throws {
    let lines = try #require(String(bytes: try ObstacleTests.fixture, encoding: .isoLatin1)).split(
      separator: "\r\n")
    var rows = (0..<4000).map { String(lines[1]).replacing("09-021145", with: "11-\(100_000 + $0)") }
    rows[3333] = rows[3333].replacing("41.005065", with: "north")
    let text = ([String(lines[0])] + rows).joined(separator: "\r\n")
    let large = try ObstacleSource().build(Array(text.utf8), in: folder, name: "large.sqlite")
    #expect(
      try large.rows("SELECT count(*), min(oas), max(oas) FROM obstacles") == [
        ["3999", "11-100000", "11-103999"]
      ])
    #expect(large.problems(.rowDropped, of: "DOF.CSV").map(\.line) == [3335])
  }

  @Test(arguments: [
    ("", "DOF.CSV is empty"), ("OAS,TYPE\r\n", "has no column VERIFIED STATUS"),
    ("\u{0}O\u{0}A\u{0}S", "was it saved as UTF-16?"),
    (String(repeating: "x", count: 600_000), "no line ends"),
  ])
  func `a file that is none is refused`(content: String, problem: String) throws {
    let fault = try #require(throws: UserError.self) {
      try ObstacleSource().build(Array(content.utf8), in: folder, name: "bad.sqlite")
    }
    #expect(fault.kind == .badInput && fault.operation == "reading the obstacles")
    #expect(fault.reason.contains(problem), "\(fault.reason)")
  }

  @Test func `the metadata name the file and its hash`() throws {
    let source = try #require(built.outcome.product.sources.last)
    let named = try built.rows("SELECT value FROM metadata WHERE key LIKE 'source%' ORDER BY key")
    #expect(named == [[source.url], [source.sha256.text]])
    #expect(try built.column("SELECT value FROM metadata WHERE key = 'newest_change'") == ["2024-12-31"])
    #expect(try built.column("SELECT value FROM metadata WHERE key = 'counts.obstacles'") == ["5"])
  }

  @Test func `the file says that it is of obstacles, and holds nothing else`() throws {
    #expect(try built.column("PRAGMA application_id") == ["\(0x4f42_5331)"])
    #expect(try built.column("PRAGMA user_version") == ["1"])
    let tables =
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'"
    #expect(try built.column(tables + " ORDER BY 1") == ["metadata", "obstacles", "queries"])
    let product = built.outcome.product
    #expect(product.id == "obstacles/obstacles" && product.files.map(\.path) == ["obstacles.sqlite"])
    #expect(product.kind == .database && !product.hasAirports && product.sources.count == 1)
    #expect(
      product.boundingBox == GeoBox(west: -122.25, south: 32, east: -73.648312, north: 41.005065))
  }

  @Test func `the stored query gives the nearest first`() throws {
    let sql = try #require(try built.column("SELECT sql FROM queries WHERE name = 'obstaclesNearest'").first)
    let found = try built.rows(sql, [.real(37.5), .real(-122.1), .integer(2)]).map { $0[1] }
    let brute = try built.column(
      """
      SELECT oas FROM obstacles ORDER BY (latitude - 37.5) * (latitude - 37.5)
        + (longitude + 122.1) * (longitude + 122.1) * 0.629 LIMIT 2
      """)
    #expect(found == brute && found.count == 2)
  }

  @Test func `a file of too few rows, or that was cut, is reported by its own name`() throws {
    var obstacles = try ObstacleSource()
    obstacles.definition.gates.minimumRows = ["obstacles": 1000]
    let few = try #require(throws: UserError.self) {
      try obstacles.build(try ObstacleTests.fixture, in: folder, name: "few.sqlite")
    }
    #expect(few.operation == "reading the obstacles" && few.reason.contains("at least 1000 are expected"))
    let cut = try #require(throws: UserError.self) {
      try obstacles.build(try ObstacleTests.fixture.dropLast(30), in: folder, name: "cut.sqlite")
    }
    #expect(cut.reason.contains("DOF.CSV ends in the middle of line"), "\(cut.reason)")
    obstacles.definition.gates.minimumRows = ["airports": 1]
    let stray = try #require(throws: UserError.self) {
      try obstacles.build(try ObstacleTests.fixture, in: folder, name: "stray.sqlite")
    }
    #expect(stray.reason.contains("no table \"airports\"") && stray.suggestion?.contains("obstacles") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.file("few.sqlite").path))
  }

  @Test func `a column of codes that were all renamed is refused`() throws {
    let lines = try #require(String(bytes: try ObstacleTests.fixture, encoding: .isoLatin1)).split(
      separator: "\r\n")
    let rows = (0..<40).map { String(lines[1]).replacing("09-021145,O", with: "11-\(100_000 + $0),Y") }
    let text = ([String(lines[0])] + rows).joined(separator: "\r\n") + "\r\n"
    let fault = try #require(throws: UserError.self) {
      try ObstacleSource().build(Array(text.utf8), in: folder, name: "codes.sqlite")
    }
    #expect(
      fault.reason.contains("column VERIFIED STATUS: none of the 40 values is known"), "\(fault.reason)")
    #expect(fault.operation == "reading the obstacles")
  }

  @Test func `a zip that is cut short or damaged is refused`() throws {
    var bytes = [UInt8](try Data(contentsOf: folder.file("DOF.zip")))
    for place in 200..<220 { bytes[place] ^= 0x55 }
    let damaged = folder.file("damaged.zip")
    try Data(bytes).write(to: damaged)
    let cut = folder.file("cut.zip")
    try Data(bytes.dropLast(30)).write(to: cut)
    for file in [damaged, cut] {
      let fault = try #require(throws: UserError.self) {
        try ObstacleSource().build(try SourceFolder.file(file), in: folder, name: "bad.sqlite")
      }
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
    definition = try JSONDecoder().decode(ObstacleDefinition.self, from: Data(json.utf8))
  }

  /// Builds the database of the daily file in its zip.
  func build(_ bytes: [UInt8], in folder: TemporaryFolder, name: String = "out.sqlite") throws -> Built {
    try build(try zip([("DOF.CSV", bytes)], in: folder, name: "DOF.zip"), in: folder, name: name)
  }

  func build(_ source: SourceFile, in folder: TemporaryFolder, name: String) throws -> Built {
    let request = ObstacleRequest(
      definition: definition, definitionSha256: try SHA256Hex(of: []), source: source,
      cycle: try #require(AiracCycle(identifier: "2304")))
    let database = folder.file(name)
    let outcome = try ObstacleBuilder.build(
      request, to: database, progress: SilentProgress(), step: "obstacles")
    return Built(outcome: outcome, file: database)
  }
}
