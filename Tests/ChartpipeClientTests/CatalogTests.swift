import ChartpipeClient
import Foundation
import Testing

struct CatalogTests {
  @Test func `reads known fields and ignores unknown ones`() throws {
    let catalog = try CatalogText.catalog()
    #expect(catalog.serial == 7 && catalog.cycles.map(\.id) == ["2611", "2612", "2613"])
    #expect(catalog.replaces?.bytes == 1234)
    #expect(catalog.current?.published == (try moment("2026-10-20T12:00:00Z")))
    let product = try #require(catalog.products.first)
    #expect(product.pipeline == "vfr-sectional" && product.item == "San_Francisco" && product.kind == .chart)
    #expect(product.effectiveDate == (try moment(CatalogText.october)))
    #expect(product.files.map(\.role) == [.tiles, .pmtiles, .control, .columns])
  }

  @Test func `a variant names its standard form`() throws {
    let standard = try CatalogText.catalog().products
    #expect(standard.allSatisfy { $0.tileSize == nil && $0.variantOf == nil })
    let text = CatalogText.usual.replacing(
      "\"format\": \"png\"",
      with: "\"format\": \"webp\", \"tileSize\": 512, \"variantOf\": \"vfr-sectional/X\"")
    let product = try #require(try CatalogText.catalog(text).products.first)
    #expect(product.format == "webp" && product.tileSize == 512 && product.variantOf == "vfr-sectional/X")
  }

  @Test func `an app can choose a form of a chart`() throws {
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

  @Test func `distinguishes another format from a broken file`() {
    let newer = CatalogText.usual.replacing("chartpipe-catalog-1", with: "chartpipe-catalog-2")
    let unknown = #expect(throws: ChartpipeError.self) { try CatalogText.catalog(newer) }
    #expect(unknown?.code == .format && unknown?.reason.contains("\"chartpipe-catalog-2\"") == true)
    for broken in ["<html>", "", CatalogText.usual.replacing("\"bytes\": 50000000", with: "\"bytes\": 3.5")] {
      let unreadable = #expect(throws: ChartpipeError.self) { try CatalogText.catalog(broken) }
      #expect(unreadable?.code == .invalid)
    }
    let empty = #expect(throws: ChartpipeError.self) { try CatalogText.catalog("{}") }
    #expect(empty?.reason == ".format is missing")
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
    ("blobs/22/", "blobs//22/", ".products[0].files[1].path"),
    (
      "\"sha256\": \"\(CatalogText.hash("1"))\"", "\"sha256\": \"\(String(repeating: "A", count: 64))\"",
      ".products[0].files[0].sha256"
    ),
    ("\"bytes\": 50000000", "\"bytes\": \"300\"", ".products[0].files[1].bytes"),
    ("\"bytes\": 50000000", "\"bytes\": 9007199254740991", ".products[0].files[1].bytes"),
    ("\"west\": -125", "\"west\": null", ".products[0].boundingBox.west"),
    ("\"north\": 40.5", "\"north\": 1e15", ".products[0].boundingBox"),
    ("\"north\": 40.5", "\"north\": 30", ".products[0].boundingBox"),
    ("\"west\": -125", "\"west\": -181", ".products[0].boundingBox"),
  ])
  func `rejects an invalid value and names its key`(good: String, bad: String, place: String) throws {
    let text = CatalogText.usual.replacing(good, with: bad, maxReplacements: 1)
    try #require(text != CatalogText.usual)
    let error = #expect(throws: ChartpipeError.self) { try CatalogText.catalog(text) }
    #expect(error?.reason.hasPrefix(place + ":") == true, "\(String(describing: error))")
  }

  @Test func `detects an older catalogue by its serial`() throws {
    let catalog = try CatalogText.catalog()
    #expect(catalog.freshness(afterSerial: nil) == .first)
    #expect(catalog.freshness(afterSerial: 6) == .newer)
    #expect(catalog.freshness(afterSerial: 7) == .same)
    #expect(catalog.freshness(afterSerial: 8) == .replayed)
  }
}

/// Cycles change at 0901Z of an effective day.
struct CurrencyTests {
  private let catalog: Catalog

  init() throws { catalog = try CatalogText.catalog() }

  @Test(arguments: [
    ("2026-10-29T09:00:59Z", "next"), ("2026-10-29T09:01:00Z", "current"),
    ("2026-12-21T09:00:59Z", "current"),
    ("2026-12-21T09:01:00Z", "soon"), ("2026-12-24T09:00:59Z", "soon"), ("2026-12-24T09:01:00Z", "expired"),
    ("2031-01-01T00:00:00Z", "expired"),
  ])
  func `a chart is what the clock says, to the second`(now: String, expected: String) throws {
    let currency = catalog.products[0].currency(at: try moment(now))
    let (from, until) = (try moment(CatalogText.october), try moment(CatalogText.december))
    let all: [String: Currency] = [
      "next": .next(from: from), "current": .current(until: until), "soon": .expiresSoon(until),
      "expired": .expired(since: until),
    ]
    #expect(currency == all[expected])
    #expect(currency.isInForce == ["current", "soon"].contains(expected))
  }

  @Test(arguments: [
    ("2026-10-29T09:00:59Z", nil, "2611"), ("2026-11-26T09:00:59Z", "2611", "2613"),
    ("2026-11-26T09:01:00Z", "2612", "2613"), ("2026-12-24T09:00:59Z", "2612", "2613"),
    ("2026-12-24T09:01:00Z", "2613", nil), ("2027-02-18T09:01:00Z", nil, nil),
  ])
  func `an offer depends on the clock alone`(now: String, inForce: String?, upcoming: String?) throws {
    let now = try moment(now)
    #expect(catalog.cycle(inForceAt: now)?.id == (now < (try moment("2027-01-21T09:01:00Z")) ? inForce : nil))
    let offer = catalog.offer(of: "vfr-sectional/San_Francisco", at: now)
    // The edition of October is in two cycles. The later one counts.
    #expect(offer.inForce?.cycle == (inForce == "2611" ? "2612" : inForce))
    #expect(offer.upcoming?.cycle == upcoming)
  }

  @Test func `an expired product is shown until there is a newer one`() throws {
    let old = catalog.offer(of: "vfr-sectional/San_Francisco", at: try moment("2027-03-01T00:00:00Z"))
    #expect(old.inForce == nil && old.shown?.cycle == "2613")
    let regions = catalog.chartRegions(of: "vfr-sectional", at: try moment("2027-03-01T00:00:00Z"))
    #expect(regions.map(\.expirationDate) == [try moment(CatalogText.february)])
    let none = catalog.offer(of: "vfr-sectional/Nowhere", at: .distantFuture)
    #expect(none.shown == nil && none.upcoming == nil)
  }

  @Test func `only a catalogue without the next cycle expires soon`() throws {
    let late = try moment("2026-12-23T00:00:00Z")
    #expect(catalog.currency(at: late) == .current(until: try moment(CatalogText.december)))
    var alone = catalog
    alone.next = nil
    #expect(alone.currency(at: late) == .expiresSoon(try moment(CatalogText.december)))
    #expect(
      alone.currency(at: try moment("2026-12-24T09:01:00Z"))
        == .expired(since: try moment(CatalogText.december)))
    #expect(
      catalog.currency(at: try moment("2026-01-01T00:00:00Z")) == .next(from: try moment(CatalogText.october))
    )
    (alone.previous, alone.current) = (nil, nil)
    #expect(alone.currency(at: late) == nil)
  }
}

/// A catalogue as JSON that tests can change.
struct CatalogText {
  /// 64 times the same digit.
  static func hash(_ digit: Character) -> SHA256Hex {
    SHA256Hex(digest: Array(repeating: 0x11 * UInt8(digit.hexDigitValue ?? 0), count: 32))
  }

  static func file(_ letter: Character, role: String, bytes: Int, ending: String) -> String {
    """
    { "path": "blobs/\(letter)\(letter)/\(hash(letter)).\(ending)", "sha256": "\(hash(letter))", "bytes": \(bytes),
      "mediaType": "application/octet-stream", "role": "\(role)" }
    """
  }

  static func product(
    cycle: String, from: String, until: String, files: [String], id: String = "vfr-sectional/San_Francisco",
    region: String? = nil
  ) -> String {
    """
    { "id": "\(id)", "kind": "chart", "name": "San Francisco", "cycle": "\(cycle)", "edition": "\(from.prefix(10))",\(region.map { " \"region\": \"\($0)\"," } ?? "")
      "effectiveDate": "\(from)", "expirationDate": "\(until)", "format": "png", "minZoom": 6, "maxZoom": 12,
      "boundingBox": { "west": -125, "south": 36, "east": -118, "north": 40.5 }, "somethingNew": { "a": [1] },
      "files": [\(files.joined(separator: ","))], "sources": [], "build": {} }
    """
  }

  static func cycle(_ id: String, from: String, until: String) -> String {
    """
    { "id": "\(id)", "effective": "\(from)", "expires": "\(until)", "published": "2026-10-20T12:00:00Z",
      "manifest": { "path": "blobs/ee/\(hash("e")).json", "sha256": "\(hash("e"))", "bytes": 99 } }
    """
  }

  static let october = "2026-10-29T09:01:00Z"
  static let november = "2026-11-26T09:01:00Z"
  static let december = "2026-12-24T09:01:00Z"
  static let february = "2027-02-18T09:01:00Z"

  /// The edition of October, and the future edition of December.
  static let usual: String = {
    let both = [
      file("1", role: "tiles", bytes: 52_428_800, ending: "mbtiles"),
      file("2", role: "pmtiles", bytes: 50_000_000, ending: "pmtiles"),
      file("4", role: "control", bytes: 9, ending: "png"),
      file("6", role: "columns", bytes: 8, ending: "json"),
    ]
    let entries = [
      product(cycle: "2611", from: october, until: december, files: both),
      product(cycle: "2612", from: october, until: december, files: both),
      product(
        cycle: "2613", from: december, until: february,
        files: [file("5", role: "tiles", bytes: 1000, ending: "mbtiles")]),
    ]
    return """
      { "format": "chartpipe-catalog-1", "serial": 7, "aFieldOfTomorrow": true,
        "previous": \(cycle("2611", from: october, until: november)),
        "current": \(cycle("2612", from: november, until: december)),
        "next": \(cycle("2613", from: december, until: "2027-01-21T09:01:00Z")),
        "replaces": { "path": "blobs/dd/\(hash("d")).json", "sha256": "\(hash("d"))", "bytes": 1234 },
        "products": [\(entries.joined(separator: ","))] }
      """
  }()

  static func catalog(_ text: String = usual) throws(ChartpipeError) -> Catalog {
    try Catalog(json: Data(text.utf8))
  }
}

/// A moment of 2026 or later, such as `2026-12-24T09:00:59Z`.
func moment(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
