import CryptoIO
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

/// What the rows of an obstacle file become.
struct ObstacleTests {
  let folder: TemporaryFolder
  let built: Built

  init() throws {
    folder = try TemporaryFolder()
    built = try Subscription("2304").build(obstacles: try ObstacleTests.fixture, in: folder)
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
    let subscription = try Subscription("2304")
    for (number, source) in [bare, own.url].enumerated() {
      let again = try subscription.build(
        obstaclesIn: source, in: folder, name: "again\(number).sqlite")
      #expect(try again.rows("SELECT * FROM obstacles") == built.rows("SELECT * FROM obstacles"))
    }
    let once = try subscription.build(obstacles: try ObstacleTests.fixture, in: folder, name: "once.sqlite")
    #expect(try Data(contentsOf: once.file) == zipped)
  }

  /// Larger than the pieces in which the file is read, so rows lie across their borders.
  @Test func `no row is lost between two pieces of a large file`() throws {
    let lines = try #require(String(bytes: try ObstacleTests.fixture, encoding: .isoLatin1)).split(
      separator: "\r\n")
    var rows = (0..<4000).map { String(lines[1]).replacing("09-021145", with: "11-\(100_000 + $0)") }
    rows[3333] = rows[3333].replacing("41.005065", with: "north")
    let text = ([String(lines[0])] + rows).joined(separator: "\r\n")
    let large = try Subscription("2304").build(
      obstacles: Array(text.utf8), in: folder, name: "large.sqlite")
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
    let fault = try #require(throws: Fault.self) {
      try Subscription("2304").build(obstacles: Array(content.utf8), in: folder, name: "bad.sqlite")
    }
    #expect(fault.kind == .badInput && fault.doing == "reading the obstacles")
    #expect(fault.problem.contains(problem), "\(fault.problem)")
  }

  @Test func `the metadata name the file and its hash`() throws {
    let source = try #require(built.outcome.product.sources.last)
    let named = try built.rows("SELECT value FROM metadata WHERE key LIKE 'source_obstacles%' ORDER BY key")
    #expect(named == [[source.url], [source.sha256.text]])
  }

  @Test func `a file of too few rows, or that was cut, is told by its own name`() throws {
    var subscription = try Subscription("2304")
    subscription.definition.gates.minimumRows = ["obstacles": 1000]
    let few = try #require(throws: Fault.self) {
      try subscription.build(obstacles: try ObstacleTests.fixture, in: folder, name: "few.sqlite")
    }
    #expect(few.doing == "reading the obstacles" && few.problem.contains("at least 1000 are expected"))
    let cut = try #require(throws: Fault.self) {
      try subscription.build(
        obstacles: try ObstacleTests.fixture.dropLast(30), in: folder, name: "cut.sqlite")
    }
    #expect(cut.problem.contains("DOF.CSV ends in the middle of line"), "\(cut.problem)")
  }

  @Test func `a zip that is cut short or damaged is refused`() throws {
    var bytes = [UInt8](try Data(contentsOf: folder.file("DOF.zip")))
    for place in 200..<220 { bytes[place] ^= 0x55 }
    let damaged = folder.file("damaged.zip")
    try Data(bytes).write(to: damaged)
    let cut = folder.file("cut.zip")
    try Data(bytes.dropLast(30)).write(to: cut)
    for file in [damaged, cut] {
      let fault = try #require(throws: Fault.self) {
        try Subscription("2304").build(obstaclesIn: file, in: folder, name: "bad.sqlite")
      }
      #expect(fault.kind == .badInput && fault.subject == file.path)
    }
  }
}

extension Subscription {
  func build(
    obstacles: [UInt8], in folder: TemporaryFolder, name: String = "out.sqlite"
  ) throws -> Built {
    try build(
      obstaclesIn: try zip([("DOF.CSV", obstacles)], in: folder, name: "DOF.zip").url, in: folder, name: name)
  }

  func build(obstaclesIn file: URL, in folder: TemporaryFolder, name: String) throws -> Built {
    var request = try request(try bare(in: folder))
    request.obstacles = try SourceFolder.file(file)
    let database = folder.file(name)
    let outcome = try DatabaseBuilder.build(request, to: database, progress: SilentProgress(), step: "nasr")
    return Built(outcome: outcome, file: database)
  }
}
