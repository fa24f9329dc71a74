import ArchiveIO
import Core
import CryptoIO
import Foundation
import Pipeline
import TestSupport
import Testing
import Validation

@testable import Site

/// The gzip form of a site's files.
struct SiteCompressionTests {
  private let sample: SampleBuild

  init() throws {
    sample = try SampleBuild()
    try sample.chart("Seattle")
    let database = SampleDatabase(sample: sample)
    try database.build("2612", (0..<60).map { "'K\($0)', 'AIRPORT \($0)', 37.46, 1" })
    try database.stage(sample.build("2612"))
  }

  private func file(_ role: String) throws -> Product.File {
    try #require(try sample.catalogue().products.flatMap(\.files).first { $0.role == role })
  }

  @Test func `a database is there as gzip too, and a chart is not`() throws {
    let database = try file("database")
    let gzip = try #require(database.gzip)
    #expect(gzip.path == "blobs/\(gzip.sha256.text.prefix(2))/\(gzip.sha256).gz")
    #expect(gzip.bytes < database.bytes / 2)
    let packed = try Data(contentsOf: sample.site.appending(path: gzip.path))
    #expect(try packed.count == gzip.bytes && SHA256Hex(of: Array(packed)) == gzip.sha256)
    let unpacked = try Gzip.decompress(Array(packed), limit: database.bytes)
    #expect(try SHA256Hex(of: unpacked) == database.sha256)
    #expect(try file("tiles").gzip == nil)
  }

  @Test func `staging again changes no byte, and what is lost is made again`() throws {
    let before = try sample.hashes()
    try SampleDatabase(sample: sample).stage(sample.build("2612"))
    #expect(try sample.hashes() == before)
    let gzip = try #require(try file("database").gzip)
    try FileManager.default.removeItem(at: sample.site.appending(path: gzip.path))
    try SampleDatabase(sample: sample).stage(sample.build("2612"))
    #expect(try sample.hashes() == before)
  }

  @Test func `it is verified, mirrored and removed with its file`() throws {
    let gzip = try #require(try file("database").gzip)
    let site = PublishedSite(folder: sample.site)
    func findings() throws -> [String] {
      try SiteHealth(site, .init(signedBy: nil, now: #require(Instant("2026-12-01"))))
        .examine(progress: SilentProgress()).findings.map(\.where)
    }
    #expect(try findings().isEmpty)
    let mirror = sample.folder.file("mirror")
    _ = try SiteMirror(.init(source: site, folder: mirror)).run(progress: SilentProgress())
    #expect(try files(below: mirror) == files(below: sample.site))
    let blob = sample.site.appending(path: gzip.path)
    var bytes = try Data(contentsOf: blob)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: blob)
    #expect(try findings() == [gzip.path])
    // Another database takes its place, and the old one is pruned with its gzip.
    try SampleDatabase(sample: sample).build("2612", ["'KPAO', 'PALO ALTO', 37.46, 1"])
    try SampleDatabase(sample: sample).stage(sample.build("2612"))
    _ = try SitePruning.prune(staged: sample.site)
    #expect(!FileManager.default.fileExists(atPath: blob.path))
    #expect(try findings().isEmpty)
  }

  @Test func `it is published, and clients find it`() throws {
    let target = sample.folder.file("target")
    _ = try Publisher.publish(
      sample.site, to: PublishTarget(folder: target), publishTerms("2026-12-01"), progress: SilentProgress())
    let gzip = try #require(try file("database").gzip)
    #expect(
      try SHA256Hex(ofFile: target.appending(path: gzip.path)) == gzip.sha256)
    let latest = try JSONDecoder().decode(
      LatestAnswer.self, from: Data(contentsOf: target.appending(path: "latest.json")))
    #expect(latest.products == ["nasr/aviation": try file("database").sha256])
  }
}
