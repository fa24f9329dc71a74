import ChartpipeClient
import Foundation
import Testing

/// A list of regions for an app to show and download.
struct ChartRegionTests {
  private func catalog(_ products: [(id: String, region: String?)]) throws -> Catalog {
    let file = CatalogText.file("1", role: "tiles", bytes: 52_428_800, ending: "mbtiles")
    let entries = products.map {
      CatalogText.product(
        cycle: "2612", from: CatalogText.october, until: CatalogText.december, files: [file], id: $0.id,
        region: $0.region)
    }
    return try CatalogText.catalog(
      """
      { "format": "chartpipe-catalog-1", "serial": 7, "previous": null, "next": null,
        "current": \(CatalogText.cycle("2612", from: CatalogText.november, until: CatalogText.december)),
        "regions": { "path": "blobs/dd/\(CatalogText.hash("d")).json", "sha256": "\(CatalogText.hash("d"))", "bytes": 9 },
        "products": [\(entries.joined(separator: ","))] }
      """)
  }

  @Test func `regions of all families have unique ids`() throws {
    let now = try moment("2026-12-01T00:00:00Z")
    let catalog = try catalog([
      ("vfr-sectional/San_Francisco", "San_Francisco"), ("vfr-terminal/San_Francisco", "San_Francisco_TAC"),
      ("vfr-sectional-webp/San_Francisco", nil),
    ])
    #expect(catalog.regions?.bytes == 9)
    let regions = catalog.chartRegions(at: now)
    #expect(regions.map(\.fileName) == ["San_Francisco.mbtiles", "San_Francisco_TAC.mbtiles"])
    #expect(regions.map(\.name) == ["San Francisco", "San Francisco TAC"])
    #expect(
      regions[0]
        == ChartRegion(
          id: "San_Francisco", name: "San Francisco", effectiveDate: try moment(CatalogText.october),
          expirationDate: try moment(CatalogText.december),
          boundingBox: BoundingBox(west: -125, south: 36, east: -118, north: 40.5), minZoom: 6, maxZoom: 12,
          fileSizeMB: 52.4288, path: "blobs/11/\(CatalogText.hash("1")).mbtiles",
          sha256: CatalogText.hash("1"),
          bytes: 52_428_800, forms: regions[0].forms, product: "vfr-sectional/San_Francisco"))
    #expect(regions[0].forms.map(\.path) == [regions[0].path])
    #expect(catalog.chartRegions(of: "vfr-terminal", at: now) == [regions[1]])
    let webp = catalog.chartRegions(of: "vfr-sectional-webp", at: now)
    #expect(webp.map(\.id) == ["vfr-sectional-webp.San_Francisco"])
    let site = try #require(URL(string: "https://charts.example/vfr/"))
    #expect(
      regions[0].url(at: site).absoluteString
        == "https://charts.example/vfr/blobs/11/\(CatalogText.hash("1")).mbtiles")
  }

  @Test func `regions of a catalogue without region ids have unique names`() throws {
    let ids = ["vfr-sectional/San_Francisco", "vfr-terminal/San_Francisco"]
    let catalog = try catalog(ids.map { ($0, nil) })
    let now = try moment("2026-12-01T00:00:00Z")
    #expect(catalog.chartRegions(at: now).isEmpty)
    let names = ["vfr-sectional", "vfr-terminal"].flatMap { catalog.chartRegions(of: $0, at: now) }.map(
      \.fileName)
    #expect(names == ["vfr-sectional.San_Francisco.mbtiles", "vfr-terminal.San_Francisco.mbtiles"])
  }

  private static let entry = """
    { "id": "A_TAC", "name": "A", "effectiveDate": 814957260, "expirationDate": 819795660, "isDownloaded": false,
      "boundingBox": { "west": -125, "south": 36, "east": -118, "north": 40.5 }, "fileSizeMB": 1.5,
      "url": "blobs/11/x.mbtiles", "sha256": "\(CatalogText.hash("1"))", "bytes": 1500000 }
    """

  @Test func `a plain JSONDecoder reads an entry`() throws {
    let region = try JSONDecoder().decode(ChartRegion.self, from: Data(ChartRegionTests.entry.utf8))
    #expect(
      region.effectiveDate == (try moment("2026-10-29T09:01:00Z")) && region.path == "blobs/11/x.mbtiles")
    #expect(region.forms.isEmpty && region.maxZoom == nil, "an earlier publisher's")
    let again = try JSONDecoder().decode(ChartRegion.self, from: JSONEncoder().encode(region))
    #expect(again == region)
  }

  private static let entryWithForms = entry.replacing(
    "\"isDownloaded\"",
    with: """
      "minZoom": 6, "maxZoom": 12, "forms": [
        { "format": "png", "archive": "mbtiles", "url": "blobs/11/x.mbtiles", "sha256": "\(CatalogText.hash("1"))", "bytes": 1500000 },
        { "format": "webp", "archive": "pmtiles", "tileSize": 512, "variant": "lite", "minZoom": 6, "maxZoom": 11,
          "url": "blobs/22/y.pmtiles", "sha256": "\(CatalogText.hash("2"))", "bytes": 500000 }], "isDownloaded"
      """
  ).replacing("\"west\"", with: "\"minLatitude\": 36, \"west\"")

  @Test func `a plain JSONDecoder reads an entry with forms`() throws {
    let region = try JSONDecoder().decode(
      ChartRegion.self, from: Data(ChartRegionTests.entryWithForms.utf8))
    #expect(region.minZoom == 6 && region.maxZoom == 12 && region.boundingBox.west == -125)
    let lite = try #require(region.forms.last)
    #expect(region.forms.count == 2 && lite.variant == "lite" && lite.path == "blobs/22/y.pmtiles")
    #expect(lite.tileSize == 512 && lite.maxZoom == 11 && lite.format == "webp" && lite.archive == "pmtiles")
    let again = try JSONDecoder().decode(ChartRegion.self, from: JSONEncoder().encode(region))
    #expect(again == region)
  }

  @Test(arguments: [
    ("blobs/22/y.pmtiles", "../y"), ("\"bytes\": 500000", "\"bytes\": -5"),
    ("maxZoom\": 12", "maxZoom\": -1"),
  ])
  func `a form that would write elsewhere is refused`(good: String, bad: String) {
    let text = ChartRegionTests.entryWithForms.replacing(good, with: bad)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ChartRegion.self, from: Data(text.utf8)) }
  }

  @Test(arguments: [
    ("A_TAC", "../A"), ("A_TAC", ".hidden"), ("A_TAC", ""), ("blobs/11/x.mbtiles", "../x.mbtiles"),
    ("blobs/11/x.mbtiles", "https://else.example/x"), (CatalogText.hash("1").text, "abc"), ("1500000", "-1"),
  ])
  func `an entry that would write elsewhere is refused`(good: String, bad: String) {
    let text = ChartRegionTests.entry.replacing(good, with: bad)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ChartRegion.self, from: Data(text.utf8)) }
  }
}
