import Foundation
import TestSupport
import Testing

/// The sample site, served by `chartpipe preview`.
@Suite(.slow, .blocking)
struct PreviewTests {
  private func preview() async throws -> PreviewProgram {
    try await PreviewProgram(Samples.cycle().file("site"))
  }

  @Test func `serves the page and all files that it names`() async throws {
    let preview = try await preview()
    let (status, body) = try preview.get("")
    #expect(status == 200)
    let page = String(decoding: body, as: UTF8.self)
    let named = page.matches(of: /(?:href|src)="\/([^"]+)"/).map { String($0.1) }
    #expect(named.count == 2)
    for path in named { #expect(try preview.get(path).status == 200, "\(path)") }
  }

  @Test func `describes the site`() async throws {
    let site = try await preview().object("site.json")
    #expect(site["start"] as? String == "2304")
    let cycle = try #require((site["cycles"] as? [[String: Any]])?.first)
    let charts = try #require(cycle["charts"] as? [[String: Any]])
    #expect(charts.map { $0["name"] as? String } == ["Sample East", "Sample West", "Sample Bay"])
    #expect(charts.allSatisfy { $0["problem"] == nil && ($0["outline"] as? [Any])?.count == 1 })
    #expect((cycle["database"] as? [String: Any])?["id"] as? String == "sample-nasr/aviation")
  }

  @Test func `lists the most important airports first`() async throws {
    let answer = try await preview().object("airports.json?cycle=2304&box=-123,37,-122,38&limit=3&runways=1")
    let airports = try #require(answer["airports"] as? [[String: Any]])
    #expect(airports.map { $0["icao"] as? String } == ["KSFO", "KOAK", "KHWD"])
    #expect((airports[0]["runways"] as? [Any])?.count == 4)
    #expect(answer["more"] as? Bool == true)
  }

  @Test func `describes an airport with runways, frequencies and remarks`() async throws {
    let preview = try await preview()
    let airport = try preview.object("airport.json?cycle=2304&icao=KPAO")
    #expect(airport["name"] as? String == "PALO ALTO")
    let runways = try #require(airport["runways"] as? [[String: Any]])
    #expect(runways.map { $0["id"] as? String } == ["13/31"])
    #expect((airport["frequencies"] as? [[String: Any]])?.first?["frequency"] as? Double == 118.6)
    #expect((airport["remarks"] as? [Any])?.count == 2)
    #expect(try preview.get("airport.json?cycle=2304&icao=NONE").status == 404)
  }

  @Test(arguments: ["KPAO", "pao", "palo+alto", "%22palo%22*%20alto'--"])
  func `finds an airport by identifier and by name`(typed: String) async throws {
    let answer = try await preview().object("search.json?cycle=2304&q=\(typed)")
    #expect((answer["airports"] as? [[String: Any]])?.first?["icao"] as? String == "KPAO")
  }

  @Test func `returns all airports as dots, the most important last`() async throws {
    let answer = try await preview().object("dots.json?cycle=2304")
    let dots = try #require(answer["dots"] as? [[Any]])
    let ranks = dots.compactMap { $0.last as? Int }
    #expect(ranks.count == dots.count && ranks == ranks.sorted() && ranks.last == 2)
    #expect(dots.contains { $0.first as? String == "KPAO" })
  }

  @Test func `returns airspace of the requested classes as GeoJSON`() async throws {
    let box = "box=-122.2,37.4,-122.1,37.5"
    let answer = try await preview().object("airspace.json?cycle=2304&\(box)&classes=delta,bravo")
    let features = try #require(answer["features"] as? [[String: Any]])
    let classes = features.compactMap { ($0["properties"] as? [String: Any])?["class"] as? String }
    #expect(Set(classes) == ["bravo", "delta"])
    #expect(classes == classes.sorted())
    #expect((features.first?["geometry"] as? [String: Any])?["type"] as? String == "Polygon")
  }

  @Test(arguments: [SIGINT, SIGTERM]) func `ends with status 0 after a signal`(signal: Int32) async throws {
    let preview = try await preview()
    _ = try preview.get("site.json")
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
    let ending = try Program().run(words.map { $0 == "SITE" ? site : $0 })
    #expect(ending.status == status)
    #expect(ending.errors.contains(message), "\(ending.errors)")
    #expect(ending.output.isEmpty)
  }
}

/// A running `chartpipe preview`.
struct PreviewProgram {
  /// Whether a missing program fails a test: in CI.
  static let mustRun = ProcessInfo.processInfo.environment["CI"] != nil

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
