import Foundation
import ImageIO
import TestSupport
import Testing

/// The page as a person uses it. In CI a missing browser fails the tests, except on Ubuntu, which has none for containers.
@Suite(
  .blocking, .serialized, .slow,
  .enabled(if: Browser.mustRun || Browser.driver != nil, "there is no chromedriver on this machine")
)
struct BrowserTests {
  @Test func `a person pans and opens an airport`() async throws {
    let preview = try await PreviewProgram(Samples.cycle().file("site"))
    let browser = try await Browser()
    try browser.open(preview.address + "#map=11/37.47/-122.15")
    try await browser.waitForChart()
    let standing: String = try browser.value("document.getElementById('standing').textContent")
    #expect(standing.hasPrefix("Expired on 18 May 2023"))

    // A hundred pixels are 0.069 degrees here.
    try browser.drag(over: [[800, 600], [750, 550], [700, 500]])
    let longitude = "Number(location.hash.split('&')[0].split('/')[2])"
    try await browser.wait(until: "Math.abs(\(longitude) + 122.081) < 0.01")

    try await browser.wait(until: "\(Self.dot)?.length")
    try browser.click(at: try browser.value(Self.dot))
    try await browser.wait(until: "document.querySelector('#card:not([hidden]) #runways')")
    let runways: String = try browser.value("document.getElementById('runways').innerText")
    #expect(runways.contains("13/31") && runways.contains("2,443 × 70 ft") && runways.contains("asphalt"))
    let address: String = try browser.value("location.hash")
    #expect(address.hasSuffix("&airport=KPAO"))
    #expect(try browser.messages() == [])
    try browser.close()
  }

  @Test func `says that a cycle has no database`() async throws {
    let charts = try TemporaryFolder()
    let built = try await Samples.cycle().file("build/2304/sample-terminal").path
    let staged = try Program().run(["stage", built, "--site", charts.file("site").path])
    #expect(staged.status == 0, "\(staged.errors)")
    let preview = try await PreviewProgram(charts.file("site"))
    let browser = try await Browser()
    try browser.open(preview.address)
    try await browser.waitForChart()
    let standing: String = try browser.value("document.getElementById('standing').textContent")
    #expect(standing.hasSuffix(". It has no database: no airports, no airspace."), "\(standing)")
    #expect(try browser.messages() == [])
    try browser.close()
  }

  /// The chart and the database have separate sources, so their agreement is evidence for both.
  @Test(arguments: [("Sample Bay", 13), ("Sample West", 12)])
  func `the airport's symbol on the chart lies under its dot`(chart: String, zoom: Int) async throws {
    let preview = try await PreviewProgram(Samples.cycle().file("site"))
    let browser = try await Browser()
    try browser.open(preview.address + "#map=\(zoom)/37.4611/-122.1151")
    try await browser.wait(until: "\(Self.dot)?.length")
    let dot: [Double] = try browser.value(Self.dot)
    // Only this chart, without other layers.
    try browser.run("document.querySelectorAll('.charts input').forEach((tick) => tick.click())")
    try browser.run("document.querySelector('.charts input[aria-label=\"Show \(chart)\"]').click()")
    try browser.run(
      "document.querySelectorAll('#outlines-on, #airports-on, #airspace-kinds input:checked').forEach((tick) => tick.click())"
    )
    try await browser.waitForChart()
    var seen = blueSymbol(around: dot, in: try browser.screenshot())
    // A busy browser draws the tiles one after the other.
    for _ in 0..<40 where seen == nil {
      try await Task.sleep(for: .milliseconds(250))
      seen = blueSymbol(around: dot, in: try browser.screenshot())
    }
    let symbol = try #require(seen)
    #expect(
      abs(symbol.x - dot[0]) < 2 && abs(symbol.y - dot[1]) < 2,
      "the symbol is at \(symbol), the dot at \(dot)")
    #expect(symbol.pixels > 300, "a whole symbol, not a bit of a letter")
    try browser.close()
  }

  @Test func `the keyboard finds an airport`() async throws {
    let preview = try await PreviewProgram(Samples.cycle().file("site"))
    let browser = try await Browser()
    try browser.open(preview.address)
    try await browser.wait(
      until: "!document.getElementById('lists').hidden && document.querySelector('.charts')")
    try browser.run(
      "(() => { const box = document.getElementById('search'); box.focus(); box.value = 'palo alto'; box.dispatchEvent(new Event('input')); })()"
    )
    try await browser.wait(until: "document.querySelector('#found [aria-selected=true]')")
    try browser.run(
      "document.getElementById('search').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))"
    )
    try await browser.wait(
      until: "document.querySelector('#card:not([hidden]) h2')?.textContent === 'KPAO PALO ALTO'")
    try await browser.wait(until: "location.hash.startsWith('#map=12/37.46')")
    try browser.close()
  }

  @Test func `the divider splits the map between two cycles`() async throws {
    let copy = try await Samples.cycle().copy()
    let site = copy.file("site")
    let cycles = site.appending(path: "cycles")
    try FileManager.default.copyItem(at: cycles.appending(path: "2304"), to: cycles.appending(path: "2305"))
    try removeCharts(from: cycles.appending(path: "2305/manifest.json"))
    let preview = try await PreviewProgram(site)
    let browser = try await Browser()
    try browser.open(preview.address + "#map=10/37.4/-122")
    try await browser.wait(until: "!document.getElementById('compare').hidden")
    try browser.run("document.getElementById('compare-on').click()")
    // The map is from 352 to 1200, and only the earlier cycle has charts.
    try await browser.waitForChart(columns: 450..<750)
    #expect(try browser.inked(columns: 790..<1000) < 10)
    let knob: [Double] = try browser.value(place(of: "#swipe-knob"))
    try browser.drag(over: [knob, [knob[0] - 100, knob[1]], [knob[0] - 212, knob[1]]])
    try await browser.wait(until: "\(Self.share) === '25'", "a quarter of 848 pixels of map")
    try browser.run(
      "document.getElementById('swipe-knob').dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }))")
    try await browser.wait(until: "\(Self.share) === '0'")
    for _ in 0..<80 where try browser.inked(columns: 450..<750) >= 10 {
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(try browser.inked(columns: 450..<750) < 10)
    try browser.close()
  }

  private func removeCharts(from manifest: URL) throws {
    let read = try JSONSerialization.jsonObject(with: Data(contentsOf: manifest))
    var object = try #require(read as? [String: Any])
    let products = try #require(object["products"] as? [[String: Any]])
    object["products"] = products.filter { $0["kind"] as? String != "chart" }
    try JSONSerialization.data(withJSONObject: object).write(to: manifest)
  }

  /// Where the page draws an airport, in pixels of the window; nothing while it does not.
  private static let dot = """
    (() => { const { airports } = globalThis.preview ?? {}; \
    const symbol = airports?.symbols.find(({ airport }) => airport.icao === 'KPAO'); if (!symbol) return null; \
    const [{ x, y }] = airports.places(symbol); const box = document.getElementById('map').getBoundingClientRect(); \
    return [x + box.x, y + box.y]; })()
    """

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

/// Headless Chromium, controlled with the W3C's WebDriver protocol: plain HTTP to `chromedriver`.
struct Browser {
  static let driver = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/snap/bin"]
    .map { URL(filePath: "\($0)/chromedriver") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  static let mustRun = PreviewProgram.mustRun && !isUbuntu
  private static let isUbuntu =
    (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n")
    .contains("ID=ubuntu") ?? false

  private let running: RunningProgram
  private let port: Int
  private let session: String

  /// In a container the sandbox lacks its rights, and the shared memory is too small.
  private static let capabilities = """
    {"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {"args": [
      "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
      "--force-device-scale-factor=1", "--window-size=1200,900"]}}}}
    """

  init() async throws {
    let driver = try #require(Browser.driver, "there is no chromedriver: scripts/install-test-dependencies")
    running = try RunningProgram(driver, ["--port=0"])
    let line = try #require(
      try await running.line(with: "started successfully on port"), "chromedriver did not start")
    port = try #require(line.firstMatch(of: /port (\d+)/).flatMap { Int($0.1) })
    let opened: Opened = try Browser.send("POST", "/session", Browser.capabilities, port)
    session = "/session/\(opened.sessionId)"
  }

  func open(_ address: String) throws {
    // If only the part after the hash differs, the browser loads no page.
    for url in ["about:blank", address] { try command("url", ["url": url]) }
  }

  /// The value of a JavaScript expression.
  func value<Value: Decodable>(_ script: String) throws -> Value {
    let body = Script(script: "return \(script)")
    return try send("POST", "execute/sync", Browser.text(body))
  }

  func run(_ script: String) throws {
    let _: Nothing = try value("void (\(script))")
  }

  /// Waits until a JavaScript expression is true.
  func wait(until condition: String, _ comment: Comment? = nil) async throws {
    for _ in 0..<200 {
      if try value("Boolean(\(condition))") as Bool { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    let said = try messages()
    Issue.record(comment ?? "\(condition) is still false; the console has \(said)")
    throw CocoaError(.featureUnsupported)
  }

  func click(at place: [Double]) throws { try drag(over: [place]) }

  /// Presses the mouse in the first place and releases it in the last. The page gets one movement for each place.
  func drag(over places: [[Double]]) throws {
    var steps = places.map { move(to: $0, in: 100) }
    steps.insert(#"{"type": "pointerDown", "button": 0}"#, at: 1)
    steps += [#"{"type": "pause", "duration": 200}"#, #"{"type": "pointerUp", "button": 0}"#]
    let body =
      #"{"actions": [{"type": "pointer", "id": "mouse", "actions": [\#(steps.joined(separator: ","))]}]}"#
    let _: Nothing = try send("POST", "actions", body)
  }

  private func move(to place: [Double], in milliseconds: Int) -> String {
    let (x, y) = (Int(place[0].rounded()), Int(place[1].rounded()))
    return #"{"type": "pointerMove", "duration": \#(milliseconds), "x": \#(x), "y": \#(y)}"#
  }

  func screenshot() throws -> RGBAImage {
    let text: String = try send("GET", "screenshot")
    return try PNG.decode([UInt8](try #require(Data(base64Encoded: text))))
  }

  /// How many pixels of a part of the window are coloured, in percent: those of a chart are, and the ground is not. One pixel of 25
  /// is looked at.
  func inked(columns: Range<Int>, rows: Range<Int> = 300..<600) throws -> Int {
    let image = try screenshot()
    let shares = stride(from: rows.lowerBound, to: rows.upperBound, by: 5).flatMap { y in
      stride(from: columns.lowerBound, to: columns.upperBound, by: 5).map { x in
        let pixel = image[x, y]
        let isColored = max(pixel.red, pixel.green, pixel.blue) - min(pixel.red, pixel.green, pixel.blue) > 24
        return isColored ? 100 : 0
      }
    }
    return shares.reduce(0, +) / shares.count
  }

  /// Waits until a chart covers a part of the window.
  func waitForChart(columns: Range<Int> = 700..<900) async throws {
    for _ in 0..<100 where try inked(columns: columns) < 90 { try await Task.sleep(for: .milliseconds(100)) }
    let (found, console) = (try inked(columns: columns), try messages())
    #expect(found >= 90, "only \(found) percent are drawn; the console has \(console)")
  }

  /// The messages on the console.
  func messages() throws -> [String] {
    let entries: [Message] = try send("POST", "se/log", #"{"type": "browser"}"#)
    return entries.map(\.message)
  }

  func close() throws {
    let _: Nothing = try send("DELETE")
  }

  private func command(_ name: String, _ values: [String: String]) throws {
    let _: Nothing = try send("POST", name, Browser.text(values))
  }

  private static func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  private func send<Value: Decodable>(_ method: String, _ name: String? = nil, _ body: String = "") throws
    -> Value
  {
    try Browser.send(method, [session, name].compactMap(\.self).joined(separator: "/"), body, port)
  }

  private static func send<Value: Decodable>(
    _ method: String, _ path: String, _ body: String, _ port: Int
  ) throws -> Value {
    let (status, data) = try LoopbackCaller.fetch(path, method: method, port: port, body: body)
    try #require(status == 200, "the browser answers \(String(decoding: data.prefix(500), as: UTF8.self))")
    return try JSONDecoder().decode(Answer<Value>.self, from: data).value
  }
}

private struct Answer<Value: Decodable>: Decodable { let value: Value }
private struct Opened: Decodable { let sessionId: String }
private struct Message: Decodable { let message: String }

private struct Script: Encodable {
  let script: String
  let args: [String] = []
}

/// An ignored answer.
private struct Nothing: Decodable {
  init(from decoder: any Decoder) throws {}
}
