import Foundation
import TestSupport
import Testing

@testable import ChartpipeClient

/// Opens a site that the program published and signed.
@Suite(.slow, .blocking) struct OpenSiteTests {
  private let signed: SignedSite

  init() async throws { signed = try await SignedSite() }

  private func requestedPaths() -> [String] { signed.server.requests.map { String($0.path.dropFirst()) } }

  @Test func `a signed site opens with the publisher's key`() async throws {
    let site = try await signed.open()
    #expect(requestedPaths() == ["catalog.json", "signatures/\(site.sha256).minisig"])
    #expect(site.catalog.serial == (try signed.serials().second))
    #expect(site.catalog.chartRegions(at: SignedSite.then).map(\.id) == ["Tiny"])
  }

  @Test func `an unchanged catalogue is not sent again, and its copy is verified`() async throws {
    let first = try await signed.open()
    signed.server.clearLog()
    let second = try await signed.open()
    #expect(signed.server.requests.map(\.status) == [304] && signed.server.sentBytes() == 0)
    #expect(second.catalog == first.catalog && second.sha256 == first.sha256)
    // The copy has no signature of the other key, and the server has none either.
    await expectError(.signature, "is of the key") { _ = try await signed.open(key: "other") }
  }

  @Test(arguments: ["damaged", "of elsewhere"])
  func `a copy that proves nothing is requested again`(copy: String) async throws {
    _ = try await signed.open()
    var saved = try #require(try SavedCatalog(at: signed.state))
    if copy == "damaged" {
      saved.catalog[10] ^= 1
    } else {
      saved.version.url = "http://127.0.0.1:9/catalog.json"
    }
    try saved.write(to: signed.state)
    signed.server.clearLog()
    #expect(try await signed.open().catalog.serial == signed.serials().second)
    #expect(signed.server.requests.map(\.status) == [200, 200])
  }

  @Test func `a server that wrongly answers "not modified" is asked again`() async throws {
    _ = try await signed.open()
    signed.server.inject(.status(304, fields: ["ETag: \"another\""]), at: "/catalog.json")
    #expect(try await signed.open().catalog.serial == signed.serials().second)
  }

  @Test func `the saved catalogue opens without the network`() async throws {
    let address = try signed.address
    #expect(try ChartpipeSite.saved(address, key: signed.key(), state: signed.state) == nil)
    let site = try await signed.open()
    signed.server.clearLog()
    let saved = try ChartpipeSite.saved(address, key: signed.key(), state: signed.state)
    #expect(saved?.catalog == site.catalog && signed.server.requests.isEmpty)
    await expectError(.signature, "is of the key") {
      _ = try ChartpipeSite.saved(address, key: signed.key("other"), state: signed.state)
    }
    var other = try #require(try SavedCatalog(at: signed.state))
    other.catalog[10] ^= 1
    try other.write(to: signed.state)
    await expectError(.integrity, "its SHA-256 is wrong") {
      _ = try ChartpipeSite.saved(address, key: signed.key(), state: signed.state)
    }
  }

  @Test func `another key and changed bytes are refused`() async throws {
    await expectError(
      .signature, "verifying the signature of \(signed.server.url)/catalog.json: the signature is of the key"
    ) { _ = try await signed.open(key: "other") }
    try signed.change("catalog.json") { $0[$0.count / 2] ^= 1 }
    await expectError(.signature, "does not match the file") { _ = try await signed.open() }
    #expect(!signed.state.exists, "nothing was remembered")
  }

  @Test func `a tampered signature is refused, and one of two suffices`() async throws {
    let hash = try await signed.open().sha256
    try signed.state.remove()
    let own = "signatures/\(hash).minisig"
    for path in [own, "catalog.json.minisig"] {
      try signed.change(path) {
        $0 = Data(String(decoding: $0, as: UTF8.self).replacing("serial", with: "Serial").utf8)
      }
      guard path != own else {
        _ = try await signed.open()
        try signed.state.remove()
        continue
      }
      await expectError(.signature, "the trusted comment of the signature was changed") {
        _ = try await signed.open()
      }
    }
    for path in [own, "catalog.json.minisig"] { signed.server.hide("/\(path)") }
    await expectError(.signature, "the site has no signature for it") { _ = try await signed.open() }
    #expect(try await signed.open(key: nil).sha256 == hash)
  }

  @Test func `an older catalogue is refused although its signature is valid`() async throws {
    let (first, second) = try signed.serials()
    _ = try await signed.open()
    try signed.rollBack()
    await expectError(
      .replayed,
      "the catalogue has the serial \(first), but this device has seen \(second). Keep the newer catalogue."
    ) { _ = try await signed.open() }
    #expect(try SavedCatalog(at: signed.state)?.seen.serial == second)
    try signed.state.remove()
    #expect(try await signed.open().catalog.serial == first, "a new device cannot know")
  }

  @Test func `another catalogue of the same serial is refused`() async throws {
    _ = try await signed.open(key: nil)
    try signed.change("catalog.json") { $0.append(Data("\n".utf8)) }
    await expectError(.replayed, "so had another one that this device has seen") {
      _ = try await signed.open(key: nil)
    }
  }

  @Test func `a damaged state file is an error and does not start again`() async throws {
    try signed.state.put("{}")
    await expectError(.invalid, "it is not a state file") { _ = try await signed.open() }
  }

  @Test func `an unreadable catalogue and a newer format are distinguished`() async throws {
    let format = Data("{\"format\":\"chartpipe-catalog-2\"}".utf8)
    try signed.change("catalog.json") { $0 = format }
    await expectError(.format, "Update the app") { _ = try await signed.open(key: nil) }
    try signed.change("catalog.json") { $0 = Data("<html>".utf8) }
    await expectError(.invalid, "it is not valid JSON") { _ = try await signed.open(key: nil) }
  }

  @Test func `failures of the server are repeated, and refusals are not`() async throws {
    signed.server.inject(.status(503), .status(429), .losesAnswer, at: "/catalog.json")
    _ = try await signed.open()
    #expect(signed.server.requests(for: "/catalog.json").count == 4)
    try signed.state.remove()
    signed.server.inject(.status(403), at: "/catalog.json")
    await expectError(.network, "the server answered 403") { _ = try await signed.open() }
    signed.server.hide("/catalog.json")
    await expectError(.missing, "Check the address of the site") { _ = try await signed.open() }
  }

  @Test(arguments: [
    "charts.example.org", "ftp://example.org/vfr", "https://example.org/vfr?a=b", "file:///tmp",
  ])
  func `an address that is not a folder of a server is refused`(text: String) async throws {
    let url = try #require(URL(string: text))
    await expectError(.invalid, "opening \(text)") {
      _ = try await ChartpipeSite.open(url, key: nil, state: signed.state)
    }
  }

  @Test func `a server that is not there is named`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:9/vfr"))
    await expectError(.network, "reading http://127.0.0.1:9/vfr/catalog.json") {
      _ = try await ChartpipeSite.open(
        url, key: nil, state: signed.state, network: signed.network(attempts: 2))
    }
  }
}
