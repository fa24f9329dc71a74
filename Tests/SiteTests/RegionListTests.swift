import ChartpipeClient
import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// `regions.json` and `latest.json`, read by apps that know no other file of a site.
struct RegionListTests {
  private let sample = SampleBuild()

  /// An app's own declaration: nothing optional but the last, and a plain decoder. The published app's box has other names, see
  /// `AppTests`.
  private struct AppRegion: Decodable, Equatable {
    struct Box: Decodable, Equatable {
      let west: Double, south: Double, east: Double, north: Double
    }

    let id: String
    let name: String
    let effectiveDate: Date
    let expirationDate: Date
    let boundingBox: Box
    let fileSizeMB: Double
    let isDownloaded: Bool
    let localPath: URL?
  }

  private func stageBoth() throws {
    try sample.chart("San_Francisco", name: "San Francisco")
    try sample.chart("San_Francisco", name: "San Francisco", pipeline: "vfr-terminal", shade: 90)
    try sample.stage(sample.build("2612"))
  }

  private func root(_ name: String, of site: URL? = nil) throws -> Data {
    try (site ?? sample.site).appending(path: name).data
  }

  @Test func `a plain decoder reads the regions of all families`() throws {
    try stageBoth()
    let data = try root("regions.json")
    let regions = try data.decoded([AppRegion].self)
    #expect(regions.map(\.id) == ["San_Francisco", "San_Francisco_TAC"])
    #expect(regions.map(\.name) == ["San Francisco", "San Francisco TAC"])
    #expect(regions.allSatisfy { !$0.isDownloaded && $0.localPath == nil && $0.fileSizeMB > 0 })
    #expect(regions[0].effectiveDate == (try Date("2026-10-29T09:01:00Z", strategy: .iso8601)))
    #expect(regions[0].expirationDate == (try Date("2026-12-24T09:01:00Z", strategy: .iso8601)))
    #expect(regions[0].boundingBox.west == -122.34375)
    let texts = String(decoding: data, as: UTF8.self)
    #expect(texts.contains("\"minLongitude\" : -122.34375") && texts.contains("\"west\" : -122.34375"))
    // The client library reads the same from the file and from the catalogue.
    let catalogue = try ChartpipeClient.Catalog(json: root("catalog.json"))
    let own = try data.decoded([ChartRegion].self)
    #expect(own == catalogue.chartRegions(at: try Date("2026-12-01T00:00:00Z", strategy: .iso8601)))
    for region in own {
      let archive = try root(region.path)
      #expect(try archive.count == region.bytes && SHA256Hex(of: Array(archive)) == region.sha256)
      #expect(archive.prefix(16) == Data("SQLite format 3\0".utf8))
    }
  }

  @Test func `the catalogue names the list, and the copies at the root agree with it`() throws {
    try stageBoth()
    let reference = try #require(try sample.catalogue().regions)
    let data = try root("regions.json")
    #expect(try root(reference.path) == data && SHA256Hex(of: Array(data)) == reference.sha256)
    let latest = try root("latest.json").decoded(LatestAnswer.self)
    #expect(latest.catalog == (try SHA256Hex(of: Array(root("catalog.json")))))
    #expect(latest.serial == 1 && latest.cycle == "2612" && latest.regions == reference.sha256)
    #expect(try root("latest.json").count < 600)
    for (name, charts) in latest.charts {
      for (item, digits) in charts.tiles {
        let product = try #require(sample.catalogue().products.first { $0.id == "\(name)/\(item)" })
        #expect("\(product.files[0].sha256)".hasPrefix(digits) && digits.count == 12)
        #expect(charts.edition == product.edition && charts.older == nil)
      }
    }
    #expect(latest.charts.values.map(\.tiles.count).reduce(0, +) == 2)
  }

  @Test func `lists the edition in force after an outage`() throws {
    try stageBoth()
    var catalogue = try sample.catalogue()
    let cycle = try #require(catalogue.current ?? catalogue.next)
    let expired = catalogue.products.map { product in
      var old = product
      (old.effectiveDate, old.expirationDate) = ("2026-05-14T09:01:00Z", "2026-07-09T09:01:00Z")
      return old
    }
    catalogue.products = expired + catalogue.products
    var before = cycle
    (before.effective, before.expires) = ("2026-05-14T09:01:00Z", "2026-06-11T09:01:00Z")
    (catalogue.previous, catalogue.current, catalogue.next) = (before, nil, cycle)
    let list = try RegionList(catalogue, in: "a site")
    let start = try Date("2026-10-29T09:01:00Z", strategy: .iso8601)
    #expect(list.regions.count == 2 && list.regions.allSatisfy { $0.effectiveDate == start })
  }

  @Test func `two products of one region id are refused, and both are named`() throws {
    try sample.chart("San_Francisco")
    try sample.chart("San_Francisco", pipeline: "vfr-other", shade: 90)
    let fault = try #require(throws: UserError.self) { try sample.stage(sample.build("2612")) }
    #expect(
      fault.reason
        == "vfr-other/San_Francisco and vfr-sectional/San_Francisco both have the region id \"San_Francisco\""
    )
    #expect(!sample.catalogueFile.exists)
    // So they are when the second comes in another staging.
    try sample.stage(sample.build("2612", "vfr-sectional"))
    let before = try root("catalog.json")
    #expect(throws: UserError.self) { try sample.stage(sample.build("2612", "vfr-other")) }
    #expect(try root("catalog.json") == before)
  }

  @Test func `lists every archive of an edition among the forms of its region`() throws {
    try sample.chart("Seattle", cycle: "2611")
    for (pipeline, cycle, shade) in [("vfr-sectional-lite", "2611", 90), ("vfr-sectional-2x", "2612", 120)] {
      let form = try sample.chart("Seattle", cycle: cycle, pipeline: pipeline, shade: UInt8(shade))
      try edit(form) { product in
        (product.region, product.variantOf) = (nil, "vfr-sectional/Seattle")
        if cycle == "2612" { product.tileSize = 512 } else { product.format = "webp" }
      }
    }
    // Of the standard form, the same edition again as a second archive, and another chart.
    try edit(sample.chart("Seattle", cycle: "2612")) { product in
      var streamed = product.files[0]
      streamed.role = .pmtiles
      product.files.insert(streamed, at: 0)
    }
    try sample.chart("Denver", shade: 60)
    try sample.stageUnchecked(sample.build("2611"))
    try sample.stageUnchecked(sample.build("2612"))
    let list = try RegionList(sample.catalogue(), in: "a site")
    let region = try #require(list.regions.last)
    #expect(list.regions.map(\.id) == ["Denver", "Seattle"] && list.regions[0].forms.count == 1)
    #expect(region.forms.map(\.variant) == [nil, nil, "2x", "lite"])
    #expect(region.forms.map(\.archive) == ["mbtiles", "pmtiles", "mbtiles", "mbtiles"])
    #expect(region.forms.map(\.format) == ["png", "png", "png", "webp"])
    #expect(region.forms.map(\.tileSize) == [nil, nil, 512, nil])
    let first = region.forms[0]
    #expect(first.path == region.path && first.sha256 == region.sha256 && first.bytes == region.bytes)
    #expect([region.minZoom, region.maxZoom, first.minZoom, first.maxZoom] == [6, 8, 6, 8])
    for form in region.forms { #expect(try root(form.path).count == form.bytes) }
    let own = try root("regions.json").decoded([ChartRegion].self)
    #expect(own.last?.forms == region.forms && own.last?.maxZoom == 8)
    let catalogue = try ChartpipeClient.Catalog(json: root("catalog.json"))
    #expect(catalogue.chartRegions(at: try Date("2026-12-01T00:00:00Z", strategy: .iso8601)) == own)
  }

  @Test func `leaves out archives that are not regions`() throws {
    let mosaic = try sample.chart("United_States")
    try edit(mosaic) { $0.region = nil }
    try sample.chart("Seattle", shade: 90)
    try sample.stage(sample.build("2612"))
    let regions = try root("regions.json").decoded([AppRegion].self)
    #expect(regions.map(\.id) == ["Seattle"])
  }

  // MARK: - Published

  @discardableResult
  private func send(_ chart: String, cycle: String = "2612", now: String = "2026-12-01") throws
    -> PublishReport
  {
    let site = sample.folder.file("site-\(now)-\(UUID())")
    return try publish(PaperSite(at: site, [cycle: ["chart": chart]]).root, to: target, now: now)
  }

  private var target: URL { sample.folder.file("target") }

  private func findings(now: String = "2026-12-03") throws -> [String] {
    try checkHealth(PublishedSite(folder: target), now: now).findings.map {
      "\($0.severity.rawValue) \($0.rule) \($0.where)"
    }
  }

  @Test func `the next publisher repairs a run that was killed after the flip`() throws {
    try send("1")
    let old = try root("regions.json", of: target)
    try send("2", now: "2026-12-02")
    let new = try root("regions.json", of: target)
    #expect(old != new)
    #expect(try findings().isEmpty)
    try old.write(to: target.appending(path: "regions.json"))
    #expect(try findings() == ["warning site-pages regions.json"])
    // The files that the old copy names still exist.
    let stale = try old.decoded([ChartRegion].self)
    #expect(try String(decoding: root(stale[0].path, of: target), as: UTF8.self) == "1")
    let report = try send("2", now: "2026-12-03")
    #expect(report.sent.map(\.path) == ["regions.json"] && !report.changed)
    #expect(try root("regions.json", of: target) == new && findings().isEmpty)
  }

  @Test(arguments: ["regions.json", "latest.json"])
  func `finds a copy that belongs to no catalogue`(name: String) throws {
    try send("1")
    try target.appending(path: name).put("[]")
    #expect(try findings() == ["error site-pages \(name)"])
    try target.appending(path: name).remove()
    #expect(try findings() == ["error site-pages \(name)"])
  }

  @Test func `finds a page or a style that is missing`() throws {
    try send("1")
    for name in ["index.html", "style.json"] {
      try target.appending(path: name).remove()
      #expect(try findings() == ["error site-pages \(name)"])
      let report = try send("1", now: "2026-12-02")
      #expect(try report.sent.map(\.path) == [name] && findings().isEmpty)
    }
  }

  @Test func `lists the edition of the current cycle and changes with the roles`() throws {
    try send("old", cycle: "2611", now: "2026-11-01")
    try send("new", cycle: "2613", now: "2026-12-20")
    func shown() throws -> Date? {
      try root("regions.json", of: target).decoded([AppRegion].self).first?.effectiveDate
    }
    #expect(try shown() == Date("2026-10-29T09:01:00Z", strategy: .iso8601))
    try send("new", cycle: "2613", now: "2026-12-24T09:01:00Z")
    #expect(try shown() == Date("2026-12-24T09:01:00Z", strategy: .iso8601))
  }

  @Test func `reads a site of an earlier version and upgrades it at the next publication`() throws {
    try send("1")
    let file = target.appending(path: "catalog.json")
    var catalogue = try file.decoded(ChartpipeKit.Catalog.self)
    (catalogue.regions, catalogue.pages, catalogue.term) = (nil, nil, nil)
    try CanonicalJSON.pretty(catalogue).write(to: file)
    for name in ["regions.json", "latest.json", "index.html", "style.json"] {
      try target.appending(path: name).remove()
    }
    #expect(try findings() == ["warning site-pages catalog.json"])
    let report = try send("1", now: "2026-12-02")
    #expect(try report.changed && report.serial == catalogue.serial + 1 && findings().isEmpty)
    #expect(report.sent.map(\.path).contains("regions.json"))
  }
}

struct LatestAnswerTests {
  private let folder = TemporaryFolder()

  /// A catalogue with one real product, repeated under other ids.
  private func catalogue(_ products: (Product) throws -> [Product]) throws -> ChartpipeKit.Catalog {
    let (site, target) = (folder.file("site"), folder.file("target"))
    try PaperSite(at: site, ["2612": ["chart": "1"]])
    try publish(site, to: target)
    var catalogue = try target.appending(path: "catalog.json").decoded(ChartpipeKit.Catalog.self)
    catalogue.products = try products(try #require(catalogue.products.first))
    return catalogue
  }

  private func copy(_ product: Product, _ id: String, edition: IssueDate? = nil, role: Product.Role = .tiles)
    throws
    -> Product
  {
    var copy = product
    copy.id = id
    copy.edition = edition ?? product.edition
    copy.files[0].sha256 = try SHA256Hex(of: Array(id.utf8))
    copy.files[0].role = role
    return copy
  }

  private let hash = String(repeating: "a", count: 64)

  private func answer(_ catalogue: ChartpipeKit.Catalog) throws -> LatestAnswer {
    LatestAnswer(catalogue, sha256: try SHA256Hex(of: Array(hash.utf8)))
  }

  @Test func `each chart has its hash digits, and an older edition its date`() throws {
    let answer = try answer(
      catalogue { chart in
        [
          try copy(chart, "vfr-sectional/Seattle", edition: "2026-09-03"),
          try copy(chart, "vfr-sectional/Denver"), try copy(chart, "vfr-terminal/Denver"),
        ]
      })
    #expect(answer.charts.keys.sorted() == ["vfr-sectional", "vfr-terminal"])
    let sectionals = try #require(answer.charts["vfr-sectional"])
    #expect(sectionals.edition == "2026-10-29" && sectionals.older == ["Seattle": "2026-09-03"])
    #expect(
      try sectionals.tiles["Seattle"]
        == String(SHA256Hex(of: Array("vfr-sectional/Seattle".utf8)).text.prefix(12)))
    #expect(sectionals.tiles["Denver"] != answer.charts["vfr-terminal"]?.tiles["Denver"])
    #expect(answer.charts["vfr-terminal"]?.older == nil && answer.products.isEmpty)
  }

  @Test func `the summary of a country has a few kilobytes`() throws {
    let families = ["vfr-sectional": 57, "vfr-terminal": 35, "vfr-flyway": 28, "vfr-helicopter": 15]
    let answer = try answer(
      catalogue { chart in
        try families.flatMap { name, count in
          try (0..<count).map { try copy(chart, "\(name)/Dallas_Fort_Worth_\($0)") }
        }
      })
    #expect(answer.charts.values.map(\.tiles.count).reduce(0, +) == 135)
    let size = try answer.data.count
    #expect(size < 6000, "\(size) bytes")
  }

  @Test(.enabled(if: SchemaCheck.isInstalled))
  func `the summary conforms to the schema, a wrong one does not`() throws {
    let good = try answer(
      catalogue { [try copy($0, "a/Seattle", edition: "2026-09-03"), try copy($0, "a/Denver")] }
    ).data
    let text = String(decoding: good, as: UTF8.self)
    let faults = [
      ("chartpipe-latest-1", "chartpipe-latest-2"), ("\"edition\":", "\"day\":"), ("2026-09-03", "2026-9-3"),
      ("\"charts\":", "\"chart\":"), ("\"tiles\":{\"Denver\":\"", "\"tiles\":{\"Denver\":\"A"),
      ("\"cycle\":", "\"month\":"),
    ]
    for (index, text) in ([text] + faults.map { text.replacing($0.0, with: $0.1) }).enumerated() {
      let file = folder.file("latest-\(index).json")
      try file.put(text)
      let verdict = try #require(SchemaCheck("latest").verdicts([file]).first)
      #expect(verdict.hasSuffix(" ok") == (index == 0), "\(verdict)")
    }
  }

  @Test func `a catalogue without charts lists no charts`() throws {
    let answer = try answer(
      catalogue { chart in
        var database = try copy(chart, "nasr/aviation", role: .database)
        database.kind = .database
        return [database]
      })
    #expect(answer.charts.isEmpty && answer.products.keys.sorted() == ["nasr/aviation"])
    #expect(try String(decoding: answer.data, as: UTF8.self).contains("\"charts\":{}"))
  }
}
