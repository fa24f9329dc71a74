import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

/// Values of OurAirports that cannot be right: they are not passed on, and counted.
struct WorldRowTests {
  let folder: TemporaryFolder
  let built: Built

  init() throws {
    folder = try TemporaryFolder()
    built = try Subscription("2304").build(in: folder)
  }

  /// An export of the fixture with lines added to some of its files.
  private func export(adding lines: [String: String], continents: [String]? = nil) throws -> Exported {
    let world = folder.file("world")
    try FileManager.default.copyItem(at: fixtureFolder.appending(path: "world"), to: world)
    for (name, text) in lines {
      let file = world.appending(path: name)
      let old = try String(contentsOf: file, encoding: .utf8)
      try (old.trimmingCharacters(in: .newlines) + "\n" + text + "\n").write(
        to: file, atomically: true, encoding: .utf8)
    }
    return try Exported(.rzflight, of: built, in: folder, world: true, worldIn: world, continents: continents)
  }

  private func count(_ export: Exported, _ column: String) throws -> Int {
    try #require(export.outcome.problems).counts.filter { $0.column == column && $0.kind == .fieldDropped }
      .reduce(0) { $0 + $1.count }
  }

  @Test func `a length or a width of 0 is NULL, and counted`() throws {
    let export = try export(adding: [
      "runways.csv": """
      1,1,"EGKB",0,0,"ASP",1,0,"08",,,,85,,"26",,,,265,
      2,1,"EGTF",500,0,"ASP",1,0,"08",,,,85,,"26",,,,265,
      """
    ])
    #expect(
      try export.rows("SELECT length_ft, width_ft FROM runways WHERE le_ident = '08' ORDER BY airport_icao")
        == [["NULL", "NULL"], ["500.0", "NULL"]])
    #expect(try count(export, "length_ft") == 1 && count(export, "width_ft") == 2)
    #expect(export.outcome.product.build.counts["droppedFields"] == 3)
    let problems = try #require(export.outcome.problems).examples.filter { $0.column == "width_ft" }
    #expect(problems.map(\.part) == ["EGKB 08/26", "EGTF 08/26"] && problems[0].file == "runways.csv")
  }

  @Test func `a heading that contradicts the runway's number is replaced, and counted`() throws {
    let export = try export(adding: [
      "runways.csv": """
      1,1,"EGKB",900,30,"ASP",1,0,"09",51.3,0.03,,16,,"27",51.3,0.04,,196,
      2,1,"EGTF",900,30,"ASP",1,0,"16",,,,16,,"34",,,,343,
      3,1,"EGTF",900,30,"ASP",1,0,"10",,,,220,,"28",,,,40,
      4,1,"EDNY",900,30,"ASP",1,0,"18",47.6,9.4,,250,,"36",47.6,9.5,,360,
      """
    ])
    #expect(
      try export.rows(
        """
        SELECT airport_icao, le_heading_degT, he_heading_degT FROM runways
        WHERE airport_icao LIKE 'E%' AND le_ident IN ('09', '16', '10', '18')
        ORDER BY airport_icao, le_ident
        """) == [
          // The opposite end has 360; the line between the ends, 90, contradicts the number as well.
          ["EDNY", "180.0", "360.0"], ["EGKB", "90.0", "270.0"],
          // 100 degrees magnetic; the variation is 2 degrees west.
          ["EGTF", "98.0", "278.0"], ["EGTF", "163.0", "343.0"],
        ])
    #expect(try count(export, "le_heading_degT") == 4 && count(export, "he_heading_degT") == 2)
  }

  @Test func `advertising is left out, and the airport stays`() throws {
    let export = try export(
      adding: [
        "airports.csv": """
        1,"XX-01","small_airport","Best Casino Online",47.1,9.1,8,"EU","DE","DE-BY","Ort","no",,,,"https://casino.example","https://casino.example","#casino66, #bet"
        2,"XX-02","small_airport","Casino Airport",47.2,9.2,8,"EU","DE","DE-BY","Ort","no",,,,"https://203.0.113.9/play","https://en.wikipedia.org/wiki/Casino","Auxiliary Field #2, Casino"
        3,"XX-03","small_airport","Number",47.3,9.3,8,"EU","DE","DE-BY","Ort","no",,,,"https://web.archive.org/web/1/http://a.example:80/1.2.3.4","http://1.2.3.example","#2 Field"
        """
      ], continents: ["EU"])
    #expect(
      try export.rows(
        "SELECT icao_code, name, home_link, wikipedia_link, keywords FROM airports WHERE icao_code LIKE 'XX%' ORDER BY 1"
      ) == [
        ["XX-01", "XX-01", "NULL", "NULL", "NULL"],
        [
          "XX-02", "Casino Airport", "NULL", "https://en.wikipedia.org/wiki/Casino",
          "Auxiliary Field #2, Casino",
        ],
        [
          "XX-03", "Number", "https://web.archive.org/web/1/http://a.example:80/1.2.3.4",
          "http://1.2.3.example",
          "#2 Field",
        ],
      ])
    #expect(try count(export, "NAME") == 1 && count(export, "KEYWORDS") == 1)
    #expect(try count(export, "HOME_LINK") == 2 && count(export, "WIKIPEDIA_LINK") == 1)
  }
}

/// The headings of a runway's ends.
struct RunwayDirectionTests {
  typealias End = RunwayDirection.End

  @Test(
    arguments: [
      // Within 30 degrees of the number, or of the number turned by the variation.
      ("09", 120.0, nil, false), ("09", 120.1, nil, true), ("36", 20, nil, false), ("01", 350, nil, false),
      ("18", 127, -27.0, false), ("18", 180, -45, false), ("18", 135, -45, false), ("18", 100, -45, true),
      // A name without a direction contradicts nothing; N and NE are true.
      ("H1", 77, nil, false), ("", 77, nil, false), ("ALL", 77, nil, false), ("N", 44, nil, true),
      ("NE", 44, nil, false), ("99", 77, nil, false), ("161", 20, nil, false), ("17T", 40, 150, true),
    ] as [(String, Double, Double?, Bool)])
  func `a heading contradicts a number that is more than 30 degrees off`(
    ident: String, heading: Double, variation: Double?, isWrong: Bool
  ) {
    #expect(RunwayDirection.contradicts(End(ident: ident, heading: heading), variation) == isWrong)
  }

  @Test func `an end without a heading has that of the opposite end, of the line or of its name`() {
    let named = RunwayDirection.headings(End(ident: "09"), End(ident: "27"), variation: 3)
    #expect(named == (93, 273))
    let opposite = RunwayDirection.headings(End(ident: "09", heading: 95), End(ident: "27"), variation: 3)
    #expect(opposite == (95, 275))
    let line = RunwayDirection.headings(
      End(ident: "09", latitude: 50, longitude: 8), End(ident: "27", latitude: 50, longitude: 9), variation: 3
    )
    #expect(line == (90, 270))
    let swapped = RunwayDirection.headings(
      End(ident: "09", latitude: 50, longitude: 9), End(ident: "27", latitude: 50, longitude: 8), variation: 3
    )
    #expect(swapped == (93, 273))
    #expect(RunwayDirection.headings(End(ident: "17T"), End(ident: "35T"), variation: -20) == (170, 350))
    #expect(RunwayDirection.headings(End(ident: "ALL"), End(ident: "WAY"), variation: 3) == (0, 0))
  }
}
