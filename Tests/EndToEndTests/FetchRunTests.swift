import Foundation
import TestSupport
import Testing

/// `chartpipe fetch` from a server with the samples.
@Suite(.slow, .blocking) struct FetchRunTests {
  private let served = TemporaryFolder()
  private let own = TemporaryFolder()
  private let server: TestServer

  init() throws {
    try served.add("sectional-files/Sample_West.zip", "sectional-files/Sample_East.zip")
    server = try TestServer(serving: served.url)
  }

  private func arguments(_ command: String, _ more: [String] = [], cycle: String = "2304") -> [String] {
    [command, "sample-sectional", "--cycle", cycle, "--work", own.file("work").path] + more
  }

  private var fromServer: [String] { ["--from", server.url] }

  private func run(_ arguments: [String]) throws -> Program.Ending {
    try Program().run(arguments, environment: environment)
  }

  private var environment: [String: String] { ["XDG_CACHE_HOME": own.file("cache").path] }

  @Test func `lists, fetches and builds`() throws {
    let listed = try run(arguments("fetch", fromServer + ["--list"])).expect(0)
    let lines = listed.output.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != " " } } == ["new", "new"])
    #expect(lines.first?.hasSuffix("\(server.url)/Sample_West.zip") == true)

    let fetched = try run(arguments("fetch", fromServer)).expect(0)
    #expect(
      fetched.output.split(separator: "\n").map { $0.suffix(23) }
        == ["rces/2304/Sample_West.zip", "rces/2304/Sample_East.zip"].map { $0.suffix(23) })
    #expect(fetched.errors.contains("2 sources, "))

    let built = try run(arguments("build", ["--only", "Sample_West", "--jobs", "2"])).expect(0)
    #expect(built.output.contains("Sample_West.mbtiles"))
  }

  @Test func `reports a missing source as JSON and exits with 5`() throws {
    server.hide("/Sample_East.zip")
    let ending = try run(arguments("fetch", fromServer + ["--json"])).expect(5)
    let answer = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
    let sources = try #require(answer?["sources"] as? [[String: Any]])
    #expect(sources.compactMap { $0["state"] as? String } == ["fetched", "missing"])
    #expect(
      (sources.last?["problem"] as? String)?.contains(
        "it is no longer published: this edition was in force from") == true)
  }

  @Test func `refuses a chart of another edition`() throws {
    try run(arguments("fetch", fromServer + ["--only", "Sample_West"], cycle: "2601")).expect(
      3, "this is the edition of 2023-04-20 to 2023-06-14")
    #expect(!own.file("work/sources/2601/Sample_West.zip").exists)
  }

  @Test func `resumes a killed fetch`() throws {
    let size = try served.file("Sample_West.zip").data.count
    server.inject(.slow(piece: size / 20, pause: 0.1), at: "/Sample_West.zip")
    let call = arguments("fetch", fromServer + ["--only", "Sample_West"])
    let running = try RunningProgram(Program().url, call, environment: environment)
    while running.isRunning, server.sentBytes("/Sample_West.zip") < size / 2 {
      Thread.sleep(forTimeInterval: 0.005)
    }
    running.send(SIGKILL)
    #expect(try running.wait().wasKilled)
    server.clearLog()
    try run(call).expect(0)
    let asked = server.requests(for: "/Sample_West.zip")
    #expect(asked.map(\.status) == [206])
    #expect(asked.reduce(0) { $0 + $1.sentBytes } < size * 3 / 4)
    #expect(try own.file("work/sources/2304/Sample_West.zip").data == served.file("Sample_West.zip").data)
  }

  @Test func `a run from a server fetches first`() throws {
    try run(arguments("run", fromServer + ["--only", "Sample_West", "--jobs", "2"])).expect(0)
    #expect(own.file("work/site/catalog.json").exists)
    try run(arguments("build", fromServer)).expect(
      2, "--from takes a path, not the address \"\(server.url)\"",
      "Download the sources first with `chartpipe fetch`.")
  }

  @Test func `a later run fetches only the sources that were missing`() throws {
    let definition = try repositoryRoot.appending(path: "pipelines/sample-sectional.json5").text
      .replacing("cadence:", with: "url: \"\(server.url)/{name}\",\n  cadence:")
      .replacing("maxZoom: 12", with: "maxZoom: 8")
    try own.file("sample-sectional.json5").put(definition)
    let call = arguments("run", ["--pipelines", own.url.path, "--jobs", "2"])
    server.hide("/Sample_East.zip")
    let first = try run(call).expect(5)
    #expect(first.errors.contains(/1 of \d failed: sample-sectional\/Sample_East/))
    server.hide("/Sample_East.zip", false)
    server.clearLog()
    try run(call).expect(0)
    #expect(!server.requests(for: "/Sample_East.zip").isEmpty)
    #expect(server.requests(for: "/Sample_West.zip").allSatisfy { $0.sentBytes == 0 })
    server.clearLog()
    try run(call).expect(0)
    #expect(server.requests(for: "/Sample_East.zip").isEmpty)
  }

  @Test func `reports an unreachable server`() throws {
    try run(arguments("fetch", ["--from", "http://127.0.0.1:9"])).expect(1, "the server cannot be reached")
  }
}

/// Downloads through a proxy that the environment names. The test server is the proxy and answers for every host.
@Suite(.blocking) struct ProxyTests {
  private let served: TemporaryFolder
  private let own: TemporaryFolder
  private let server: TestServer

  init() throws {
    (served, own) = (TemporaryFolder(), TemporaryFolder())
    try served.add(Samples.tinySource)
    server = try TestServer(serving: served.url)
  }

  /// Fetches with these proxy settings only.
  private func fetch(from place: String, _ proxies: [String: String]) throws -> Program.Ending {
    let none = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
    return try Program().run(
      [
        "fetch", Samples.tiny, "--cycle", "2304", "--from", place,
        "--work", own.file("work").path, "--cache", own.file("cache").path,
      ],
      environment: Dictionary(none.map { ($0, "") }) { $1 }.merging(proxies) { $1 })
  }

  private var isFetched: Bool { own.file("work/sources/2304/Tiny.zip").exists }

  /// The host does not exist, so only the proxy can answer.
  @Test func `uses the proxy`() throws {
    try fetch(from: "http://mirror.invalid/faa", ["http_proxy": server.url]).expect(3)
    #expect(!server.requests.isEmpty && server.requests.allSatisfy { $0.fields["host"] == "mirror.invalid" })
    try fetch(from: "http://mirror.invalid", ["http_proxy": server.url]).expect(0)
    #expect(isFetched)
  }

  @Test(arguments: ["127.0.0.1", "*", "example.org,127.0.0.1"])
  func `no_proxy bypasses the proxy`(hosts: String) throws {
    let dead = ["http_proxy": "http://127.0.0.1:9", "no_proxy": hosts]
    try fetch(from: server.url, dead).expect(0)
    #expect(isFetched)
  }

  @Test func `reports an unreachable proxy`() throws {
    try fetch(from: server.url, ["http_proxy": "http://127.0.0.1:9"]).expect(
      1, "the server cannot be reached", "Check the network and the proxy (https_proxy, no_proxy)")
    #expect(server.requests.isEmpty && !isFetched)
  }

  /// The proxy gets a `CONNECT` request, which it does not know.
  @Test func `reports a proxy that refuses`() throws {
    let ending = try fetch(from: "https://mirror.invalid", ["https_proxy": server.url]).expect(1)
    #expect(ending.errors.contains("CONNECT") && ending.errors.contains("proxy"), "\(ending.errors)")
    #expect(server.requests.allSatisfy { $0.method == "CONNECT" } && !server.requests.isEmpty)
  }

  @Test func `sends the proxy's password to the proxy and prints it nowhere`() throws {
    let proxy = ["http_proxy": "http://me:secret@127.0.0.1:\(server.port)"]
    let ending = try fetch(from: "http://mirror.invalid", proxy).expect(0)
    #expect(server.requests.allSatisfy { $0.fields["proxy-authorization"] != nil })
    server.always(.status(407), at: "/Tiny.zip")
    try own.file("work").remove()
    try own.file("cache").remove()
    let refused = try fetch(from: "http://mirror.invalid", proxy)
    #expect(refused.status != 0 && refused.errors.contains("407"), "\(refused.errors)")
    #expect(!(ending.errors + ending.output + refused.errors + refused.output).contains("secret"))
  }
}
