import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Packs of a site on an HTTP server.
@Suite(.slow, .blocking) struct PackDownloadTests {
  private static let area = [
    "--around", "37.46N122.11W", "--radius", "5nm", "--at", "2023-05-01", "--charts", "sample-mosaic",
  ]

  private let folder = TemporaryFolder()
  private let work: TemporaryFolder
  private let server: TestServer
  private var site: URL { work.file("site") }

  init() async throws {
    work = try await Samples.mosaic()
    server = try TestServer(serving: work.file("site"))
  }

  private func pack(_ name: String, from source: String, _ options: [String] = []) throws -> Program.Ending {
    try Program().run(
      ["pack", source, name] + Self.area + options, in: folder.url,
      environment: ["XDG_CACHE_HOME": folder.file("cache").path])
  }

  private func sent(_ ending: String) -> Int {
    server.requests.filter { $0.path.hasSuffix(ending) }.reduce(0) { $0 + $1.sentBytes }
  }

  @Test func `downloads only the parts that are needed`() throws {
    let zooms = ["--zooms", "6-8"]
    try pack("local.mbtiles", from: site.path, zooms).expect(0)
    try pack("served.mbtiles", from: server.url, zooms).expect(0)
    for suffix in ["mbtiles", "airports.sqlite"] {
      let files = try ["local", "served"].map { try folder.file("\($0).\(suffix)").data }
      #expect(files[0] == files[1] && !files[0].isEmpty)
    }
    let whole = try built("Bay_Area.pmtiles")
    #expect(sent(".mbtiles") == 0 && sent(".pmtiles") > 16_000 && sent(".pmtiles") < whole / 2)
    #expect(sent(".sqlite") > 0)
    server.clearLog()
    try pack("again.mbtiles", from: server.url, zooms).expect(0)
    #expect(sent(".sqlite") == 0, "the database is in the cache")
  }

  @Test func `downloads whole files from a server without ranges`() throws {
    for file in try FileManager.default.subpathsOfDirectory(atPath: site.path)
    where file.hasSuffix(".pmtiles") { server.always(.ignoresRanges, at: "/\(file)") }
    try pack("served.pmtiles", from: server.url, ["--no-airports"]).expect(0)
    try pack("local.pmtiles", from: site.path, ["--no-airports"]).expect(0)
    let files = try ["local", "served"].map { try folder.file("\($0).pmtiles").data }
    #expect(files[0] == files[1])
    #expect(sent(".mbtiles") > 0)
  }

  @Test func `refuses bytes that are not an image`() throws {
    let copy = folder.file("site")
    try FileManager.default.copyItem(at: site, to: copy)
    for file in try FileManager.default.subpathsOfDirectory(atPath: copy.path)
    where file.hasSuffix(".pmtiles") {
      let blob = copy.appending(path: file)
      var bytes = try blob.data
      for place in bytes.count / 2..<bytes.count { bytes[place] = 0 }
      try bytes.write(to: blob)
    }
    let damaged = try TestServer(serving: copy)
    try pack("served.pmtiles", from: damaged.url, ["--no-airports"]).expect(3, "are not an image")
    #expect(!folder.file("served.pmtiles").exists)
  }

  private func built(_ name: String) throws -> Int {
    let file = work.file("build/2304/sample-mosaic/\(name)")
    return try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
  }
}

/// Packs of a site with `--public-key`.
@Suite(.slow, .blocking) struct PackTrustTests {
  /// A signed site, an unsigned one, the key, and another key; made once for all tests.
  private static let sites = Samples.shared { () -> TemporaryFolder in
    let work = TemporaryFolder()
    let built = try await Samples.mosaic().file("build/2304").path
    let calls = [
      ["keygen", work.file("key").path],
      ["keygen", work.file("other").path],
      ["stage", built, "--site", work.file("signed").path, "--key", work.file("key").path],
      ["stage", built, "--site", work.file("unsigned").path],
    ]
    for call in calls {
      let ending = try Program().run(call)
      try #require(ending.status == 0, "\(call[0]): \(ending.errors)")
    }
    return work
  }

  private let folder = TemporaryFolder()
  private let work: TemporaryFolder

  init() async throws { work = try await Self.sites.value }

  private func pack(
    _ site: String, key: String = "key.pub", _ options: [String] = [], name: String = "a.mbtiles"
  ) throws -> Program.Ending {
    try Program().run(
      [
        "pack", site, name, "--around", "KPAO", "--radius", "5nm", "--at", "2023-05-01", "--charts",
        "sample-mosaic", "--public-key", work.file(key).path,
      ] + options, in: folder.url, environment: ["XDG_CACHE_HOME": folder.file("cache").path])
  }

  private func copy(_ name: String) throws -> URL {
    let copy = folder.file("site")
    try FileManager.default.copyItem(at: work.file(name), to: copy)
    return copy
  }

  /// Changes one byte in the middle of each file with this ending.
  private func damage(_ site: URL, _ ending: String) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: site.path) where path.hasSuffix(ending) {
      let file = site.appending(path: path)
      var bytes = try file.data
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: file)
    }
  }

  private func hasNoOutput() -> Bool { !folder.file("a.mbtiles").exists }

  @Test func `packs a signed site from a folder and over HTTP`() throws {
    let site = work.file("signed")
    let server = try TestServer(serving: site)
    for (name, source) in [("a.mbtiles", site.path), ("b.mbtiles", server.url)] {
      try pack(source, name: name).expect(0)
    }
    let files = try ["a", "b"].map { try folder.file("\($0).mbtiles").data }
    #expect(files[0] == files[1] && !files[0].isEmpty)
  }

  @Test(arguments: [
    ("signed", "other.pub", "it is of key"), ("unsigned", "key.pub", "the catalogue is not signed"),
  ])
  func `refuses a site without the right signature`(site: String, key: String, words: String) throws {
    let server = try TestServer(serving: work.file(site))
    for source in [work.file(site).path, server.url] { try pack(source, key: key).expect(4, words) }
    #expect(!server.requests.contains { $0.path.contains("blobs") } && hasNoOutput())
  }

  @Test func `refuses a changed catalogue`() throws {
    let site = try copy("signed")
    let file = site.appending(path: "catalog.json")
    let text = try file.text
    try text.replacingOccurrences(of: "2023-06-15", with: "2029-06-15").write(
      to: file, atomically: false, encoding: .utf8)
    try pack(site.path).expect(4, "one of the two was changed")
    #expect(hasNoOutput())
  }

  @Test(arguments: [".mbtiles", ".sqlite"]) func `refuses a changed file of a folder`(suffix: String) throws {
    let site = try copy("signed")
    try damage(site, suffix)
    try pack(site.path).expect(3, "its SHA-256 is not")
    #expect(hasNoOutput())
  }

  @Test func `refuses a changed file over HTTP`() throws {
    let site = try copy("signed")
    try damage(site, ".sqlite")
    let server = try TestServer(serving: site)
    try pack(server.url).expect(3, "are not those that the catalogue names")
    #expect(hasNoOutput())
  }

  @Test func `refuses a key for a source without a catalogue`() async throws {
    let built = try await Samples.mosaic().file("build/2304")
    for (source, words) in [
      (built.path, "there is no catalogue"),
      (built.appending(path: "sample-mosaic/Bay_Area.mbtiles").path, "--public-key is for a site"),
    ] { try pack(source).expect(2, words) }
  }
}
