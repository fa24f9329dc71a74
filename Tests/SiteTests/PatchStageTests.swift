import ArchiveIO
import Core
import CryptoIO
import Foundation
import Pipeline
import TestSupport
import Testing
import TileArchive
import Validation

@testable import Site

/// The patches of a site's charts.
@Suite struct PatchStageTests {
  let sample: SampleBuild

  init() throws { sample = try SampleBuild() }

  private func stage(_ cycle: String) throws { try sample.stage(sample.build(cycle)) }

  private func product(_ cycle: String) throws -> Product {
    try #require(try sample.manifest(cycle).products.first)
  }

  /// 2611 and 2612 are the same edition of a chart, so that none of its tiles differs.
  private func stageBoth() throws {
    for cycle in ["2611", "2612"] {
      try sample.chart("Seattle", cycle: cycle)
      try stage(cycle)
    }
  }

  @Test func `a chart has a patch from the previous cycle that creates its file`() throws {
    try stageBoth()
    let (old, new) = (try product("2611"), try product("2612"))
    #expect(old.patches == nil)
    let patch = try #require(new.patches?.first)
    #expect(new.patches?.count == 1 && patch.fromSha256 == old.files[0].sha256 && patch.fromCycle == "2611")
    #expect(patch.path == "blobs/\(patch.sha256.text.prefix(2))/\(patch.sha256).patch")
    #expect(patch.bytes * 10 <= new.files[0].bytes * 7)
    #expect(try SHA256Hex(ofFile: sample.site.appending(path: patch.path)) == patch.sha256)
    let out = sample.folder.file("out.mbtiles")
    _ = try ArchivePatch.apply(
      sample.site.appending(path: patch.path), to: sample.site.appending(path: old.files[0].path), at: out
    ) { _, _ in }
    #expect(try SHA256Hex(ofFile: out) == new.files[0].sha256)
    #expect(try sample.catalogue().products.last == new.inCatalogue)
  }

  @Test func `staging again gives the same site`() throws {
    try stageBoth()
    let before = try sample.hashes()
    try stage("2612")
    #expect(try sample.hashes() == before)
  }

  @Test func `there is no patch when it saves too little or the file is unchanged`() throws {
    try sample.chart("Seattle", cycle: "2611")
    try stage("2611")
    let archive = try sample.chart("Seattle", cycle: "2612").deletingLastPathComponent()
      .appending(path: "Seattle.mbtiles")
    let earlier = sample.site.appending(path: try product("2611").files[0].path)
    // The same tiles, with metadata so long that the patch is as large as the chart.
    try grow(archive, by: String(repeating: "words ", count: 30_000))
    try stage("2612")
    #expect(try product("2612").patches == nil)
    #expect(try files(below: sample.site).allSatisfy { !$0.hasSuffix(".patch") })
    #expect(FileManager.default.fileExists(atPath: earlier.path))
    try sample.chart("Seattle", cycle: "2612")
    try stage("2612")
    #expect(try product("2612").patches?.count == 1)
  }

  private func grow(_ archive: URL, by words: String) throws {
    let reader = try MBTilesReader(opening: archive)
    let rows = try reader.metadata()
    var metadata = try #require(ArchiveMetadata(rows: rows))
    metadata.description = words
    let scratch = sample.folder.file("grown.mbtiles")
    let writer = try MBTilesWriter(creating: scratch)
    try reader.forEachTile { try writer.add($0) }
    _ = try writer.finish(metadata)
    try FileManager.default.removeItem(at: archive)
    try FileManager.default.moveItem(at: scratch, to: archive)
    let description = archive.deletingPathExtension().appendingPathExtension("product.json")
    var product = try JSONDecoder().decode(Product.self, from: Data(contentsOf: description))
    product.files[0].sha256 = try SHA256Hex(ofFile: archive)
    product.files[0].bytes = try Data(contentsOf: archive).count
    try CanonicalJSON.pretty(product).write(to: description)
  }

  @Test func `a patch starts from the latest earlier cycle with the chart`() throws {
    try sample.chart("Seattle", cycle: "2610")
    try sample.chart("Seattle", cycle: "2611")
    try sample.chart("Miami", cycle: "2612", shade: 60)
    for cycle in ["2610", "2611", "2612"] { try stage(cycle) }
    // One shade less in the next edition has the same look.
    try sample.chart("Seattle", cycle: "2613", shade: 199)
    try stage("2613")
    let patch = try #require(try product("2613").patches?.first)
    #expect(patch.fromCycle == "2611")
    #expect(patch.fromSha256 == (try product("2611").files[0].sha256))
  }

  @Test func `the second cycle of an edition keeps the patch from the edition before`() throws {
    try sample.chart("Seattle", cycle: "2611")
    try sample.chart("Seattle", cycle: "2613", shade: 199)
    for cycle in ["2611", "2613"] { try stage(cycle) }
    let patch = try #require(try product("2613").patches?.first)
    // 2701 has the files of 2613, as a run links them.
    let second = sample.build("2701")
    try FileManager.default.copyItem(at: sample.build("2613"), to: second)
    let description = second.appending(path: "vfr-sectional/Seattle.product.json")
    var chart = try JSONDecoder().decode(Product.self, from: Data(contentsOf: description))
    chart.cycle = "2701"
    try CanonicalJSON.pretty(chart).write(to: description)
    try stage("2701")
    #expect(try product("2701").files == product("2613").files)
    #expect(try product("2701").patches == [patch])
  }

  @Test func `warns about a broken or missing earlier archive and continues`() throws {
    try sample.chart("Seattle", cycle: "2611")
    try stage("2611")
    try sample.chart("Seattle", cycle: "2612")
    let old = sample.site.appending(path: try product("2611").files[0].path)
    let whole = try Data(contentsOf: old)
    var broken = whole
    broken.replaceSubrange(4096..<8192, with: Data(repeating: 0, count: 4096))
    try broken.write(to: old)
    let progress = RecordedProgress()
    let request = sample.request([sample.build("2612")])
    _ = try Stager.stage(request, validate: { _, _ in .init(findings: []) }, progress: progress)
    let warned = progress.events.contains {
      guard case .warning(_, let message) = $0 else { return false }
      return message.hasPrefix("vfr-sectional/Seattle: no patch can be made from cycle 2611: ")
    }
    #expect(warned)
    #expect(try product("2612").patches == nil)
  }

  @Test func `a missing patch is reported like any file`() throws {
    try stageBoth()
    let patch = try #require(try product("2612").patches?.first)
    let manifest = try sample.manifest("2612")
    #expect(manifest.allFiles.map(\.path) == manifest.products[0].files.map(\.path) + [patch.path])
    try FileManager.default.removeItem(at: sample.site.appending(path: patch.path))
    let health = SiteHealth(
      PublishedSite(folder: sample.site), .init(signedBy: nil, now: sample.request([]).now))
    let report = try health.check(progress: SilentProgress())
    #expect(report.files == 3 && report.findings.map(\.where) == [patch.path])
    try sample.chart("Miami", cycle: "2613", shade: 60)
    let fault = try #require(throws: UserError.self) { try stage("2613") }
    #expect(fault.reason.contains("\(patch.path) is missing from the site"))
    try stage("2612")
    try stage("2613")
  }

  @Test func `ignores patches in a product's description`() throws {
    let description = try sample.chart("Seattle")
    var product = try JSONDecoder().decode(Product.self, from: Data(contentsOf: description))
    product.patches = [Product.Patch(from: product.files[0], of: "2611", product.files[0])]
    try CanonicalJSON.pretty(product).write(to: description)
    try stage("2612")
    #expect(try self.product("2612").patches == nil)
  }
}

/// The gzip copies of a site's files.
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

  @Test func `a database has a gzip copy, a chart has none`() throws {
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

  @Test func `staging again changes no byte and restores a missing copy`() throws {
    let before = try sample.hashes()
    try SampleDatabase(sample: sample).stage(sample.build("2612"))
    #expect(try sample.hashes() == before)
    let gzip = try #require(try file("database").gzip)
    try FileManager.default.removeItem(at: sample.site.appending(path: gzip.path))
    try SampleDatabase(sample: sample).stage(sample.build("2612"))
    #expect(try sample.hashes() == before)
  }

  @Test func `a gzip copy is verified, mirrored and removed with its file`() throws {
    let gzip = try #require(try file("database").gzip)
    let site = PublishedSite(folder: sample.site)
    func findings() throws -> [String] {
      try SiteHealth(site, .init(signedBy: nil, now: #require(Instant("2026-12-01"))))
        .check(progress: SilentProgress()).findings.map(\.where)
    }
    #expect(try findings().isEmpty)
    let mirror = sample.folder.file("mirror")
    _ = try SiteMirror(.init(source: site, folder: mirror, now: #require(Instant("2026-12-01")))).run(
      progress: SilentProgress())
    #expect(
      try files(below: mirror).filter { $0 != ".mirror/source.json" } == files(below: sample.site))
    let blob = sample.site.appending(path: gzip.path)
    var bytes = try Data(contentsOf: blob)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: blob)
    #expect(try findings() == [gzip.path])
    // Another database takes its place, and the old one is pruned with its gzip.
    try SampleDatabase(sample: sample).build("2612", ["'KPAO', 'PALO ALTO', 37.46, 1"])
    try SampleDatabase(sample: sample).stage(sample.build("2612"))
    _ = try Retention.prune(staged: sample.site)
    #expect(!FileManager.default.fileExists(atPath: blob.path))
    #expect(try findings().isEmpty)
  }

  @Test func `a gzip copy is published and clients find it`() throws {
    let target = sample.folder.file("target")
    _ = try Publisher.publish(
      sample.site, to: PublishTarget(folder: target), publishOptions("2026-12-01"), progress: SilentProgress()
    )
    let gzip = try #require(try file("database").gzip)
    #expect(
      try SHA256Hex(ofFile: target.appending(path: gzip.path)) == gzip.sha256)
    let latest = try JSONDecoder().decode(
      LatestAnswer.self, from: Data(contentsOf: target.appending(path: "latest.json")))
    #expect(latest.products == ["nasr/aviation": try file("database").sha256])
  }
}
