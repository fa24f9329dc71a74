import Foundation
import TestSupport
import Testing

/// The sample site, served by `chartpipe preview`.
@Suite(.slow, .blocking)
struct PreviewTests {
  private func preview() async throws -> PreviewProgram {
    try await PreviewProgram(Samples.cycle().file("site"))
  }

  @Test func `serves the staged page and the files that the catalogue names`() async throws {
    let preview = try await preview()
    let site = try await Samples.cycle().file("site")
    let staged = try site.appending(path: "index.html").data
    let (status, body) = try preview.get("")
    #expect(status == 200 && body == staged)
    for path in ["regions.json", "style.json", "feed.xml", "latest.json"] {
      #expect(try preview.get(path).body == site.appending(path: path).data, "\(path)")
    }
    let catalogue = try preview.object("catalog.json")
    let products = try #require(catalogue["products"] as? [[String: Any]])
    let paths = products.flatMap { $0["files"] as? [[String: Any]] ?? [] }.compactMap {
      $0["path"] as? String
    }
    #expect(paths.count > 8)
    for path in paths { #expect(try preview.get(path).body == site.appending(path: path).data, "\(path)") }
  }

  @Test func `tells the page what the map can show`() async throws {
    let preview = try #require(try await preview().object("catalog.json")["preview"] as? [String: Any])
    #expect(preview["start"] as? String == "2304")
    #expect(preview["problems"] as? [String] == [])
    let archives = try #require(preview["archives"] as? [String: [String: Any]])
    let neatlines = archives.values.compactMap { $0["neatline"] as? [Any] }
    #expect(neatlines.map(\.count).sorted() == [0, 0, 1, 1, 1], "three charts and two maps of vector tiles")
  }

  @Test(arguments: [SIGINT, SIGTERM]) func `ends with status 0 after a signal`(signal: Int32) async throws {
    let preview = try await preview()
    _ = try preview.get("catalog.json")
    preview.running.send(signal)
    let ending = try preview.running.wait()
    #expect(ending.status == 0 && !ending.wasKilled)
    #expect(ending.output == preview.address + "\n")
  }

  @Test func `prints the address as JSON`() async throws {
    let site = try await Samples.cycle().file("site")
    let running = try RunningProgram(Program().url, ["preview", site.path, "--json", "--cycle", "2304"])
    let end = try #require(try await running.line(with: "\"url\" : \"http://127.0.0.1:"))
    running.send(SIGINT)
    let ending = try running.wait()
    let object = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: String]
    #expect(end.contains(try #require(object?["url"])))
    #expect(ending.errors.isEmpty)
  }

  @Test(arguments: [
    (["preview", "nowhere"], 2, "there is no such folder"),
    (["preview", "docs"], 2, "it has no catalog.json and no products"),
    (["preview", "SITE", "--cycle", "2305"], 2, "it has no cycle 2305\n  It has 2304."),
    (["preview", "SITE", "--port", "70000"], 2, "--port takes a number from 0 to 65535"),
    (["preview", "SITE", "--host", "example.org"], 2, "--host takes an address of this machine"),
  ])
  func `explains a wrong call`(words: [String], status: Int32, message: String) async throws {
    let site = try await Samples.cycle().file("site").path
    let ending = try Program().run(words.map { $0 == "SITE" ? site : $0 }).expect(status, message)
    #expect(ending.output.isEmpty)
  }
}

/// A running `chartpipe preview`.
struct PreviewProgram {
  /// Whether a missing program fails a test: in CI.
  static let mustRun = ProcessInfo.processInfo.environment["CI"] != nil

  static let lacksVectorTiles = "No product has vector tiles, so the map has no airports and no airspace."

  let running: RunningProgram
  let address: String

  init(_ site: URL, _ options: [String] = []) async throws {
    running = try RunningProgram(Program().url, ["preview", site.path] + options)
    address = try #require(try await running.line(with: "http://"))
  }

  func get(_ path: String) throws -> (status: Int, body: Data) {
    let port = try #require(URL(string: address)?.port)
    return try LoopbackCaller.fetch("/\(path)", port: port)
  }

  func object(_ path: String) throws -> [String: Any] {
    let (status, body) = try get(path)
    try #require(status == 200, "\(path): \(String(decoding: body, as: UTF8.self))")
    return try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any], "\(path)")
  }
}
