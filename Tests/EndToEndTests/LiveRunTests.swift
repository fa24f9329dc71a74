import Core
import Foundation
import TestSupport
import Testing

/// `chartpipe run tfr weather`, as a timer runs it, with a server in place of the FAA's and NOAA's.
@Suite(.blocking, .slow) struct LiveRunTests {
  private let folder = TemporaryFolder()
  private let server: TestServer
  private let key: String

  init() throws {
    server = try TestServer(serving: folder.url)
    key = folder.file("test.key").path
    for name in ["tfr", "weather"] {
      let text = try repositoryRoot.appending(path: "pipelines/\(name).json5").text
      try folder.file("pipelines/\(name).json5").put(
        text.replacing("https://tfr.faa.gov", with: server.url)
          .replacing("https://aviationweather.gov", with: server.url))
    }
    try Program().run(["keygen", key]).expect(0)
    try serve(TFRs: ["6/6654"], observed: Date.now - 300)
  }

  private func serve(TFRs numbers: [String], observed time: Date) throws {
    let entries = numbers.map { number in
      """
      { "notam_id": "\(number)", "facility": "ZSE", "state": "WA", "type": "HAZARDS", "description": "28NM W TWISP",
        "mod_date": "10/01/2026 15:51:00", "mod_abs_time": "202610011551", "is_new": "N", "gid": "\(number)" }
      """
    }
    try folder.file("tfrapi/getTfrList").put("[\(entries.joined(separator: ","))]")
    try folder.file("tfrapi/noShapeTfrList").put("[]")
    try folder.file("geoserver/TFR/ows").put(
      #"{ "type": "FeatureCollection", "features": [], "totalFeatures": 0, "numberMatched": 0, "numberReturned": 0 }"#
    )
    let detail = repositoryRoot.appending(path: "Tests/AeroTests/Fixtures/tfr/detail_6_6654.xml")
    try folder.file("download/detail_6_6654.xml").put(detail.text)
    let clock = time.formatted(.iso8601)
    try gzipped(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <response version="2.0"><data num_results="1"><METAR>
        <raw_text>METAR KPAO 281747Z 33008KT 10SM CLR 15/09 A3012</raw_text><station_id>KPAO</station_id>
        <observation_time>\(clock)</observation_time><latitude>37.4611</latitude><longitude>-122.1151</longitude>
        <temp_c>15</temp_c><dewpoint_c>9</dewpoint_c><wind_dir_degrees>330</wind_dir_degrees>
        <wind_speed_kt>8</wind_speed_kt><visibility_statute_mi>10+</visibility_statute_mi><altim_in_hg>30.12</altim_in_hg>
        <sky_condition sky_cover="CLR"/><flight_category>VFR</flight_category><metar_type>METAR</metar_type>
      </METAR></data></response>
      """, as: "data/cache/metars.cache.xml.gz")
  }

  private func gzipped(_ text: String, as path: String) throws {
    let file = folder.file(path)
    try file.deletingPathExtension().put(text)
    let packer = try RunningProgram(
      URL(filePath: "/usr/bin/gzip"), ["-f", file.deletingPathExtension().path])
    #expect(try packer.wait().status == 0)
  }

  private func arguments(_ pipelines: String..., more: [String] = []) -> [String] {
    ["run"] + pipelines + [
      "--work", folder.file("work").path, "--pipelines", folder.file("pipelines").path, "--key", key,
      "--publish", folder.file("target").path,
    ] + more
  }

  private func live() throws -> (serial: Int, ids: [String], held: [String]) {
    let data = try folder.file("target/live.json").data
    let answer = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let ids = { (key: String) in
      (answer[key] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }
    return (try #require(answer["serial"] as? Int), ids("products"), ids("held"))
  }

  private func verify() throws -> Program.Ending {
    try Program().run(["verify", folder.file("target").path, "--live", "--public-key", key + ".pub"])
  }

  @Test func `a turn publishes signed snapshots, and says what is missing`() throws {
    let ending = try Program().run(arguments("tfr", "weather"))
    // The server has METARs alone: TAFs are missing, which is no silence.
    ending.expect(5)
    #expect(try live().ids == ["tfr/tfr", "weather/database", "weather/metar"])
    #expect(try live().held == ["weather/taf"])
    #expect(try verify().expect(4).output.contains("weather/taf"))
    #expect(folder.file("work/site/live.json").exists)
    #expect(!folder.file("work/site/catalog.json").exists, "the cycles' catalogue is never touched")

    Thread.sleep(forTimeInterval: 1.1)
    // The TAFs belong to another call.
    try Program().run(arguments("tfr")).expect(0)
    #expect(try live().serial == 2, "the time of the fetch is newer")
    let agents = server.requests.compactMap { $0.fields["user-agent"] }
    #expect(agents.allSatisfy { $0.hasPrefix("chartpipe/") })
    #expect(server.requests(for: "/download/detail_6_6654.xml").count == 1)
  }

  @Test func `an empty list, a page and a cut file leave the good snapshots in place`() throws {
    try Program().run(arguments("tfr", "weather")).expect(5)
    let before = try live()
    try folder.file("tfrapi/getTfrList").put("[]")
    server.always(.page("<html>down for maintenance</html>"), at: "/geoserver/TFR/ows")
    server.always(.cut(to: 300), at: "/data/cache/metars.cache.xml.gz")
    try serve(TFRs: [], observed: Date.now)
    try Program().run(arguments("tfr", "weather")).expect(5, "getTfrList", "metars.cache.xml.gz")
    #expect(try live().ids == before.ids && live().serial == before.serial)
  }

  @Test func `repeats until it is interrupted`() throws {
    let running = try RunningProgram(Program().url, arguments("tfr", more: ["--every", "1m"]))
    while running.isRunning, !folder.file("target/live.json").exists { Thread.sleep(forTimeInterval: 0.01) }
    running.send(SIGINT)
    #expect(try running.wait().status == 130)
    #expect(try live().ids == ["tfr/tfr"])
  }

  @Test func `snapshots and cycles are not mixed`() throws {
    try Program().run(arguments("tfr", "weather", more: ["--cycle", "2612"])).expect(
      2, "--cycle makes no sense")
    try Program().run("run tfr vfr-sectional --cycle 2612").expect(2, "Run them separately")
    try Program().run("run vfr-sectional --cycle 2612 --every 5m").expect(
      2, "--every is for pipelines of snapshots")
    try Program().run("run vfr-sectional").expect(2, "--cycle C is missing")
    try Program().run("build tfr --cycle 2612").expect(2, "makes snapshots, which belong to no cycle")
  }
}
