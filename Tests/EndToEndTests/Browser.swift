import Foundation
import ImageIO
import TestSupport
import Testing

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

  /// In a container the sandbox lacks its rights, and the shared memory is too small. A process for each page would take as long to
  /// start as the page itself.
  private static let capabilities = """
    {"capabilities": {"alwaysMatch": {"goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {"args": [
      "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
      "--force-device-scale-factor=1", "--window-size=1200,900", "--renderer-process-limit=1",
      "--disable-features=BackForwardCache,ProactivelySwapBrowsingInstance"]}}}}
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
    for _ in 0..<600 {
      if try value("Boolean(\(condition))") as Bool { return }
      try await Task.sleep(for: .milliseconds(200))
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
    for _ in 0..<40 {
      if isWanted(percent) { return }
      try await Task.sleep(for: .milliseconds(250))
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
