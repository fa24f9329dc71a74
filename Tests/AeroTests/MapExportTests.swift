import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The exports of identifiers and GeoJSON.
struct MapExportTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2304", in: folder) }

  @Test func `finds an airport by either identifier`() throws {
    let export = try Exported(.identifiers, of: built, in: folder)
    for typed in ["PAO", "KPAO"] {
      let found = try export.rows(
        "SELECT ident, icao, iata, name, lat, lon, country, type, source FROM airports WHERE ident = ?1 OR icao = ?1",
        [.text(typed)])
      #expect(
        found == [
          ["PAO", "KPAO", "NULL", "Palo Alto", "37.46111", "-122.11506", "US", "airport", "faa_nasr"]
        ])
    }
    let plan = try export.rows(
      "EXPLAIN QUERY PLAN SELECT * FROM airports WHERE ident = 'PAO' OR icao = 'PAO' OR iata = 'PAO' ORDER BY rank"
    )
    #expect(!plan.contains { $0[3].hasPrefix("SCAN") })
    try export.expect("SELECT icao FROM airports WHERE ident = '16XA'", gives: [["NULL"]])
    try export.expect("SELECT value FROM metadata WHERE key = 'cycle'", gives: [["2304"]])
  }

  /// OMN is also how OurAirports calls Osmanabad in India. KOMN is made to be an older place elsewhere, whose code the FAA has given away.
  @Test func `finds the FAA's airport before others with its identifiers`() throws {
    let subscription = try Subscription("2304")
    subscription.edit("APT_BASE") { text in
      let model = text.split(whereSeparator: \.isNewline).first { $0.contains("\"KPAO\"") } ?? ""
      let ormond = [
        ("\"02022.\"", "\"03411.\""), ("PAO\"", "OMN\""), ("37.46111111", "29.30113888"),
        ("-122.11505555", "-81.11380555"), ("PALO ALTO", "ORMOND BEACH"),
      ].reduce(String(model)) { $0.replacing($1.0, with: $1.1) }
      return text.trimmingCharacters(in: .whitespacesAndNewlines) + "\r\n" + ormond + "\r\n"
    }
    let source = try subscription.bare(in: folder, name: "more.zip")
    let more = try subscription.build(source, in: folder, name: "more.sqlite")
    let world = TemporaryFolder()
    for name in ["airports", "runways", "airport-frequencies", "navaids"] {
      var text = try fixtureFolder.appending(path: "world/\(name).csv").text
      if name == "airports" {
        text += """
          20747,"KOMN","small_airport","Ormond Beach Municipal Airport",30.3,-85.1,29,"NA","US","US-FL","Ormond Beach","no","KOMN",,"OMN",,,
          314033,"OMN","small_airport","Osmanabad Airport",18.281,76.0574,2277,"AS","IN","IN-MM","Osmanabad","no",,"OMN",,,,

          """
      }
      try world.file("\(name).csv").put(text)
    }
    let export = try Exported(.identifiers, of: more, in: folder, world: true, worldIn: world.url)
    for typed in ["OMN", "KOMN"] {
      let found = try export.rows(
        "SELECT name, source FROM airports WHERE ident = ?1 OR icao = ?1 OR iata = ?1 ORDER BY rank",
        [.text(typed)])
      #expect(
        found.count == 2 && found[0] == ["Ormond Beach", "faa_nasr"] && found[1][1] == "ourairports",
        "\(found)")
    }
    // Without the order too, and for a reader of the JSON who takes the first.
    try export.expect(
      "SELECT name FROM airports WHERE ident = 'OMN' OR icao = 'OMN' LIMIT 1", gives: [["Ormond Beach"]])
    let places = try #require(try export.json("json")["airports"] as? [[String: Any]])
    let names = places.filter { $0["ident"] as? String == "OMN" }.map { $0["source"] as? String }
    #expect(names == ["faa_nasr", "ourairports"])
  }

  /// Of the added rows, SFO is the IATA code of another airport of the FAA, of a place abroad, and the identifier of one in the United
  /// States; ZZA is the identifier of a heliport and the IATA code of a large airport; ZZB the ICAO code of two places.
  @Test func `a typed identifier has one first answer`() throws {
    let world = folder.file("world")
    try FileManager.default.copyItem(at: fixtureFolder.appending(path: "world"), to: world)
    let file = world.appending(path: "airports.csv")
    let lines = [
      #"1,"KALB","small_airport","Sample City",42.748,-73.801,8,"NA","US","US-NY","Ort","no","KALB","SFO","ALB",,,"#,
      #"2,"EDXX","large_airport","Abroad",47.1,9.1,8,"EU","DE","DE-BY","Ort","no","EDXX","SFO",,,,"#,
      #"3,"SFO","small_airport","Old Place",30.1,-85.1,8,"NA","US","US-FL","Ort","no",,,"SFO",,,"#,
      #"4,"ZZA","heliport","Hospital",47.2,9.2,8,"EU","DE","DE-BY","Ort","no",,,,,,"#,
      #"5,"EDYY","large_airport","Large",47.3,9.3,8,"EU","DE","DE-BY","Ort","no","EDYY","ZZA",,,,"#,
      #"6,"DE-0009","large_airport","Invented",47.4,9.4,8,"EU","DE","DE-BY","Ort","no","ZZBB",,,,,"#,
      #"7,"ZZBB","small_airport","Real",47.5,9.5,8,"EU","DE","DE-BY","Ort","no","ZZBB",,,,,"#,
    ]
    let old = try file.text.split(whereSeparator: \.isNewline).filter { !$0.contains("\"KALB\"") }
    try file.put((old.map(String.init) + lines).joined(separator: "\n") + "\n")
    let export = try Exported(.identifiers, of: built, in: folder, world: true, worldIn: world)
    let answers = [
      "SFO": "San Francisco Intl", "KSFO": "San Francisco Intl", "ALB": "Albany Intl",
      "16XA": "Texoma Medical Center Hwy 75", "LTQ": "Le Touquet-Côte d'Opale Airport", "ZZA": "Large",
      "ZZBB": "Real",
    ]
    for (typed, name) in answers {
      try export.expect(
        "SELECT name FROM airports WHERE ident = '\(typed)' OR icao = '\(typed)' OR iata = '\(typed)' ORDER BY rank LIMIT 1",
        gives: [[name]])
    }
    try export.expect(
      "SELECT name FROM airports WHERE 'SFO' IN (ident, icao, iata) ORDER BY rank",
      gives: [["San Francisco Intl"], ["Old Place"], ["Abroad"]])
    let ranks = try export.rows("SELECT count(*), count(DISTINCT rank), max(rank) FROM airports")[0]
    #expect(Set(ranks).count == 1)
  }

  @Test(arguments: [ExportDefinition.Format.geojson, .identifiers, .rzflight, .openefb])
  func `an unwritable disk is not an error of the database`(format: ExportDefinition.Format) throws {
    let fault = try #require(throws: UserError.self) {
      try Exported(format, of: built, in: folder, name: "no/such/export")
    }
    #expect(fault.kind == .failed && fault.operation == "making nasr/no/such/export of")
  }

  @Test func `both formats have the same airports in the same order`() throws {
    let export = try Exported(.identifiers, of: built, in: folder, world: true)
    let json = try export.json("json")
    let places = try #require(json["airports"] as? [[String: Any]])
    let rows = try export.rows("SELECT ident, icao, name, country, type, source FROM airports")
    #expect(
      places.map { place in
        ["ident", "icao", "name", "country", "type", "source"].map { place[$0] as? String ?? "NULL" }
      } == rows)
    #expect(rows.map { $0[0] } == rows.map { $0[0] }.sorted())
    #expect(json["format"] as? String == "chartpipe-identifiers-1" && json["cycle"] as? String == "2304")
    let world = rows.filter { ["DE", "FR", "PG"].contains($0[3]) }.map { $0[0] }
    #expect(world == ["AYPY", "DE-0001", "EDNY", "LFAT", "LFNA"])
    #expect(rows.filter { $0[1] == "KPAO" || $0[0] == "16XA" }.count == 2, "each is there once")
  }

  @Test func `features have a geometry and useful properties`() throws {
    let export = try Exported(.geojson, of: built, in: folder)
    #expect(export.outcome.product.files.map(\.role.rawValue) == ["airports"])
    let airports = try export.json("airports")
    #expect(airports["type"] as? String == "FeatureCollection" && airports["cycle"] as? String == "2304")
    let features = try #require(airports["features"] as? [[String: Any]])
    #expect(features.count == 21)
    let palo = try #require(
      features.first { ($0["properties"] as? [String: Any])?["icao"] as? String == "KPAO" })
    let geometry = try #require(palo["geometry"] as? [String: Any])
    #expect(geometry["type"] as? String == "Point")
    #expect(geometry["coordinates"] as? [Double] == [-122.11505555, 37.46111111])
    let properties = try #require(palo["properties"] as? [String: Any])
    #expect(
      properties["fuelTypes"] as? [String] == ["100LL", "JetA"] && properties["elevation"] as? Double == 6.8)
    #expect(properties["name"] as? String == "Palo Alto" && properties["city"] as? String == "Palo Alto")
    #expect(properties["patternAltitude"] == nil && properties["id"] == nil && properties["latitude"] == nil)
  }

  @Test func `obstacles are exported from their own database`() throws {
    let file = [UInt8](try fixtureFolder.appending(path: "obstacles/DOF.CSV").data)
    let obstacles = try ObstacleSource().build(file, in: folder, name: "obstacles.sqlite")
    let export = try Exported(.geojson, of: obstacles, in: folder)
    #expect(export.outcome.product.files.map(\.role.rawValue) == ["obstacles"])
    let lines = try export.file("obstacles").text.split(separator: "\n")
    #expect(lines.count == 5 + 2 && lines[1].contains("\"heightAGL\":84"))
  }

  @Test func `tall obstacles are a database of their own`() throws {
    let file = [UInt8](try fixtureFolder.appending(path: "obstacles/DOF.CSV").data)
    let obstacles = try ObstacleSource().build(file, in: folder, name: "obstacles.sqlite")
    try obstacles.execute("UPDATE obstacles SET heightAGL = NULL WHERE heightAGL = 84")
    let export = try Exported(.obstacles, of: obstacles, in: folder, minimumHeight: 200)
    let query = "SELECT oas, heightAGL FROM obstacles WHERE coalesce(heightAGL, 200) >= 200 ORDER BY id"
    let tall = try obstacles.rows(query)
    #expect(tall.count == 3 && tall.contains { $0[1] == "" || $0[1] == "NULL" }, "\(tall)")
    try export.expect("SELECT oas, heightAGL FROM obstacles ORDER BY id", gives: tall)
    try export.expect(
      "SELECT value FROM metadata WHERE key IN ('minimum_height', 'counts.obstacles') ORDER BY key",
      gives: [["3"], ["200"]])
    try export.expect("SELECT rtreecheck('obstacles_rtree')", gives: ["ok"].map { [$0] })
  }

  @Test func `an airspace has the shape of its column`() throws {
    let database = folder.file("airspaces.sqlite")
    let connection = try SQLiteConnection(database.path, mode: .create)
    let shape =
      #"{"type":"Polygon","coordinates":[[[-122.0,37.0],[-121.0,37.0],[-121.0,38.0],[-122.0,37.0]]]}"#
    try connection.execute(
      "CREATE TABLE airspaces (id INTEGER PRIMARY KEY, name TEXT, floor INTEGER, south REAL, geometry TEXT)")
    try connection.prepare("INSERT INTO airspaces VALUES (1, ?, 0, 37.0, ?), (2, 'NOWHERE', 0, 37.0, NULL)")
      .run([.text("SAN \"FRANCISCO\"\t\u{1}É"), .text(shape)])
    try connection.close()
    let export = try Exported(.geojson, of: Built(outcome: built.outcome, file: database), in: folder)
    let features = try #require(try export.json("airspaces")["features"] as? [[String: Any]])
    #expect(features.count == 1)
    #expect((features[0]["geometry"] as? [String: Any])?["type"] as? String == "Polygon")
    let properties = try #require(features[0]["properties"] as? [String: Any])
    #expect(properties["name"] as? String == "San \"Francisco\"\t\u{1}É")
    #expect(properties.keys.sorted() == ["floor", "name"])
  }

  @Test(arguments: [ExportDefinition.Format.geojson, .identifiers, .rzflight, .openefb])
  func `the same database gives the same bytes`(format: ExportDefinition.Format) throws {
    let hashes = try ["one", "two"].map { name in
      try Exported(format, of: built, in: folder, world: format == .rzflight, name: name).outcome.product
        .files
        .map(\.sha256)
    }
    #expect(hashes[0] == hashes[1])
  }
}
