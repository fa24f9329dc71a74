import Core
import CryptoIO
import Foundation
import Pipeline
import Site
import TestSupport
import Testing

@Suite struct StagerTests {
  let sample: SampleBuild

  init() throws { sample = try SampleBuild() }

  @Test func aStagedSiteHoldsBlobsManifestReportAndCatalogue() throws {
    try sample.chart("San_Francisco")
    try sample.chart("San_Francisco", pipeline: "vfr-terminal", shade: 90)
    let staged = try sample.stage(sample.build("2612"))
    let manifest = try sample.manifest("2612")
    let entry = try #require(try sample.catalogue().current)
    let regions = try #require(try sample.catalogue().regions)
    let blobs = manifest.products.flatMap(\.files).map(\.path) + [entry.manifest.path, regions.path]
    let pages = [
      "catalog.json", "cycles/2612/manifest.json", "cycles/2612/report.html", "feed.xml", "latest.json",
      "regions.json",
    ]
    #expect(try files(below: sample.site) == (blobs + pages).sorted())
    #expect(staged.site == sample.site && staged.cycle == "2612" && staged.products == 2)
    #expect(staged.bytes == manifest.products.flatMap(\.files).map(\.bytes).reduce(0, +))
    #expect(staged.catalogue == sample.catalogueFile)
    #expect(staged.report == sample.site.appending(path: "cycles/2612/report.html"))
  }

  @Test func everyFileIsNamedByItsBytesAndIsTheOneThatWasBuilt() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let file = try #require(try sample.manifest("2612").products.first?.files.first)
    #expect(file.path == "blobs/\(file.sha256.text.prefix(2))/\(file.sha256).mbtiles")
    let staged = try Data(contentsOf: sample.site.appending(path: file.path))
    let built = try Data(
      contentsOf: sample.build("2612", "vfr-sectional").appending(path: "San_Francisco.mbtiles"))
    #expect(staged == built && staged.count == file.bytes)
    #expect(try SHA256Hex(of: Array(staged)) == file.sha256)
  }

  @Test func theManifestTellsTheCycleAndItsProducts() throws {
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

  @Test func theCatalogueNamesTheManifestByItsBytesAndRepeatsItsProducts() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let catalogue = try sample.catalogue()
    let entry = try #require(catalogue.current)
    let bytes = try Data(contentsOf: sample.site.appending(path: entry.manifest.path))
    #expect(entry.id == "2612" && entry.manifest.bytes == bytes.count)
    #expect(try SHA256Hex(of: Array(bytes)) == entry.manifest.sha256)
    #expect(bytes == (try Data(contentsOf: sample.site.appending(path: "cycles/2612/manifest.json"))))
    #expect(catalogue.products == (try sample.manifest("2612").products))
    #expect(catalogue.serial == 1 && catalogue.previous == nil && catalogue.next == nil)
  }

  @Test func anEmptyRoleIsWrittenAsNull() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let json = try String(contentsOf: sample.catalogueFile, encoding: .utf8)
    #expect(json.contains("\"previous\" : null") && json.contains("\"next\" : null"))
    #expect(json.contains("\"format\" : \"chartpipe-catalog-1\""))
  }

  @Test func stagingTheSameAgainChangesNoByte() throws {
    try sample.chart("San_Francisco")
    try sample.chart("Seattle", shade: 10)
    try sample.stage(sample.build("2612"))
    let before = try sample.hashes()
    try sample.stage(sample.build("2612"))
    #expect(try sample.hashes() == before)
  }

  @Test func theBytesDependOnNeitherTheOrderNorTheClockNorThePlace() throws {
    let other = try SampleBuild()
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

  @Test func aFolderAndAFileWithinItNameTheProductOnce() throws {
    let description = try sample.chart("San_Francisco")
    #expect(try sample.stage(sample.build("2612"), description, description).products == 1)
  }

  @Test func aNewBuildRaisesTheSerialAndLeavesTheOldFilesWhereTheyAre() throws {
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

  @Test func aDamagedBlobIsMendedAndSaid() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let good = try sample.hashes()
    let file = try #require(try sample.catalogue().products.first?.files.first)
    let blob = sample.site.appending(path: file.path)
    var bytes = try Data(contentsOf: blob)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: blob)
    let progress = RecordedProgress()
    _ = try Stager.stage(sample.request([sample.build("2612")]), progress: progress)
    #expect(try sample.hashes() == good)
    #expect(
      progress.events.contains(.warning(step: "stage", message: "\(file.path) was damaged and is mended")))
  }

  @Test func progressCountsEveryFile() throws {
    try sample.chart("San_Francisco")
    let progress = RecordedProgress()
    let staged = try Stager.stage(sample.request([sample.build("2612")]), progress: progress)
    let events = progress.events.filter { $0 != .started(step: "stage") && !$0.isOfPictures }.suffix(5)
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
