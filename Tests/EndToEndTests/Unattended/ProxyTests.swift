import Foundation
import TestSupport
import Testing

/// Fetching through a proxy of the environment, or past it. The server that is a proxy here answers for every host itself.
@Suite struct ProxyTests {
  private let served: TemporaryFolder
  private let own: TemporaryFolder
  private let server: FaultyServer

  init() throws {
    (served, own) = (try TemporaryFolder(), try TemporaryFolder())
    let zip = samplesFolder.appending(path: "broken/good/Tiny.zip")
    try FileManager.default.copyItem(at: zip, to: served.file("Tiny.zip"))
    server = try FaultyServer(serving: served.url)
  }

  /// With no other settings of proxies than these.
  private func fetch(from place: String, _ proxies: [String: String]) throws -> Program.Ending {
    let none = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
    return try Program().run(
      [
        "fetch", samplesFolder.appending(path: "broken/tiny.json5").path, "--cycle", "2304", "--from", place,
        "--work", own.file("work").path, "--cache", own.file("cache").path,
      ],
      environment: Dictionary(none.map { ($0, "") }) { $1 }.merging(proxies) { $1 })
  }

  private var isFetched: Bool {
    FileManager.default.fileExists(atPath: own.file("work/sources/2304/Tiny.zip").path)
  }

  /// Its name means nothing on this machine: only the proxy can have been asked.
  @Test func `the proxy is asked`() throws {
    let ending = try fetch(from: "http://mirror.invalid/faa", ["http_proxy": server.url])
    #expect(ending.status == 3)
    #expect(!server.asked.isEmpty && server.asked.allSatisfy { $0.fields["host"] == "mirror.invalid" })
    #expect(try fetch(from: "http://mirror.invalid", ["http_proxy": server.url]).status == 0)
    #expect(isFetched)
  }

  @Test(arguments: ["127.0.0.1", "*", "example.org,127.0.0.1"])
  func `no_proxy goes past it`(hosts: String) throws {
    let dead = ["http_proxy": "http://127.0.0.1:9", "no_proxy": hosts]
    let ending = try fetch(from: server.url, dead)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(isFetched)
  }

  @Test func `a proxy that is not there is told of`() throws {
    let ending = try fetch(from: server.url, ["http_proxy": "http://127.0.0.1:9"])
    #expect(ending.status == 1)
    #expect(ending.errors.contains("the server cannot be reached"), "\(ending.errors)")
    #expect(ending.errors.contains("Check the network and the proxy (https_proxy, no_proxy)"))
    #expect(server.asked.isEmpty && !isFetched)
  }

  /// This one is asked to open a way to the server, and has none.
  @Test func `a proxy that refuses is told of`() throws {
    let ending = try fetch(from: "https://mirror.invalid", ["https_proxy": server.url])
    #expect(ending.status == 1, "\(ending.errors)")
    #expect(ending.errors.contains("CONNECT") && ending.errors.contains("proxy"), "\(ending.errors)")
    #expect(server.asked.allSatisfy { $0.method == "CONNECT" } && !server.asked.isEmpty)
  }

  /// What a proxy wants to know of who asks is nobody's business but its own.
  @Test func `the proxy's password goes to the proxy and into no message`() throws {
    let proxy = ["http_proxy": "http://me:secret@127.0.0.1:\(server.port)"]
    let ending = try fetch(from: "http://mirror.invalid", proxy)
    #expect(ending.status == 0)
    #expect(server.asked.allSatisfy { $0.fields["proxy-authorization"] != nil })
    server.always(.status(407), at: "/Tiny.zip")
    try FileManager.default.removeItem(at: own.file("work"))
    try FileManager.default.removeItem(at: own.file("cache"))
    let refused = try fetch(from: "http://mirror.invalid", proxy)
    #expect(refused.status != 0 && refused.errors.contains("407"), "\(refused.errors)")
    #expect(!(ending.errors + ending.output + refused.errors + refused.output).contains("secret"))
  }
}
