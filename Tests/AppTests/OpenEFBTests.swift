import Foundation
import SQLiteIO
import TestSupport
import Testing

/// Reads `openefb.sqlite` with the types and the SQL of the app.
@Suite(.slow) struct OpenEFBTests {
  /// A folder with `openefb.sqlite` of a whole cycle, such as `work/build/2611/nasr`, which a test decodes too.
  private static let wholeCycle = ProcessInfo.processInfo.environment["CHARTPIPE_OPENEFB"]

  private let folder = TemporaryFolder()
  private let built: URL
  private let database: AppDatabase

  init() async throws {
    built = try await Samples.cycle().file("build/2304/sample-nasr")
    database = try AppDatabase(
      built.appending(path: "openefb.sqlite"), copiedTo: folder.file("openefb.sqlite"))
  }

  private func rich() throws -> SQLiteConnection {
    try SQLiteConnection(built.appending(path: "aviation.sqlite").path, mode: .readOnly)
  }

  @Test func `every row of the sample decodes`() throws {
    let count = try decodeAll(database)
    #expect(count.airports == 71 && count.navaids == 9 && count.airspaces == 59)
    #expect(count.runways == 88 && count.frequencies == 173)
  }

  @Test(.enabled(if: wholeCycle != nil)) func `every row of a whole cycle decodes`() throws {
    let cycle = URL(filePath: try #require(OpenEFBTests.wholeCycle))
    let whole = try AppDatabase(
      cycle.appending(path: "openefb.sqlite"), copiedTo: folder.file("whole.sqlite"))
    let count = try decodeAll(whole)
    #expect(count.airports > 17_000 && count.runways > 10_000 && count.navaids > 1000)
    let start = ContinuousClock.now
    #expect(try whole.nearest(37.461, -122.115, within: 1, limit: 20).count == 20)
    #expect(ContinuousClock.now - start < .milliseconds(500), "a debug build on a slow machine")
  }

  private typealias Counts = (airports: Int, runways: Int, frequencies: Int, navaids: Int, airspaces: Int)

  /// Decodes all rows of each table and expects unique identifiers.
  private func decodeAll(_ database: AppDatabase) throws -> Counts {
    let airports = try database.fetchAll(Airport.self, "SELECT * FROM airports")
    let navaids = try database.fetchAll(Navaid.self, "SELECT * FROM navaids")
    let airspaces = try database.fetchAll(Airspace.self, "SELECT * FROM airspaces")
    #expect(Set(airports.map(\.id)).count == airports.count)
    #expect(Set(navaids.map(\.id)).count == navaids.count)
    #expect(Set(airspaces.map(\.id)).count == airspaces.count)
    let frequencies = airports.flatMap(\.frequencies)
    #expect(Set(frequencies.map(\.id)).count == frequencies.count)
    #expect(airspaces.allSatisfy { $0.floor < $0.ceiling })
    for airport in airports {
      #expect(Set(airport.runways.map(\.id)).count == airport.runways.count, "\(airport.icao)")
    }
    return (
      airports.count, airports.flatMap(\.runways).count, frequencies.count, navaids.count, airspaces.count
    )
  }

  @Test func `Palo Alto has the values that pilots know`() throws {
    let airport = try #require(
      try database.fetchAll(Airport.self, "SELECT * FROM airports WHERE icao = 'KPAO'").first)
    #expect(airport.name == "Palo Alto" && airport.faaID == "PAO" && airport.type == .airport)
    #expect(airport.elevation == 6.8 && airport.ctafFrequency == 118.6 && airport.hasBeaconLight)
    #expect(airport.fuelTypes == ["100LL", "JetA"] && airport.ownership == .public)
    let runway = try #require(airport.runways.first)
    #expect(runway.id == "13/31" && runway.length == 2443 && runway.width == 70 && runway.surface == .asphalt)
    #expect(runway.baseEndID == "13" && runway.reciprocalEndID == "31" && runway.lighting == .partTime)
    let tower = try #require(airport.frequencies.first { $0.type == .tower })
    #expect(tower.name == "Palo Alto Tower" && tower.frequency == 118.6)
    #expect(airport.frequencies.first { $0.type == .approach }?.name == "NorCal Approach")
  }

  @Test func `a runway end's elevation is the touchdown zone's`() throws {
    let airports = try database.fetchAll(Airport.self, "SELECT * FROM airports")
    let ends = try rich().prepare(
      "SELECT baseEndTouchdownElevation, reciprocalEndTouchdownElevation FROM runways WHERE airport = ? AND id = ?"
    )
    for airport in airports {
      for runway in airport.runways {
        let expected = try ends.map([.text(airport.icao), .text(runway.id)]) { [$0.real(0), $0.real(1)] }
        #expect(
          expected == [[runway.baseEndElevation, runway.reciprocalEndElevation]],
          "\(airport.icao) \(runway.id)")
      }
    }
  }

  @Test func `floors above ground are above the sea`() throws {
    let airspaces = try database.fetchAll(Airspace.self, "SELECT * FROM airspaces")
    let named = Dictionary(grouping: airspaces, by: \.name)
    #expect(named["Byron Class E5"]?.map(\.floor) == [726], "700 feet above the lowest ground")
    #expect(named["Sample Hills MOA, CA"]?.map(\.floor) == [565, 1637])
    let classB = try #require(named["San Francisco Class B"])
    #expect(
      classB.count == 17 && classB.contains { $0.floor == 0 } && classB.allSatisfy { $0.ceiling == 10_000 })
    let surfaceE = try #require(named["Stockton Class E2"]?.first)
    #expect(surfaceE.floor == 0 && surfaceE.ceiling == 18_000)
    #expect(named["R-9901 Sample Coast, CA"]?.map(\.ceiling) == [18_000])
  }

  @Test func `the app's SQL runs unchanged`() throws {
    let found = try database.nearest(37.4611, -122.1150, within: 1, limit: 5)
    #expect(found.count == 5 && found.first?.icao == "KPAO")
    #expect(try database.nearest(0, 0, within: 1, limit: 5).isEmpty)
    let texts = try database.fetchAll(
      Airport.self,
      """
      SELECT a.* FROM airports a INNER JOIN airports_fts f ON f.rowid = a.rowid
      WHERE airports_fts MATCH ? ORDER BY rank LIMIT 5
      """, [.text("palo*")])
    #expect(texts.first?.icao == "KPAO")
    for table in ["navaids", "airspaces"] {
      let rows = try database.connection.prepare(
        "SELECT count(*) FROM \(table) t INNER JOIN \(table)_rtree r ON r.id = t.rowid WHERE r.maxLat >= r.minLat"
      ).map { $0.int(0) }
      #expect(rows == (table == "navaids" ? [9] : [59]))
    }
  }

  @Test(arguments: [
    ("UPDATE airports SET name = NULL", "name"), ("UPDATE airports SET runways = '{'", "runways"),
    ("UPDATE airports SET type = 'gliderport'", "type"),
    ("UPDATE airports SET hasBeaconLight = 2", "hasBeaconLight"),
    ("UPDATE airports SET frequencies = replace(frequencies, '\"id\":\"', '\"id\":\"x')", "frequencies"),
    ("UPDATE airports SET elevation = 'high'", "elevation"),
  ])
  func `the decoder refuses what the app would refuse`(sql: String, column: String) throws {
    // The decoder must refuse it, not the constraints of the table.
    try database.connection.execute("CREATE TABLE loose AS SELECT * FROM airports")
    try database.connection.execute(sql.replacing("UPDATE airports", with: "UPDATE loose"))
    #expect(throws: DecodingError.self, "\(column)") {
      try database.fetchAll(Airport.self, "SELECT * FROM loose")
    }
  }
}
