import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct StagerTests {
  let sample = SampleBuild()

  @Test func `a staged site has blobs, manifest, report and catalogue`() throws {
    try sample.chart("San_Francisco")
    try sample.chart("San_Francisco", pipeline: "vfr-terminal", shade: 90)
    let staged = try sample.stage(sample.build("2612"))
    let manifest = try sample.manifest("2612")
    let entry = try #require(try sample.catalogue().current)
    let lists = try [sample.catalogue().regions, sample.catalogue().pages].compactMap { $0?.path }
    let blobs = manifest.products.flatMap(\.files).map(\.path) + [entry.manifest.path] + lists
    let pages = [
      "catalog.json", "cycles/2612/manifest.json", "cycles/2612/report.html", "feed.xml", "index.html",
      "latest.json", "regions.json", "style.json",
    ]
    #expect(try files(below: sample.site) == (blobs + pages).sorted())
    #expect(staged.site == sample.site.path && staged.cycle == "2612" && staged.products == 2)
    #expect(staged.bytes == manifest.products.flatMap(\.files).map(\.bytes).reduce(0, +))
    #expect(staged.catalogue == sample.catalogueFile.path)
    #expect(staged.report == sample.file("cycles/2612/report.html").path)
  }

  @Test func `a description of an archive that the catalogue does not have is removed`() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let folder = sample.file("charts/vfr-sectional")
    try folder.makeFolder()
    for name in ["Old.json", "notes.txt"] { try Data().write(to: folder.appending(path: name)) }
    try sample.stage(sample.build("2612"))
    #expect(try files(below: folder) == ["notes.txt"])
  }

  @Test func `every blob has its hash as its name and the bytes of the build`() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let file = try #require(try sample.manifest("2612").products.first?.files.first)
    #expect(file.path == "blobs/\(file.sha256.text.prefix(2))/\(file.sha256).mbtiles")
    let staged = try sample.file(file.path).data
    let built = try sample.build("2612", "vfr-sectional").appending(path: "San_Francisco.mbtiles").data
    #expect(staged == built && staged.count == file.bytes)
    #expect(try SHA256Hex(of: Array(staged)) == file.sha256)
  }

  @Test func `the manifest describes the cycle and its products`() throws {
    try sample.chart("Seattle")
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"), missing: ["vfr-sectional/Miami"])
    let manifest = try sample.manifest("2612")
    #expect(manifest.format == .version1 && manifest.cycle == "2612")
    #expect(manifest.effective == "2026-11-26T09:01:00Z" && manifest.expires == "2026-12-24T09:01:00Z")
    #expect(manifest.products.map(\.id) == ["vfr-sectional/San_Francisco", "vfr-sectional/Seattle"])
    #expect(manifest.products.map(\.effectiveDate) == ["2026-10-29T09:01:00Z", "2026-10-29T09:01:00Z"])
    #expect(manifest.missing == ["vfr-sectional/Miami"])
    #expect(manifest.validation.ok && manifest.validation.findings.isEmpty)
    #expect(manifest.validation.tool == "chartpipe" && manifest.validation.version == ToolVersion.version)
    #expect(manifest.validation.facts?.keys.sorted() == manifest.products.map(\.id))
  }

  @Test func `the catalogue names the manifest by its hash and lists its products`() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let catalogue = try sample.catalogue()
    let entry = try #require(catalogue.current)
    let bytes = try sample.file(entry.manifest.path).data
    #expect(entry.id == "2612" && entry.manifest.bytes == bytes.count)
    #expect(try SHA256Hex(of: Array(bytes)) == entry.manifest.sha256)
    #expect(bytes == (try sample.file("cycles/2612/manifest.json").data))
    #expect(catalogue.products == (try sample.manifest("2612").products.map(\.inCatalogue)))
    #expect(catalogue.serial == 1 && catalogue.previous == nil && catalogue.next == nil)
  }

  @Test func `the catalogue has what an app needs, in one line`() throws {
    var product = try SampleChart(id: "vfr-sectional/Reno", name: "Reno", cycle: "2612", shade: 9)
      .write(to: sample.folder.file("Reno.mbtiles"))
    product.family = .init(charts: 57, covers: [[-125, 24, -66, 50]])
    product.placement = [.init(source: .tfw, outcome: .missing)]
    product.includes = ["vfr-sectional/Seattle"]
    product.build.counts = ["tiles": 3, "distinctTiles": 2]
    let entry = product.inCatalogue
    #expect(entry.family == nil && entry.placement == nil && entry.includes == nil && entry.sources.isEmpty)
    #expect(entry.build.counts == ["tiles": 3] && entry.build.libraries.isEmpty)
    #expect(Set(entry.files.map(\.path)) == Set(product.files.map(\.path)))
    #expect(entry.build.definitionSha256 == nil && entry.boundingBox == product.boundingBox)
    #expect(try CanonicalJSON.line(entry).count < 800)
    (product.region, product.cut) = (nil, nil)
    #expect(product.inCatalogue.includes == ["vfr-sectional/Seattle"], "a mosaic lists its charts")
    product.kind = .database
    #expect(product.inCatalogue.build.counts == product.build.counts)
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    #expect(try sample.catalogueFile.text.split(separator: "\n").count == 1)
  }

  @Test func `an empty role is written as null`() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let json = try sample.catalogueFile.text
    #expect(json.contains("\"previous\":null") && json.contains("\"next\":null"))
    #expect(json.contains("\"format\":\"chartpipe-catalog-1\""))
  }

  @Test func `staging the same products again changes no byte`() throws {
    try sample.chart("San_Francisco")
    try sample.chart("Seattle", shade: 10)
    try sample.stage(sample.build("2612"))
    let before = try sample.hashes()
    try sample.stage(sample.build("2612"))
    #expect(try sample.hashes() == before)
  }

  @Test func `the bytes do not depend on order, clock or folder`() throws {
    let other = SampleBuild()
    for place in [sample, other] {
      try place.chart("San_Francisco")
      try place.chart("Seattle", shade: 10)
    }
    try sample.stage(sample.build("2612"), now: "2026-11-26T09:01:00Z")
    let folder = other.build("2612", "vfr-sectional")
    try other.stage(
      folder.appending(path: "Seattle.mbtiles"), folder.appending(path: "San_Francisco.product.json"),
      now: "2026-12-23")
    #expect(try sample.hashes() == other.hashes())
  }

  @Test func `a folder and a file inside it name a product once`() throws {
    let description = try sample.chart("San_Francisco")
    #expect(try sample.stage(sample.build("2612"), description, description).products == 1)
  }

  @Test func `a new build increases the serial and keeps the old files`() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let before = try sample.hashes().filter { $0.key.hasPrefix("blobs/") }
    try sample.chart("San_Francisco", shade: 7)
    try sample.stage(sample.build("2612"))
    #expect(try sample.catalogue().serial == 2)
    let after = try sample.hashes()
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(after.keys.filter { $0.hasSuffix(".mbtiles") }.count == 2)
  }

  @Test func `a site that shares files with builds has the same bytes, and keeps replaced ones`() throws {
    try sample.chart("San_Francisco")
    let copied = try sample.hashes(staging: sample.request([sample.build("2612")]))
    try sample.site.remove()
    var request = sample.request([sample.build("2612")])
    request.linksFiles = true
    #expect(try sample.hashes(staging: request) == copied)
    let archive = sample.build("2612", "vfr-sectional").appending(path: "San_Francisco.mbtiles")
    let links = try FileManager.default.attributesOfItem(atPath: archive.path)[.referenceCount] as? Int
    #expect(links == 2)
    try sample.chart("San_Francisco", shade: 90)
    let later = try sample.hashes(staging: request)
    for (path, hash) in copied where path.hasPrefix("blobs/") { #expect(later[path] == hash) }
  }

  @Test func `refuses a shared file that was changed in place`() throws {
    try sample.chart("San_Francisco")
    let stage = { try sample.stage(sample.build("2612")) { $0.linksFiles = true } }
    _ = try stage()
    let handle = try FileHandle(
      forWritingTo: sample.build("2612", "vfr-sectional").appending(path: "San_Francisco.mbtiles"))
    try handle.seek(toOffset: 3000)
    try handle.write(contentsOf: [1, 2, 3])
    try handle.close()
    #expect(throws: UserError.self) { try stage() }
  }

  @Test func `repairs a damaged blob and warns`() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let good = try sample.hashes()
    let file = try #require(try sample.catalogue().products.first?.files.first)
    let blob = sample.file(file.path)
    var bytes = try blob.data
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: blob)
    let progress = RecordedProgress()
    try sample.stage(sample.build("2612"), progress: progress)
    #expect(try sample.hashes() == good)
    #expect(
      progress.all.contains(
        .warning(step: "stage", message: "\(file.path) was damaged and has been repaired")))
  }

  @Test func `progress counts every file`() throws {
    try sample.chart("San_Francisco")
    let progress = RecordedProgress()
    let staged = try sample.stage(sample.build("2612"), progress: progress)
    let events = progress.all.filter { $0 != .started(step: "stage") && !$0.isOfPictures }.suffix(5)
    #expect(
      Array(events) == (1...4).map { .advanced(step: "stage", done: $0, total: 4, unit: "files") } + [
        .finished(step: "stage", detail: "1 product, \(Counts.bytes(staged.bytes))")
      ])
  }
}

extension ProgressEvent {
  fileprivate var isOfPictures: Bool {
    switch self {
    case .started(let step), .finished(let step, _), .advanced(let step, _, _, _): step == "report"
    default: false
    }
  }
}

@Suite struct StageMergeTests {
  let sample = SampleBuild()

  @Test func `stages the pipelines of a cycle one after the other`() throws {
    try sample.chart("San_Francisco")
    try sample.chart("San_Francisco", pipeline: "vfr-terminal", shade: 90)
    try sample.stage(sample.build("2612", "vfr-sectional"))
    let staged = try sample.stage(sample.build("2612", "vfr-terminal"))
    #expect(staged.products == 2)
    #expect(
      try sample.manifest("2612").products.map(\.id)
        == ["vfr-sectional/San_Francisco", "vfr-terminal/San_Francisco"])
    #expect(try sample.catalogue().products == sample.manifest("2612").products.map(\.inCatalogue))
    let other = SampleBuild()
    try other.chart("San_Francisco")
    try other.chart("San_Francisco", pipeline: "vfr-terminal", shade: 90)
    try other.stage(other.build("2612"))
    #expect(try other.manifest("2612") == sample.manifest("2612"))
    #expect(try other.report() == sample.report())
  }

  @Test func `a rebuilt chart replaces only itself`() throws {
    try sample.chart("San_Francisco")
    try sample.chart("Seattle", shade: 10)
    try sample.stage(sample.build("2612"))
    let before = try sample.manifest("2612").products
    let description = try sample.chart("Seattle", shade: 11)
    try sample.stage(description)
    let after = try sample.manifest("2612").products
    #expect(after.map(\.id) == before.map(\.id))
    #expect(after[0] == before[0] && after[1] != before[1])
  }

  @Test func `a missing product stays missing until it is staged`() throws {
    let seattle = try sample.chart("Seattle")
    try sample.stage(seattle, missing: ["vfr-sectional/Miami", "vfr-sectional/San_Francisco"])
    #expect(try sample.manifest("2612").missing == ["vfr-sectional/Miami", "vfr-sectional/San_Francisco"])
    #expect(try sample.report().contains("Incomplete: 2 products missing"))
    try sample.stage(try sample.chart("San_Francisco", shade: 9))
    #expect(try sample.manifest("2612").missing == ["vfr-sectional/Miami"])
    try sample.stage(try sample.chart("Miami", shade: 8), missing: ["vfr-sectional/Seattle"])
    // It stays as it was, though it could not be built again.
    let manifest = try sample.manifest("2612")
    #expect(manifest.missing == ["vfr-sectional/Seattle"] && manifest.kept?.map(\.id) == manifest.missing)
    #expect(manifest.products.count == 2 && manifest.whole.count == 3)
    #expect(try sample.catalogue().products.count == 3)
  }

  @Test func `keeps a note about a source until it is staged again`() throws {
    let seattle = try sample.chart("Seattle")
    let miami = try sample.chart("Miami")
    let source = try #require(try seattle.decoded(Product.self).sources.first?.url)
    let note = SourceNote(source: source, message: "an unknown tif <b>")
    try sample.stage(seattle, notes: [note, SourceNote(source: "Other.zip", message: "another")])
    #expect(try sample.manifest("2612").notes?.map(\.source).sorted() == ["Other.zip", source].sorted())
    #expect(try sample.report().contains("<li>an unknown tif &lt;b&gt;</li>"))
    try sample.stage(miami, notes: [])
    #expect(try sample.manifest("2612").notes?.contains { $0.source == "Other.zip" } == true)
    try sample.stage(seattle)
    #expect(try sample.manifest("2612").notes?.contains(note) == false)
  }

  @Test func `refuses to keep products that another version validated`() throws {
    try sample.chart("San_Francisco")
    let seattle = try sample.chart("Seattle")
    try sample.stage(sample.build("2612"))
    let file = sample.file("cycles/2612/manifest.json")
    var manifest = try sample.manifest("2612")
    manifest.validation.version = "0.0.1"
    let data = try CanonicalJSON.pretty(manifest)
    try data.write(to: file)
    try sample.file(FileReference(blob: data).path).put(String(decoding: data, as: UTF8.self))
    let before = try sample.hashes()
    let fault = try #require(throws: UserError.self) { try sample.stage(seattle) }
    #expect(fault.kind == .refused)
    #expect(
      fault.reason
        == "vfr-sectional/San_Francisco were validated by chartpipe 0.0.1, not by this version \(ToolVersion.version)"
    )
    #expect(try sample.hashes() == before)
    try sample.stage(sample.build("2612"))
    #expect(try sample.manifest("2612").validation.version == ToolVersion.version)
  }
}

@Suite struct CycleRoleTests {
  let sample = SampleBuild()

  init() throws {
    for cycle in ["2610", "2611", "2612", "2613"] { try sample.chart("San_Francisco", cycle: cycle) }
  }

  private func roles(now: String) throws -> [AiracCycle?] {
    try sample.stage(sample.build("2611"), now: now)
    let catalogue = try sample.catalogue()
    let listed = [catalogue.previous, catalogue.current, catalogue.next].compactMap(\.self)
    #expect(catalogue.products.map(\.cycle).filter(listed.map(\.id).contains) == listed.map(\.id))
    for entry in listed {
      #expect(entry.effective == entry.id.effective && entry.expires == entry.id.expires)
    }
    return [catalogue.previous?.id, catalogue.current?.id, catalogue.next?.id]
  }

  @Test func `roles change at the exact second`() throws {
    for cycle in ["2613", "2611", "2612"] { try sample.stage(sample.build(cycle)) }
    #expect(try roles(now: "2026-11-26T09:00:59Z") == [nil, "2611", "2612"])
    #expect(try roles(now: "2026-11-26T09:01:00Z") == ["2611", "2612", "2613"])
    #expect(try roles(now: "2026-12-24T09:01:00Z") == ["2612", "2613", nil])
  }

  @Test func `an expired cycle is never current`() throws {
    for cycle in ["2611", "2612"] { try sample.stage(sample.build(cycle)) }
    #expect(try roles(now: "2026-12-24T09:00:59Z") == ["2611", "2612", nil])
    #expect(try roles(now: "2026-12-24T09:01:00Z") == ["2612", nil, nil])
    #expect(try roles(now: "2030-01-01") == ["2612", nil, nil])
  }

  @Test func `a future cycle is next and not current`() throws {
    for cycle in ["2612", "2611"] { try sample.stage(sample.build(cycle)) }
    #expect(try roles(now: "2020-01-01") == [nil, nil, "2611"])
  }

  @Test func `a cycle that leaves the catalogue keeps its files`() throws {
    for cycle in ["2610", "2611", "2612"] { try sample.stage(sample.build(cycle)) }
    #expect(try roles(now: "2026-12-01") == ["2611", "2612", nil])
    let progress = RecordedProgress()
    try sample.stage(sample.build("2610"), progress: progress)
    #expect(
      progress.all.contains(
        .warning(
          step: "stage",
          message: "cycle 2610 is not in the catalogue, which lists one earlier and one coming cycle")))
    #expect(try sample.manifest("2610").products.count == 1)
    // The edition before the one of 2611 and 2612.
    #expect(try sample.catalogue().products.map(\.cycle) == ["2610", "2611", "2612"])
  }

  @Test func `a change of roles alone increases the serial`() throws {
    try sample.stage(sample.build("2611"), now: "2026-11-01")
    try sample.stage(sample.build("2612"), now: "2026-11-01")
    #expect(try sample.catalogue().serial == 2)
    try sample.stage(sample.build("2612"), now: "2026-11-02")
    #expect(try sample.catalogue().serial == 2)
    try sample.stage(sample.build("2612"), now: "2026-12-01")
    #expect(try sample.catalogue().serial == 3)
  }
}
