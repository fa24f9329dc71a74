import Foundation
import ImageIO
import TestSupport
import Testing

/// `index.html` of a staged site, as a person uses it: from a plain web server that only serves files.
@Suite(
  .blocking, .serialized, .slow,
  .enabled(if: PreviewProgram.mustRun || Browser.driver != nil, "there is no chromedriver on this machine"))
struct SitePageTests {
  private let site: URL
  private let server: TestServer
  private let browser: Browser

  init() async throws {
    site = try await Samples.mosaic().file("site")
    server = try TestServer(serving: site)
    browser = try await Browser()
  }

  private func open(_ hash: String = "") async throws {
    try browser.open("\(server.url)/index.html\(hash)")
    try await browser.wait(until: "document.documentElement.dataset.ready")
  }

  /// How many pixels of the middle of the map are coloured, in percent: a chart is, and the ground is not.
  private func inked() throws -> Int {
    let image = try browser.screenshot()
    var colored = 0
    for y in 300..<600 {
      for x in 200..<500 {
        let pixel = image[x, y]
        let shades = [Int(pixel.red), Int(pixel.green), Int(pixel.blue)]
        if (shades.max() ?? 0) - (shades.min() ?? 0) > 24 { colored += 1 }
      }
    }
    return colored / 900
  }

  @Test func `the map draws a mosaic that it reads in ranges`() async throws {
    try await open("#map=10.00/37.4000/-122.1000")
    for _ in 0..<80 where try inked() < 90 { try await Task.sleep(for: .milliseconds(100)) }
    #expect(try inked() >= 90)
    let archives = server.requests.filter { $0.path.hasSuffix(".pmtiles") }
    #expect(archives.count > 4 && archives.allSatisfy { $0.status == 206 && $0.fields["range"] != nil })
    let others = Set(server.requests.map(\.path)).filter { !$0.hasSuffix(".pmtiles") }
    #expect(others == ["/index.html", "/catalog.json"], "the page needs nothing else")
    #expect(try browser.messages() == [])
    try browser.close()
  }

  @Test func `the list has each product, and the search finds some`() async throws {
    try await open()
    let shown = "[...document.querySelectorAll('.product:not([hidden])')].map((row) => row.dataset.id)"
    let all: [String] = try browser.value(shown)
    #expect(all.count == 9 && all.contains("sample-nasr/aviation") && all[0] == "sample-mosaic/Bay_Area")
    let badge: String = try browser.value("document.querySelector('.badge').textContent")
    #expect(badge == "expired")
    let saved: String = try browser.value("document.querySelector('.files a').download")
    #expect(saved == "Bay_Area.mbtiles")
    let link: String = try browser.value("document.querySelector('.files a').getAttribute('href')")
    #expect(FileManager.default.fileExists(atPath: site.appending(path: link).path))
    try browser.run(
      "(() => { const box = document.getElementById('search'); box.value = 'west mosaic'; box.dispatchEvent(new Event('input')); })()"
    )
    let found: [String] = try browser.value(shown)
    #expect(found == ["sample-mosaic/Sample_West"])
    try browser.close()
  }

  @Test func `a click on a chart shows its downloads, and a drag moves the map`() async throws {
    try await open()
    let place: [Double] = try browser.value(
      "(() => { const box = document.getElementById('map').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
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
    try await browser.wait(
      until: "\(zoom) > \(before) && Number.isInteger(\(zoom))")
    try browser.close()
  }

  @Test func `the page says what is wrong`() async throws {
    server.hide("/catalog.json")
    try browser.open("\(server.url)/index.html")
    try await browser.wait(until: "!document.getElementById('message').hidden")
    let text: String = try browser.value("document.getElementById('message').textContent")
    #expect(text == "This site cannot be shown: the server answers 404 for catalog.json.")
    try browser.close()
  }
}
