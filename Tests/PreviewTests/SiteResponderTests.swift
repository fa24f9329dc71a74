import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Sites with missing or wrong files: the page reports them, and the rest works.
@Suite struct SiteResponderTests {
  let site: SampleSite

  init() throws { site = try SampleSite() }

  private func answer(_ address: String, start: AiracCycle? = nil, range: String? = nil) throws -> Response {
    let answers = SiteResponder(try LoadedSite(site.root), start: start)
    let field = range.map { "\r\nRange: \($0)" } ?? ""
    return answers.answer(try Request(head: Array("GET \(address) HTTP/1.1\r\nHost: a\(field)".utf8)))
  }

  private func catalogue(start: AiracCycle? = nil) throws -> PageCatalogue {
    try Data(try answer("/catalog.json", start: start).body).decoded(PageCatalogue.self)
  }

  /// The problems of files. The sample has no vector tiles.
  private func problems() throws -> [String] {
    let all = try catalogue().preview.problems
    #expect(all.last == "No product has vector tiles, so the map has no airports and no airspace.")
    return all.dropLast()
  }

  /// The bytes of a response with a part of a file.
  private func sent(_ response: Response) throws -> [UInt8] {
    let part = try #require(response.part)
    return Array(try part.file.data[part.range])
  }

  @Test func `serves the page of a site, whose policy allows its own script only`() throws {
    let response = try answer("/")
    #expect(response.body == Array(try SitePage.data))
    #expect(try answer("/index.html").body == response.body)
    #expect(response.policy == (try SitePage.policy) + "; frame-ancestors 'none'")
    let page = String(decoding: response.body, as: UTF8.self)
    #expect(page.contains("content=\"\(try SitePage.policy)\""))
  }

  @Test func `serves a tile as stored`() throws {
    try site.stage([try site.chart("One")])
    let response = try answer("/tiles/blobs/One.mbtiles/6/10/24")
    #expect(response.status == .ok)
    #expect(response.type == "image/png")
    #expect(response.body == SampleSite.picture)
    #expect(!response.isGzip)
    #expect(try answer("/tiles/blobs/One.mbtiles/6/10/25").status == .noContent)
    #expect(try answer("/tiles/blobs/Two.mbtiles/6/10/24").status == .notFound)
  }

  @Test func `serves the files of the catalogue, whole and in ranges`() throws {
    let chart = try site.chart("One")
    try site.stage([chart])
    let whole = Array(try site.folder.file("blobs/One.mbtiles").data)
    let response = try answer("/blobs/One.mbtiles")
    #expect(response.status == .ok && response.type == "x/y")
    #expect(try sent(response) == whole)
    let part = try answer("/blobs/One.mbtiles", range: "bytes=16-31")
    #expect(try part.status == .partialContent && sent(part) == Array(whole[16..<32]))
    let head = String(decoding: part.bytes(withBody: true, isLast: true), as: UTF8.self)
    #expect(head.contains("\r\nContent-Range: bytes 16-31/\(whole.count)\r\n"))
    #expect(head.contains("\r\nContent-Length: 16\r\n"))
    #expect(try sent(try answer("/blobs/One.mbtiles", range: "bytes=64-")) == Array(whole[64...]))
    #expect(try answer("/blobs/One.mbtiles", range: "bytes=\(whole.count)-").status == .rangeNotSatisfiable)
    for other in ["bytes=-5", "bytes=9-2", "bytes=0-1,4-5", "lines=1-2", "bytes=0x1-2"] {
      #expect(try answer("/blobs/One.mbtiles", range: other).status == .ok, "\(other)")
    }
  }

  @Test func `serves the pages of the site, and nothing else of the folder`() throws {
    try site.stage([try site.chart("One")])
    try site.write(Data("{}".utf8), to: "regions.json")
    try site.write(Data("x".utf8), to: "secret.txt")
    #expect(try answer("/regions.json").status == .ok)
    #expect(try answer("/style.json").status == .failed)
    for path in [
      "secret.txt", "..", "../etc/passwd", "blobs/../secret.txt", "blobs", "blobs/", "", "/", "//",
      "blobs/One.mbtiles/", "blobs%2F..%2Fsecret.txt", "etc/passwd", "%2Fetc%2Fpasswd",
      "tiles/..%2Fsecret.txt/0/0/0", "tiles/secret.txt/0/0/0", "tiles/blobs/One.mbtiles/3/8/0",
    ] where !path.isEmpty { #expect(try answer("/" + path).status == .notFound, "\(path)") }
  }

  @Test func `adds neatlines and the first cycle to the catalogue`() throws {
    try site.stage([try site.chart("One"), try site.chart("Two")], cycles: ["2304", "2305"])
    let catalogue = try catalogue()
    #expect(catalogue.format == "chartpipe-catalog-1" && catalogue.products.map(\.id).count == 2)
    #expect(catalogue.preview.start == "2305")
    #expect(catalogue.preview.archives.keys.sorted() == ["blobs/One.mbtiles", "blobs/Two.mbtiles"])
    #expect(
      catalogue.preview.archives["blobs/One.mbtiles"]?.neatline == [
        [[-123.1235, 37], [-122, 37], [-122, 38], [-123.1235, 37]]
      ])
    #expect(try self.catalogue(start: "2304").preview.start == "2304")
    #expect(try problems().isEmpty)
  }

  @Test func `serves the live channel as it is now, and the files that it names`() throws {
    #expect(try answer("/live.json").status == .notFound)
    let loaded = try LoadedSite(site.root)
    let answers = SiteResponder(loaded, start: nil)
    func status(_ path: String) throws -> HTTPStatus {
      answers.answer(try Request(head: Array("GET /\(path) HTTP/1.1\r\nHost: a".utf8))).status
    }
    let data = Data("{}".utf8)
    var product = site.product(
      "tfr/tfr", .init(rawValue: "tfr"), "geojson", "", role: .json, bytes: data.count)
    let hash = try FileReference(blob: data).sha256
    product.files[0].sha256 = hash
    func stage(_ path: String) throws {
      product.files[0].path = path
      let live = Catalog(serial: 1, previous: nil, current: nil, next: nil, products: [product])
      try site.write(CanonicalJSON.pretty(live), to: "live.json")
      try site.write(data, to: path)
    }
    let path = BlobPath.of(hash, extension: "geojson", in: "live")
    try stage(path)
    #expect(try status(path) == .notFound, "the list was not read yet")
    #expect(try status("live.json") == .ok && status(path) == .ok)
    try site.write(data, to: "live/secret.json")
    #expect(try status("live/secret.json") == .notFound && status("live") == .notFound)
    try stage("live/secret.json")
    #expect(try status("live.json") == .ok && status("live/secret.json") == .notFound)
    try site.write(Data("{".utf8), to: "live.json")
    #expect(try status("live.json") == .ok && status(path) == .notFound)
    try site.folder.file("live.json").remove()
    #expect(try status("live.json") == .notFound)
  }

  @Test func `reports a missing file`() throws {
    try site.stage([try site.chart("One"), try site.chart("Two")])
    try site.folder.file("blobs/One.mbtiles").remove()
    #expect(try problems() == ["made-up/One: its file is missing: blobs/One.mbtiles"])
    #expect(try catalogue().preview.archives.count == 1)
    #expect(try answer("/tiles/blobs/One.mbtiles/6/10/24").status == .failed)
    #expect(try answer("/blobs/One.mbtiles").status == .failed)
    #expect(try answer("/tiles/blobs/Two.mbtiles/6/10/24").status == .ok)
  }

  @Test func `serves a linked file`() throws {
    try site.stage([try site.chart("One")])
    let blob = site.folder.file("blobs/One.mbtiles")
    try FileManager.default.moveItem(at: blob, to: site.folder.file("elsewhere"))
    try FileManager.default.createSymbolicLink(at: blob, withDestinationURL: site.folder.file("elsewhere"))
    #expect(try problems().isEmpty)
  }

  @Test func `reports a file that is not an archive`() throws {
    let chart = try site.chart("One")
    try site.stage([chart])
    try site.write(Data(count: chart.files[0].bytes), to: "blobs/One.mbtiles")
    #expect(try problems().first?.hasPrefix("made-up/One: it is a file that begins with zeros") == true)
    try site.write(Data("x".utf8), to: "blobs/One.mbtiles")
    #expect(try problems().first?.hasPrefix("made-up/One: its file has 1 byte and should have ") == true)
  }

  @Test(arguments: ["../outside.mbtiles", "blobs/../../outside.mbtiles", "/etc/hostname"])
  func `does not serve a file outside of the site`(path: String) throws {
    try site.stage([site.product("made-up/One", .chart, "png", path, role: .tiles, bytes: 1)])
    #expect(try problems() == ["made-up/One: its description names a file outside of its folder: \(path)"])
    #expect(try catalogue().preview.archives.isEmpty)
    #expect(try answer("/tiles/\(path)/6/10/24").status == .failed)
    #expect(try answer("/\(path)").status == .failed)
  }

  @Test func `an unreadable catalogue is an error`() throws {
    try site.write(Data("{".utf8), to: "catalog.json")
    let error = #expect(throws: UserError.self) { try PreviewSite(site.root) }
    #expect(error?.reason == "its catalog.json cannot be read")
  }

  @Test func `an empty site gives an empty page`() throws {
    #expect(try catalogue().products.isEmpty && catalogue().preview.start == nil)
    #expect(try answer("/").status == .ok)
  }

  @Test func `shows a build folder before staging`() throws {
    try site.folder.file("catalog.json").remove()
    var beside = try site.chart("One", path: "made-up/One.mbtiles")
    beside.files[0].path = "One.mbtiles"
    var evidence = beside.files[0]
    (evidence.path, evidence.role) = ("One.control.png", .control)
    beside.files.append(evidence)
    try site.write(CanonicalJSON.pretty(beside), to: "made-up/One.product.json")
    #expect(try answer("/tiles/made-up/One.mbtiles/6/10/24").body == SampleSite.picture)
    #expect(try answer("/made-up/One.control.png").status == .notFound, "evidence is not for people")
    #expect(try problems().isEmpty)
    #expect(try catalogue().preview.start == "2304")
    beside.files[0].path = "../../outside.mbtiles"
    try site.write(CanonicalJSON.pretty(beside), to: "made-up/One.product.json")
    #expect(try problems().count == 1)
  }

  @Test func `explains that a folder is not a site`() throws {
    let empty = TemporaryFolder()
    #expect(throws: UserError.self) { try PreviewSite(empty.url) }
    #expect(throws: UserError.self) { try PreviewSite(empty.file("none")) }
  }
}

/// What the page reads.
private struct PageCatalogue: Decodable {
  struct Item: Decodable { var id: String }
  struct Archive: Decodable { var neatline: [[[Double]]] }
  struct Preview: Decodable {
    var start: String?
    var problems: [String]
    var archives: [String: Archive]
  }

  var format: String
  var products: [Item]
  var preview: Preview
}
