import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Sites with missing or wrong files: the page reports them, and the rest works.
@Suite struct SiteResponderTests {
  let site: SampleSite

  init() throws { site = try SampleSite() }

  private func answer(_ address: String, start: String? = nil) throws -> Response {
    let answers = SiteResponder(try LoadedSite(site.root), start: start)
    return answers.answer(try Request(head: Array("GET \(address) HTTP/1.1\r\nHost: a".utf8)))
  }

  private func pageSite(start: String? = nil) throws -> PageSite {
    try JSONDecoder().decode(PageSite.self, from: Data(try answer("/site.json", start: start).body))
  }

  @Test func `serves a tile as stored`() throws {
    try site.stage([try site.chart("One")])
    let response = try answer("/tiles/2304/made-up/One/6/10/24")
    #expect(response.status == .ok)
    #expect(response.type == "image/png")
    #expect(response.body == SampleSite.picture)
    #expect(response.tag != nil)
    #expect(try answer("/tiles/2304/made-up/One/6/10/25").status == .noContent)
    #expect(try answer("/tiles/2304/made-up/Two/6/10/24").status == .notFound)
    #expect(try answer("/tiles/2305/made-up/One/6/10/24").status == .notFound)
  }

  @Test func `lists cycles, charts and databases for the page`() throws {
    let west = GeoBox(west: 179, south: 51, east: 180, north: 52)
    let east = GeoBox(west: -180, south: 51, east: -178, north: 52)
    try site.stage(
      [try site.chart("One"), try site.chart("Two", boxes: [west, east])], missing: ["made-up/Three"])
    try site.stage([], cycle: "2305")
    let pageSite = try pageSite()
    #expect(pageSite.start == "2305")
    #expect(pageSite.cycles.map(\.id) == ["2304", "2305"])
    #expect(pageSite.cycles[0].missing == ["made-up/Three"])
    #expect(
      pageSite.cycles[0].charts.map(\.boxes) == [
        [[-123, 37, -122, 38]], [[179, 51, 180, 52], [-180, 51, -178, 52]],
      ])
    #expect(
      pageSite.cycles[0].charts[0].outline == [
        [[-123.1235, 37], [-122, 37], [-122, 38], [-123.1235, 37]]
      ])
    #expect(try self.pageSite(start: "2304").start == "2304")
  }

  @Test func `reports a missing file`() throws {
    try site.stage([try site.chart("One"), try site.chart("Two")])
    try FileManager.default.removeItem(at: site.folder.file("blobs/One.mbtiles"))
    #expect(
      try pageSite().cycles[0].charts.map(\.problem) == ["Its file is missing: blobs/One.mbtiles", nil])
    #expect(try answer("/tiles/2304/made-up/One/6/10/24").status == .failed)
    #expect(try answer("/tiles/2304/made-up/Two/6/10/24").status == .ok)
  }

  @Test func `serves a linked file`() throws {
    try site.stage([try site.chart("One")])
    let blob = site.folder.file("blobs/One.mbtiles")
    try FileManager.default.moveItem(at: blob, to: site.folder.file("elsewhere"))
    try FileManager.default.createSymbolicLink(at: blob, withDestinationURL: site.folder.file("elsewhere"))
    #expect(try pageSite().cycles[0].charts.map(\.problem) == [nil])
  }

  @Test func `reports a file that is not an archive`() throws {
    let chart = try site.chart("One")
    try site.stage([chart])
    try site.write(Data(count: chart.files[0].bytes), to: "blobs/One.mbtiles")
    #expect(
      try pageSite().cycles[0].charts[0].problem?.hasPrefix("it is a file that begins with zeros") == true)
    try site.write(Data("x".utf8), to: "blobs/One.mbtiles")
    #expect(
      try pageSite().cycles[0].charts[0].problem?.hasPrefix("Its file has 1 byte and should have ") == true)
  }

  @Test(arguments: ["../outside.mbtiles", "blobs/../../outside.mbtiles", "/etc/hostname"])
  func `does not serve a file outside of the site`(path: String) throws {
    let product = site.product("made-up/One", .chart, "png", path, role: "tiles", bytes: 1)
    try site.stage([product])
    let problem = try pageSite().cycles[0].charts[0].problem
    #expect(problem == "Its description names a file outside of its folder: \(path)")
    #expect(try answer("/tiles/2304/made-up/One/6/10/24").status == .failed)
  }

  @Test func `an unreadable manifest does not hide other cycles`() throws {
    try site.stage([try site.chart("One")])
    try site.write(Data("{".utf8), to: "cycles/2305/manifest.json")
    let pageSite = try pageSite()
    #expect(pageSite.cycles.map(\.problem) == [nil, "The manifest of cycle 2305 cannot be read."])
    #expect(pageSite.cycles[0].charts.count == 1)
  }

  @Test func `an empty site gives an empty page`() throws {
    #expect(try pageSite().cycles.isEmpty)
    #expect(try answer("/").status == .ok)
    #expect(try answer("/airports.json?cycle=2304&box=0,0,1,1").status == .notFound)
  }

  @Test func `shows a build folder before staging`() throws {
    try FileManager.default.removeItem(at: site.folder.file("catalog.json"))
    let chart = try site.chart("One", path: "2304/made-up/One.mbtiles")
    var beside = chart
    beside.files[0].path = "One.mbtiles"
    try site.write(CanonicalJSON.pretty(beside), to: "2304/made-up/One.product.json")
    #expect(try answer("/tiles/2304/made-up/One/6/10/24").body == SampleSite.picture)
  }

  @Test func `explains that a folder is not a site`() throws {
    let empty = try TemporaryFolder()
    #expect(throws: UserError.self) { try PreviewSite(empty.url) }
    #expect(throws: UserError.self) { try PreviewSite(empty.file("none")) }
  }

  @Test func `embeds every file of the page`() throws {
    for file in PageFile.allCases {
      let response = try answer("/page/\(file.rawValue)")
      #expect(response.status == .ok)
      #expect(response.body.count > 100, "\(file.rawValue)")
    }
  }

  @Test func `serves every module that another one imports`() throws {
    let files = PageFile.allCases.map(\.bytes) + MapModule.allCases.map(\.bytes)
    let texts = files.map { String(decoding: $0, as: UTF8.self) }
    let imported = Set(
      texts.flatMap { $0.matches(of: /(?m)^import .* from "\.\/(.+)";$/).map { String($0.1) } })
    #expect(imported.isSuperset(of: ["map.js", "words.js"]))
    for name in imported {
      let response = try answer("/page/\(name)")
      #expect(response.status == .ok && response.type == PageFile.scriptType, "\(name)")
    }
  }
}

private struct PageSite: Decodable {
  struct Cycle: Decodable {
    var id: String
    var charts: [Chart]
    var missing: [String]
    var problem: String?
  }

  struct Chart: Decodable {
    var boxes: [[Double]]
    var outline: [[[Double]]]
    var problem: String?
  }

  var start: String?
  var cycles: [Cycle]
}
