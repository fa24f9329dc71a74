import Core
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Aero

/// What `airports.db` holds of OurAirports, and what an app finds in it by the library's rules.
struct RZFlightWorldTests {
  let folder: TemporaryFolder
  let built: Built

  init() throws {
    folder = try TemporaryFolder()
    built = try Subscription("2304").build(in: folder)
  }

  private func library(
    continents: [String]? = nil, airports: [String]? = nil
  ) throws -> (export: Exported, library: RZFlightLibrary) {
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

  @Test func `an app's filters find what each of them asks for`() throws {
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
    // OurAirports says nothing of fuel and customs, so nothing is claimed.
    #expect(library.filter { europe.contains($0.icao) && ($0.hasAvgas || $0.hasJetA) } == [])
    #expect(library.filter { $0.country == "GB" && $0.isBorderCrossing } == [])
  }

  @Test func `the frequencies of the world are there, and the FAA's airports keep the FAA's`() throws {
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

  @Test func `what cannot be expressed is counted`() throws {
    let (export, _) = try library()
    let counts = export.outcome.product.build.counts
    #expect(counts["surfacesUnknown"] == 1, "LFAT 06/24 is UNK")
    #expect(counts["frequencies"] == 20 && counts["frequenciesOutsideVHF"] == 0)
    #expect(counts["frequencyTypesUnknown"] == 0)
    #expect(counts["waypointNamesTaken"] == 2, "Biggin and Friedrichshafen, after Biga and Fahud")
    #expect(counts["droppedRows"] == 1, "a duplicate off Africa")
    #expect(try export.rows("SELECT icao_code FROM airports WHERE icao_code = 'FR-0560'") == [])
    #expect(
      try export.rows("SELECT surface, lighted FROM runways WHERE airport_icao = 'LFAT' ORDER BY le_ident")
        == [["", "0"], ["asphalt", "1"]])
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
    #expect(
      try export.rows("SELECT value FROM model_metadata WHERE key = 'selection'") == [["continents EU"]])
  }

  @Test func `a small database holds the airports that are listed`() throws {
    let (export, library) = try library(airports: ["EGKB", "KPAO", "KSFO"])
    #expect(Set(library.airports.keys) == ["EGKB", "KPAO", "KSFO"])
    #expect(library.waypoints["OAK"]?.type == "VORDME" && library.waypoints["BIG"]?.type == "VORDME")
    #expect(try export.rows("PRAGMA foreign_key_check") == [])
    let again = try Exported(
      .rzflight, of: built, in: folder, world: true, name: "again", airports: ["KSFO", "EGKB", "KPAO"])
    #expect(
      try Data(contentsOf: export.file("database")) == Data(contentsOf: again.file("database")),
      "the order of the list does not matter")
  }

  @Test func `a listed airport that is not there is an error`() throws {
    let fault = try #require(throws: UserError.self) { try library(airports: ["EGKB", "EGXX", "ZZZZ"]) }
    #expect(fault.path == "EGXX, ZZZZ" && fault.kind == .badInput)
  }

  @Test func `a zip without frequencies is refused`() throws {
    let world = fixtureFolder.appending(path: "world")
    let names = ["airports.csv", "runways.csv", "navaids.csv"]
    let members = try names.map { ($0, [UInt8](try Data(contentsOf: world.appending(path: $0)))) }
    let part = try zip(members, in: folder, name: "part.zip")
    let fault = try #require(throws: UserError.self) {
      try Exported(.rzflight, of: built, in: folder, world: true, worldIn: part.url)
    }
    #expect(fault.reason.contains("airport-frequencies.csv"))
  }
}

struct FrequencyLineTests {
  private func line(_ type: String, _ description: String) -> String {
    FrequencyWords.line(
      WorldFrequency(airport: "EGKB", type: type, description: description, megahertz: 118.5))
  }

  @Test(arguments: [
    ("TWR", "TWR", "TOWER 118.5"), ("twr", "Lille Tower", "TOWER Lille Tower 118.5"),
    ("MISC", "Club; glider", "Club glider 118.5"), ("MISC", "", "118.5"),
    // The library would find jet fuel in it.
    ("OPS", "Jet Centre", "OPERATIONS 118.5"), ("A/G", " Popham\n Radio ", "RADIO Popham Radio 118.5"),
  ])
  func `a frequency has a word, a name and a number`(type: String, description: String, expected: String) {
    #expect(line(type, description) == expected)
  }
}
