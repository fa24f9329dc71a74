import Core
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// The products of the pipeline of weather, of real rows.
struct WeatherTests {
  private let pipeline = WeatherPipeline()

  private func made() throws -> WeatherPipeline.Made {
    try pipeline.put(WeatherPipeline.xml)
    return try pipeline.make()
  }

  @Test func `has the values of the publisher's columns`() throws {
    let made = try made()
    #expect(made.faults == [] && made.outcome.failures.isEmpty)
    let own = try made.rows("SELECT station, flightCategory FROM metars ORDER BY station")
    let text = try WeatherPipeline.fixture("metars.cache.xml")
    let rows = text.matches(
      of: /<station_id>(\w+)<\/station_id>.*?<flight_category>(\w*)<\/flight_category>/)
    let published = Dictionary(rows.map { (String($0.1), $0.2.isEmpty ? "NULL" : String($0.2)) }) {
      first, _ in first
    }
    #expect(own.count > 60 && own.allSatisfy { published[$0[0]] == $0[1] })
    #expect(
      try made.rows(
        """
        SELECT windDirection, windSpeed, visibility, visibilityBound, ceiling, sky, temperature, altimeter, pressure,
          elevation, observed, isAutomatic FROM metars WHERE station = 'KOKV'
        """)
        == [
          [
            "120", "7", "10.0", "more", "5500",
            #"[{"cover":"SCT","base":2700},{"cover":"SCT","base":4500},{"cover":"BKN","base":5500}]"#, "25.0",
            "29.95", "1014.2", "699", "2026-08-22T17:55:00Z", "1",
          ]
        ])
  }

  @Test func `takes from the text what the columns lose`() throws {
    let made = try made()
    func row(_ station: String, _ columns: String) throws -> [String]? {
      try made.rows("SELECT \(columns) FROM metars WHERE station = '\(station)'").first
    }
    #expect(try row("RJSA", "ceiling, flightCategory") == ["0", "LIFR"])
    #expect(try row("KMWN", "ceiling") == ["0"])
    #expect(try row("RJNK", "ceiling, flightCategory") == ["NULL", "VFR"])
    #expect(try row("DAUT", "temperature, dewpoint") == ["47.0", "NULL"])
    #expect(try row("BGSF", "visibility, flightCategory") == ["NULL", "NULL"])
    #expect(try row("MMMA", "windDirection, windSpeed, windGust") == ["170", "5", "15"])
    #expect(
      try row("KSWF", "isWindVariable, windDirection, sky") == [
        "1", "NULL", #"[{"cover":"SCT","base":3500}]"#,
      ])
  }

  @Test func `keeps the newest row of a station, and unknown positions unknown`() throws {
    let made = try made()
    #expect(try made.rows("SELECT repeated, unread FROM sources WHERE file LIKE 'metars%'") == [["1", "0"]])
    #expect(try made.rows("SELECT count(*) FROM metars WHERE station = 'KK24'") == [["1"]])
    #expect(try made.rows("SELECT count(*) > 0 FROM metars WHERE latitude IS NULL") == [["1"]])
    #expect(try made.rows("SELECT count(*) FROM metars WHERE latitude < -90 OR elevation > 30000") == [["0"]])
    #expect(
      try made.rows("SELECT count(*) FROM metars_rtree")
        == made.rows("SELECT count(*) FROM metars WHERE latitude IS NOT NULL"))
  }

  @Test func `puts the groups of a TAF in the order of their times`() throws {
    let made = try made()
    #expect(
      try made.rows(
        """
        SELECT number, change, g.validFrom, g.validTo, probability, windDirection, visibility, ceiling FROM taf_groups g
        JOIN tafs t ON t.id = taf WHERE station = 'YBHM' ORDER BY number
        """)
        == [
          ["1", "NULL", "2026-08-22T18:00:00Z", "2026-08-23T01:00:00Z", "NULL", "160", "6.0", "1400"],
          ["2", "TEMPO", "2026-08-22T18:00:00Z", "2026-08-23T01:00:00Z", "NULL", "NULL", "6.0", "800"],
          ["3", "BECMG", "2026-08-23T01:00:00Z", "2026-08-23T06:00:00Z", "NULL", "130", "6.0", "1800"],
        ])
    let (count, text) = (
      try made.rows("SELECT count(*) FROM taf_groups"), try WeatherPipeline.fixture("tafs.cache.xml")
    )
    #expect(count == [["\(text.matches(of: /<forecast>/).count)"]])
  }

  @Test func `has warnings with their areas`() throws {
    let made = try made()
    #expect(
      try made.rows(
        "SELECT hazard, high, direction, south, west, north, east FROM sigmets ORDER BY id LIMIT 2")
        == [
          ["CONVECTIVE", "45000", "210", "38.763", "-85.095", "40.148", "-83.248"],
          ["TURB", "NULL", "NULL", "50.0", "-180.0", "51.0", "180.0"],
        ])
    #expect(try made.rows("SELECT count(*), count(region) FROM sigmets") == [["6", "4"]])
    #expect(
      try made.rows("SELECT product, hazard, level, geometry FROM gairmets ORDER BY id DESC LIMIT 1")
        == [
          [
            "ZULU", "FZLVL", "8000",
            #"{"type":"MultiLineString","coordinates":[[[-92.68,58.36],[-92.86,57.46]]]}"#,
          ]
        ])
  }

  @Test func `has the app's own rows`() throws {
    let made = try made()
    #expect(
      try made.rows(
        """
        SELECT length(id), stationID, flightCategory, windDirection, windVariable, visibility, ceiling, fetchedAt, observationTime,
          taf IS NOT NULL FROM weatherCache WHERE stationID = 'KJFK'
        """)
        == [
          [
            "36", "KJFK", "vfr", "150", "0", "10.0", "3700", "2026-08-22 17:55:00.000",
            "2026-08-22 17:51:00.000", "1",
          ]
        ])
    #expect(
      try made.rows("SELECT count(*) FROM weatherCache")
        == made.rows("SELECT count(*) FROM metars WHERE flightCategory IS NOT NULL"))
  }

  @Test func `has lists with the keys of the API`() throws {
    let made = try made()
    func list(_ name: String) throws -> [[String: JSONValue]] {
      try JSONDecoder().decode([[String: JSONValue]].self, from: try #require(made.file(name)).data)
    }
    let metar = try #require(try list("metar.json").first { $0["icaoId"] == .string("KJFK") })
    #expect(
      metar["visib"] == .string("10+") && metar["fltCat"] == .string("VFR") && metar["wdir"] == .integer(150))
    #expect(metar["obsTime"] == .integer(1_787_421_060) && metar["altim"] == .number(1016.9))
    #expect(metar["name"]?.text?.contains("Kennedy") == true)
    let variable = try #require(try list("metar.json").first { $0["icaoId"] == .string("KSWF") })
    #expect(variable["wdir"] == .string("VRB"))
    let taf = try #require(try list("taf.json").first { $0["icaoId"] == .string("YBHM") })
    #expect(taf["validTimeFrom"] == .integer(1_787_421_600))
    #expect(taf["fcsts"]?.elements.count == 3)
    let map = try JSONDecoder().decode(
      [String: JSONValue].self, from: try #require(made.file("weather.geojson")).data)
    let points = map["features"]?.elements.count ?? 0
    #expect(try made.rows("SELECT count(*) FROM metars WHERE latitude IS NOT NULL") == [["\(points)"]])
  }

  @Test func `states when the files must no longer be used`() throws {
    let made = try made()
    let (database, taf) = (try #require(try made.product("database")), try #require(try made.product("taf")))
    #expect(
      database.effectiveDate == "2026-08-22T17:55:00Z" && database.expirationDate == "2026-08-22T19:10:00Z")
    #expect(database.edition == .time(database.effectiveDate) && database.kind.rawValue == "weather")
    #expect(try made.product("metar")?.expirationDate == database.expirationDate)
    #expect(taf.expirationDate == taf.effectiveDate.adding(6 * 3600))
    #expect(taf.files.map(\.path) == ["taf.json"])
  }

  @Test func `makes the same bytes again, and nothing in another turn`() throws {
    let first = try made()
    let again = try pipeline.make(at: "2026-08-22T18:03:00Z")
    #expect(!first.outcome.seconds.isEmpty && again.outcome.seconds.isEmpty)
    let other = try pipeline.make(at: "2026-08-22T18:04:00Z", work: "other")
    for id in ["database", "metar", "taf"] {
      #expect(try first.product(id)?.files == other.product(id)?.files)
    }
  }

  @Test func `names the airport of a station`() throws {
    let cycle = AiracCycle(at: try #require(Instant(WeatherPipeline.now)))
    let place = pipeline.folder.file("work/build/\(cycle.identifier)/nasr/aviation.sqlite")
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    let airports = try SQLiteConnection(place.path, mode: .create)
    try airports.execute(
      "CREATE TABLE airports (icao TEXT); INSERT INTO airports VALUES ('KJFK'), ('08D'), ('1S5')")
    try airports.close()
    let made = try made()
    #expect(
      try made.rows("SELECT station, airport FROM metars WHERE airport IS NOT NULL ORDER BY station")
        == [["K08D", "08D"], ["K1S5", "1S5"], ["KJFK", "KJFK"]])
  }

  @Test func `reads the older files too`() throws {
    try pipeline.put([
      "metars.cache.csv", "aircraftreports.cache.csv", "airsigmets.cache.csv", "sigmet_domestic.json",
    ])
    let made = try pipeline.make(at: "2025-08-14T18:50:00Z")
    #expect(made.faults == [])
    #expect(
      try made.rows("SELECT file, rows, unread FROM sources ORDER BY file").map { Array($0[1...]) } == [
        ["7", "0"], ["2", "0"], ["24", "0"],
      ])
    #expect(
      try made.rows(
        "SELECT visibility, visibilityBound, flightCategory, latitude, elevation FROM metars WHERE station = 'KQFX'"
      )
        == [["0.25", "less", "LIFR", "NULL", "NULL"]])
    #expect(
      try made.rows("SELECT sky FROM metars WHERE station = 'KMYR'") == [
        [#"[{"cover":"FEW","base":7000},{"cover":"BKN","base":9000},{"cover":"OVC","base":11000}]"#]
      ])
    #expect(
      try made.rows("SELECT flightCategory FROM metars WHERE station IN ('SKBQ', 'RJAW', 'K1JM')") == [
        ["NULL"], ["NULL"], ["NULL"],
      ])
    #expect(try made.rows("SELECT count(*) FROM aircraft_reports WHERE turbulence LIKE '%CHOP%'") == [["5"]])
    #expect(try made.rows("SELECT count(*) FROM sigmets WHERE geometry IS NOT NULL") == [["2"]])
  }
}

extension JSONValue {
  fileprivate var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
