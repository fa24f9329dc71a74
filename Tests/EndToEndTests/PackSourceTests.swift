import Foundation
import Pipeline
import TestSupport
import Testing
import TileArchive

/// Packs that are cut from a site on the web.
@Suite struct PackDownloadTests {
  private static let area = [
    "--around", "37.46N122.11W", "--radius", "5nm", "--at", "2023-05-01", "--charts", "sample-mosaic",
  ]
  /// Built and staged once for all tests.
  private static let work = Result { () throws -> TemporaryFolder in
    let work = try TemporaryFolder()
    let ending = try Program().run([
      "run", "sample-mosaic", "sample-nasr", "--cycle", "2304", "--from", "samples", "--work", work.url.path,
    ])
    try #require(ending.status == 0, "\(ending.errors)")
    return work
  }

  private let folder: TemporaryFolder
  private let site: URL
  private let server: FaultyServer

  init() throws {
    folder = try TemporaryFolder()
    site = try Self.work.get().file("site")
    server = try FaultyServer(serving: site)
  }

  private func pack(_ name: String, from source: String, _ options: [String] = []) throws -> Program.Ending {
    try Program().run(
      ["pack", source, name] + Self.area + options, in: folder.url,
      environment: ["XDG_CACHE_HOME": folder.file("cache").path])
  }

  private func sent(_ ending: String) -> Int {
    server.asked.filter { $0.path.hasSuffix(ending) }.reduce(0) { $0 + $1.sentBytes }
  }

  @Test func onlyThePartsThatAreNeededAreDownloaded() throws {
    let zooms = ["--zooms", "6-8"]
    #expect(try pack("local.mbtiles", from: site.path, zooms).status == 0)
    let ending = try pack("served.mbtiles", from: server.url, zooms)
    #expect(ending.status == 0, "\(ending.errors)")
    for suffix in ["mbtiles", "airports.sqlite"] {
      let files = try ["local", "served"].map { try Data(contentsOf: folder.file("\($0).\(suffix)")) }
      #expect(files[0] == files[1] && !files[0].isEmpty)
    }
    let whole = try built("Bay_Area.pmtiles")
    #expect(sent(".mbtiles") == 0 && sent(".pmtiles") > 16_000 && sent(".pmtiles") < whole / 2)
    #expect(sent(".sqlite") > 0)
    server.forgetAsked()
    #expect(try pack("again.mbtiles", from: server.url, zooms).status == 0)
    #expect(sent(".sqlite") == 0, "the database is in the cache")
  }

  @Test func aServerWithoutRangesSendsTheWholeFile() throws {
    for file in try FileManager.default.subpathsOfDirectory(atPath: site.path)
    where file.hasSuffix(".pmtiles") {
      server.always(.ignoresRanges, at: "/\(file)")
    }
    let ending = try pack("served.pmtiles", from: server.url, ["--no-airports"])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try pack("local.pmtiles", from: site.path, ["--no-airports"]).status == 0)
    let files = try ["local", "served"].map { try Data(contentsOf: folder.file("\($0).pmtiles")) }
    #expect(files[0] == files[1])
    #expect(sent(".mbtiles") > 0)
  }

  @Test func bytesThatAreNoImageAreRefused() throws {
    let copy = folder.file("site")
    try FileManager.default.copyItem(at: site, to: copy)
    for file in try FileManager.default.subpathsOfDirectory(atPath: copy.path)
    where file.hasSuffix(".pmtiles") {
      let blob = copy.appending(path: file)
      var bytes = try Data(contentsOf: blob)
      for place in bytes.count / 2..<bytes.count { bytes[place] = 0 }
      try bytes.write(to: blob)
    }
    let damaged = try FaultyServer(serving: copy)
    let ending = try pack("served.pmtiles", from: damaged.url, ["--no-airports"])
    #expect(ending.status == 3 && ending.errors.contains("are not an image"), "\(ending.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("served.pmtiles").path))
  }

  private func built(_ name: String) throws -> Int {
    let file = try Self.work.get().file("build/2304/sample-mosaic/\(name)")
    return try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
  }
}

/// Packs of a site whose catalogue must be signed.
@Suite struct PackTrustTests {
  /// A signed site, an unsigned one, the key, and another key; staged once for all tests.
  private static let work = Result { () throws -> TemporaryFolder in
    let work = try TemporaryFolder()
    let calls = [
      [
        "build", "sample-mosaic", "sample-nasr", "--cycle", "2304", "--from", "samples", "--work",
        work.url.path,
      ],
      ["keygen", work.file("key").path],
      ["keygen", work.file("other").path],
      [
        "stage", work.file("build/2304").path, "--site", work.file("signed").path, "--key",
        work.file("key").path,
      ],
      ["stage", work.file("build/2304").path, "--site", work.file("unsigned").path],
    ]
    for call in calls {
      let ending = try Program().run(call)
      try #require(ending.status == 0, "\(call[0]): \(ending.errors)")
    }
    return work
  }

  private let folder: TemporaryFolder
  private let work: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    work = try Self.work.get()
  }

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
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: file)
    }
  }

  private func isNothingWritten() -> Bool {
    !FileManager.default.fileExists(atPath: folder.file("a.mbtiles").path)
  }

  @Test func aSignedSiteIsPackedFromTheFolderAndFromTheWeb() throws {
    let site = work.file("signed")
    let server = try FaultyServer(serving: site)
    for (name, source) in [("a.mbtiles", site.path), ("b.mbtiles", server.url)] {
      let ending = try pack(source, name: name)
      #expect(ending.status == 0, "\(ending.errors)")
    }
    let files = try ["a", "b"].map { try Data(contentsOf: folder.file("\($0).mbtiles")) }
    #expect(files[0] == files[1] && !files[0].isEmpty)
  }

  @Test(arguments: [
    ("signed", "other.pub", "it is of key"), ("unsigned", "key.pub", "the catalogue is not signed"),
  ])
  func aSiteWithoutTheSignatureIsRefused(site: String, key: String, words: String) throws {
    let server = try FaultyServer(serving: work.file(site))
    for source in [work.file(site).path, server.url] {
      let ending = try pack(source, key: key)
      #expect(ending.status == 4 && ending.errors.contains(words), "\(ending.errors)")
    }
    #expect(!server.asked.contains { $0.path.contains("blobs") } && isNothingWritten())
  }

  @Test func aChangedCatalogueIsRefused() throws {
    let site = try copy("signed")
    let file = site.appending(path: "catalog.json")
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacingOccurrences(of: "2023-06-15", with: "2029-06-15").write(
      to: file, atomically: false, encoding: .utf8)
    let ending = try pack(site.path)
    #expect(ending.status == 4 && ending.errors.contains("one of the two was changed"), "\(ending.errors)")
    #expect(isNothingWritten())
  }

  @Test(arguments: [".mbtiles", ".sqlite"]) func aChangedFileOfAFolderIsRefused(suffix: String) throws {
    let site = try copy("signed")
    try damage(site, suffix)
    let ending = try pack(site.path)
    #expect(ending.status == 3 && ending.errors.contains("its SHA-256 is not"), "\(ending.errors)")
    #expect(isNothingWritten())
  }

  @Test func aChangedFileFromTheWebIsRefused() throws {
    let site = try copy("signed")
    try damage(site, ".sqlite")
    let server = try FaultyServer(serving: site)
    let ending = try pack(server.url)
    #expect(
      ending.status == 3 && ending.errors.contains("are not those that the catalogue names"),
      "\(ending.errors)")
    #expect(isNothingWritten())
  }

  @Test func whatHasNoCatalogueTakesNoKey() throws {
    let built = work.file("build/2304")
    for (source, words) in [
      (built.path, "there is no catalogue"),
      (built.appending(path: "sample-mosaic/Bay_Area.mbtiles").path, "--public-key is for a site"),
    ] {
      let ending = try pack(source)
      #expect(ending.status == 2 && ending.errors.contains(words), "\(ending.errors)")
    }
  }
}
