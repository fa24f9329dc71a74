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
    #expect(ending.status == 3 && ending.errors.contains("are no image"), "\(ending.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("served.pmtiles").path))
  }

  private func built(_ name: String) throws -> Int {
    let file = try Self.work.get().file("build/2304/sample-mosaic/\(name)")
    return try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
  }
}
