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

/// Starts a browser for the tests of a suite, which use it one after the other.
struct BrowserTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let browser = try await Browser()
    defer { try? browser.close() }
    try await Browser.$running.withValue(browser) { try await function() }
  }
}

/// Headless Chromium, controlled with the W3C's WebDriver protocol: plain HTTP to `chromedriver`. One test at a time uses it.
struct Browser: @unchecked Sendable {
  static let driver = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/snap/bin"]
    .map { URL(filePath: "\($0)/chromedriver") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  static let mustRun = PreviewProgram.mustRun && !isUbuntu
  private static let isUbuntu =
    (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n")
    .contains("ID=ubuntu") ?? false

  @TaskLocal static var running: Browser?

  private let program: RunningProgram
  private let port: Int
  private let session: String

  /// In a container the sandbox lacks its rights, and the shared memory is too small.
  private static let capabilities = """
    {"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {"args": [
      "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
      "--force-device-scale-factor=1", "--window-size=1200,900"]}}}}
    """

  /// The browser of the suite, without what earlier tests left on its page and its console.
  static func cleared() throws -> Browser {
    let browser = try #require(running)
    try browser.command("url", ["url": "about:blank"])
    _ = try browser.messages()
    return browser
  }

  fileprivate init() async throws {
    let driver = try #require(Browser.driver, "there is no chromedriver: scripts/install-test-dependencies")
    // It takes a free port of one version of IP, and ends if another program has the same port of the other version.
    var started: (program: RunningProgram, line: String)?
    for _ in 0..<5 where started == nil {
      let program = try RunningProgram(driver, ["--port=0"])
      started = try await program.line(with: "started successfully on port").map { (program, $0) }
    }
    let (program, line) = try #require(started, "chromedriver did not start")
    self.program = program
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

  /// Runs a script in each page that is opened from now on, before its own scripts.
  func runFirst(_ script: String) throws {
    let command = DriverCommand(
      cmd: "Page.addScriptToEvaluateOnNewDocument", params: ["source": script])
    let _: Nothing = try send("POST", "goog/cdp/execute", Browser.text(command))
  }

  func run(_ script: String) throws { let _: Nothing = try value("void (\(script))") }

  /// Waits until a JavaScript expression is true.
  func wait(until condition: String, _ comment: Comment? = nil) async throws {
    for _ in 0..<2400 {
      if try value("Boolean(\(condition))") as Bool { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    let said = try messages()
    Issue.record(comment ?? "\(condition) is still false; the console has \(said)")
    throw CocoaError(.featureUnsupported)
  }

  /// Changes the size of the window.
  func resize(_ width: Int, _ height: Int) throws {
    let _: Nothing = try send("POST", "window/rect", #"{"width": \#(width), "height": \#(height)}"#)
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

  /// Where a position is in the window, by the page's address, which has the middle of the map.
  func place(of place: (latitude: Double, longitude: Double)) throws -> [Double] {
    let hash: String = try value("location.hash.split('&')[0]")
    let numbers = hash.dropFirst("#map=".count).split(separator: "/").compactMap { Double($0) }
    let box: [Double] = try value(
      "(() => { const box = document.getElementById('map').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    let side = 256 * exp2(numbers[0])
    let north = { (latitude: Double) in log(tan((45 + latitude / 2) * .pi / 180)) / (2 * .pi) }
    return [
      box[0] + (place.longitude - numbers[2]) / 360 * side,
      box[1] - (north(place.latitude) - north(numbers[1])) * side,
    ]
  }

  /// Waits until a chart covers a part of the window.
  func waitForChart(columns: Range<Int> = 700..<900) async throws {
    try await wait(untilInked: { $0 >= 90 }, columns)
  }

  /// Waits until no chart covers a part of the window.
  func wait(uncovered columns: Range<Int>) async throws {
    try await wait(untilInked: { $0 < 25 }, columns)
  }

  private func wait(untilInked isWanted: (_ percent: Int) -> Bool, _ columns: Range<Int>) async throws {
    var percent = try inked(columns: columns)
    for _ in 0..<100 {
      if isWanted(percent) { return }
      try await Task.sleep(for: .milliseconds(100))
      percent = try inked(columns: columns)
    }
    Issue.record("\(percent) percent are drawn; the console has \(try messages())")
  }

  /// The messages on the console, except that of the browser about a site without a live channel.
  func messages() throws -> [String] {
    let entries: [Message] = try send("POST", "se/log", #"{"type": "browser"}"#)
    return entries.map(\.message).filter { !$0.contains("/live.json - Failed to load resource") }
  }

  fileprivate func close() throws { let _: Nothing = try send("DELETE") }

  private func command(_ name: String, _ values: [String: String]) throws {
    let _: Nothing = try send("POST", name, Browser.text(values))
  }

  private static func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  private func send<Value: Decodable>(_ method: String, _ name: String? = nil, _ body: String = "") throws
    -> Value
  { try Browser.send(method, [session, name].compactMap(\.self).joined(separator: "/"), body, port) }

  private static func send<Value: Decodable>(
    _ method: String, _ path: String, _ body: String, _ port: Int
  ) throws -> Value {
    let (status, data) = try LoopbackCaller.fetch(path, method: method, port: port, body: body)
    try #require(status == 200, "the browser answers \(String(decoding: data.prefix(500), as: UTF8.self))")
    return try data.decoded(Answer<Value>.self).value
  }
}

private struct Answer<Value: Decodable>: Decodable { let value: Value }
private struct Opened: Decodable { let sessionId: String }
private struct Message: Decodable { let message: String }

private struct Script: Encodable {
  let script: String
  let args: [String] = []
}

private struct DriverCommand: Encodable {
  let cmd: String
  let params: [String: String]
}

/// An ignored answer.
private struct Nothing: Decodable {
  init(from decoder: any Decoder) throws {}
}
