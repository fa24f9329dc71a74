import ChartpipeClient
import CryptoIO
import Foundation
import SQLiteIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// What an app sees of a staged site, through the library that apps have, and the samples of `docs/formats/updates.md` with it.
struct ClientTests {
  private let sample = SampleBuild()
  private let id = "vfr-sectional/Seattle"

  init() throws {
    for cycle in ["2611", "2613"] {
      try sample.chart("Seattle", cycle: cycle, shade: cycle == "2611" ? 90 : 120)
      try sample.stage(sample.build(cycle))
    }
  }

  private func time(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  @Test func `the library reads what staging writes`() throws {
    let (staged, read) = (
      try sample.catalogue(), try ChartpipeClient.Catalog(json: sample.catalogueFile.data)
    )
    #expect(read.serial == staged.serial)
    #expect(read.cycles.map(\.id) == ["2611", "2613"])
    #expect(
      read.cycles.map(\.manifest.path) == [staged.previous, staged.next].compactMap { $0?.manifest.path })
    #expect(read.products.map(\.id) == staged.products.map(\.id))
    #expect(
      read.products.flatMap(\.files).map(\.sha256) == staged.products.flatMap(\.files).map(\.sha256))
    for (product, original) in zip(read.products, staged.products) {
      #expect(product.effectiveDate == (try time(original.effectiveDate.description)))
      #expect(product.expirationDate == (try time(original.expirationDate.description)))
      #expect(product.boundingBox?.west == original.boundingBox?.west)
    }
  }

  @Test func `an app that does as the page says has the right file at each time`() throws {
    let app = FolderApp(site: sample.site, store: TemporaryFolder())
    app.cutsDownloads = true
    #expect(throws: FolderApp.Cut.self) { try update(id, in: app, now: try time("2026-12-01T00:00:00Z")) }
    app.cutsDownloads = false
    let first = try #require(try update(id, in: app, now: try time("2026-12-01T00:00:00Z")))
    #expect(app.resumed && first.cycle == "2611" && app.warnings.isEmpty)
    // The edition to come was fetched ahead, so that its day needs no network.
    #expect(app.files.whole.count == 2)
    let next = try #require(try update(id, in: app, now: try time("2026-12-24T09:01:00Z")))
    #expect(next.cycle == "2613" && app.downloads == 3)
    #expect(try update(id, in: app, now: try time("2027-03-01T00:00:00Z")) == next)
    #expect(
      app.warnings.count == 1 && app.warnings[0].hasPrefix("vfr-sectional/Seattle expired on 2027-02-18"))
    app.highestSerial = 100
    #expect(try update(id, in: app, now: try time("2026-12-01T00:00:00Z")) == nil)
  }

  @Test func `a file with another byte is never kept`() throws {
    let app = FolderApp(site: sample.site, store: TemporaryFolder())
    let blob = sample.file(try sample.catalogue().products[0].files[0].path)
    var bytes = try blob.data
    bytes[1000] ^= 1
    try bytes.write(to: blob)
    #expect(throws: ChartpipeError.self) { try update(id, in: app, now: try time("2026-12-01T00:00:00Z")) }
    #expect(app.files.whole.isEmpty)
  }

  // MARK: - The page

  private func blocks(_ language: String) throws -> [String] {
    try repositoryRoot.appending(path: "docs/formats/updates.md").text.components(
      separatedBy: "```\(language)\n"
    ).dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  @Test func `the Swift of the page is what runs here`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "UpdateExample.swift")
    let text = try file.text
    let shown = text.drop { $0 != "\n" }.dropFirst()
    #expect(try blocks("swift") == [String(shown)])
  }

  @Test func `the SQL of the page finds a tile and its dates`() throws {
    let product = try #require(try sample.catalogue().products.first)
    let archive = try SQLiteConnection(sample.file(product.files[0].path).path, mode: .readOnly)
    let blocks = try blocks("sql")
    try #require(blocks.count == 2)
    let tile = try archive.prepare(blocks[0]).map([.integer(8), .integer(41), .integer(99)]) { $0.blob(0) }
    #expect(tile.first?.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
    let dates = try archive.prepare(blocks[1]).map { $0.text(1) }
    #expect(dates == [product.effectiveDate, product.expirationDate].map(\.description))
  }
}

/// An app whose network is a folder.
private final class FolderApp: ChartApp {
  struct Cut: Error {}

  var highestSerial: Int?
  var files = DeviceFiles()
  var warnings: [String] = []
  /// Whether the network fails in the middle of each file.
  var cutsDownloads = false
  private(set) var downloads = 0
  private(set) var resumed = false
  private let site: URL
  private let store: TemporaryFolder

  init(site: URL, store: TemporaryFolder) { (self.site, self.store) = (site, store) }

  func get(_ path: String) throws -> Data { try site.appending(path: path).data }
  func verify(_ catalog: Data, signatures: [String]) throws {}

  func download(_ step: DownloadPlan.Step) throws -> URL {
    downloads += 1
    let file = store.file(step.download.sha256.text)
    let all = try step.url(at: site).data
    let arrived = step.resumesAt > 0 ? try file.data : Data()
    resumed = resumed || step.range == "bytes=\(arrived.count)-" && !arrived.isEmpty
    let end = cutsDownloads ? all.count / 2 : all.count
    try (arrived + all[step.resumesAt..<end]).write(to: file)
    files.partial[step.download.sha256] = end
    if cutsDownloads { throw Cut() }
    return file
  }

  func apply(_ patch: URL, to sha256: String) throws -> URL { throw Cut() }
  func sha256(_ file: URL) throws -> String { try SHA256Hex(ofFile: file).text }
  func sha256(_ data: Data) throws -> String { try SHA256Hex(of: Array(data)).text }

  func keep(_ file: URL, as entry: ChartpipeClient.Catalog.File) throws {
    files.partial[entry.sha256] = nil
    files.whole.insert(entry.sha256)
  }

  func warn(_ message: String) { warnings.append(message) }
}
