import Foundation
import SQLiteIO
import TestSupport
import Testing

/// Opens `openefb.sqlite` in place of the database of the published app, and uses it as that app does.
@Suite(.slow) struct PublishedAppTests {
  private let folder = TemporaryFolder()
  private let file: URL
  private let connection: SQLiteConnection

  init() async throws {
    let built = try await Samples.cycle().file("build/2304/sample-nasr/openefb.sqlite")
    file = folder.file("aviation.sqlite")
    connection = try AppDatabase(built, copiedTo: file).connection
    try connection.execute("PRAGMA foreign_keys = ON")
  }

  private func rows(_ sql: String, _ values: SQLiteValue...) throws -> [[String]] {
    try connection.prepare(sql).map(values) { row in (0..<row.columnCount).map { row.text($0) ?? "" } }
  }

  /// The columns of the app's tables, in their order. `!` marks those that are not NULL.
  private static let columns = [
    "airports": """
    icao! faaID name! latitude! longitude! elevation! type! ownership! ctafFrequency unicomFrequency artccID fssID magneticVariation
    patternAltitude fuelTypes hasBeaconLight!
    """,
    "runways": """
    rowid id! airportICAO! length! width! surface! lighting! baseEndID! reciprocalEndID! baseEndLatitude! baseEndLongitude!
    reciprocalEndLatitude! reciprocalEndLongitude! baseEndElevation reciprocalEndElevation
    """,
    "frequencies": "id! airportICAO! type! frequency! name!",
    "navaids": "id! name! type! latitude! longitude! frequency! magneticVariation elevation",
    "weatherCache": """
    id! stationID! metar taf flightCategory! temperature dewpoint windDirection windSpeed windGusts windVariable visibility ceiling
    fetchedAt! observationTime
    """,
    "airspaces": """
    id! name! classification! floorAltitude! ceilingAltitude! geometryJSON! minLat! maxLat! minLon! maxLon!
    """,
  ]

  @Test(arguments: columns.keys.sorted())
  func `has the columns of the app's table, and defaults for its own`(table: String) throws {
    let expected = try #require(PublishedAppTests.columns[table]).split { " \n".contains($0) }.map(
      String.init)
    let info = try connection.prepare("SELECT name, \"notnull\", dflt_value FROM pragma_table_info(?)").map(
      [.text(table)]
    ) {
      (name: $0.text(0) ?? "", isRequired: $0.int(1) == 1, isOptional: $0.int(1) == 0 || $0.text(2) != nil)
    }
    #expect(
      info.prefix(expected.count).map { $0.name + ($0.isRequired ? "!" : "") } == expected, "\(info)")
    #expect(info.dropFirst(expected.count).allSatisfy { $0.isOptional })
  }

  @Test func `no migration is left to run, also when it is opened again`() throws {
    for _ in 0..<2 {
      let again = try SQLiteConnection(file.path, mode: .create)
      try again.execute("PRAGMA journal_mode = WAL")
      let applied = try again.prepare("SELECT identifier FROM grdb_migrations ORDER BY rowid").map {
        $0.text(0)
      }
      #expect(applied == ["v1", "v2-airspaces"])
      let state = try again.prepare("PRAGMA integrity_check").map { $0.text(0) }
      #expect(state == ["ok"])
    }
  }

  private static let search = """
    SELECT a.icao FROM airports a INNER JOIN airports_fts fts ON a.rowid = fts.rowid WHERE airports_fts MATCH ? LIMIT ?
    """

  @Test(arguments: [
    ("KPAO", "KPAO"), ("Palo Alto", "KPAO"), ("PAO", "KPAO"), ("san j", "KSJC"), ("oakl", "KOAK"),
    ("Half Moon", "KHAF"),
  ])
  func `the first answer of a search is what a pilot means`(words: String, icao: String) throws {
    let found = try rows(PublishedAppTests.search, .text("\"\(words)\"*"), .integer(5))
    #expect(found.first == [icao], "\(found)")
  }

  @Test func `an airport has its runways and frequencies`() throws {
    #expect(
      try rows("SELECT id, length, width, surface FROM runways WHERE airportICAO = 'KPAO'") == [
        ["13/31", "2443", "70", "asphalt"]
      ])
    let tower = try rows("SELECT * FROM frequencies WHERE airportICAO = 'KPAO' AND type = 'tower'")
    #expect(tower.first?.dropFirst().prefix(4) == ["KPAO", "tower", "118.6", "Palo Alto Tower"])
    #expect(try rows("SELECT 1 FROM pragma_foreign_key_check") == [])
  }

  @Test func `knows in which airspace the aircraft is`() throws {
    func airspaces(_ feet: Int) throws -> Set<String> {
      let found = try rows(
        """
        SELECT name, geometryJSON FROM airspaces WHERE minLat <= ?1 AND maxLat >= ?1 AND minLon <= ?2 AND maxLon >= ?2
          AND floorAltitude <= ?3 AND ceilingAltitude >= ?3
        """, .real(37.4611), .real(-122.115), .integer(feet))
      let inside = try found.filter { try PublishedAppTests.ring($0[1], contains: (37.4611, -122.115)) }
      return Set(inside.map { $0[0] })
    }
    let inside = try airspaces(1000)
    #expect(
      inside == [
        "Palo Alto Class D", "Mountain View Class D", "Mountain View Class E2", "San Jose Class E5",
      ])
    let below = try airspaces(600)
    #expect(!below.contains("San Jose Class E5"), "its floor is 713 feet")
    let above = try airspaces(5000)
    #expect(above.contains("San Francisco Class B"))
  }

  /// Counts the sides that a line to the east crosses.
  private static func ring(_ json: String, contains place: (latitude: Double, longitude: Double)) throws
    -> Bool
  {
    struct Polygon: Decodable { let coordinates: [[Double]] }
    let corners = try JSONDecoder().decode(Polygon.self, from: Data(json.utf8)).coordinates
    var isInside = false
    for (a, b) in zip(corners, corners.dropFirst()) where (a[0] > place.latitude) != (b[0] > place.latitude) {
      let crossing = a[1] + (place.latitude - a[0]) / (b[0] - a[0]) * (b[1] - a[1])
      if crossing > place.longitude { isInside.toggle() }
    }
    return isInside
  }

  @Test func `the app writes its own airports, airspace and weather into it`() throws {
    let old = try rows("SELECT rowid FROM airports WHERE icao = 'KPAO'")[0][0]
    try connection.execute(
      """
      DELETE FROM airports_rtree WHERE id = \(old); DELETE FROM airports_fts WHERE rowid = \(old);
      INSERT OR REPLACE INTO airports (icao, faaID, name, latitude, longitude, elevation, type, ownership, ctafFrequency, unicomFrequency,
        artccID, fssID, magneticVariation, patternAltitude, fuelTypes, hasBeaconLight)
        VALUES ('KPAO', 'PAO', 'Seed', 37.46, -122.11, 4, 'airport', 'public', NULL, NULL, NULL, NULL, NULL, 800, NULL, 1);
      INSERT INTO airports_rtree (id, minLat, maxLat, minLon, maxLon) SELECT rowid, 37.46, 37.46, -122.11, -122.11
        FROM airports WHERE icao = 'KPAO';
      INSERT INTO airports_fts (rowid, icao, name, faaID) SELECT rowid, 'KPAO', 'Seed', 'PAO' FROM airports WHERE icao = 'KPAO';
      DELETE FROM runways WHERE airportICAO = 'KPAO';
      INSERT INTO runways (id, airportICAO, length, width, surface, lighting, baseEndID, reciprocalEndID, baseEndLatitude,
        baseEndLongitude, reciprocalEndLatitude, reciprocalEndLongitude, baseEndElevation, reciprocalEndElevation)
        VALUES ('13/31', 'KPAO', 2443, 70, 'asphalt', 'partTime', '13', '31', 37, -122, 37, -122, NULL, NULL);
      INSERT OR REPLACE INTO frequencies (id, airportICAO, type, frequency, name)
        VALUES ('6E9F2C1A-6B8D-4C60-9E42-1A2B3C4D5E6F', 'KPAO', 'tower', 118.6, 'Palo Alto Tower');
      INSERT OR REPLACE INTO navaids (id, name, type, latitude, longitude, frequency, magneticVariation, elevation)
        VALUES ('SJC', 'San Jose', 'vorDme', 37, -122, 114.1, NULL, NULL);
      INSERT OR REPLACE INTO airspaces (id, name, classification, floorAltitude, ceilingAltitude, geometryJSON, minLat, maxLat, minLon,
        maxLon) VALUES ('6E9F2C1A-6B8D-4C60-9E42-1A2B3C4D5E60', 'Seed', 'bravo', 0, 10000, '{"center":[37,-122],"radiusNM":10}', 36, 38,
        -123, -121);
      INSERT OR REPLACE INTO weatherCache (id, stationID, flightCategory, fetchedAt)
        VALUES ('6E9F2C1A-6B8D-4C60-9E42-1A2B3C4D5E61', 'KPAO', 'vfr', '2026-08-22 17:56:00.000');
      """)
    #expect(try rows(PublishedAppTests.search, .text("\"KPAO\"*"), .integer(5)) == [["KPAO"]])
    #expect(try rows("SELECT count(*) FROM runways WHERE airportICAO = 'KPAO'") == [["1"]])
    #expect(try rows("SELECT 1 FROM pragma_foreign_key_check") == [])
  }
}
