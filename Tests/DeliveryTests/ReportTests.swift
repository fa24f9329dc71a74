import CryptoIO
import Delivery
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct ReportTests {
  let sample: SampleBuild

  init() throws { sample = try SampleBuild() }

  @Test func theVerdictComesFirstAndTheFactsAreThere() throws {
    try sample.chart("San_Francisco", name: "San Francisco")
    try sample.stage(sample.build("2612"))
    let page = try sample.report()
    let product = try #require(try sample.manifest("2612").products.first)
    let verdict = try #require(page.range(of: "<strong>Valid</strong>"))
    let table = try #require(page.range(of: "<h2>Products</h2>"))
    #expect(verdict.lowerBound < table.lowerBound)
    for fact in [
      "In force from 2026-11-26 to 2026-12-24", "San Francisco", "vfr-sectional/San_Francisco",
      "2026-10-29 to 2026-12-24", ">6–8<", ">3 distinct tiles, 3 tiles<",
      Counts.bytes(product.files[0].bytes),
      "href=\"../../\(product.files[0].path)\"", "San Francisco.zip", "4.6 MB",
      product.sources[0].sha256.text,
      "1 product, ", "the rules found nothing wrong", "href=\"manifest.json\"",
    ] { #expect(page.contains(fact), "\(fact)") }
    #expect(!page.contains("Missing") && !page.contains("Findings"))
  }

  @Test func theLinkToAFileLeadsToIt() throws {
    try sample.chart("San_Francisco")
    let staged = try sample.stage(sample.build("2612"))
    let path = try #require(try sample.manifest("2612").products.first?.files.first?.path)
    let link = staged.report.deletingLastPathComponent().appending(path: "../../\(path)")
    #expect(FileManager.default.fileExists(atPath: link.standardizedFileURL.path))
  }

  @Test func namesOfFilesAreNeverTakenForMarkup() throws {
    try sample.chart("San_Francisco", name: "<script>alert('x')</script> & \"more\"")
    try sample.stage(sample.build("2612"), missing: ["<b>Miami</b>"])
    let page = try sample.report()
    #expect(!page.contains("<script") && !page.contains("<b>"))
    #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;"))
    #expect(page.contains("<li>&lt;b&gt;Miami&lt;/b&gt;</li>"))
  }

  @Test func thePageNeedsNothingElse() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let page = try sample.report()
    for outside in ["<script", "<link", "<img", "http:", "https:", "@import", "url("] {
      #expect(!page.contains(outside), "\(outside)")
    }
    #expect(page.contains("prefers-color-scheme: dark") && page.contains("@media print"))
    #expect(page.contains("width=device-width") && page.contains("<html lang=\"en\">"))
  }

  @Test func thePageIsWellFormed() throws {
    try sample.chart("San_Francisco", name: "A & B <C>")
    try sample.stage(sample.build("2612"), missing: ["vfr-sectional/Miami"])
    let page = try sample.report()
    for tag in [
      "html", "head", "body", "header", "main", "footer", "section", "table", "tbody", "tr", "td", "p", "li",
    ] {
      let opened = page.ranges(of: try Regex("<\(tag)[ >]")).count
      #expect(opened > 0 && opened == page.ranges(of: "</\(tag)>").count, "\(tag)")
    }
  }
}
