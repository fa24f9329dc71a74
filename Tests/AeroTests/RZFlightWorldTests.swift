import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// OurAirports' rows in `airports.db`, and the results of an app with the library's rules.
struct RZFlightWorldTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2304", in: folder) }

  private func library(continents: [String]? = nil, airports: [String]? = nil) throws -> (
    export: Exported, library: RZFlightLibrary
  ) {
    let export = try Exported(
      .rzflight, of: built, in: folder, world: true, continents: continents, airports: airports)
    return (export, try RZFlightLibrary(export.file("database")))
  }

  @Test func `an app finds airports near a point, near a route and by name`() throws {
    let (_, library) = try library()
    #expect(library.nearest(51.3, 0, count: 3) == ["EGKB", "EGTF", "LFAT"])
    #expect(library.near(route: ["EGTF", "LFAT"], within: 15) == ["EGTF", "LFAT", "EGKB"])
    #expect(library.near(route: ["EGTF", "LFAT"], within: 3) == ["EGTF", "LFAT"])
    #expect(library.near(route: ["EGKB"], within: 25) == ["EGKB", "EGTF"])
    #expect(library.matching("cote d'opale") == ["LFAT"])
    #expect(library.matching("egk") == ["EGKB"])
  }

  @Test func `an app's filters find their airports`() throws {
    let (_, library) = try library()
    #expect(library.filter { $0.country == "GB" } == ["EGKB", "EGTF"])
    #expect(library.filter { $0.country == "FR" } == ["LFAT", "LFNA"])
    let europe = library.filter { ["GB", "FR", "DE"].contains($0.country) }
    let hard = library.filter { $0.runways.contains(where: \.isHard) }
    #expect(hard.intersection(europe) == ["EDNY", "EGKB", "EGTF", "LFAT", "LFNA"])
    let long = library.filter { $0.runways.contains { $0.length >= 6000 } }
    #expect(long.intersection(europe) == ["EDNY", "LFAT"])
    let lighted = library.filter { $0.runways.contains(where: \.isLighted) }
    #expect(lighted.intersection(["EDNY", "LFNA"]) == ["EDNY"])
    #expect(library.airports["KSFO"]?.isBorderCrossing == true)
    #expect(library.airports["KPAO"]?.hasAvgas == true && library.airports["KPAO"]?.hasJetA == true)
    // OurAirports has no fuel and customs.
    #expect(library.filter { europe.contains($0.icao) && ($0.hasAvgas || $0.hasJetA) } == [])
    #expect(library.filter { $0.country == "GB" && $0.isBorderCrossing } == [])
  }

  @Test func `contains the frequencies of the world and keeps the FAA's`() throws {
    let (export, _) = try library()
    let lines = try export.rows(
      "SELECT airport_icao, value, source FROM aip_entries WHERE std_field_id = 307 ORDER BY airport_icao")
    let europe = lines.filter { $0[0].hasPrefix("E") || $0[0] == "LFAT" }
    #expect(
      europe == [
        [
          "EDNY",
          "AFIS ZURICH INFORMATION 124.7; APPROACH ZURICH ARR 119.925; ATIS Friedrichsfafen ATIS 129.605; "
            + "TOWER Friedrichsfafen Tower / Turm 120.08; TOWER Friedrichsfafen Tower / Turm 134.305",
          "ourairports",
        ],
        [
          "EGKB", "APPROACH 129.405; ATIS 135.68; GROUND 121.63; RADAR THAMES RDR 132.7; TOWER 134.805",
          "ourairports",
        ], ["EGTF", "RADIO Fairoaks Radio 123.43; AFIS Fairoaks AFIS 123.43", "ourairports"],
        ["LFAT", "APPROACH LILLE APP 120.275; ATIS 123.125; GROUND 125.3; TOWER 118.45", "ourairports"],
      ])
    #expect(lines.first { $0[0] == "KPAO" }?[2] == "faa_nasr")
    // An ATIS on a VOR's frequency.
    #expect(lines.first { $0[0] == "AYPY" }?[1].contains("ATIS 117.0") == true)
  }

  @Test func `counts values that cannot be expressed`() throws {
    let (export, _) = try library()
    let counts = export.outcome.product.build.counts
    #expect(counts["surfacesUnknown"] == 1, "LFAT 06/24 is UNK")
    #expect(counts["frequencies"] == 20 && counts["frequenciesOutsideVHF"] == 0)
    #expect(counts["frequencyTypesUnknown"] == 0)
    #expect(counts["waypointNamesTaken"] == 2, "Biggin and Friedrichshafen, after Biga and Fahud")
    #expect(counts["droppedRows"] == 1, "a duplicate off Africa")
    #expect(try export.rows("SELECT icao_code FROM airports WHERE icao_code = 'FR-0560'") == [])
    try export.expect(
      "SELECT surface, lighted FROM runways WHERE airport_icao = 'LFAT' ORDER BY le_ident",
      gives: [["", "0"], ["asphalt", "1"]])
  }

  @Test func `a continent's database keeps its own navaids`() throws {
    let (export, library) = try library(continents: ["EU"])
    #expect(Set(library.airports.keys) == ["EDNY", "EGKB", "EGTF", "LFAT", "LFNA"])
    let biggin = try #require(library.waypoints["BIG"])
    #expect(biggin.type == "VORDME" && Int(biggin.latitude) == 51)
    #expect(library.waypoints["FHA"]?.type == "NDB" && library.waypoints["FHD"]?.type == "DME")
    #expect(library.waypoints["OAK"] == nil && library.waypoints["REM"] == nil, "beyond 50 NM")
    let box = try #require(export.outcome.product.boundingBox)
    #expect(box.west == -0.558889 && box.north == 51.348099)
    try export.expect("SELECT value FROM model_metadata WHERE key = 'selection'", gives: [["continents EU"]])
  }

  @Test func `a small database has the listed airports`() throws {
    let (export, library) = try library(airports: ["EGKB", "KPAO", "KSFO"])
    #expect(Set(library.airports.keys) == ["EGKB", "KPAO", "KSFO"])
    #expect(library.waypoints["OAK"]?.type == "VORDME" && library.waypoints["BIG"]?.type == "VORDME")
    #expect(try export.rows("PRAGMA foreign_key_check") == [])
    let again = try Exported(
      .rzflight, of: built, in: folder, world: true, name: "again", airports: ["KSFO", "EGKB", "KPAO"])
    #expect(
      try export.file("database").data == again.file("database").data,
      "the order of the list does not matter")
  }

  @Test func `a missing listed airport is an error`() throws {
    let fault = try #require(throws: UserError.self) { try library(airports: ["EGKB", "EGXX", "ZZZZ"]) }
    #expect(fault.path == "EGXX, ZZZZ" && fault.kind == .badInput)
  }

  @Test func `rejects a zip without frequencies`() throws {
    let world = fixtureFolder.appending(path: "world")
    let names = ["airports.csv", "runways.csv", "navaids.csv"]
    let members = try names.map { ($0, [UInt8](try world.appending(path: $0).data)) }
    let part = try zip(members, in: folder, name: "part.zip")
    try expectFault("airport-frequencies.csv") {
      try Exported(.rzflight, of: built, in: folder, world: true, worldIn: part.url)
    }
  }
}

struct FrequencyLineTests {
  private func line(_ type: String, _ description: String) -> String {
    FrequencyNames.line(
      WorldFrequency(airport: "EGKB", type: type, description: description, megahertz: 118.5))
  }

  @Test(arguments: [
    ("TWR", "TWR", "TOWER 118.5"), ("twr", "Lille Tower", "TOWER Lille Tower 118.5"),
    ("MISC", "Club; glider", "Club glider 118.5"), ("MISC", "", "118.5"),
    // The library would find jet fuel in it.
    ("OPS", "Jet Centre", "OPERATIONS 118.5"), ("A/G", " Popham\n Radio ", "RADIO Popham Radio 118.5"),
  ])
  func `a frequency has a type, a name and a number`(type: String, description: String, expected: String) {
    #expect(line(type, description) == expected)
  }
}

/// Implausible values of OurAirports, which are dropped and counted.
struct WorldRowTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2304", in: folder) }

  /// An export of the fixture with lines added to some of its files.
  private func export(adding lines: [String: String], continents: [String]? = nil) throws -> Exported {
    let world = folder.file("world")
    try FileManager.default.copyItem(at: fixtureFolder.appending(path: "world"), to: world)
    for (name, text) in lines {
      let file = world.appending(path: name)
      let old = try file.text
      try (old.trimmingCharacters(in: .newlines) + "\n" + text + "\n").write(
        to: file, atomically: true, encoding: .utf8)
    }
    return try Exported(.rzflight, of: built, in: folder, world: true, worldIn: world, continents: continents)
  }

  private func count(_ export: Exported, _ column: String) throws -> Int {
    try #require(export.outcome.problems).counts.filter { $0.column == column && $0.kind == .fieldDropped }
      .reduce(0) { $0 + $1.count }
  }

  @Test func `a length or width of 0 becomes NULL and is counted`() throws {
    let export = try export(adding: [
      "runways.csv": """
      1,1,"EGKB",0,0,"ASP",1,0,"08",,,,85,,"26",,,,265,
      2,1,"EGTF",500,0,"ASP",1,0,"08",,,,85,,"26",,,,265,
      """
    ])
    try export.expect(
      "SELECT length_ft, width_ft FROM runways WHERE le_ident = '08' ORDER BY airport_icao",
      gives: [["NULL", "NULL"], ["500.0", "NULL"]])
    #expect(try count(export, "length_ft") == 1 && count(export, "width_ft") == 2)
    #expect(export.outcome.product.build.counts["droppedFields"] == 3)
    let problems = try #require(export.outcome.problems).examples.filter { $0.column == "width_ft" }
    #expect(problems.map(\.part) == ["EGKB 08/26", "EGTF 08/26"] && problems[0].file == "runways.csv")
  }

  @Test func `replaces and counts a heading that contradicts the runway's number`() throws {
    let export = try export(adding: [
      "runways.csv": """
      1,1,"EGKB",900,30,"ASP",1,0,"09",51.3,0.03,,16,,"27",51.3,0.04,,196,
      2,1,"EGTF",900,30,"ASP",1,0,"16",,,,16,,"34",,,,343,
      3,1,"EGTF",900,30,"ASP",1,0,"10",,,,220,,"28",,,,40,
      4,1,"EDNY",900,30,"ASP",1,0,"18",47.6,9.4,,250,,"36",47.6,9.5,,360,
      """
    ])
    try export.expect(
      """
      SELECT airport_icao, le_heading_degT, he_heading_degT FROM runways
      WHERE airport_icao LIKE 'E%' AND le_ident IN ('09', '16', '10', '18')
      ORDER BY airport_icao, le_ident
      """,
      gives: [
        // The opposite end has 360. The line between the ends, 90, contradicts the number too.
        ["EDNY", "180.0", "360.0"], ["EGKB", "90.0", "270.0"],
        // 100 degrees magnetic; the variation is 2 degrees west.
        ["EGTF", "98.0", "278.0"], ["EGTF", "163.0", "343.0"],
      ])
    #expect(try count(export, "le_heading_degT") == 4 && count(export, "he_heading_degT") == 2)
  }

  @Test func `removes advertising and keeps the airport`() throws {
    let export = try export(
      adding: [
        "airports.csv": """
        1,"XX-01","small_airport","Best Casino Online",47.1,9.1,8,"EU","DE","DE-BY","Ort","no",,,,"https://casino.example","https://casino.example","#casino66, #bet"
        2,"XX-02","small_airport","Casino Airport",47.2,9.2,8,"EU","DE","DE-BY","Ort","no",,,,"https://203.0.113.9/play","https://en.wikipedia.org/wiki/Casino","Auxiliary Field #2, Casino"
        3,"XX-03","small_airport","Number",47.3,9.3,8,"EU","DE","DE-BY","Ort","no",,,,"https://web.archive.org/web/1/http://a.example:80/1.2.3.4","http://1.2.3.example","#2 Field"
        """
      ], continents: ["EU"])
    try export.expect(
      "SELECT icao_code, name, home_link, wikipedia_link, keywords FROM airports WHERE icao_code LIKE 'XX%' ORDER BY 1",
      gives: [
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
      // Within 30 degrees of the number, or of the number with the variation.
      ("09", 120.0, nil, false), ("09", 120.1, nil, true), ("36", 20, nil, false), ("01", 350, nil, false),
      ("18", 127, -27.0, false), ("18", 180, -45, false), ("18", 135, -45, false), ("18", 100, -45, true),
      // A name without a direction matches all headings. N and NE are true.
      ("H1", 77, nil, false), ("", 77, nil, false), ("ALL", 77, nil, false), ("N", 44, nil, true),
      ("NE", 44, nil, false), ("99", 77, nil, false), ("161", 20, nil, false), ("17T", 40, 150, true),
    ] as [(String, Double, Double?, Bool)])
  func `a heading more than 30 degrees off contradicts the number`(
    ident: String, heading: Double, variation: Double?, isWrong: Bool
  ) { #expect(RunwayDirection.contradicts(End(ident: ident, heading: heading), variation) == isWrong) }

  @Test func `an end without a heading uses the opposite end, the line or its name`() {
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
