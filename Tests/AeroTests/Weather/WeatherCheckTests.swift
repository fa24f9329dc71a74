import ArchiveIO
import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Which files are accepted in place of the last ones, and what becomes of their rows.
struct WeatherCheckTests {
  private let pipeline = WeatherPipeline()

  private func check(_ text: String, as file: WeatherFile = .metars, at now: String = WeatherPipeline.now)
    throws -> Instant?
  {
    try file.check(Data(text.utf8), file.names[0], at: #require(Instant(now)))
  }

  private func reason(_ text: String, as file: WeatherFile = .metars, at now: String = WeatherPipeline.now)
    -> String?
  {
    do {
      _ = try check(text, as: file, at: now)
      return nil
    } catch { return "\(error)" }
  }

  @Test func `returns the newest observation`() throws {
    #expect(try check(WeatherPipeline.fixture("metars.cache.xml")) == "2026-08-22T17:55:00Z")
    #expect(try check(WeatherPipeline.fixture("stations.cache.xml"), as: .stations) == nil)
    #expect(try check(WeatherPipeline.fixture("tafs.cache.xml"), as: .tafs) != nil)
  }

  @Test func `refuses a file that is cut, empty or something else`() throws {
    let text = try WeatherPipeline.fixture("metars.cache.xml")
    #expect(reason(String(text.prefix(text.count / 2))) == "it is no XML, or damaged")
    #expect(reason("<!DOCTYPE html><html><body>busy</body></html>") != nil)
    #expect(reason("<html><body>busy</body></html>") == "it is no file of aviationweather.gov")
    #expect(reason("") != nil && reason("busy") != nil)
    #expect(
      reason(text.replacing(/num_results="\d+"/, with: "num_results=\"99\""))
        == "it has 74 rows, not 99 as it says")
    let empty = #"<response><data num_results="0"></data></response>"#
    #expect(reason(empty) == "of its 0 rows, 0 can be read" && reason(empty, as: .tafs) != nil)
    #expect(reason(empty, as: .sigmets) == nil)
    let packed = try Gzip.compress(Array(text.utf8))
    #expect(throws: WeatherDefect.self) {
      try WeatherFile.metars.check(
        Data(packed.dropLast(9)), "metars.cache.xml.gz", at: "2026-08-22T17:58:00Z")
    }
  }

  @Test func `refuses a file of the future`() throws {
    let text = try WeatherPipeline.fixture("metars.cache.xml")
    #expect(reason(text, at: "2026-08-22T17:40:00Z") == nil)
    #expect(
      reason(text, at: "2026-08-22T17:39:00Z")
        == "its newest observation is of 2026-08-22T17:55:00Z, which is in the future")
  }

  @Test func `keeps the last good file`() throws {
    try pipeline.put(WeatherPipeline.xml)
    _ = try pipeline.make()
    let good = try WeatherPipeline.fixture("metars.cache.xml")
    for bad in [String(good.prefix(20_000)), good.replacing("2026-08-22T17:", with: "2026-08-22T16:")] {
      try pipeline.put("metars.cache.xml", bad)
      let made = try pipeline.make()
      #expect(made.faults.count == 1 && made.outcome.failures.isEmpty)
      #expect(try made.product("database")?.effectiveDate == "2026-08-22T17:55:00Z")
    }
  }

  @Test func `leaves out rows of the future and counts them`() throws {
    let text = try WeatherPipeline.fixture("metars.cache.xml")
      .replacing("2026-08-22T17:51:00.000Z", with: "2026-08-23T17:51:00.000Z", maxReplacements: 3)
    try pipeline.put("metars.cache.xml", text)
    let made = try pipeline.make()
    #expect(made.faults == [])
    #expect(try made.rows("SELECT future > 0, newest FROM sources") == [["1", "2026-08-22T17:55:00Z"]])
    #expect(try made.rows("SELECT 1 FROM metars WHERE observed > '2026-08-23'") == [])
  }

  @Test func `keeps what cannot be read as it is, and goes on`() throws {
    let text = try WeatherPipeline.fixture("metars.cache.xml")
      .replacing("<station_id>KJFK</station_id>", with: "")
      .replacing(
        /<observation_time>[^<]*(<\/observation_time><latitude>39.1406)/,
        with: { "<observation_time>today\($0.1)" }
      )
      .replacing("<altim_in_hg>30.03</altim_in_hg>", with: "<altim_in_hg>1e999</altim_in_hg>")
    try pipeline.put("metars.cache.xml", text)
    let made = try pipeline.make()
    #expect(made.faults == [])
    #expect(try made.rows("SELECT unread, unreadValues > 0 FROM sources") == [["2", "1"]])
    let reasons = try made.rows("SELECT DISTINCT reason FROM unread ORDER BY reason").map { $0[0] }
    #expect(reasons == ["altim_in_hg is 1e999", "it has no observation_time", "it has no station_id"])
    #expect(
      try made.rows("SELECT raw FROM unread WHERE reason LIKE '%station_id'").first?[0].hasPrefix(
        "METAR KJFK") == true)
  }

  @Test func `works with the METARs alone, and not without them`() throws {
    try pipeline.put(["metars.cache.xml"])
    let made = try pipeline.make()
    #expect(made.faults == [] && made.outcome.failures.isEmpty)
    #expect(try made.product("database") != nil && made.product("metar") != nil && made.product("taf") == nil)
    let other = WeatherPipeline()
    try other.put(["tafs.cache.xml"])
    let none = try other.make()
    #expect(none.faults == ["the folder of --from does not hold it"] && none.outcome.results.isEmpty)
  }

  @Test func `survives changed bytes of every file`() throws {
    let now = try #require(Instant(WeatherPipeline.now))
    var random = SteadyNumbers()
    for file in WeatherFile.all {
      for name in file.names {
        let plain = name.replacing(".gz", with: "")
        let text = Array(try WeatherPipeline.fixture(plain).utf8.prefix(30_000))
        for _ in 0..<30 {
          var bytes = text
          for _ in 0...random.below(12) {
            let place = random.below(bytes.count)
            switch random.below(3) {
            case 0: bytes[place] = random.byte()
            case 1: bytes.replaceSubrange(place..<min(place + 3, bytes.count), with: Array("9e999".utf8))
            default: bytes.remove(at: place)
            }
          }
          _ = try? file.check(Data(bytes), name, at: now)
          guard let rows = try? WeatherReader.read(Data(bytes), name, as: file) else { continue }
          for row in rows {
            let text = METARText(row.raw)
            let made = WeatherRow(element: row, number: 1, text: text, conditions: Conditions(row, text))
            for table in file.tables { _ = table.values(made) }
          }
        }
      }
    }
  }
}
