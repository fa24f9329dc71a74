import Foundation
import ImageIO
import TestSupport
import Testing

/// Headless Chromium, told what to do by the W3C's WebDriver: plain HTTP to `chromedriver`.
struct Browser {
  static let driver = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/snap/bin"]
    .map { URL(filePath: "\($0)/chromedriver") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  private let running: RunningProgram
  private let port: Int
  private let session: String

  /// The sandbox needs rights that a container does not give, and its shared memory is too small there.
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
    // Only the part after the hash may differ, and that alone loads no page.
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

  /// Asks again until it is true; a page takes its time.
  func wait(until condition: String, _ comment: Comment? = nil) async throws {
    for _ in 0..<200 {
      if try value("Boolean(\(condition))") as Bool { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    let said = try messages()
    Issue.record(comment ?? "waited in vain for \(condition); the page says \(said)")
    throw CocoaError(.featureUnsupported)
  }

  func click(at place: [Double]) throws { try drag(over: [place]) }

  /// Presses the mouse in the first place, and lets it go in the last. The browser tells the page of a movement once for each
  /// place, however long it takes.
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

  /// What the page and the browser wrote to the console.
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

/// Null, or whatever nobody asks for.
private struct Nothing: Decodable {
  init(from decoder: any Decoder) throws {}
}
