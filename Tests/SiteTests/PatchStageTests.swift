import Core
import CryptoIO
import Foundation
import Pipeline
import Site
import TestSupport
import Testing
import TileArchive
import Validation

/// Patches that a site offers beside its charts.
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

  @Test func `a chart has the patch from the cycle before, and it leads to its file`() throws {
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
    #expect(try sample.catalogue().products.last == new)
  }

  @Test func `staged again it is the same site`() throws {
    try stageBoth()
    let before = try sample.hashes()
    try stage("2612")
    #expect(try sample.hashes() == before)
  }

  @Test func `what saves too little is not offered, nor what is the very file`() throws {
    try sample.chart("Seattle", cycle: "2611")
    try stage("2611")
    let archive = try sample.chart("Seattle", cycle: "2612").deletingLastPathComponent()
      .appending(path: "Seattle.mbtiles")
    let earlier = sample.site.appending(path: try product("2611").files[0].path)
    // The same tiles, and words of which the patch needs as many as the chart.
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

  @Test func `it comes from the latest earlier cycle that has the chart`() throws {
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

  @Test func `an earlier archive that is broken or gone is told, and stops nothing`() throws {
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

  @Test func `a patch is a file of the site, whose loss is noticed`() throws {
    try stageBoth()
    let patch = try #require(try product("2612").patches?.first)
    let manifest = try sample.manifest("2612")
    #expect(manifest.allFiles.map(\.path) == manifest.products[0].files.map(\.path) + [patch.path])
    try FileManager.default.removeItem(at: sample.site.appending(path: patch.path))
    let health = SiteHealth(
      PublishedSite(folder: sample.site), .init(signedBy: nil, now: sample.request([]).now))
    let report = try health.examine(progress: SilentProgress())
    #expect(report.files == 3 && report.findings.map(\.where) == [patch.path])
    try sample.chart("Miami", cycle: "2613", shade: 60)
    let fault = try #require(throws: UserError.self) { try stage("2613") }
    #expect(fault.reason.contains("the site has lost \(patch.path)"))
    try stage("2612")
    try stage("2613")
  }

  @Test func `what a description says of patches is not believed`() throws {
    let description = try sample.chart("Seattle")
    var product = try JSONDecoder().decode(Product.self, from: Data(contentsOf: description))
    product.patches = [Product.Patch(from: product.files[0], of: "2611", product.files[0])]
    try CanonicalJSON.pretty(product).write(to: description)
    try stage("2612")
    #expect(try self.product("2612").patches == nil)
  }
}
