import Core
import CryptoIO
import Foundation
import Pipeline
import Site
import TestSupport
import Testing
import Validation

/// The page that a staging writes.
@Suite struct ReportTests {
  let sample: SampleBuild

  init() throws { sample = try SampleBuild() }

  @Test func theVerdictComesFirstAndTheFactsAreThere() throws {
    try sample.chart("San_Francisco", name: "San Francisco")
    try sample.stage(sample.build("2612"))
    let page = try sample.report()
    let product = try #require(try sample.manifest("2612").products.first)
    let verdict = try #require(page.range(of: "<strong>Good to publish</strong>"))
    let charts = try #require(page.range(of: "<h2>Charts "))
    #expect(verdict.lowerBound < charts.lowerBound)
    for fact in [
      "In force from 2026-11-26 to 2026-12-24", "San Francisco", "vfr-sectional/San_Francisco",
      "in force 2026-10-29 to 2026-12-24", ">6–8<", ">3, 3 different<", "The rules found nothing wrong.",
      Counts.bytes(product.files[0].bytes), product.files[0].sha256.text,
      "href=\"../../\(product.files[0].path)\"", "San Francisco.zip", "4.6 MB",
      product.sources[0].sha256.text, "href=\"manifest.json\"",
    ] { #expect(page.contains(fact), "\(fact)") }
    #expect(!page.contains("Missing") && !page.contains("To look at"))
  }

  @Test func theLinkToAFileLeadsToIt() throws {
    try sample.chart("San_Francisco")
    let staged = try sample.stage(sample.build("2612"))
    let path = try #require(try sample.manifest("2612").products.first?.files.first?.path)
    let link = staged.report.deletingLastPathComponent().appending(path: "../../\(path)")
    #expect(FileManager.default.fileExists(atPath: link.standardizedFileURL.path))
  }

  @Test func everyLinkWithinThePageHasItsPlace() throws {
    try sample.chart("San_Francisco", name: "San Francisco")
    for id in ["A b", "B#c", "C%20d", "D<e>"] { try sample.chart(id, shade: UInt8(id.utf8.count) &* 7) }
    try sample.stage(sample.build("2612"))
    let page = try sample.report()
    let links = page.matches(of: /href="#([^"]+)"/).map { String($0.output.1) }
    #expect(links.count == 8)
    let anchors = Set(
      page.matches(of: /id="([^"]+)"/).map {
        String($0.output.1).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      })
    for link in links {
      #expect(anchors.contains(link.removingPercentEncoding ?? link), "\(link)")
    }
  }

  @Test func namesOfFilesAreNeverTakenForMarkup() throws {
    try sample.chart("San_Francisco", name: "<script>alert('x')</script> & \"more\"")
    let request = sample.request([sample.build("2612")], missing: ["<b>Miami</b>"])
    _ = try Stager.stage(request, progress: SilentProgress())
    let page = try sample.report()
    #expect(!page.contains("<script") && !page.contains("<b>"))
    #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;"))
    #expect(page.contains("<strong>&lt;b&gt;Miami&lt;/b&gt;</strong>"))
  }

  @Test func thePageNeedsNothingElse() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let page = try sample.report()
    for outside in ["<script", "<link", "http:", "https:", "@import", "url("] {
      #expect(!page.contains(outside), "\(outside)")
    }
    let sources = page.matches(of: /src="([^"]{0,22})/).map { String($0.output.1) }
    #expect(sources.count == 5 && sources.allSatisfy { $0 == "data:image/webp;base64" })
    #expect(page.contains("prefers-color-scheme: dark") && page.contains("@media print"))
    #expect(page.contains("width=device-width") && page.contains("<html lang=\"en\">"))
  }

  @Test func everyPictureSaysWhatIsToBeSeenAndHowLargeItIs() throws {
    try sample.chart("San_Francisco", name: "San \"Francisco\"")
    try sample.stage(sample.build("2612"))
    let images = try sample.report().matches(of: /<img [^>]*>/).map { String($0.output) }
    #expect(images.count == 5)
    for image in images {
      #expect(
        image.contains(/width="\d+" height="\d+" loading="lazy" alt="San &quot;Francisco&quot;[^"]{20,}"/))
      #expect(image.utf8.count < 50_000)
    }
    #expect(images[0].contains("its neatline ticked in pink"))
    #expect(images[1].contains("north edge, enlarged"))
  }

  @Test func thePageIsWellFormed() throws {
    try sample.chart("San_Francisco", name: "A & B <C>")
    try sample.stage(sample.build("2612"), missing: ["vfr-sectional/Miami"])
    let page = try sample.report()
    for tag in [
      "html", "head", "body", "header", "main", "footer", "section", "article", "table", "tbody", "tr", "td",
      "p", "li", "dl", "dd", "figure", "details", "nav",
    ] {
      let opened = page.ranges(of: try Regex("<\(tag)[ >]")).count
      #expect(opened > 0 && opened == page.ranges(of: "</\(tag)>").count, "\(tag)")
    }
  }

  @Test func theHeadingsAreInOrder() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"), missing: ["vfr-sectional/Miami"])
    let levels = try sample.report().matches(of: /<h([1-6])>/).compactMap { Int($0.output.1) }
    #expect(levels.first == 1 && levels.count { $0 == 1 } == 1)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 })
  }

  @Test func whatCannotBeDrawnStopsNothing() throws {
    let description = try sample.chart("San_Francisco")
    let archive = sample.build("2612", "vfr-sectional").appending(path: "San_Francisco.mbtiles")
    try Data("no archive".utf8).write(to: archive)
    var product = try JSONDecoder().decode(Product.self, from: Data(contentsOf: description))
    product.files[0].sha256 = try SHA256Hex(ofFile: archive)
    product.files[0].bytes = 10
    try CanonicalJSON.pretty(product).write(to: description)
    _ = try Stager.stage(
      sample.request([description]), validate: { _, _ in ValidationReport(findings: []) },
      progress: SilentProgress())
    let page = try sample.report()
    #expect(page.contains("No picture could be drawn: ") && !page.contains("<img"))
  }

  /// What stays from an earlier staging is drawn from the site.
  @Test func thePageIsAlwaysOfTheWholeCycle() throws {
    try sample.stage(try sample.chart("San_Francisco"))
    try FileManager.default.removeItem(at: sample.build("2612"))
    try sample.stage(try sample.chart("Seattle", shade: 9))
    let images = try sample.report().matches(of: /<img [^>]*>/)
    #expect(images.count == 10)
  }
}
