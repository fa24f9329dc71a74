import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The rules of `openefb.sqlite` that the app's types do not check.
@Suite(.slow) struct OpenEFBExportTests {
  let folder = TemporaryFolder()
  let built: Built

  init() throws { built = try Subscription.built("2304", in: folder) }

  @Test(arguments: [
    ("PALO ALTO", "Palo Alto"), ("CHICAGO O'HARE INTL", "Chicago O'Hare Intl"),
    ("DALLAS-FORT WORTH INTL", "Dallas-Fort Worth Intl"), ("DFW EMS", "DFW EMS"),
    ("MC GHEE TYSON", "McGhee Tyson"), ("MCCARRAN INTL", "McCarran Intl"), ("MC COY", "McCoy"),
    ("ST MARY'S RGNL", "St Mary's Rgnl"),
    ("COEUR D'ALENE/PAPPY BOYINGTON FLD", "Coeur d'Alene/Pappy Boyington Fld"),
    ("TRUTH OR CONSEQUENCES MUNI", "Truth or Consequences Muni"),
    ("THE CITY OF THE LAKES", "The City of the Lakes"), ("KEY FLD/THE LANDING", "Key Fld/The Landing"),
    ("DE KALB TAYLOR MUNI", "De Kalb Taylor Muni"), ("JOSE APONTE DE LA TORRE", "Jose Aponte de la Torre"),
    ("MACDILL AFB", "MacDill AFB"), ("WILKES-BARRE/SCRANTON INTL", "Wilkes-Barre/Scranton Intl"),
    ("J T WILSON II", "J T Wilson II"), ("FLYING W #2", "Flying W #2"), ("1ST STATE BANK", "1st State Bank"),
    ("B&B RANCH", "B&B Ranch"), ("HARBOR'S IN", "Harbor's In"), ("'BUD' FIELD", "'Bud' Field"),
    ("R-2508 COMPLEX, CA", "R-2508 Complex, CA"), ("SNOW 1 MOA, OK", "Snow 1 MOA, OK"),
    ("MARTIN COUNTY (WITHAM FLD)", "Martin County (Witham Fld)"), ("JOSÉ MARTÍ", "José Martí"),
    ("FOUGHT'N'WON", "Fought'n'Won"), ("ST. MARY'S", "St. Mary's"), ("MCB QUANTICO", "MCB Quantico"),
    ("NI'IHAU/PU'U WAI", "Ni'ihau/Pu'u Wai"), ("O'AHU AND LANA'I", "O'ahu and Lana'i"), ("I'AO", "I'ao"),
    ("'UPOLU", "'Upolu"), ("AJ'S", "AJ's"), ("PLAIN OL' FIELD", "Plain Ol' Field"),
    ("CHARLES A CANNON, JR MEML", "Charles A Cannon, Jr Meml"), ("BILLINGS, MT", "Billings, MT"),
    ("MIAMI ARTCC", "Miami ARTCC"), ("SIMMONS TWR", "Simmons Twr"), ("HAWAI\u{2019}I", "Hawai\u{2019}i"),
    ("NW CLASS E5", "NW Class E5"), ("Already Right", "Already Right"), ("", ""),
  ])
  func `writes names in title case`(capitals: String, name: String) {
    #expect(TitleCase.name(capitals) == name)
  }

  @Test func `UUIDs agree with other implementations`() throws {
    // Python: uuid.uuid5(uuid.uuid5(uuid.NAMESPACE_URL, "urn:chartpipe:openefb"), key)
    #expect(
      try StableID.text(of: "frequency|02187.*AA|tower|118600000|PALO ALTO|")
        == "AB15CE20-3633-5E80-AF8E-5D8106D5648B")
    #expect(try StableID.text(of: "airspace|bravo") == "8F2B37E5-B6A3-5B91-BEB9-B38D15BC1CCB")
  }

  @Test(
    arguments: [
      ("asphalt", "asphalt"), ("asphalt-concrete", "asphalt"), ("asphalt-turf", "turf"), ("dirt", "dirt"),
      ("turf-dirt", "turf"), ("macadam", "asphalt"), ("coral", "gravel"), ("snow", "other"),
      ("asphalt-snow", "other"), ("", "other"),
    ])
  func `maps a surface to the nearest one`(words: String, surface: String) {
    #expect(OpenEFBWords.surface(words) == surface)
  }

  @Test func `another order gives the same UUIDs`() throws {
    let one = try Exported(.openefb, of: built, in: folder, name: "one")
    let ids = "SELECT json_extract(value, '$.id') FROM airports, json_each(frequencies) ORDER BY 1"
    let before = try one.rows(ids)
    #expect(!before.isEmpty)
    try built.execute(
      """
      UPDATE frequencies SET number = -number; UPDATE airports SET id = -id; UPDATE airports SET icao = icao
      """)
    #expect(try Exported(.openefb, of: built, in: folder, name: "three").rows(ids) == before)
  }

  @Test func `leaves out frequencies that civil radios do not receive`() throws {
    try built.execute(
      """
      DELETE FROM frequencies WHERE airport = 'KPAO';
      INSERT INTO frequencies (airport, number, type, frequency, name, vhf, receiveOnly) VALUES
        ('KPAO', 1, 'tower', 118.6, 'PALO ALTO', 1, 0), ('KPAO', 2, 'tower', 254.3, 'PALO ALTO', 0, 0),
        ('KPAO', 3, 'atis', 113.9, NULL, 0, 0), ('KPAO', 4, 'atis', 279.65, NULL, 0, 0), ('KPAO', 5, 'ctaf', 113.9, NULL, 0, 0)
      """)
    let export = try Exported(.openefb, of: built, in: folder)
    try export.expect(
      """
      SELECT json_extract(value, '$.type'), json_extract(value, '$.frequency') FROM airports, json_each(frequencies)
      WHERE icao = 'KPAO'
      """, gives: [["tower", "118.6"], ["atis", "113.9"]])
    let dropped = try #require(export.outcome.problems).examples.filter {
      $0.kind == .rowDropped && $0.reason == "civil radios do not receive it" && $0.place.hasPrefix("KPAO")
    }
    #expect(dropped.map(\.value) == ["254.3", "279.65", "113.9"])
    try export.expect(
      "SELECT count(*) FROM airports, json_each(frequencies) WHERE json_extract(value, '$.frequency') > 137",
      gives: [["0"]])
  }

  @Test func `counts dropped rows by reason`() throws {
    try built.execute(
      """
      UPDATE airports SET status = 'closedPermanently' WHERE icao = 'KPAO';
      UPDATE airports SET type = 'balloonport' WHERE icao =
        (SELECT icao FROM airports WHERE status = 'operational' AND type = 'airport' AND icao <> 'KPAO' LIMIT 1);
      UPDATE runways SET length = NULL WHERE baseEndLatitude IS NOT NULL
      """)
    let export = try Exported(.openefb, of: built, in: folder)
    let problems = try #require(export.outcome.problems)
    func count(_ file: String, _ column: String) -> Int {
      problems.counts.first { $0.kind == .rowDropped && $0.file == file && $0.column == column }?.count ?? 0
    }
    #expect(count("airports", "status") >= 1)
    #expect(count("airports", "type") >= 1, "\(problems.counts)")
    try export.expect("SELECT count(*) FROM airports WHERE icao = 'KPAO'", gives: [["0"]])
    #expect(count("runways", "length") > 0)
    #expect(problems.examples.contains { $0.place == "KPAO" && $0.value == "closedPermanently" })
    #expect(export.outcome.product.build.counts["droppedRows"] == problems.droppedRows)
  }

  @Test func `airspaces have limits above sea level and one polygon each`() throws {
    let connection = try SQLiteConnection(built.file.path, mode: .create)
    try connection.execute("DELETE FROM airspaces")
    let insert = try connection.prepare(
      """
      INSERT INTO airspaces (id, area, kind, class, type, name, floorFeet, ceilingFeet, ceilingDatum, isComplete,
        geometry, south, north, west, east) VALUES (?1, ?1, 'class', ?2, '', ?3, ?4, ?5, ?6, 1, ?7, ?8, ?8 + 1, ?9, ?9 + 1)
      """)
    func ring(_ south: Double, _ west: Double) -> String {
      let corners = [
        (west, south), (west + 1, south), (west + 1, south + 1), (west, south + 1), (west, south),
      ]
      return "[[" + corners.map { "[\($0.0),\($0.1)]" }.joined(separator: ",") + "]]"
    }
    func add(
      _ id: Int, _ kind: String, _ name: String, _ floor: Int?, _ ceiling: Int?, _ datum: String?,
      south: Double = 37, parts: Int = 1
    ) throws {
      let shape =
        parts == 1
        ? "{\"type\":\"Polygon\",\"coordinates\":\(ring(south, -122))}"
        : "{\"type\":\"MultiPolygon\",\"coordinates\":[\(ring(south, -122)),\(ring(south + 4, -118))]}"
      try insert.run([
        .integer(id), .text(kind), .text(name), SQLiteValue(floor), SQLiteValue(ceiling), SQLiteValue(datum),
        .text(shape),
        .real(south), .real(-122),
      ])
    }
    try add(1, "echo", "ABOVE GROUND", nil, nil, nil)
    try add(2, "echo", "SURFACE AREA", 0, nil, nil)
    try add(3, "echo", "HAWAII", 0, nil, nil, south: 20)
    try add(4, "restricted", "UNLIMITED", 100, nil, "unlimited")
    try add(5, "restricted", "FLAT", 500, 500, "msl")
    try add(6, "moa", "TWO PARTS", 500, 9000, "msl", parts: 2)
    try add(7, "nationalSecurity", "NO CASE", 0, 9000, "msl")
    try add(8, "alert", "CEILING ABOVE GROUND", 0, nil, "agl")
    let export = try Exported(.openefb, of: built, in: folder)
    try export.expect(
      """
      SELECT name, floor, ceiling, json_extract(geometry, '$.type'), round(r.minLat), round(r.minLon)
      FROM airspaces a JOIN airspaces_rtree r ON r.id = a.rowid ORDER BY a.rowid
      """,
      gives: [
        ["Surface Area", "0", "18000", "Polygon", "37.0", "-122.0"],
        ["Hawaii", "0", "99999", "Polygon", "20.0", "-122.0"],
        ["Unlimited", "100", "99999", "Polygon", "37.0", "-122.0"],
        ["Two Parts", "500", "9000", "Polygon", "37.0", "-122.0"],
        ["Two Parts", "500", "9000", "Polygon", "41.0", "-118.0"],
      ])
    let reasons = try #require(export.outcome.problems).counts.filter { $0.file == "airspaces" }
    let expected = ["ceiling": 2, "floor": 1, "classification": 1]
    for (column, count) in expected {
      #expect(reasons.first { $0.kind == .rowDropped && $0.column == column }?.count == count, "\(column)")
    }
    #expect(reasons.first { $0.kind == .valueMapped && $0.column == "ceiling" }?.count == 3)
    #expect(export.outcome.product.build.counts["classECeilings"] == 1)
  }

  /// 14 CFR 71.33: class A covers the 48 states and Alaska, except the Alaska Peninsula west of 160 degrees, from 18,000 feet.
  @Test(arguments: [
    (0, 37.0, -122.0, true), (17_999, 37.0, -122.0, true), (18_000, 37.0, -122.0, false),
    (60_000, 37.0, -122.0, false), (0, 24.5, -81.8, true), (0, 20.0, -156.0, false), (0, 18.4, -66.0, false),
    (0, 64.5, -165.4, true), (0, 55.2, -162.7, false), (0, 55.2, -158.0, true), (0, 52.7, 174.1, false),
    (0, 13.5, 144.8, false),
  ])
  func `class E without a ceiling ends at A`(floor: Int, south: Double, west: Double, ends: Bool) throws {
    let connection = try SQLiteConnection(built.file.path, mode: .create)
    try connection.execute("DELETE FROM airspaces")
    try connection.prepare(
      """
      INSERT INTO airspaces (id, area, kind, class, type, name, floorFeet, isComplete, geometry, south, north, west, east)
      SELECT 1, 1, 'class', 'echo', '', 'E', ?1, 1,
        json_object('type', 'Polygon', 'coordinates', json_array(json_array(json_array(?3, ?2), json_array(?3 + 0.2, ?2),
          json_array(?3, ?2 + 0.2), json_array(?3, ?2)))), ?2, ?2 + 0.2, ?3, ?3 + 0.2
      """
    ).run([.integer(floor), .real(south), .real(west)])
    try connection.close()
    let export = try Exported(.openefb, of: built, in: folder)
    #expect(try export.rows("SELECT ceiling FROM airspaces") == [[ends ? "18000" : "99999"]])
    #expect(export.outcome.product.build.counts["classECeilings"] == (ends ? 1 : 0))
    let counts = try #require(export.outcome.problems).counts.filter { $0.column == "ceiling" }
    #expect(counts.map(\.kind) == [.valueMapped] && counts.map(\.count) == [1])
  }

  @Test(arguments: [
    (["100LL", "JetA"], ["100LL", "JetA"]), (["JetA+"], ["JetA", "JetA+"]),
    (["100LL", "JetA1+"], ["100LL", "JetA", "JetA1+"]),
    (["JetA1", "JetA++10"], ["JetA", "JetA1", "JetA++10"]),
    (["JetB", "J8", "MOGAS"], ["JetB", "J8", "MOGAS"]), ([], []),
  ])
  func `every kind of Jet A is also listed as JetA`(words: [String], fuels: [String]) {
    #expect(OpenEFBWords.fuels(words) == fuels)
  }

  @Test func `an airport has the fuels that the app searches`() throws {
    try built.execute(#"UPDATE airports SET fuelTypes = '["100LL","JetA1+"]' WHERE icao = 'KPAO'"#)
    let export = try Exported(.openefb, of: built, in: folder)
    try export.expect(
      "SELECT fuelTypes FROM airports WHERE icao = 'KPAO'", gives: [[#"["100LL","JetA","JetA1+"]"#]])
    let mapped = try #require(export.outcome.problems).examples.filter { $0.column == "fuelTypes" }
    #expect(mapped.contains { $0.part == "KPAO" && $0.reason == "it is 100LL,JetA,JetA1+ here" })
  }

  @Test func `navaids that share an identifier have different ids`() throws {
    try built.execute(
      """
      DELETE FROM navaids;
      INSERT INTO navaids (id, identifier, name, type, state, latitude, longitude, frequency, status) VALUES
        (1, 'DCA', 'OXONN', 'ndb', 'DC', 38, -77, 332, NULL), (2, 'DCA', 'WASHINGTON', 'vorDme', 'DC', 38, -77, 111, NULL),
        (3, 'MB', 'JEPOT', 'ndb', 'MI', 43, -84, 254, NULL), (4, 'MB', 'OLSTE', 'ndb', 'MI', 43, -85, 257, NULL),
        (5, 'AA', 'KENIE', 'ndb', 'ND', 47, -96, 365, NULL), (6, 'AA', 'CEDAR', 'ndb', 'GA', 32, -84, 341, NULL),
        (7, 'OFF', 'GONE', 'vor', 'CA', 37, -122, 112, 'shutdown'), (8, 'SJ', 'SAN JOSE', 'vor', 'CA', 37, -122, 114.1, NULL);
      """)
    let export = try Exported(.openefb, of: built, in: folder)
    #expect(
      try export.rows("SELECT id FROM navaids ORDER BY rowid").map { $0[0] } == [
        "DCA-DC", "DCA", "MB-MI-254", "MB-MI-257", "AA-ND", "AA-GA", "SJ",
      ])
  }

  @Test func `the documentation lists every mapped value`() throws {
    let page = try repositoryRoot.appending(path: "docs/formats/openefb.md").text
    let start = try #require(page.range(of: "## Mapped values")).upperBound
    let end = try #require(page.range(of: "## Omitted rows", range: start..<page.endIndex)).lowerBound
    let rows = page[start..<end].split(separator: "\n").filter { $0.hasPrefix("|") }
    for (word, surface) in OpenEFBWords.surfaces where word != surface {
      #expect(rows.contains { $0.contains("`\(word)`") && $0.contains("| `\(surface)` |") }, "\(word)")
    }
    for book in [OpenEFBWords.airportTypes, OpenEFBWords.navaidTypes, OpenEFBWords.jetA] {
      for (word, other) in book where word != other {
        #expect(rows.contains { $0.contains("`\(word)`") && $0.contains("`\(other)`") }, "\(word)")
      }
    }
  }
}
