import Foundation
import ImageIO
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Headless Chromium, told what to do by the W3C's WebDriver: plain HTTP to `chromedriver`.
struct Browser {
  static let driver = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/snap/bin"]
    .map { URL(filePath: "\($0)/chromedriver") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  private let running: RunningProgram
  private let session: URL

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
    let port = try #require(line.firstMatch(of: /port (\d+)/)?.1)
    let root = try #require(URL(string: "http://127.0.0.1:\(port)/session"))
    let opened: Opened = try await Browser.send("POST", root, Browser.capabilities)
    session = root.appending(path: opened.sessionId)
  }

  func open(_ address: String) async throws {
    // Only the part after the hash may differ, and that alone loads no page.
    for url in ["about:blank", address] { try await command("url", ["url": url]) }
  }

  /// The value of a JavaScript expression.
  func value<Value: Decodable>(_ script: String) async throws -> Value {
    let body = Script(script: "return \(script)")
    return try await Browser.send("POST", session.appending(path: "execute/sync"), Browser.text(body))
  }

  func run(_ script: String) async throws {
    let _: Nothing = try await value("void (\(script))")
  }

  /// Asks again until it is true; a page takes its time.
  func wait(until condition: String, _ comment: Comment? = nil) async throws {
    for _ in 0..<200 {
      if try await value("Boolean(\(condition))") as Bool { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    let said = try await messages()
    Issue.record(comment ?? "waited in vain for \(condition); the page says \(said)")
    throw CocoaError(.featureUnsupported)
  }

  /// Presses the mouse in one place and lets it go in another; the same for a click.
  func drag(from start: [Double], to end: [Double]) async throws {
    let steps = [
      move(to: start, in: 0), #"{"type": "pointerDown", "button": 0}"#,
      move(to: end, in: start == end ? 0 : 200), #"{"type": "pause", "duration": 200}"#,
      #"{"type": "pointerUp", "button": 0}"#,
    ]
    let body =
      #"{"actions": [{"type": "pointer", "id": "mouse", "actions": [\#(steps.joined(separator: ","))]}]}"#
    let _: Nothing = try await Browser.send("POST", session.appending(path: "actions"), body)
  }

  private func move(to place: [Double], in milliseconds: Int) -> String {
    let (x, y) = (Int(place[0].rounded()), Int(place[1].rounded()))
    return #"{"type": "pointerMove", "duration": \#(milliseconds), "x": \#(x), "y": \#(y)}"#
  }

  func screenshot() async throws -> RGBAImage {
    let text: String = try await Browser.send("GET", session.appending(path: "screenshot"))
    return try PNG.decode([UInt8](try #require(Data(base64Encoded: text))))
  }

  /// What the page and the browser wrote to the console.
  func messages() async throws -> [String] {
    let entries: [Message] = try await Browser.send(
      "POST", session.appending(path: "se/log"), #"{"type": "browser"}"#)
    return entries.map(\.message)
  }

  func close() async throws {
    let _: Nothing = try await Browser.send("DELETE", session)
  }

  private func command(_ name: String, _ values: [String: String]) async throws {
    let _: Nothing = try await Browser.send("POST", session.appending(path: name), Browser.text(values))
  }

  private static func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  private static func send<Value: Decodable>(_ method: String, _ url: URL, _ body: String? = nil) async throws
    -> Value
  {
    var request = URLRequest(url: url, timeoutInterval: 30)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let (data, answer) = try await URLSession.shared.data(for: request)
    let text = String(decoding: data.prefix(500), as: UTF8.self)
    try #require((answer as? HTTPURLResponse)?.statusCode == 200, "the browser answers \(text)")
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
