import ChartpipeClient
import Foundation
import Testing

struct CatalogTests {
  @Test func `what an app needs is read, and what it does not know is passed over`() throws {
    let catalog = try CatalogText.catalog()
    #expect(catalog.serial == 7 && catalog.cycles.map(\.id) == ["2611", "2612", "2613"])
    #expect(catalog.replaces?.bytes == 1234)
    #expect(catalog.current?.published == (try moment("2026-10-20T12:00:00Z")))
    let product = try #require(catalog.products.first)
    #expect(product.pipeline == "vfr-sectional" && product.item == "San_Francisco" && product.kind == .chart)
    #expect(product.effectiveDate == (try moment(CatalogText.october)))
    #expect(product.patches.map(\.fromCycle) == ["2609"])
    #expect(product.files.map(\.role) == [.tiles, .pmtiles, .control, .columns])
  }

  @Test func `a variant names the chart of which it is another form`() throws {
    let standard = try CatalogText.catalog().products
    #expect(standard.allSatisfy { $0.tileSize == nil && $0.variantOf == nil })
    let text = CatalogText.usual.replacing(
      "\"format\": \"png\"",
      with: "\"format\": \"webp\", \"tileSize\": 512, \"variantOf\": \"vfr-sectional/X\"")
    let product = try #require(try CatalogText.catalog(text).products.first)
    #expect(product.format == "webp" && product.tileSize == 512 && product.variantOf == "vfr-sectional/X")
  }

  @Test func `an app chooses among the forms of a chart`() throws {
    func product(_ id: String, of standard: String? = nil, cycle: String = "2611") -> String {
      let text = CatalogText.product(
        cycle: cycle, from: CatalogText.october, until: CatalogText.december,
        files: [CatalogText.file("a", role: "tiles", bytes: 1, ending: "mbtiles")], id: id)
      let key = standard.map { "\"variantOf\": \"\($0)\", \"kind\"" } ?? "\"kind\""
      return text.replacing("\"kind\"", with: key)
    }
    let products = [
      product("a-webp/X", of: "a/X"), product("a-2x/X", of: "a/X"), product("a/X"), product("a/Y"),
      product("a/X", cycle: "2612"),
    ]
    let text = """
      { "format": "chartpipe-catalog-1", "serial": 1, "previous": null, "current": null, "next": null,
        "products": [\(products.joined(separator: ","))] }
      """
    let catalog = try CatalogText.catalog(text)
    for form in catalog.products.prefix(3) {
      #expect(catalog.forms(of: form).map(\.id) == ["a/X", "a-2x/X", "a-webp/X"])
    }
    #expect(catalog.forms(of: catalog.products[3]).map(\.id) == ["a/Y"])
  }

  @Test func `another format is told from a broken file`() {
    let newer = CatalogText.usual.replacing("chartpipe-catalog-1", with: "chartpipe-catalog-2")
    #expect(throws: CatalogError.unknownFormat("chartpipe-catalog-2")) { try CatalogText.catalog(newer) }
    for broken in ["<html>", "", CatalogText.usual.replacing("\"bytes\": 300", with: "\"bytes\": 3.5")] {
      #expect(throws: CatalogError.self) { try CatalogText.catalog(broken) }
    }
    #expect(throws: CatalogError.unreadable(".format is missing")) { try CatalogText.catalog("{}") }
    #expect("\(CatalogError.unknownFormat("x-9"))".contains("\"x-9\""))
  }

  @Test(arguments: [
    ("\"serial\": 7", "\"serial\": -1", ".serial"), ("\"serial\": 7", "\"serial\": \"7\"", ".serial"),
    (CatalogText.october, "2026-10-29", ".previous.effective"),
    (CatalogText.october, "2026-10-32T09:01:00Z", ".previous.effective"),
    ("\"published\": \"2026-10-20T12:00:00Z\"", "\"published\": \"soon\"", ".previous.published"),
    ("blobs/11/", "../11/", ".products[0].files[0].path"),
    ("blobs/11/", "/blobs/11/", ".products[0].files[0].path"),
    ("blobs/11/", "https://a/", ".products[0].files[0].path"),
    ("blobs/11/", "blobs/%2e%2e/", ".products[0].files[0].path"),
    ("blobs/33/", "blobs//33/", ".products[0].patches[0].path"),
    (
      "\"sha256\": \"\(CatalogText.hash("1"))\"", "\"sha256\": \"\(CatalogText.hash("A"))\"",
      ".products[0].files[0].sha256"
    ),
    ("\"bytes\": 300", "\"bytes\": \"300\"", ".products[0].patches[0].bytes"),
    ("\"bytes\": 300", "\"bytes\": \(Int.max)", ".products[0].patches[0].bytes"),
    ("\"west\": -125", "\"west\": null", ".products[0].boundingBox.west"),
    ("\"north\": 40.5", "\"north\": 1e308", ".products[0].boundingBox"),
    ("\"north\": 40.5", "\"north\": 30", ".products[0].boundingBox"),
    ("\"west\": -125", "\"west\": -181", ".products[0].boundingBox"),
  ])
  func `what is not as it must be is refused, and its place is told`(good: String, bad: String, place: String)
    throws
  {
    let text = CatalogText.usual.replacing(good, with: bad, maxReplacements: 1)
    try #require(text != CatalogText.usual)
    let error = #expect(throws: CatalogError.self) { try CatalogText.catalog(text) }
    guard case .unreadable(let told) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(told.hasPrefix(place + ":"), "\(told)")
  }

  @Test func `an older catalogue is told by its serial`() throws {
    let catalog = try CatalogText.catalog()
    #expect(catalog.freshness(afterSerial: nil) == .first)
    #expect(catalog.freshness(afterSerial: 6) == .newer)
    #expect(catalog.freshness(afterSerial: 7) == .same)
    #expect(catalog.freshness(afterSerial: 8) == .replayed)
  }
}
