import Foundation
import TestSupport
import Testing

@testable import ChartpipeClient

/// The live channel of `Tests/Live`.
@Suite(.blocking) struct LiveChannelTests {
  private struct ExpectedState: Decodable {
    var id: String
    var now: String
    var state: String
    var reason: String?
    var age: TimeInterval?
  }

  private static let source = repositoryRoot.appending(path: "Tests/Live")
  private let folder = TemporaryFolder()
  private let server: TestServer
  private var site: URL { folder.file("site") }
  private var state: URL { folder.file("live.state") }

  init() throws {
    try FileManager.default.copyItem(at: LiveChannelTests.source, to: folder.file("site"))
    server = try TestServer(serving: folder.file("site"))
  }

  private func open(
    _ channel: Catalog.Channel = .live, isSigned: Bool = true, state: URL? = nil
  ) async throws -> ChartpipeSite {
    var network = NetworkOptions()
    network.retryDelay = .milliseconds(1)
    // A busy machine may answer late.
    network.documentTimeout = .seconds(600)
    network.fileTimeout = .seconds(600)
    network.stallTimeout = .seconds(600)
    let key = try PublicKey(site.appending(path: "key.pub").text)
    return try await ChartpipeSite.open(
      try #require(URL(string: server.url)), key: isSigned ? key : nil, state: state ?? self.state,
      channel: channel, network: network)
  }

  private func replace(_ path: String, by source: URL) throws {
    let file = site.appending(path: path)
    if file.exists { try file.remove() }
    try FileManager.default.copyItem(at: source, to: file)
  }

  @Test func `the live channel opens with its own signature, and its files verify`() async throws {
    let live = try await open()
    #expect(
      server.requests.map(\.path) == ["/live.json", "/live/signatures/\(live.sha256).minisig"])
    #expect(live.catalog.serial == 90_017 && live.catalog.held.map(\.reason) == [.expired])
    let target = folder.file("tfr.geojson")
    try await live.download(try #require(live.catalog.products.first?.files.first), to: target)
    #expect(try target.text.contains("made up"))
    let saved = try ChartpipeSite.saved(live.url, key: nil, state: state, channel: .live)
    #expect(saved?.catalog == live.catalog)
  }

  @Test func `a snapshot is current or unconfirmed by the caller's clock`() throws {
    let json = try LiveChannelTests.source.appending(path: "live.json").text
    let catalog = try Catalog(json: Data(json.utf8))
    let states = try JSONDecoder().decode(
      [ExpectedState].self, from: LiveChannelTests.source.appending(path: "states.json").data)
    for expected in states {
      switch catalog.snapshot(expected.id, at: try moment(expected.now)) {
      case .current(let snapshot):
        #expect(
          expected.state == "current" && snapshot.age == expected.age && snapshot.product.id == expected.id)
      case .unconfirmed(let reason):
        #expect(expected.state == "unconfirmed" && reason == expected.reason, "\(expected)")
      }
    }
    let now = try moment("2026-11-27T18:02:00Z")
    guard case .current(let tfrs) = catalog.snapshot("tfr/tfr", at: now) else {
      Issue.record("the TFRs are not current")
      return
    }
    #expect(try tfrs.observed == moment("2026-11-27T17:56:00Z"))
    #expect(try tfrs.fetched == moment("2026-11-27T17:59:00Z"))
    #expect(try tfrs.expires == moment("2026-11-27T18:26:00Z"))
    let endless = try Catalog(
      json: Data(json.replacing("\"expires\":\"2026-11-27T18:30:00Z\",", with: "").utf8))
    #expect(endless.snapshot("tfr/tfr", at: now) == .unconfirmed("the list of snapshots has expired"))
  }

  @Test func `a missing, a changed and an older live channel are errors`() async throws {
    _ = try await open()
    let older = site.appending(path: "older")
    try replace("live.json", by: older.appending(path: "live.json"))
    await expectError(.signature, "does not match the file") { _ = try await open() }
    try replace("live.json.minisig", by: older.appending(path: "live.json.minisig"))
    await expectError(.replayed, "the serial 90016, but this device has seen 90017") { _ = try await open() }
    server.hide("/live.json")
    await expectError(.missing, "live.json: the server does not have it") { _ = try await open() }
  }

  @Test func `one channel is not read in place of the other`() async throws {
    _ = try await open()
    for (path, source) in [("catalog.json", "live.json"), ("catalog.json.minisig", "live.json.minisig")] {
      try replace(path, by: site.appending(path: source))
    }
    await expectError(.invalid, "it is not the state of catalog.json") { _ = try await open(.cycles) }
    let other = folder.file("catalog.state")
    await expectError(.invalid, "another channel") { _ = try await open(.cycles, state: other) }
    try replace("live.json", by: Catalogues.folder.appending(path: "good/plain.json"))
    await expectError(.invalid, "another channel") { _ = try await open(isSigned: false) }
    #expect(!other.exists)
  }

  @Test(.enabled(if: TestEnvironment.has("python3"), "scripts/install-test-dependencies"))
  func `the Python client agrees`() throws {
    let program = """
      import json, sys
      sys.path.insert(0, sys.argv[1])
      from chartpipe_client import CYCLES, LIVE, ChartpipeError, PublicKey, Site, read_state, read_text, time_of
      url, folder = sys.argv[2:]
      state, key = f"{folder}/state.json", PublicKey(read_text(f"{folder}/key.pub"))
      def refused(work, *arguments):
          try:
              work(*arguments)
          except ChartpipeError as error:
              print(str(error).split(": ")[1])
      site = Site.open(url, key, state, LIVE)
      for case in json.loads(read_text(f"{folder}/states.json")):
          found = site.snapshot(case["id"], time_of(case["now"]))
          seconds = found["age"].total_seconds() if found["state"] == "current" else None
          if (found["state"], found.get("reason"), seconds) != (case["state"], case.get("reason"), case.get("age")):
              print(case, found)
      refused(Site.open, url + "/older", key, state, LIVE)
      refused(read_state, state, CYCLES)
      refused(Site.open, url, key, None, CYCLES)
      """
    for (path, source) in [("catalog.json", "live.json"), ("catalog.json.minisig", "live.json.minisig")] {
      try replace(path, by: site.appending(path: source))
    }
    let client = repositoryRoot.appending(path: "clients/python").path
    let ending = try RunningProgram(
      TestEnvironment.program("python3"), ["-B", "-c", program, client, server.url, site.path]
    ).wait()
    let state = site.appending(path: "state.json").path
    let expected = """
      the catalogue has the serial 90016, but this device has seen 90017. Keep the newer catalogue. If \(state) is of another \
      publisher, name a file of its own for this site.
      it is the state of live.json, not of catalog.json. Name another file with --state, or delete this one to start again.
      it is a catalogue of another channel. Do not trust the file; keep the one that you have.

      """
    #expect(ending.output == expected, "\(ending.errors)")
  }
}
