import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// `style.json` and the TileJSON files, which follow from the catalogue.
struct WebMapTests {
  private let folder = TemporaryFolder()
  private let target: URL

  init() throws { target = folder.file("target") }

  /// Publishes a site of one cycle. A product whose name begins with `map` has an archive that is read in ranges.
  @discardableResult
  private func publish(
    _ products: [String: String], _ name: String, replacing: Bool = false, siteURL: String? = nil
  ) throws -> PublishReport {
    let site = folder.file(name)
    try PaperSite(at: site, ["2612": products])
    var options = try publishOptions("2026-12-01")
    options.siteURL = siteURL
    return try Publisher.publish(
      site, to: PublishTarget(folder: target), isReplacing: replacing, options, progress: SilentProgress())
  }

  private func catalogue() throws -> Catalog {
    try PublishedCatalogue.read(from: FolderStore(root: target)).catalogue
  }

  private func style() throws -> MapLibreStyle {
    try target.appending(path: "style.json").decoded(MapLibreStyle.self)
  }

  private func tileJSON(_ path: String) throws -> TileJSON {
    try target.appending(path: path).decoded(TileJSON.self)
  }

  private var described: [String] {
    get throws { try files(below: target).filter { $0.hasPrefix("charts/") } }
  }

  private func findings() throws -> [String] {
    try SiteHealth(site: PublishedSite(folder: target), now: "2026-12-03").check(progress: SilentProgress())
      .findings.map { "\($0.severity.rawValue) \($0.where)" }
  }

  @Test func `each archive that is read in ranges has a source, a layer and a TileJSON`() throws {
    try publish(["map": "1", "chart": "2"], "site")
    let archive = try #require(
      try catalogue().products.first { $0.name == "map" }?.files.first { $0.role == .pmtiles })
    let tiles = ["pmtiles://\(archive.path)/{z}/{x}/{y}"]
    #expect(try described == ["charts/paper/map.json"])
    #expect(
      try tileJSON("charts/paper/map.json")
        == TileJSON(
          name: "map", description: "paper/map, edition of 2026-11-26", version: "2026-11-26", tiles: tiles,
          minzoom: 1, maxzoom: 2, bounds: [-122, 37, -121, 38]))
    let style = try style()
    #expect(Array(style.sources.keys) == ["paper/map"] && style.sources["paper/map"]?.tiles == tiles)
    #expect(style.sources["paper/map"]?.tileSize == 256 && style.texts("source") == ["paper/map"])
    #expect(try findings().isEmpty)
  }

  @Test func `tiles have the public address of the site if it is known`() throws {
    try publish(["map": "1"], "site", siteURL: "https://charts.example.org/vfr")
    let tiles = try tileJSON("charts/paper/map.json").tiles
    #expect(tiles[0].hasPrefix("pmtiles://https://charts.example.org/vfr/blobs/"))
    #expect(try findings().isEmpty)
  }

  @Test func `a rollback describes the archives of the earlier catalogue`() throws {
    try publish(["map": "1"], "first")
    let first = try (style(), tileJSON("charts/paper/map.json"))
    try publish(["map": "2", "map-b": "3"], "second", replacing: true)
    #expect(try described == ["charts/paper/map-b.json", "charts/paper/map.json"])
    #expect(try style() != first.0)
    let report = try Publisher.rollBack(
      PublishTarget(folder: target), to: nil, publishOptions("2026-12-02"), progress: SilentProgress())
    #expect(try report.changed && style() == first.0 && tileJSON("charts/paper/map.json") == first.1)
    #expect(try described == ["charts/paper/map.json"] && findings().isEmpty)
  }

  @Test func `no description names a blob that is gone, and files of others stay`() throws {
    try publish(["map": "1", "other": "a"], "first")
    let foreign = ["charts/index.txt", "charts/a/b/c.json", "charts/mine/x.txt"]
    for path in foreign {
      let file = target.appending(path: path)
      try file.deletingLastPathComponent().makeFolder()
      try file.put("mine")
    }
    for (step, text) in ["b", "c"].enumerated() {
      try publish(["other": text], "later-\(step)", replacing: true)
      #expect(try described == foreign.sorted() && style().sources.isEmpty && findings().isEmpty)
    }
  }

  @Test func `verify finds a description of an archive that the catalogue does not have`() throws {
    try publish(["map": "1"], "first")
    let names = ["charts/paper/map.json", "style.json"]
    let before = try names.map { try target.appending(path: $0).data }
    try publish(["map": "2"], "second", replacing: true)
    for (name, old) in zip(names, before) {
      let good = try target.appending(path: name).data
      try old.write(to: target.appending(path: name))
      #expect(try findings() == ["warning \(name)"], "the replaced catalogue has it")
      let foreign = "blobs/ab/\(String(repeating: "ab", count: 32)).pmtiles"
      try Data(#"{"tiles": ["pmtiles://\#(foreign)/{z}/{x}/{y}"]}"#.utf8).write(
        to: target.appending(path: name))
      #expect(try findings() == ["error \(name)"])
      try target.appending(path: name).remove()
      #expect(try findings() == ["error \(name)"])
      try good.write(to: target.appending(path: name))
    }
    #expect(try findings().isEmpty)
  }

  /// A mirror writes the files for the ids of a catalogue that others made.
  @Test(arguments: [
    "../../etc/x", "/etc/x", "a/../b", "a/.b", "a", "a/b/c", "a//b", "", "a/b\\c", "a/é", "./a", "a/b\u{0}",
  ])
  func `an id that is no plain path has no file`(id: String) throws {
    #expect(WebMap.path(of: id) == nil && !WebMap.isPath("charts/\(id).json"))
    try publish(["map": "1"], "site")
    var catalogue = try catalogue()
    catalogue.products[0].id = id
    #expect(try WebMap(catalogue).files.map(\.name) == ["style.json"])
  }

  @Test func `vector tiles are drawn last, and their layers are listed`() throws {
    try publish(["map": "1", "map-b": "2"], "site")
    var catalogue = try catalogue()
    catalogue.products[0].format = "vectortiles"
    catalogue.products[0].build.counts = ["airspaces": 59, "airports": 71, "obstacles": 0, "tiles": 164]
    let files = try WebMap(catalogue).files
    #expect(files.map(\.name) == ["style.json", "charts/paper/map-b.json", "charts/paper/map.json"])
    let json = try #require(try JSONSerialization.jsonObject(with: files[2].data) as? [String: Any])
    let layers = try #require(json["vector_layers"] as? [[String: Any]])
    #expect(layers.map { $0["id"] as? String } == ["airports", "airspaces"])
    #expect(layers.allSatisfy { ($0["fields"] as? [String: String]) == [:] })
    let style = try files[0].data.decoded(MapLibreStyle.self)
    #expect(
      style.sources["paper/map"]?.type == "vector"
        && style.texts("id").prefix(2) == ["paper/map-b", "special-use-fill"])
    #expect(
      Set(style.texts("source").dropFirst()) == ["paper/map"] && !style.texts("type").contains("symbol"))
    #expect(style.sources["paper/map"]?.tileSize == nil)
  }

  @Test func `charts of a mosaic are hidden below it`() throws {
    try publish(["map": "1", "map-b": "2"], "site")
    var catalogue = try catalogue()
    catalogue.products[1].includes = [catalogue.products[0].id]
    catalogue.products[1].boundingBox = GeoBox(west: -124, south: 36, east: -120, north: 39)
    let style = try #require(WebMap(catalogue).files.first).data.decoded(MapLibreStyle.self)
    #expect(style.texts("id") == ["paper/map-b", "paper/map"])
    #expect(style.layers.map { $0["layout"] } == [nil, .object(["visibility": .string("none")])])
  }
}

extension MapLibreStyle {
  /// The values of a key of all layers.
  fileprivate func texts(_ key: String) -> [String] {
    layers.compactMap { layer in
      guard case .string(let text) = layer[key] else { return nil }
      return text
    }
  }
}

extension JSONValue {
  fileprivate subscript(key: String) -> JSONValue? {
    guard case .object(let values) = self else { return nil }
    return values[key]
  }
}

/// `index.html`, which is the same for all sites.
struct SitePageTests {
  private let page: String

  init() throws { page = String(decoding: try SitePage.data, as: UTF8.self) }

  private var script: Substring {
    get throws {
      let start = try #require(page.range(of: "<script type=\"module\">"))
      let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
      return page[start.upperBound..<end.lowerBound]
    }
  }

  @Test func `the page is one file without outside resources`() throws {
    #expect(!page.contains("{{") && page.hasSuffix("</html>\n"))
    for word in ["src=", "@import", "url(", "href=\"http", "href=\"//"] { #expect(!page.contains(word)) }
    let lines = try script.split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") })
    #expect(lines.count > 500)
    #expect(page.ranges(of: "</script>").count == 1)
  }

  @Test func `the policy allows exactly this script`() throws {
    let hash = try #require(page.firstMatch(of: /'sha256-([A-Za-z0-9+\/=]+)'/)).1
    let bytes = try #require(Data(base64Encoded: String(hash)))
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(try hex == SHA256Hex(of: Array(script.utf8)).text)
  }

  /// Concatenation needs each module after those that it imports, and each name once.
  @Test func `only the words that link modules are removed`() {
    let module =
      "import { a } from \"./a.js\";\n\nexport const b = 1;\nconst text = \"import \";\nexport class C {}\n"
    #expect(SitePage.unlinked(module) == "\nconst b = 1;\nconst text = \"import \";\nclass C {}\n")
  }

  @Test func `files are saved under readable names`() throws {
    let file = { (path: String, role: String) in
      Product.File(
        path: path, sha256: try SHA256Hex(of: Array(path.utf8)), bytes: 1, mediaType: "a/b",
        role: .init(rawValue: role))
    }
    var product = Product(
      id: "vfr-terminal/San_Francisco", kind: .chart, name: "San Francisco", cycle: "2612",
      edition: "2026-11-26", effectiveDate: "2026-11-26", expirationDate: "2026-12-24", boundingBox: nil,
      minZoom: nil, maxZoom: nil, format: "png",
      files: [try file("blobs/ab/ab.mbtiles", "tiles"), try file("blobs/cd/cd.pmtiles", "pmtiles")],
      sources: [],
      build: .init(
        tool: "", version: "", libraries: [:], definitionSha256: try SHA256Hex(of: []), counts: [:]),
      region: "San_Francisco_TAC")
    #expect(
      product.downloadNames == [
        "blobs/ab/ab.mbtiles": "San_Francisco_TAC.mbtiles",
        "blobs/cd/cd.pmtiles": "San_Francisco_TAC.pmtiles",
      ])
    product.region = nil
    product.files = [try file("a.geojson", "airports"), try file("b.geojson", "airspaces")]
    #expect(
      product.downloadNames == [
        "a.geojson": "San_Francisco-airports.geojson", "b.geojson": "San_Francisco-airspaces.geojson",
      ])
    product.region = "x\"\r\nSet-Cookie: y"
    #expect(product.downloadNames.isEmpty)
  }
}
