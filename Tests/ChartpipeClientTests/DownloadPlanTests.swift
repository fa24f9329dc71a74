import ChartpipeClient
import Foundation
import Testing

struct DownloadPlanTests {
  private let product: Catalog.Product
  private let site = URL(filePath: "/charts", directoryHint: .isDirectory)

  init() throws { product = try CatalogText.catalog().products[0] }

  private func plan(whole: String = "", partial: [Character: Int] = [:]) -> DownloadPlan {
    let arrived = partial.map { (CatalogText.hash($0.key), $0.value) }
    return DownloadPlan(
      for: [product, product],
      on: DeviceFiles(
        whole: Set(whole.map(CatalogText.hash)), partial: Dictionary(uniqueKeysWithValues: arrived)))
  }

  @Test func `downloads MBTiles or PMTiles and no validation files`() {
    #expect(product.filesToGet().map(\.role) == [.tiles])
    #expect(product.filesToGet(asPMTiles: true).map(\.role) == [.pmtiles])
    var single = product
    single.files.removeAll { $0.role == .pmtiles }
    #expect(single.filesToGet(asPMTiles: true).map(\.role) == [.tiles])
  }

  @Test func `an empty device needs the complete file once`() {
    let plan = plan()
    #expect(plan.steps.map(\.range) == [nil])
    #expect(plan.bytesToGet == 52_428_800 && plan.bytesThere == 0)
    #expect(plan.steps[0].url(at: site).path == "/charts/blobs/11/\(CatalogText.hash("1")).mbtiles")
  }

  @Test func `resumes a partial download and restarts one that is too long`() {
    let partial = plan(partial: ["1": 52_428_000])
    #expect(partial.steps.map(\.range) == ["bytes=52428000-"])
    #expect(partial.bytesToGet == 800 && partial.bytesThere == 52_428_000)
    let ended = plan(partial: ["1": 52_428_800])
    #expect(ended.steps.map(\.range) == [nil] && ended.bytesToGet == 0, "it is only to be checked")
    #expect(plan(partial: ["1": 52_428_801]).steps.map(\.resumesAt) == [0])
    #expect(plan(partial: ["1": -1]).steps.map(\.resumesAt) == [0])
  }

  @Test func `a complete file needs no download`() {
    let plan = plan(whole: "1")
    #expect(plan.steps.isEmpty && plan.held.map(\.sha256) == [CatalogText.hash("1")])
    #expect(plan.bytesThere == 52_428_800)
  }

  @Test func `accepts a file only with the right size and hash`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("123456789".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let wanted = product.files[2]
    try wanted.check(file) { _ in CatalogText.hash("4").text }
    let other = #expect(throws: ChartpipeError.self) {
      try wanted.check(file) { _ in CatalogText.hash("5").text }
    }
    let (found, right) = (CatalogText.hash("5"), CatalogText.hash("4"))
    #expect(other?.code == .integrity && other?.reason == "its SHA-256 is \(found), not \(right)")
    let short = #expect(throws: ChartpipeError.self) {
      try product.files[0].check(file) { _ in CatalogText.hash("1").text }
    }
    #expect(short?.code == .integrity && short?.reason == "it has 9 bytes, not 52428800")
  }

  @Test func `a signature has two paths`() {
    #expect(Catalog.signaturePaths(sha256: "ab") == ["catalog.json.minisig", "signatures/ab.minisig"])
  }

  @Test func `uses gzip when the app can unpack it and it is smaller`() throws {
    var product = product
    let gzip = try #require(
      try CatalogText.catalog(
        CatalogText.usual.replacing(
          "\"role\": \"tiles\"",
          with:
            "\"role\": \"tiles\", \"gzip\": { \"path\": \"blobs/77/\(CatalogText.hash("7")).gz\", \"sha256\": \"\(CatalogText.hash("7"))\", \"bytes\": 400 }"
        )
      ).products[0].files[0].gzip)
    product.files[0].gzip = gzip
    let empty = DeviceFiles()
    #expect(DownloadPlan(for: [product], on: empty).steps.map(\.gzip) == [nil])
    let plan = DownloadPlan(for: [product], on: empty, unpacking: true)
    #expect(plan.bytesToGet == 400 && plan.steps[0].download.sha256 == CatalogText.hash("7"))
    #expect(plan.steps[0].file == product.files[0])
    #expect(plan.steps[0].url(at: site).path == "/charts/blobs/77/\(CatalogText.hash("7")).gz")
    let partial = DeviceFiles(partial: [CatalogText.hash("1"): 52_428_700])
    #expect(DownloadPlan(for: [product], on: partial, unpacking: true).steps.map(\.gzip) == [nil])
  }
}
