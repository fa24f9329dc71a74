import Foundation
import SQLiteIO
import TestSupport
import Testing

/// `index.html` of a staged site, as a person uses it: from a plain web server that only serves files.
@Suite(
  .blocking, .serialized, .slow, BrowserTrait(),
  .enabled(if: PreviewProgram.mustRun || Browser.driver != nil, "there is no chromedriver on this machine"))
struct SitePageTests {
  private let site: URL
  private let server: TestServer
  private let browser: Browser

  init() async throws {
    site = try await Samples.mosaic().file("site")
    server = try TestServer(serving: site)
    browser = try Browser.cleared()
  }

  private func open(_ hash: String = "") async throws {
    try browser.open("\(server.url)/index.html\(hash)")
    try await browser.wait(until: "document.documentElement.dataset.ready")
  }

  @Test func `the map draws a mosaic that it reads in ranges`() async throws {
    try await open("#map=10.00/37.4000/-122.1000")
    try await browser.waitForChart(columns: 200..<500)
    let archives = server.requests.filter { $0.path.hasSuffix(".pmtiles") }
    #expect(archives.count > 4 && archives.allSatisfy { $0.status == 206 && $0.fields["range"] != nil })
    let others = Set(server.requests.map(\.path)).filter { !$0.hasSuffix(".pmtiles") }
    #expect(others == ["/index.html", "/catalog.json", "/live.json"], "the page needs nothing else")
    #expect(server.requests(for: "/live.json").count == 1)
    #expect(try browser.value("document.getElementById('live').hidden"), "the site has no snapshots")
    #expect(try browser.messages() == [])
  }

  @Test func `the list has each product, and the search finds some`() async throws {
    try await open()
    let shown = "[...document.querySelectorAll('.product:not([hidden])')].map((row) => row.dataset.id)"
    let all: [String] = try browser.value(shown)
    #expect(all.count == 9 && all.contains("sample-nasr/aviation") && all[0] == "sample-mosaic/Bay_Area")
    #expect(try browser.value("document.querySelectorAll('.badge').length === 0"), "the head says it once")
    let saved: String = try browser.value("document.querySelector('.files a').download")
    #expect(saved == "Bay_Area.mbtiles")
    let link: String = try browser.value("document.querySelector('.files a').getAttribute('href')")
    #expect(site.appending(path: link).exists)
    try type("west mosaic")
    let found: [String] = try browser.value(shown)
    #expect(found == ["sample-mosaic/Sample_West"])
  }

  @Test func `an address opens an airport, and its card closes with Escape`() async throws {
    try await open("#map=9.00/37.4000/-122.0000&airport=KPAO")
    try await browser.wait(until: "document.querySelector('#card:not([hidden]) #runways')")
    let card: String = try browser.value("document.getElementById('card').innerText")
    for text in [
      "KPAO Palo Alto", "Ground", "125.0", "BIRDS ON AND INVOF ARPT",
      "20 Apr 2023 – 18 May 2023. Not for navigation.",
    ] { #expect(card.contains(text), "\(text) is not in \(card)") }
    let credits: String = try browser.value("document.getElementById('credits').textContent")
    #expect(credits.hasPrefix("Not for navigation"))
    #expect(server.requests.count { $0.path.hasSuffix(".gz") } == 1, "the list of airports, compressed")
    try browser.run("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))")
    try await browser.wait(until: "document.getElementById('card').hidden")
    #expect(try browser.value("location.hash === '#map=9.00/37.4000/-122.0000'"))
    #expect(try browser.messages() == [])
  }

  @Test func `airports and airspace are below the charts until a person wants them above`() async throws {
    try await open("#map=9.00/37.4000/-122.0000")
    let isOn = "document.querySelector('[data-layer=over]').checked"
    #expect(try browser.value("\(isOn) === false"))
    try browser.click(at: try browser.place(of: (37.4611, -122.1151)))
    try await browser.wait(
      until: "document.querySelector('#card:not([hidden]) #runways')", "a click on the chart's own symbol")
    try browser.run("document.querySelector('[data-layer=over]').click()")
    #expect(try browser.value("\(isOn) && document.querySelectorAll('.legend canvas').length > 8"))
    #expect(try browser.messages() == [])
  }

  @Test func `a chosen chart is switched on, and one without PMTiles is for download only`() async throws {
    try await open()
    try browser.run(name(of: "sample-mosaic/Sample_West"))
    #expect(
      try browser.value("document.querySelector('[data-layer=\"sample-mosaic/Sample_West\"]').checked"))
    #expect(try browser.value("document.getElementById('message').hidden"))

    let copy = try await Samples.mosaic().copy()
    try keepOnlyMBTiles(of: "sample-mosaic/Sample_West", in: copy.file("site/catalog.json"))
    let other = try TestServer(serving: copy.file("site"))
    try browser.open("\(other.url)/index.html")
    try await browser.wait(until: "document.documentElement.dataset.ready")
    try browser.run(name(of: "sample-mosaic/Sample_West"))
    let message: String = try browser.value("document.getElementById('message').innerText")
    #expect(message == "Sample West is for download only. The map shows Bay Area.")
    try browser.run("document.querySelector('[data-layer=\"sample-mosaic/Bay_Area\"]').click()")
    try browser.run(name(of: "sample-mosaic/Sample_West"))
    let alone: String = try browser.value("document.getElementById('message').innerText")
    #expect(alone == "Sample West is for download only. The map shows its outline.")
    #expect(try browser.messages() == [])
  }

  private func keepOnlyMBTiles(of id: String, in catalogue: URL) throws {
    let read = try JSONSerialization.jsonObject(with: catalogue.data)
    var object = try #require(read as? [String: Any])
    var products = try #require(object["products"] as? [[String: Any]])
    let index = try #require(products.firstIndex { $0["id"] as? String == id })
    let files = try #require(products[index]["files"] as? [[String: Any]])
    products[index]["files"] = files.filter { $0["role"] as? String == "tiles" }
    object["products"] = products
    try JSONSerialization.data(withJSONObject: object).write(to: catalogue)
  }

  private func name(of product: String) -> String {
    "document.querySelector('[data-id=\"\(product)\"] .name').click()"
  }

  @Test func `a click on a chart shows its downloads, and a drag moves the map`() async throws {
    try await open()
    let place: [Double] = try browser.value(
      "(() => { const box = document.getElementById('map').getBoundingClientRect(); return [box.x + box.width / 2 + 100, box.y + box.height / 2]; })()"
    )
    // No airport is there.
    try browser.click(at: place)
    try await browser.wait(until: "document.querySelector('.product.chosen')")
    try browser.drag(over: [place, [place[0] - 60, place[1]], [place[0] - 120, place[1]]])
    try await browser.wait(until: "location.hash.startsWith('#map=')")
    let east: Double = try browser.value("Number(location.hash.split('/')[2])")
    #expect(east > -121.95)
    let zoom = "Number(location.hash.slice(5).split('/')[0])"
    let before: Double = try browser.value(zoom)
    try browser.run(
      "document.getElementById('map').dispatchEvent(new KeyboardEvent('keydown', { key: '+' }))")
    try await browser.wait(until: "\(zoom) > \(before) && Number.isInteger(\(zoom))")
  }

  @Test func `the recipes work as printed`() async throws {
    try await open()
    let airports = try rows(of: recipe("SQLite"), in: "sample-nasr/aviation") { $0.text(0) }
    #expect(airports.count { $0 == "KPAO" } == 2, "each of the two queries finds it")
    let tiles = try rows(of: recipe("MBTiles"), in: "sample-mosaic/Bay_Area") { $0.blob(0) }
    #expect(tiles.count == 1 && tiles[0].starts(with: Data("RIFF".utf8)), "one picture in WebP")

    let folder = TemporaryFolder()
    let script = try recipe("Check, and stay current")
    let shell = try RunningProgram(
      URL(filePath: "/bin/sh"), ["-e", "-c", "cd '\(folder.url.path)'\n\(script)"])
    let ending = try shell.wait()
    #expect(ending.status == 0 && ending.output.hasSuffix("Bay_Area.mbtiles: OK\n"), "\(ending)")
  }

  private func recipe(_ title: String) throws -> String {
    try browser.value(
      "[...document.querySelectorAll('.recipe')].find((one) => one.querySelector('summary').textContent === '\(title)').querySelector('code').textContent"
    )
  }

  /// The rows of all statements of a recipe, in the first file of a product.
  private func rows<Value>(of recipe: String, in product: String, _ value: (SQLiteRow) throws -> Value) throws
    -> [Value]
  {
    let path: String = try browser.value(
      "document.querySelector('[data-id=\"\(product)\"] .files a').getAttribute('href')")
    let database = try SQLiteConnection(site.appending(path: path).path, mode: .readOnly)
    return try recipe.split(separator: ";").filter { $0.contains("SELECT") }.flatMap {
      try database.prepare(String($0)).map([], value)
    }
  }

  @Test func `the map says that it expired, and a page that stays open follows the clock`() async throws {
    try await open()
    let standing: String = try browser.value("document.querySelector('#standing.expired').textContent")
    #expect(standing == "Cycle 2304 expired on 18 May 2023, 09:01 UTC")
    let expired: String = try browser.value("document.getElementById('expired').innerText")
    #expect(expired == "Expired: Bay Area, airports and airspace")
    // As if the page had been loaded at another date: the next look at it loads it again.
    try browser.run(
      "(() => { window.isOld = true; Date.now = () => Date.parse('2023-05-01'); document.dispatchEvent(new Event('visibilitychange')); })()"
    )
    try await browser.wait(until: "window.isOld === undefined && document.documentElement.dataset.ready")
    #expect(try browser.messages() == [])
  }

  @Test func `the page names a cycle and an airport that it does not have`() async throws {
    try await open("#cycle=2699&airport=KXXX")
    let problems: String = try browser.value("document.querySelector('#problems:not([hidden])').innerText")
    #expect(problems == "This site has no cycle 2699. It has 2304 only.")
    try await browser.wait(
      until: "document.getElementById('message').textContent === 'No airport of this map is KXXX.'")
    let (bottom, top): (Double, Double) = (
      try browser.value("document.getElementById('message').getBoundingClientRect().bottom"),
      try browser.value("document.getElementById('credits').getBoundingClientRect().top")
    )
    #expect(bottom < top, "a message does not cover the credits")
    try await browser.wait(until: "!location.hash.includes('2699')")
  }

  @Test func `on a telephone the map comes into view with a chart of the list`() async throws {
    try browser.resize(500, 800)
    defer { try? browser.resize(1200, 900) }
    try await open()
    let top = "document.getElementById('place').getBoundingClientRect().top"
    try browser.run("document.querySelector('[data-id=\"sample-mosaic/Sample_East\"]').scrollIntoView()")
    try await browser.wait(until: "\(top) < -100")
    try browser.run("document.querySelector('[data-id=\"sample-mosaic/Sample_East\"] .name').click()")
    try await browser.wait(until: "\(top) > -2 && document.querySelector('.product.chosen')")
  }

  @Test func `a search for an airport leaves the charts on the map, and Enter opens a chart`() async throws {
    try await open()
    try type("palo alto")
    try await browser.wait(until: "document.querySelector('#airports button')")
    #expect(try browser.value("document.querySelectorAll('.product:not([hidden])').length === 0"))
    let place: [Double] = try browser.value(
      "(() => { const box = document.getElementById('map').getBoundingClientRect(); return [box.x + box.width / 2 + 100, box.y + box.height / 2]; })()"
    )
    try browser.click(at: place)
    try await browser.wait(until: "document.querySelector('.product.chosen')")
    try type("west mosaic")
    try await browser.wait(until: "document.getElementById('found').textContent === '1 download'")
    try browser.run(
      "document.getElementById('search').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))"
    )
    try await browser.wait(
      until: "document.querySelector('.product.chosen').dataset.id === 'sample-mosaic/Sample_West'")
    #expect(try browser.messages() == [])
  }

  private func type(_ text: String) throws {
    try browser.run(
      "(() => { const box = document.getElementById('search'); box.value = '\(text)'; box.dispatchEvent(new Event('input')); })()"
    )
  }

  @Test func `the page says what is wrong`() async throws {
    server.hide("/catalog.json")
    try browser.open("\(server.url)/index.html")
    try await browser.wait(until: "!document.getElementById('message').hidden")
    let text: String = try browser.value("document.getElementById('message').textContent")
    #expect(
      text
        == "This site cannot be shown: the server answers 404 for catalog.json; check the address of this page, or try again later."
    )
  }
}
