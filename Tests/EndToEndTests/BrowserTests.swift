import Foundation
import ImageIO
import TestSupport
import Testing

/// A preview as a person uses it. In CI a missing browser fails the tests, except on Ubuntu, which has none for containers.
@Suite(
  .blocking, .serialized, .slow, BrowserTrait(),
  .enabled(if: Browser.mustRun || Browser.driver != nil, "there is no chromedriver on this machine")
)
final class BrowserTests {
  /// It runs until the test ends.
  private var preview: PreviewProgram?

  /// Palo Alto's position in the sample, and the chart's symbol there.
  private static let kpao = (latitude: 37.4611, longitude: -122.1151)

  @Test func `a person pans and opens an airport`() async throws {
    let browser = try await open("#map=11/37.47/-122.15")
    try await browser.waitForChart(columns: 500..<700)
    let standing: String = try browser.value("document.getElementById('standing').textContent")
    #expect(standing == "Cycle 2304 expired on 18 May 2023, 09:01 UTC")

    // A hundred pixels are 0.069 degrees here.
    try browser.drag(over: [[600, 600], [550, 550], [500, 500]])
    let longitude = "Number(location.hash.split('/')[2])"
    try await browser.wait(until: "Math.abs(\(longitude) + 122.081) < 0.01")
    try await browser.waitForChart(columns: 300..<500)

    try browser.click(at: try browser.place(of: Self.kpao))
    try await browser.wait(until: "document.querySelector('#card:not([hidden]) #runways')")
    let card: String = try browser.value("document.getElementById('card').innerText")
    for text in [
      "KPAO Palo Alto", "13/31", "2,443 × 70 ft", "asphalt", "Tower", "118.6", "Remarks", "37°27.67′ N",
    ] {
      #expect(card.contains(text), "\(text) is not in \(card)")
    }
    try browser.run("document.querySelector('#card .close').click()")
    try await browser.wait(until: "document.getElementById('card').hidden")
    #expect(try browser.messages() == [])
  }

  @Test func `the page works from the browser's cache`() async throws {
    let browser = try await open()
    try browser.open(try #require(preview).address)
    try await browser.wait(until: "document.documentElement.dataset.ready")
    #expect(try browser.messages() == [])
  }

  @Test func `says that a site has no vector tiles`() async throws {
    let charts = TemporaryFolder()
    let built = try await Samples.cycle().file("build/2304/sample-terminal").path
    try Program().run("stage \(built) --site \(charts.file("site").path)").expect(0)
    let browser = try await open(site: charts.file("site"))
    try await browser.waitForChart(columns: 400..<500)
    let problems: String = try browser.value("document.querySelector('#problems:not([hidden])').innerText")
    #expect(problems == PreviewProgram.lacksVectorTiles)
    #expect(try browser.messages() == [])
  }

  /// The chart and the database have separate sources, so their agreement is evidence for both.
  @Test(arguments: [("sample-terminal/Sample_Bay", 13), ("sample-sectional/Sample_West", 12)])
  func `the airport's symbol on the chart lies at its position`(chart: String, zoom: Int) async throws {
    let browser = try await open("#map=\(zoom)/37.4611/-122.1151")
    // Only this chart, without other layers.
    try browser.run(
      "document.querySelectorAll('#layers input:checked').forEach((box) => box.dataset.layer !== '\(chart)' && box.click())"
    )
    try await browser.waitForChart(columns: 500..<700)
    let dot = try browser.place(of: Self.kpao)
    var seen = blueSymbol(around: dot, in: try browser.screenshot())
    // A busy browser draws the tiles one after the other.
    for _ in 0..<40 where seen == nil {
      try await Task.sleep(for: .milliseconds(250))
      seen = blueSymbol(around: dot, in: try browser.screenshot())
    }
    let symbol = try #require(seen)
    #expect(
      abs(symbol.x - dot[0]) < 2 && abs(symbol.y - dot[1]) < 2,
      "the symbol is at \(symbol), the airport at \(dot)")
    #expect(symbol.pixels > 300, "a whole symbol, not a bit of a letter")
  }

  @Test func `the keyboard finds an airport on the map`() async throws {
    let browser = try await open()
    try await browser.waitForChart(columns: 400..<500)
    try browser.run(
      "(() => { const box = document.getElementById('search'); box.focus(); box.value = 'palo alto'; box.dispatchEvent(new Event('input')); })()"
    )
    try await browser.wait(
      until: "document.querySelector('#airports button')?.textContent === 'KPAO Palo Alto'")
    try browser.run(
      "document.getElementById('search').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))"
    )
    try await browser.wait(
      until: "document.querySelector('#card:not([hidden]) h2')?.textContent === 'KPAO Palo Alto'")
    try await browser.wait(until: "location.hash.startsWith('#map=12.00/37.46')")
  }

  @Test func `the divider splits the map between two cycles`() async throws {
    let copy = try await Samples.cycle().copy()
    let site = copy.file("site")
    try addCycleBefore(in: site.appending(path: "catalog.json"))
    let browser = try await open("#map=10/37.4/-122", site: site)
    try await browser.waitForChart(columns: 200..<400)
    try browser.run("document.getElementById('compare-on').click()")
    // The map is from 0 to 800, and only the later cycle has charts.
    try await browser.waitForChart(columns: 450..<650)
    try await browser.wait(uncovered: 150..<350)
    let knob: [Double] = try browser.value(place(of: "#swipe-knob"))
    try browser.drag(over: [knob, [knob[0] - 100, knob[1]], [knob[0] - 200, knob[1]]])
    try await browser.wait(until: "\(Self.share) === '25'", "a quarter of 800 pixels of map")
    try browser.run(
      "document.getElementById('swipe-knob').dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }))")
    try await browser.wait(until: "\(Self.share) === '100'")
    try await browser.wait(uncovered: 450..<650)

    // The page keeps its place when a person chooses the other cycle, and then shows that one only.
    try await choose("2303", in: browser)
    let standing: String = try browser.value("document.getElementById('standing').textContent")
    #expect(standing == "Cycle 2303 expired on 20 Apr 2023, 09:01 UTC")
    #expect(try browser.value("document.getElementById('compare').hidden"))
    let badges: [String] = try browser.value(
      "[...new Set([...document.querySelectorAll('.product')].map((row) => row.querySelector('.badge')?.textContent))]"
    )
    #expect(badges == ["not in cycle 2303"], "it has no products")
    // The comparison is still wanted, where there is a cycle before.
    try await choose("2304", in: browser)
    #expect(
      try browser.value(
        "document.getElementById('compare-on').checked && !document.getElementById('swipe').hidden"))
    let label: String = try browser.value("document.getElementById('compare').textContent")
    #expect(label == "Compare with 2303")
    #expect(try browser.messages() == [])
  }

  private func choose(_ cycle: String, in browser: Browser) async throws {
    try browser.run(
      "(() => { window.isBefore = true; const box = document.getElementById('cycle'); box.value = '\(cycle)'; box.dispatchEvent(new Event('change')); })()"
    )
    let hash = "#map=10.00/37.4000/-122.0000&cycle=\(cycle)&compare=on"
    try await browser.wait(
      until: "location.hash === '\(hash)' && !window.isBefore && document.documentElement.dataset.ready")
  }

  private func open(_ hash: String = "", site: URL? = nil) async throws -> Browser {
    let sample = try await Samples.cycle().file("site")
    let preview = try await PreviewProgram(site ?? sample)
    self.preview = preview
    let browser = try Browser.cleared()
    try browser.open(preview.address + hash)
    try await browser.wait(until: "document.documentElement.dataset.ready")
    return browser
  }

  /// Adds a cycle 2303, which has no products.
  private func addCycleBefore(in catalogue: URL) throws {
    let read = try JSONSerialization.jsonObject(with: catalogue.data)
    var object = try #require(read as? [String: Any])
    let last = try #require(object["previous"] as? [String: Any], "the sample's cycle has expired")
    object["current"] = last
    object["previous"] = last.merging(
      ["id": "2303", "effective": "2023-03-23T09:01:00Z", "expires": "2023-04-20T09:01:00Z"]
    ) { $1 }
    try JSONSerialization.data(withJSONObject: object).write(to: catalogue)
  }

  private static let share = "document.getElementById('swipe-knob').getAttribute('aria-valuenow')"

  private func place(of selector: String) -> String {
    "(() => { const box = document.querySelector('\(selector)').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
  }

  /// The middle of the connected pixels near a place that have the blue of towered airports.
  private func blueSymbol(around place: [Double], in image: RGBAImage) -> (x: Double, y: Double, pixels: Int)?
  {
    let (middleX, middleY, reach) = (Int(place[0]), Int(place[1]), 26)
    func isInk(_ x: Int, _ y: Int) -> Bool {
      guard abs(x - middleX) <= reach, abs(y - middleY) <= reach else { return false }
      let color = image[x, y]
      return abs(Int(color.red) - 24) < 60 && abs(Int(color.green) - 66) < 60
        && abs(Int(color.blue) - 150) < 40
    }
    struct Pixel: Hashable { var x: Int, y: Int }
    var open = (-8...8).flatMap { dy in (-8...8).map { dx in Pixel(x: middleX + dx, y: middleY + dy) } }
      .filter { isInk($0.x, $0.y) }
    var symbol = Set(open)
    while let pixel = open.popLast() {
      for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let next = Pixel(x: pixel.x + dx, y: pixel.y + dy)
        if isInk(next.x, next.y), symbol.insert(next).inserted { open.append(next) }
      }
    }
    guard !symbol.isEmpty else { return nil }
    let count = Double(symbol.count)
    let sum = symbol.reduce((x: 0.0, y: 0.0)) { ($0.x + Double($1.x) + 0.5, $0.y + Double($1.y) + 0.5) }
    return (sum.x / count, sum.y / count, symbol.count)
  }
}
