import Foundation
import TestSupport
import Testing

@testable import ChartpipeClient

/// What no reader accepts, and how long none waits.
struct CatalogueBoundsTests {
  @Test func `good catalogues are read and spoiled ones are not`() throws {
    for file in try Catalogues.good() {
      #expect(throws: Never.self, "\(file.lastPathComponent)") { try Catalog(json: file.data) }
    }
    for file in try Catalogues.spoiled() {
      #expect(throws: ChartpipeError.self, "\(file.lastPathComponent)") { try Catalog(json: file.data) }
    }
    let good = try #require(try Catalogues.good().first).data
    _ = try Catalog(json: good + Data(repeating: 32, count: 4_000_000 - good.count))
    let tooLarge = #expect(throws: ChartpipeError.self) {
      try Catalog(json: good + Data(repeating: 32, count: 4_000_001 - good.count))
    }
    #expect(tooLarge?.reason == "it has more than 4000000 bytes")
  }

  @Test(.enabled(if: TestEnvironment.has("python3"), "scripts/install-test-dependencies"))
  func `the Python client agrees`() throws {
    let program = """
      import sys
      sys.path.insert(0, sys.argv[1])
      from chartpipe_client import ChartpipeError, read_catalog
      for path in sys.argv[2:]:
          try:
              read_catalog(open(path, "rb").read(), path)
              print("good")
          except ChartpipeError as error:
              print("spoiled" if "it is" in str(error) or "has no such" in str(error) or "format" in str(error) else error)
      """
    for (files, verdict) in [(try Catalogues.good(), "good"), (try Catalogues.spoiled(), "spoiled")] {
      let client = repositoryRoot.appending(path: "clients/python").path
      let ending = try RunningProgram(
        TestEnvironment.program("python3"), ["-B", "-c", program, client] + files.map(\.path)
      ).wait()
      let verdicts = ending.output.split(separator: "\n")
      #expect(verdicts.count == files.count, "\(ending.errors)")
      for (file, found) in zip(files, verdicts) { #expect(found == verdict, "\(file.lastPathComponent)") }
    }
  }

  @Test func `the caller's clock decides whether a catalogue is fresh`() throws {
    let folder = Catalogues.folder.appending(path: "good")
    func catalog(_ name: String) throws -> Catalog {
      try Catalog(json: folder.appending(path: "\(name).json").data)
    }
    let dated = try catalog("the dates of its signature")
    let end = try moment("2026-12-03T09:01:00Z")
    #expect(try dated.issued == moment("2026-10-20T12:00:00Z") && dated.expires == end)
    #expect(dated.validity(at: try moment("2026-12-03T09:00:59Z")) == .fresh(until: end))
    #expect(dated.validity(at: end) == .expired(since: end))
    #expect(dated.validity(at: try moment("2030-01-01T00:00:00Z")) == .expired(since: end))
    let old = try catalog("plain")
    #expect(old.issued == nil && old.expires == nil && old.validity(at: end) == .unknown)
    let text = String(
      decoding: try folder.appending(path: "the dates of its signature.json").data, as: UTF8.self
    )
    #expect(throws: ChartpipeError.self) {
      try Catalog(json: Data(text.replacing("2026-12-03T09:01:00Z", with: "soon").utf8))
    }
  }
}

/// Servers that nobody can trust.
@Suite(.slow, .blocking) struct HostileServerTests {
  private let signed: SignedSite

  init() async throws { signed = try await SignedSite() }

  private func open(_ time: Duration = .seconds(600)) async throws -> ChartpipeSite {
    var network = signed.network(attempts: 3)
    network.documentTimeout = time
    network.fileTimeout = time
    return try await ChartpipeSite.open(
      try signed.address, key: signed.key(), state: signed.state, network: network)
  }

  /// The time is over before the first byte comes, also on an idle machine.
  @Test(arguments: [TestServer.Behavior.silent, .slow(piece: 1, pause: 0.2)])
  func `a slow document is given up`(behavior: TestServer.Behavior) async throws {
    signed.server.always(behavior, at: "/catalog.json")
    await expectError(.network, "the server is too slow: ") { _ = try await open(.milliseconds(100)) }
    signed.server.hangUp()
  }

  @Test func `a slow file is given up, and continues later`() async throws {
    let file = try await open().tiles()
    var site = try await open()
    signed.server.always(.slow(piece: 1, pause: 0.2), at: "/\(file.path)")
    var network = signed.network(attempts: 3)
    network.fileTimeout = .milliseconds(100)
    site = try #require(
      try ChartpipeSite.saved(try signed.address, key: signed.key(), state: signed.state, network: network))
    let target = signed.folder.file("charts/Tiny.mbtiles")
    await expectError(.network, "the server is too slow: ") { try await site.download(file, to: target) }
    signed.server.always(nil, at: "/\(file.path)")
    try await open().download(file, to: target)
    try file.check(target)
  }

  @Test func `a document and a file without an end are cut off`() async throws {
    let file = try await open().tiles()
    signed.server.always(.endlessBody, at: "/catalog.json")
    await expectError(.invalid, "it has more than 4000000 bytes") { _ = try await open() }
    signed.server.always(nil, at: "/catalog.json")
    let site = try await open()
    signed.server.always(.endlessBody, at: "/\(file.path)")
    let target = signed.folder.file("charts/Tiny.mbtiles")
    await expectError(.integrity, "the server sends more than") { try await site.download(file, to: target) }
    #expect(try files(below: signed.folder.file("charts")).isEmpty)
  }

  @Test(arguments: [
    ("/catalog.json", "the server redirects more than 8 times"),
    ("ftp://127.0.0.1/catalog.json", "the server redirects from http to ftp"),
  ])
  func `redirects end, and lead to HTTP alone`(place: String, words: String) async throws {
    signed.server.always(.redirect(to: place), at: "/catalog.json")
    await expectError(.network, words) { _ = try await open() }
    // URLSession on Linux requests the path of such an address from the same server.
    signed.server.always(.redirect(to: "file:///etc/hostname"), at: "/catalog.json")
    await #expect(throws: ChartpipeError.self) { try await open() }
    signed.server.always(.redirect(to: "/copy"), at: "/catalog.json")
    let catalog = try signed.site.appending(path: "catalog.json").data
    try catalog.write(to: signed.site.appending(path: "copy"))
    _ = try await open()
  }

  @Test func `no redirect leads from https to http`() {
    for (old, new, isAllowed) in [
      ("https", "https", true), ("http", "https", true), ("http", "http", true), ("https", "http", false),
      ("https", "file", false), ("http", "data", false),
    ] {
      let problem = redirectProblem(from: URL(string: "\(old)://a/b"), to: URL(string: "\(new)://a/b"))
      #expect((problem == nil) == isAllowed, "\(old) to \(new)")
    }
  }
}
