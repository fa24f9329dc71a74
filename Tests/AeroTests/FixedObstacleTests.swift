import ArchiveIO
import Core
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

/// The obstacle file of 56 days, DOF.DAT with fixed columns.
struct FixedObstacleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The header and rows of the FAA's files of June 2026 (public domain).
  private static let header = [
    "CURRENCY DATE = 06/27/26",
    "                                     LATITUDE    LONGITUDE     OBSTACLE            AGL  AMSL LT ACC MAR FAA       ACTION",
    "OAS#      V CO ST CITY             DEG MIN SEC  DEG MIN SEC   TYPE                 HT    HT    H V IND STUDY            JDATE",
    String(repeating: "-", count: 127),
  ]
  private static let rows = [
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
    return try ObstacleSource().build(
      try SourceFolder.file(folder.file("DOF.DAT")), in: folder, name: name)
  }

  private static func file(_ rows: [String], _ end: String = "\r\n") -> String {
    (header + rows).joined(separator: end) + end
  }

  @Test func `the FAA's rows are what they say`() throws {
    let built = try build(Self.file(Self.rows), isZipped: true)
    #expect(
      try built.rows("SELECT * FROM obstacles WHERE id = 1") == [
        [
          "1", "01-001307", "1", "US", "AL", "DAUPHIN ISLAND", "30.17916666", "-88.0775", "RIG", "1", "236",
          "236",
          "red", "marked", "500", "50", "1990ASO01578OE", "2014-05-18",
        ]
      ])
    #expect(
      try built.rows(
        "SELECT longitude, city, verified, lighting, marking, horizontalAccuracy FROM obstacles WHERE id = 2")
        == [["174.11016666", "EARECKSON AIR ST", "0", "none", "none", "250"]])
    #expect(try built.rows("SELECT heightAGL, heightMSL FROM obstacles WHERE id = 3") == [["27", "-17"]])
    #expect(built.outcome.problems.droppedRows == 0 && built.outcome.problems.unknownCodes == 0)
    let plain = try build(Self.file(Self.rows, "\n"), name: "plain.sqlite")
    #expect(try plain.rows("SELECT * FROM obstacles") == built.rows("SELECT * FROM obstacles"))
  }

  @Test func `dismantled, Latin-1, commas and quotes, and rows that are none, with their lines`() throws {
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
    #expect(try built.column("SELECT oas FROM obstacles") == ["02-292529", "08-025404", "08-025405"])
    #expect(try built.column("SELECT city FROM obstacles WHERE id = 1") == ["SÃO, \"X\""])
    #expect(
      try built.rows("SELECT type, quantity FROM obstacles WHERE id = 3") == [["NATURAL GAS SYSTEM", "12"]])
    #expect(built.outcome.product.build.counts["droppedAsDismantled"] == 1)
    let dropped = built.problems(.rowDropped, of: "DOF.DAT")
    #expect(dropped.map(\.line) == [7] && dropped.map(\.value) == ["115 60 17.60W"])
  }

  @Test(arguments: [
    (62, " ", 83), (83, " ", 89), (0, " ", 10), (119, " ", 128), (48, " ", 62),
  ])
  func `a row whose columns are shifted is dropped and counted`(at: Int, text: String, byte: Int) throws {
    let shifted = String(Self.rows[1].prefix(at)) + text + String(Self.rows[1].dropFirst(at))
    let built = try build(Self.file([Self.rows[0], shifted, Self.rows[2]]))
    #expect(try built.column("SELECT oas FROM obstacles") == ["01-001307", "06-310880"])
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
  func `a position that is none is named with its value`(
    old: String, new: String, column: String, reason: String
  ) throws {
    let built = try build(Self.file([Self.rows[0].replacing(old, with: new)] + Self.rows.dropFirst()))
    let dropped = built.problems(.rowDropped, of: "DOF.DAT")
    #expect(dropped.map(\.column) == [column] && dropped.map(\.reason) == [reason])
    #expect(dropped.map(\.value) == [new.filter { $0 != " " }.isEmpty ? "" : new])
  }

  @Test func `no row is lost between the pieces of a large file`() throws {
    let rows = (0..<9000).map {
      Self.rows[0].replacing("01-001307", with: String(format: "%02d-%06d", $0 % 60, $0))
    }
    let built = try build(Self.file(rows + [Self.rows[1].replacing("52 43", with: "92 43")]))
    #expect(try built.column("SELECT count(*) FROM obstacles") == ["9000"])
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
  func `a file that is cut short or none is refused`(text: String, problem: String) throws {
    let fault = try #require(throws: UserError.self) { try build(text) }
    #expect(fault.kind == .badInput && fault.operation == "reading the obstacles")
    #expect(fault.reason.contains(problem), "\(fault.reason)")
    #expect(fault.suggestion?.contains("DOF_YYMMDD.zip") == true)
  }
}
