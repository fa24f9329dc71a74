import Core
import CryptoIO
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

private let python = "/usr/bin/python3"

/// `airports.db` as RZFlight's library reads it.
struct RZFlightTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws {
    let subscription = try Subscription("2304")
    subscription.edit("APT_RMK") { text in
      text.split(whereSeparator: \.isNewline).joined(separator: "\r\n")
        + RZFlightTests.remark("02022.", "PAO", "NOISE SENSITIVE AREAS E OF ARPT.", number: 1)
        + RZFlightTests.remark("01494.61", "L06", "CAUTION: JET TRAFFIC IN THE VALLEY.", number: 1)
        + RZFlightTests.remark("01494.61", "L06", "100LL NOT AVBL.", number: 2)
        + RZFlightTests.remark("01494.61", "L06", "RWY ROUGH.", number: 3)
    }
    built = try subscription.build(in: folder)
  }

  private static func remark(_ site: String, _ id: String, _ text: String, number: Int) -> String {
    """
    \r\n"2023/04/20","\(site)","A","CA","\(id)","X","US","A110-\(number)","AIRPORT","GENERAL_REMARK","",\(number),"\(text)"
    """
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python)))
  func `the library's queries return the FAA's values`() throws {
    let seen = try read(
      Exported(.rzflight, of: built, in: folder), "KPAO", "L06", "AL46", "KSFO", "W32", "PGUM")
    let palo = try seen.airport("KPAO")
    #expect(palo["type"] as? String == "medium_airport" && palo["country"] as? String == "US")
    #expect(palo["region"] as? String == "US-CA" && palo["continent"] as? String == "NA")
    #expect(palo["elevation"] as? Int == 6 && palo["updated"] as? String == "2023-04-20T09:01:00")
    #expect(palo["hasJetA"] as? Bool == true && palo["hasAvgas"] as? Bool == true)
    #expect(palo["sources"] as? [String] == ["faa_nasr"])
    let runway = try #require((palo["runways"] as? [[String: Any]])?.first)
    #expect(runway["isHard"] as? Bool == true && runway["length"] as? Int == 2443)
    #expect((runway["le"] as? [String: Any])?["ident"] as? String == "13")
    #expect((runway["he"] as? [String: Any])?["heading"] as? Double == 322)
    let entries = try #require(palo["entries"] as? [String: [String]])
    #expect(entries["402"] == ["handling", "100LL, JET A"])
    #expect(entries["205"] == ["admin", "15° E"] && entries["203"] == ["admin", "6.8 ft"])
    #expect(entries["208"] == ["admin", "NOISE SENSITIVE AREAS E OF ARPT."])
    #expect(entries["307"]?.last?.hasPrefix("CTAF PALO ALTO 118.6; TOWER PALO ALTO 118.6; ") == true)
    #expect(try seen.airport("AL46")["type"] as? String == "seaplane_base")
    #expect(try seen.airport("W32")["type"] as? String == "closed")
    #expect(try seen.airport("PGUM")["country"] as? String == "GU")
    #expect(try seen.airport("PGUM")["continent"] as? String == "OC")
    #expect(try seen.airport("KSFO")["isBorderCrossing"] as? Bool == true)
    #expect(palo["isBorderCrossing"] as? Bool == false)
  }

  /// The library searches all entries of an airport for fuel.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python)))
  func `a remark about jets or missing fuel does not imply fuel`() throws {
    let seen = try read(Exported(.rzflight, of: built, in: folder), "L06")
    let field = try seen.airport("L06")
    #expect(field["hasJetA"] as? Bool == false && field["hasAvgas"] as? Bool == false)
    #expect((field["entries"] as? [String: [String]])?["208"] == ["admin", "RWY ROUGH."])
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python)))
  func `contains each airport of the world once with the FAA's values first`() throws {
    let export = try Exported(.rzflight, of: built, in: folder, world: true)
    let seen = try read(export, "KPAO", "EDNY", "LFNA", "CYQB", "NSFQ", "00CA", "CA-0249", "KALB")
    let palo = try seen.airport("KPAO")
    #expect(palo["name"] as? String == "Palo Alto" && palo["type"] as? String == "small_airport")
    #expect(palo["sources"] as? [String] == ["faa_nasr", "ourairports"])
    #expect((palo["runways"] as? [Any])?.count == 1)
    let lake = try seen.airport("EDNY")
    #expect(lake["name"] as? String == "Friedrichshafen Airport" && lake["region"] as? String == "DE-BW")
    #expect(lake["sources"] as? [String] == ["ourairports"])
    let runways = try #require(lake["runways"] as? [[String: Any]])
    #expect(runways.map { $0["surface"] as? String } == ["asphalt", "turf"])
    #expect(runways.map { $0["isHard"] as? Bool } == [true, false])
    // OurAirports has both ends of the grass strip but no heading.
    #expect((runways[1]["le"] as? [String: Any])?["heading"] as? Double == 60)
    #expect((runways[1]["he"] as? [String: Any])?["heading"] as? Double == 240)
    #expect(try seen.airport("CYQB")["region"] as? String == "CA-QC")
    #expect(try seen.airport("NSFQ")["country"] as? String == "AS")
    #expect(try seen.airport("CA-0249")["type"] as? String == "seaplane_base")
    #expect(try seen.airport("00CA")["sources"] as? [String] == ["ourairports"])
    try export.expect(
      "SELECT iata_code, scheduled_service FROM airports WHERE icao_code = 'KALB'", gives: [["ALB", "yes"]])
  }

  @Test func `leaves out heliports, helipads and closed airports of OurAirports`() throws {
    let export = try Exported(.rzflight, of: built, in: folder, world: true)
    #expect(
      try export.rows("SELECT icao_code FROM airports WHERE icao_code IN ('16XA', 'DE-0001', 'DE-0002')")
        == [])
    #expect(try export.rows("SELECT * FROM runways WHERE le_ident LIKE 'H%'") == [])
    #expect(try export.rows("PRAGMA foreign_key_check") == [])
    try export.expect("PRAGMA user_version", gives: [["0"]])
    try export.expect("PRAGMA application_id", gives: [["0"]])
  }

  @Test func `no heading is null and a missing one comes from the name`() throws {
    let export = try Exported(.rzflight, of: built, in: folder)
    #expect(
      try export.rows("SELECT * FROM runways WHERE le_heading_degT IS NULL OR he_heading_degT IS NULL") == [])
    // Magnetic 150 with a variation of 14 degrees east. The fixture does not have the ends.
    try export.expect(
      "SELECT le_heading_degT, he_heading_degT FROM runways WHERE airport_icao = 'L06'",
      gives: [["164.0", "344.0"]])
  }

  /// Tables that are empty in the fixture.
  @Test func `localizers become approaches`() throws {
    let copy = folder.file("more.sqlite")
    try FileManager.default.copyItem(at: built.file, to: copy)
    let connection = try SQLiteConnection(copy.path, mode: .create)
    try connection.execute(
      """
      INSERT INTO ils (airport, runwayEnd, identifier, type, status) VALUES
        ('KSFO', '28R', 'GWQ', 'ilsDme', 'operational'), ('KSFO', '19L', 'SIA', 'ils', 'decommissioned'),
        ('KSFO', '28L', 'SFO', 'lda', NULL), ('16XA', '09', 'XXX', 'localizer', 'operational');
      INSERT INTO attendance (airport, number, months, days, hours) VALUES
        ('KPAO', 1, 'ALL', 'MON-FRI', '0700-2100'), ('KPAO', 2, 'UNATNDD', NULL, NULL),
        ('KSFO', 1, 'ALL', 'ALL', 'ALL'), ('KSFO', 2, 'ALL', 'ALL', '0800-1700'), ('KSFO', 3, 'MAY-NOV', 'ALL', 'ALL'),
        ('KSFO', 4, 'ALL', 'SAT', 'ALL'), ('KSFO', 5, 'IREG', NULL, NULL), ('KSFO', 6, NULL, 'ALL', 'DALGT');
      INSERT INTO contacts (airport, number, role, name, phone) VALUES
        ('KPAO', 1, 'manager', 'A. PILOT', '555-0100'), ('L06', 1, 'owner', 'JET CENTER', NULL);
      """)
    try connection.close()
    let export = try Exported(.rzflight, of: Built(outcome: built.outcome, file: copy), in: folder)
    try export.expect(
      "SELECT airport_icao, name, approach_type, runway_number, runway_letter FROM procedures ORDER BY id",
      gives: [
        ["KSFO", "LDA RWY 28L", "LDA", "28", "L"], ["KSFO", "ILS RWY 28R", "ILS", "28", "R"],
        ["KSFO", "LOC RWY 28R", "LOC", "28", "R"],
      ])
    try export.expect(
      "SELECT airport_icao, std_field_id, value FROM aip_entries WHERE std_field_id IN (206, 301) ORDER BY id",
      gives: [
        ["KPAO", "206", "MANAGER A. PILOT 555-0100"], ["KPAO", "301", "ALL MON-FRI 0700-2100; UNATNDD"],
        [
          "KSFO", "301",
          "daily, all hours; daily 0800-1700; MAY-NOV daily, all hours; ALL SAT, all hours; IREG; daily DALGT",
        ],
      ])
  }

  @Test func `keeps the navaid of several points with one name`() throws {
    let export = try Exported(.rzflight, of: built, in: folder)
    try export.expect("SELECT point_type FROM waypoints WHERE name = 'OAK'", gives: [["VORDME"]])
    let names = try export.rows("SELECT count(*), count(DISTINCT name) FROM waypoints")
    #expect(names[0][0] == names[0][1])
  }

  @Test func `the product lists its sources`() throws {
    let one = try Exported(.rzflight, of: built, in: folder, world: true)
    let product = one.outcome.product
    #expect(product.id == "nasr/export" && product.kind == .export && product.format == "rzflight")
    #expect(product.files.map(\.path) == ["export.db"])
    #expect(product.sources.map(\.url) == ["tables.zip", "world"])
    #expect(product.effectiveDate == "2023-04-20T09:01:00Z" && product.cycle == "2304")
    #expect(try product.files[0].sha256 == SHA256Hex(ofFile: one.file("database")))
  }

  @Test func `rejects a zip without OurAirports' tables`() throws {
    let other = try zip([("README.txt", [])], in: folder, name: "other.zip")
    try expectFault("airports.csv", kind: .badInput) {
      try Exported(.rzflight, of: built, in: folder, world: true, worldIn: other.url)
    }
  }

  @Test func `rejects a truncated table of airports`() throws {
    let world = fixtureFolder.appending(path: "world")
    let members = try ["airports.csv", "runways.csv"].map { name in
      (name: name, bytes: [UInt8](try world.appending(path: name).data))
    }
    let cut = try zip(
      [("airports.csv", members[0].bytes.dropLast(60)), members[1]], in: folder, name: "cut.zip")
    try expectFault("airports.csv ends in the middle of line") {
      try Exported(.rzflight, of: built, in: folder, world: true, worldIn: cut.url)
    }
  }

  private struct Seen {
    let answer: [String: Any]

    func airport(_ icao: String) throws -> [String: Any] {
      try #require((answer["airports"] as? [String: [String: Any]])?[icao], "\(icao)")
    }
  }

  /// Runs the independent reader.
  private func read(_ export: Exported, _ airports: String...) throws -> Seen {
    let data = try runPython(
      URL(filePath: python), "Fixtures/rzflight_reader.py", [try export.file("database").path] + airports)
    return Seen(answer: try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]))
  }
}

struct RZFlightWordTests {
  @Test func `the format guide lists the names`() throws {
    let file = repositoryRoot.appending(path: "docs/formats/airports-db.md")
    let lines = Set(try file.text.split(separator: "\n").map(String.init))
    let pairs = SurfaceNames.book.pairs + FrequencyNames.book.pairs
    for (word, names) in Dictionary(grouping: pairs, by: \.word) {
      let line = "| `\(word)` | \(names.map(\.code).joined(separator: ", ")) |"
      #expect(lines.contains(line), "docs/formats/airports-db.md lacks: \(line)")
    }
  }

  @Test(
    arguments: [
      ("ASP", "asphalt"), ("ASPH-G", "asphalt"), ("ASPH/ CONC", "asphalt-concrete"), ("CON", "concrete"),
      ("Bitumen", "asphalt"), ("paved", "paved"), ("UNPAVED", "unsealed"), ("unsealed", "unsealed"),
      ("Hard clay", "clay"), ("Hard", "hard"), ("GRASS/HARDCORE", "turf-rubble"), ("TURF-G", "turf"),
      ("Piçarra", nil), ("half-hardened", nil), ("", nil), ("PEM", "paved macadam"), ("UNK", nil), ("G", nil),
      ("Gras", "turf"), ("Compacted Earth", "dirt"), ("Demo'd asphalt", nil),
      ("grass paved with a plastic grille", nil),
    ] as [(String, String?)])
  func `only a hard surface has a hard name`(code: String, words: String?) {
    #expect(SurfaceNames.plain(code) == words)
  }

  @Test(arguments: [
    ("JetA", "JET A"), ("JetA1+", "JET A1+"), ("J", "JET"), ("100LL", "100LL"), ("100", "AVGAS 100"),
    ("UL94", "UL94"), ("MOGAS", "MOGAS"), ("J8", "J8"),
  ])
  func `a fuel has the name that the library searches`(name: String, words: String) {
    #expect(FuelNames.plain(name) == words)
  }

  @Test(
    arguments: [
      ("01", "19", nil, 10.0, 190.0), ("N", "S", 10, 360, 180), ("36", "18", -3, 357, 177),
      ("ALL", "WAY", 5, 0, 0), ("05W", "23W", nil, 50, 230), ("B1", "", nil, 0, 0), ("36", "18", 4, 4, 184),
    ] as [(String, String, Double?, Double, Double)])
  func `a name gives a heading`(low: String, high: String, variation: Double?, one: Double, two: Double) {
    let headings = RunwayDirection.headings(.init(ident: low), .init(ident: high), variation: variation)
    #expect(headings == (one, two))
  }

  @Test func `prefers the surveyed heading, then the line between the ends`() {
    let west = RunwayDirection.End(ident: "09", latitude: 37, longitude: -122)
    var east = RunwayDirection.End(ident: "27", latitude: 37, longitude: -121.99)
    #expect(RunwayDirection.headings(west, east, variation: 14) == (90, 270))
    east.heading = 271
    #expect(RunwayDirection.headings(west, east, variation: 14) == (91, 271))
  }
}

let fixtureFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

/// The exports of a built database, with or without the fixtures of OurAirports.
struct Exported: Queryable {
  let request: ExportRequest
  let outcome: ExportOutcome

  init(
    _ format: ExportDefinition.Format, of built: Built, in folder: TemporaryFolder, world: Bool = false,
    worldIn file: URL? = nil, name: String = "export", continents: [String]? = nil, airports: [String]? = nil,
    terrain: URL? = nil, minimumHeight: Int? = nil, supplements: [(ExportDefinition.Supplement, URL?)] = []
  ) throws {
    let export = ExportDefinition(
      id: name, format: format, title: "Test", world: world ? ["world"] : nil,
      supplements: supplements.map(\.0), continents: continents, airports: airports,
      minimumHeight: minimumHeight)
    let source = world ? try SourceFolder.file(file ?? fixtureFolder.appending(path: "world")) : nil
    request = ExportRequest(
      export: export, definitionSha256: try SHA256Hex(of: []), product: "nasr/\(name)", database: built.file,
      base: built.outcome.product, world: source, terrain: try terrain.map { try SourceFolder.file($0) },
      supplements: try supplements.map { try $0.1.map { try SourceFolder.file($0) } })
    outcome = try ExportBuilder.build(request) { folder.file("\(name)-\($0)") }
  }

  func file(_ role: String) throws -> URL {
    let index = try #require(outcome.product.files.firstIndex { $0.role.rawValue == role })
    return outcome.files[index]
  }

  var database: URL { get throws { try file("database") } }

  /// A parsed JSON document of the export.
  func json(_ role: String) throws -> [String: Any] {
    let data = try file(role).data
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }
}

struct FrequencyNamesTests {
  @Test(arguments: [
    ("CTAF", [FrequencyType.ctaf]), ("UNICOM", [.unicom]), ("MULTICOM", [.multicom]), ("LCL/P", [.tower]),
    ("LCL/P IC", [.tower]), ("LCL/S", [.tower]), ("GND/S", [.ground]), ("CD/P", [.clearance]),
    ("CD PRE TAXI CLNC", [.clearance]), ("ATIS", [.atis]), ("D-ATIS", [.atis]), ("APCH/P", [.approach]),
    ("DEP/P", [.departure]), ("APCH/P DEP/P", [.approach, .departure]),
    ("APCH/P DEP/P IC", [.approach, .departure]), ("APCH/S DEP/S", [.approach, .departure]),
    ("DODJE STAR", [.other]), ("NANDR RNAV DP", [.other]), ("CLASS C", [.other]), ("BANGOR RCAG", [.other]),
    ("EMERG", [.emergency]), ("", [.other]), ("CD PRE DEP CLNC", [.clearance]),
    ("APT REMARK 1 WITH GCO FREQ", [.other]), ("GLOBE NR 2 RCAG", [.other]),
  ])
  func `the FAA's uses give the types`(words: String, types: [FrequencyType]) {
    #expect(FrequencyType.all(in: words) == types)
  }

  @Test(arguments: [
    "CTAF", "APCH/P DEP/P IC", "CLASS C", "BIG SUR STAR", "NANDR RNAV DP", "MODESTO RCO", "HAF AWOS-3",
    "COMD POST", "ANG OPS", "PMSV METRO", "CD PRE TAXI CLNC", "APT REMARK 1 WITH GCO FREQ", "OAK RADIO",
    "VFR ADZY", "PAR/S", "OME FSS", "GND METERING", "CHICAGO ARTCC", "GUAM CERAP",
  ])
  func `recognises the FAA's uses`(use: String) { #expect(FrequencyType.isKnown(use)) }

  @Test(arguments: ["ZZ", "LOCAL", "COMMON", "CTAF2", ""])
  func `rejects other frequency types`(use: String) { #expect(!FrequencyType.isKnown(use)) }

  @Test func `reads a frequency with its suffix`() throws {
    let plain = try #require(RadioFrequency("126.975"))
    #expect(plain.megahertz == 126.975 && plain.isVHF && !plain.isReceiveOnly && plain.channel == nil)
    let receive = try #require(RadioFrequency("122.1R"))
    #expect(receive.megahertz == 122.1 && receive.isReceiveOnly)
    let paired = try #require(RadioFrequency("109.8/35X"))
    #expect(paired.megahertz == 109.8 && paired.channel == "35X" && !paired.isVHF)
    #expect(RadioFrequency("113.35/80Y")?.channel == "80Y")
    #expect(RadioFrequency("338.2")?.isVHF == false)
    let ocean = try #require(RadioFrequency("17907 CARIBBEAN FAMILY A"))
    #expect(ocean.megahertz == 17.907 && ocean.network == "CARIBBEAN FAMILY A" && !ocean.isVHF)
    #expect(RadioFrequency("10057.0")?.megahertz == 10.057)
    #expect(RadioFrequency("46.95")?.megahertz == 46.95)
  }

  @Test(arguments: ["", "R", "7.5", "1090", "121.5.5", "122.8X", "122.8/X", "122.8/35Z", "1228", "0", "12a"])
  func `rejects texts that are not frequencies`(text: String) { #expect(RadioFrequency(text) == nil) }

  @Test(arguments: [
    ("ASPH", "asphalt", true), ("ASPH-CONC", "asphalt-concrete", true), ("ASPH/GRVL", "asphalt-gravel", true),
    ("GRVL", "gravel", true), ("GRAVEL", "gravel", true), ("ROOF-TOP", "rooftop", true),
    ("TURF", "turf", true), ("WATER", "water", true), ("OIL&CHIP-T", "oil&chip-t", false),
    ("ASPH-X", "asph-x", false), ("-", "-", false),
  ])
  func `surfaces become names`(code: String, words: String, isKnown: Bool) {
    #expect(RunwayCodes.surface(code) == (words, isKnown))
  }
}
