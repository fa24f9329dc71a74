import Foundation
import ImageIO
import TestSupport
import Testing

/// The live channel on the page of a site.
@Suite(
  .blocking, .serialized, .slow, BrowserTrait(),
  .enabled(if: PreviewProgram.mustRun || Browser.driver != nil, "there is no chromedriver on this machine"))
struct LivePageTests {
  private let folder = TemporaryFolder()
  private let server: TestServer
  private let browser: Browser
  /// The time of the page's clock. It stands, since a busy machine may take minutes for a test.
  private let start = Date.now

  init() async throws {
    try FileManager.default.copyItem(at: try await Samples.mosaic().file("site"), to: folder.file("site"))
    server = try TestServer(serving: folder.file("site"))
    browser = try Browser.cleared()
  }

  private let noArea = #"{ "type": "Feature", "geometry": null, "properties": { "notam": "6/4301" } }"#
  private let area = """
    { "type": "Feature", "geometry": { "type": "Polygon", "coordinates": [[[-122.3, 37.3], [-121.9, 37.3],
      [-121.9, 37.5], [-122.3, 37.5], [-122.3, 37.3]]] },
      "properties": { "notam": "6/4127", "type": "VIP", "text": "MADE UP", "floor": "SFC",
        "effective": "2026-11-27T17:56:00Z", "expires": null, "ceiling": "3000 ft MSL", "forDronesOnly": 1,
        "unconfirmed": "shape" } }
    """

  /// Writes `live.json`, observed three minutes ago and valid for half an hour.
  private func publish(serial: Int, tfrs: [String]) throws {
    let text = { (minutes: Double) in (start + minutes * 60).formatted(.iso8601) }
    let weather = """
      { "type": "Feature", "geometry": { "type": "Point", "coordinates": [-122.1, 37.4] },
        "properties": { "station": "KPAO", "category": "VFR", "raw": "KPAO 10SM CLR", "observed": "\(text(-5))" } }
      """
    let site = folder.file("site")
    try site.appending(path: "live").makeFolder()
    let products = try [("tfr/tfr", tfrs), ("weather/metar", [weather])].map { id, features in
      let path = "live/\(id.replacing("/", with: "-"))-\(serial).geojson"
      try site.appending(path: path).put(
        "{ \"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ","))] }")
      return """
        { "id": "\(id)", "effectiveDate": "\(text(-5))", "fetched": "\(text(-3))", "expirationDate": "\(text(30))",
          "files": [{ "path": "\(path)" }] }
        """
    }
    try site.appending(path: "live.json").put(
      """
      { "format": "chartpipe-catalog-1", "serial": \(serial), "issued": "\(text(-3))", "expires": "\(text(30))",
        "products": [\(products.joined(separator: ","))] }
      """)
  }

  private func open() async throws {
    try browser.runFirst(clock(minutes: 0))
    try browser.open("\(server.url)/index.html#map=10.00/37.4000/-122.1000")
    try await browser.wait(until: "!document.getElementById('live').hidden")
  }

  private func legend() throws -> String { try browser.value("document.getElementById('live').innerText") }

  private func clock(minutes: Int) -> String {
    "Date.now = () => \(Int(start.timeIntervalSince1970 * 1000) + minutes * 60_000)"
  }

  /// Moves the clock of the page, which looks at the site again if a minute is over.
  private func moveClock(minutes: Int) throws {
    try browser.run(
      "(() => { \(clock(minutes: minutes)); document.dispatchEvent(new Event('visibilitychange')); })()")
  }

  private func middle() throws -> [Double] {
    try browser.value(
      "(({ x, y, width, height }) => [x + width / 2, y + height / 2])(document.getElementById('map').getBoundingClientRect())"
    )
  }

  /// Whether the middle of the map has the dot of a station with VFR weather.
  private func hasGreenDot() throws -> Bool {
    let place = try middle()
    let pixel = try browser.screenshot()[Int(place[0]), Int(place[1])]
    return [pixel.red, pixel.green, pixel.blue] == [0x17, 0x8A, 0x3A]
  }

  @Test func `snapshots are on the map until they expire`() async throws {
    try publish(serial: 1, tfrs: [area, noArea])
    try await open()
    let text = try legend()
    #expect(text.contains(/TFRs as of \d\d:\d\d UTC, 3 min ago; 1 without an area/), "\(text)")
    #expect(text.contains(/Weather observed \d\d:\d\d UTC, 5 min ago/), "\(text)")
    try await browser.waitForChart(columns: 200..<500)
    #expect(try hasGreenDot())
    try browser.click(at: try middle())
    try await browser.wait(until: "document.querySelectorAll('#card:not([hidden]) [data-live]').length === 2")
    let card: String = try browser.value("document.getElementById('card').innerText")
    for text in [
      "TFR 6/4127", "MADE UP", "27 Nov 2026, 17:56 UTC", "not stated", "3000 ft MSL", "For drones only.",
      "Unconfirmed (shape): read the NOTAM.", "KPAO 10SM CLR", "3 min ago", "5 min ago",
    ] {
      #expect(card.contains(text), "\(text) is not in \(card)")
    }
    try moveClock(minutes: 20)
    try await browser.wait(until: "document.getElementById('card').innerText.includes('23 min ago')")
    #expect(try hasGreenDot())
    try moveClock(minutes: 30)
    try await browser.wait(until: "document.getElementById('card').hidden")
    #expect(
      try legend().split(separator: /\n+/) == [
        "TFRs: unconfirmed, the list of snapshots has expired",
        "Weather: unconfirmed, the list of snapshots has expired",
      ])
    for _ in 0..<50 where try hasGreenDot() { try await Task.sleep(for: .milliseconds(50)) }
    #expect(try !hasGreenDot())
    #expect(try browser.messages() == [])
  }

  @Test func `a clock that is behind confirms nothing, and a hidden layer says so`() async throws {
    try publish(serial: 1, tfrs: [area])
    try await open()
    try browser.run("document.querySelector('[data-layer=\"tfr/tfr\"]').click()")
    #expect(try legend().hasPrefix("TFRs: hidden"))
    try moveClock(minutes: -20)
    #expect(try legend().hasPrefix("TFRs: unconfirmed, the clock of this device is wrong"))
  }

  @Test func `a page that stays open reads new snapshots, and a list that is gone confirms nothing`()
    async throws
  {
    try publish(serial: 1, tfrs: [area])
    try await open()
    try publish(serial: 2, tfrs: [])
    try moveClock(minutes: 1)
    try await browser.wait(until: "document.getElementById('live').innerText.startsWith('No TFRs as of')")
    server.hide("/live.json")
    try moveClock(minutes: 2)
    try await browser.wait(
      until:
        "document.getElementById('live').innerText.startsWith('TFRs: unconfirmed, live.json cannot be read')")
  }
}
