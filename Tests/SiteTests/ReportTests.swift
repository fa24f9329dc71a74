import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The report of a staged cycle.
@Suite struct ReportTests {
  let sample = SampleBuild()

  @Test func `the report starts with the verdict and has all facts`() throws {
    try sample.chart("San_Francisco", name: "San Francisco")
    try sample.stage(sample.build("2612"))
    let page = try sample.report()
    let product = try #require(try sample.manifest("2612").products.first)
    let verdict = try #require(page.range(of: "<strong>Good to publish</strong>"))
    let charts = try #require(page.range(of: "<h2>Charts "))
    #expect(verdict.lowerBound < charts.lowerBound)
    for fact in [
      "In force from 2026-11-26 to 2026-12-24", "San Francisco", "vfr-sectional/San_Francisco",
      "in force 2026-10-29 to 2026-12-24", ">6–8<", ">3, 3 different<", "The rules found no problems.",
      ">tiles \(Counts.bytes(product.files[0].bytes))<", product.files[0].sha256.text,
      "href=\"../../\(product.files[0].path)\"", "San Francisco.zip", "4.6 MB",
      product.sources[0].sha256.text, "href=\"manifest.json\"",
    ] { #expect(page.contains(fact), "\(fact)") }
    #expect(!page.contains("Missing") && !page.contains("Warnings"))
  }

  @Test func `the links to files are correct`() throws {
    try sample.chart("San_Francisco")
    let staged = try sample.stage(sample.build("2612"))
    let path = try #require(try sample.manifest("2612").products.first?.files.first?.path)
    let link = URL(filePath: staged.report).deletingLastPathComponent().appending(path: "../../\(path)")
    #expect(link.standardizedFileURL.exists)
  }

  @Test func `every link within the page has a target`() throws {
    try sample.chart("San_Francisco", name: "San Francisco")
    for (index, id) in ["A b", "B#c", "C%20d", "D<e>"].enumerated() {
      // A region's id is a file name.
      try edit(sample.chart(id, shade: UInt8(id.utf8.count) &* 7)) { $0.region = "R\(index)" }
    }
    try sample.stage(sample.build("2612"))
    let page = try sample.report()
    let links = page.matches(of: /href="#([^"]+)"/).map { String($0.output.1) }
    #expect(links.count == 20)
    let anchors = Set(
      page.matches(of: /id="([^"]+)"/).map {
        String($0.output.1).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      })
    for link in links { #expect(anchors.contains(link.removingPercentEncoding ?? link), "\(link)") }
  }

  @Test func `escapes file names`() throws {
    try sample.chart("San_Francisco", name: "<script>alert('x')</script> & \"more\"")
    try sample.stage(sample.build("2612"), missing: ["<b>Miami</b>"])
    let page = try sample.report()
    #expect(!page.contains("<script") && !page.contains("<b>"))
    #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;more&quot;"))
    #expect(page.contains("<strong>&lt;b&gt;Miami&lt;/b&gt;</strong>"))
  }

  @Test func `the page loads nothing else`() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
    let page = try sample.report()
    for outside in ["<script", "<link", "http:", "https:", "@import"] {
      #expect(!page.contains(outside), "\(outside)")
    }
    // Patterns of the page itself.
    #expect(page.matches(of: /url\((.)/).allSatisfy { $0.output.1 == "#" })
    let sources = page.matches(of: /src="([^"]{0,22})/).map { String($0.output.1) }
    #expect(sources.count == 5 && sources.allSatisfy { $0 == "data:image/webp;base64" })
    #expect(page.contains("prefers-color-scheme: dark") && page.contains("@media print"))
    #expect(page.contains("width=device-width") && page.contains("<html lang=\"en\">"))
  }

  @Test func `every picture has a description and a size`() throws {
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

  @Test func `the page is well-formed`() throws {
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

  @Test func `the headings are in order`() throws {
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"), missing: ["vfr-sectional/Miami"])
    let levels = try sample.report().matches(of: /<h([1-6])>/).compactMap { Int($0.output.1) }
    #expect(levels.first == 1 && levels.count { $0 == 1 } == 1)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 })
  }

  @Test func `a picture that cannot be drawn does not stop the report`() throws {
    let description = try sample.chart("San_Francisco")
    let archive = sample.build("2612", "vfr-sectional").appending(path: "San_Francisco.mbtiles")
    try archive.put("no archive")
    try edit(description) {
      $0.files[0].sha256 = try SHA256Hex(ofFile: archive)
      $0.files[0].bytes = 10
    }
    try sample.stageUnchecked(description)
    let page = try sample.report()
    #expect(page.contains("No picture could be drawn: ") && !page.contains("<img"))
  }

  /// Retained products are drawn from the site's files.
  @Test func `the page describes the whole cycle`() throws {
    try sample.stage(try sample.chart("San_Francisco"))
    try sample.build("2612").remove()
    try sample.stage(try sample.chart("Seattle", shade: 9))
    let images = try sample.report().matches(of: /<img [^>]*>/)
    #expect(images.count == 10)
  }
}

/// The texts of the page, with products without files, so that no picture is drawn.
@Suite struct ReportContentTests {
  private let product: Product

  init() throws {
    let sample = SampleBuild()
    let description = try sample.chart("San_Francisco", name: "San Francisco")
    product = try Product(describedBy: description)
  }

  private func content(_ products: [Product]) -> ReportContent {
    ReportContent(
      cycle: "2612", products: products.map { PlacedProduct($0, in: URL(filePath: "/nowhere")) },
      findings: [], facts: [:],
      isStaged: true)
  }

  private func page(_ content: ReportContent) throws -> String {
    String(decoding: try ReportPage(content: content).data(progress: SilentProgress()), as: UTF8.self)
  }

  private func finding(
    _ severity: Finding.Severity, rule: String = "tiles-decode", message: String = "it is no PNG",
    accepted: String? = nil
  ) -> Finding {
    var finding = Finding(rule: rule, severity: severity, where: "A.mbtiles", message: message)
    finding.accepted = accepted
    finding.product = product.id
    return finding
  }

  @Test func `the verdict is the most serious result`() throws {
    var content = content([product])
    #expect(ReportVerdict(content).headline == "Good to publish")
    content.findings = [finding(.warning, accepted: "reason")]
    #expect(ReportVerdict(content).headline == "Good to publish, with 1 finding accepted")
    content.notes = [SourceNote(source: "A.zip", message: "unknown")]
    content.findings.append(finding(.warning))
    #expect(ReportVerdict(content).headline == "Good to publish, with 2 warnings")
    content.missing = ["vfr-sectional/Miami"]
    #expect(ReportVerdict(content).headline == "Incomplete: 1 product missing")
    content.findings.append(finding(.error))
    #expect(ReportVerdict(content).headline == "Not to be published: 1 error")
    #expect(ReportVerdict(content).html.contains("--accept RULE@PRODUCT:REASON"))
  }

  @Test func `groups findings by rule with the rule's purpose`() throws {
    var content = content([product])
    content.findings =
      (1...11).map { finding(.warning, message: "number \($0) `x < y`") } + [finding(.error, rule: "made-up")]
    let page = try page(content)
    let purpose = try #require(Validator.rules.first { $0.name == "tiles-decode" }?.protects)
    #expect(page.contains("<h3><code>tiles-decode</code> <small>11</small></h3>"))
    #expect(page.contains("Purpose of the rule: \(purpose)"))
    #expect(page.contains("<p>number 1 <code>x &lt; y</code></p>"))
    #expect(page.contains("<summary>3 more of this rule</summary>"))
    #expect(page.contains("<h3><code>made-up</code>"))
    let (stops, looks) = (page.range(of: "<h2>Errors"), page.range(of: "<h2>Warnings"))
    #expect(try #require(stops).lowerBound < #require(looks).lowerBound)
    #expect(
      page.contains("href=\"#errors\">1 error</a>") && page.contains("href=\"#warnings\">11 warnings</a>"))
  }

  @Test func `lists accepted findings separately with their reasons`() throws {
    var content = content([product])
    content.findings = [finding(.warning, accepted: "strips <closed>")]
    let page = try page(content)
    #expect(page.contains("Accepted: 1 finding of <code>tiles-decode</code>: “strips &lt;closed&gt;”"))
    #expect(page.contains("<h2>Accepted <small>1</small></h2>") && !page.contains("<h2>Warnings"))
  }

  @Test func `explains missing products and suggests the next step`() throws {
    var content = content([product])
    content.missing = ["vfr-sectional/Miami", "vfr-sectional/Reno"]
    content.failures = [
      ProductFailure(
        id: "vfr-sectional/Miami", message: "looking for Miami.zip: it is not there", remedy: "Get it.")
    ]
    let page = try page(content)
    #expect(page.contains("<p>looking for Miami.zip: it is not there</p><p class=\"remedy\">Get it.</p>"))
    #expect(page.contains("<strong>vfr-sectional/Reno</strong><p>The messages of the run say"))
  }

  @Test func `describes the facts of a chart`() throws {
    var facts = ProductFacts()
    facts.zooms = [
      .init(zoom: 11, tiles: 1154, fewest: 1120, most: 1180, bytes: 12_345_678),
      .init(zoom: 12, tiles: 10, fewest: 20, most: 20, bytes: 99),
    ]
    facts.place = .init(points: 1024, median: 0.03, worst: 0.41)
    facts.graticule = .init(points: 7, median: .infinity, worst: 1e300)
    facts.change = .init(cycle: "2611", tiles: .init(same: 1020, changed: 34, added: 2, removed: 0))
    var content = content([product])
    content.facts = [product.id: facts]
    let page = try page(content)
    for fact in [
      ">1,120–1,180<", "class=\"bar within\"", "class=\"bar off\"", "<strong>10</strong>", "12.3 MB",
      "0.03 px off, at worst 0.41 px <small>(1,024 points)</small>", "? px off, at worst ? px",
      "Tiles against 2611: 1,020 the same, 34 changed, 2 new", "<dt>charts changed</dt><dd>1 of 1</dd>",
    ] { #expect(page.contains(fact), "\(fact)") }
    #expect(!page.contains("<dt>Airports</dt>"))
  }

  @Test func `converts offsets to metres when the pixel size is known`() {
    #expect(NumberText.pixels(0.03, metres: 20) == "0.03 px = 0.6 m")
    #expect(NumberText.pixels(2, metres: 30.2) == "2 px = 60 m")
    #expect(NumberText.pixels(-0.5, metres: nil) == "-0.5 px")
  }

  @Test func `compares the rows of a database with the previous cycle`() throws {
    var database = product
    database.kind = .database
    database.build.counts = ["airports": 19_000, "radars": 7, "droppedRows": 3, "zebras": 1]
    for table in 1...9 { database.build.counts["table\(table)"] = table }
    var facts = ProductFacts()
    facts.change = .init(
      cycle: "2611", rows: ["airports": .init(before: 20_000, now: 19_000), "gone": .init(before: 5, now: 0)])
    var content = content([database])
    content.facts = [database.id: facts]
    let page = try page(content)
    for fact in [
      ">19,000<", ">−1,000<", ">−5\u{A0}%<", "Against 2611", "<summary>12 more tables</summary>",
      ">gone</th>", ">−100\u{A0}%<", "19,053 in 12 tables",
    ] { #expect(page.contains(fact), "\(fact)") }
    #expect(!page.contains("dropped rows"))
  }

  @Test func `counts corrections, and limits of airspace above ground`() throws {
    var (database, export) = (product, product)
    (database.kind, export.kind) = (.database, .export)
    database.build.counts = ["airports": 2, "correctionsUsed": 3, "correctionsAlreadyRight": 1]
    export.build.counts = ["limitsFromTerrain": 1200, "limitsFromAirports": 4, "limitsLeftOut": 0]
    #expect(
      try page(content([database])).contains("<dt>Corrections</dt><dd>1 already right, 3 used</dd>"))
    #expect(
      try page(content([export])).contains(
        "<dt>Limits above ground</dt><dd>4 from airports, 1,200 from terrain</dd>"))
    #expect(try !page(content([export])).contains("Corrections"))
  }

  @Test func `formats numbers of any size`() throws {
    var database = product
    database.kind = .database
    database.build.counts = ["airports": .max, "runways": .min]
    database.sources[0].bytes = .max
    var content = content([database])
    var facts = ProductFacts()
    facts.change = .init(
      cycle: "2611", rows: ["airports": .init(before: .min, now: 0), "runways": .init(before: .max, now: 0)])
    content.facts = [database.id: facts]
    #expect(try page(content).contains(">9,223,372,036,854,775,807<"))
  }

  /// WCAG AA: 4.5 for text, in the light, in the dark and in print.
  @Test func `text has enough contrast`() throws {
    let sheet = String(decoding: PackageResources.pages_css, as: UTF8.self)
    let themes = sheet.matches(of: /:root \{([^}]*)\}/).map { theme in
      Dictionary(
        theme.output.1.matches(of: /--([a-z-]+): #([0-9a-f]+)/).map {
          (String($0.output.1), String($0.output.2))
        }
      ) { first, _ in first }
    }
    #expect(themes.count == 3)
    let pairs = [
      ("ink", "page"), ("ink", "paper"), ("soft", "page"), ("soft", "paper"), ("link", "page"),
      ("link", "paper"), ("ink", "fresh"),
      ("good-ink", "good"), ("doubt-ink", "doubt"), ("bad-ink", "bad"), ("alarm", "paper"),
    ]
    for theme in themes {
      for (ink, ground) in pairs {
        let lights = try [ink, ground].map { luminance(try #require(theme[$0])) }.sorted()
        #expect((lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5, "\(ink) on \(ground)")
      }
    }
  }

  /// Of `fff` or `1b1f24`, as WCAG 2 has it.
  private func luminance(_ color: String) -> Double {
    let digits = color.count == 3 ? color.map { "\($0)\($0)" }.joined() : color
    let number = Int(digits, radix: 16) ?? 0
    let channels = [16, 8, 0].map { shift in
      let value = Double(number >> shift & 255) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }

  @Test func `lists the sizes of the charts of each family with their shares of the limits`() throws {
    let sizes = [("a/Large", 300), ("a/Small", 50), ("b/Free", 7), ("a/All", 900)]
    let products = sizes.map { id, megabytes in
      var product = product
      (product.id, product.name) = (id, id.itemOfID)
      product.files[0].bytes = megabytes * 1_000_000
      if megabytes == 900 { (product.cut, product.includes) = (nil, ["a/Large", "a/Small"]) }
      product.build.maxMegabytes = id.hasPrefix("a") ? ["chart": 250, "family": 7000] : nil
      return product
    }
    let page = try page(content(products))
    let start = try #require(page.range(of: "<h2>Sizes</h2>"))
    let rows = page[start.upperBound...].components(separatedBy: "</section>")[0]
      .components(separatedBy: "<tr>").map { row in
        row.matches(of: /<t[hd] [^>]*>(.*?)<\/t[hd]>/).map {
          String($0.output.1).replacing(/<svg.*<\/svg>|<\/?(a|em)[^>]*>/, with: "")
        }
      }
    #expect(
      rows.filter { $0.count > 1 && !$0.contains("Size") } == [
        ["2 charts", "350.0 MB", "", "5% of 7,000 MB"],
        ["Large", "300.0 MB", "", "<strong>120% of 250 MB</strong>"],
        ["Small", "50.0 MB", "", "20% of 250 MB"],
        ["1 chart", "7.0 MB"], ["Free", "7.0 MB"],
      ])
  }

  @Test func `a hundred charts have an index and a page of limited size`() throws {
    let products = (1...120).map { number in
      var product = product
      product.id = "vfr-sectional/Chart_\(number)"
      return product
    }
    let page = try page(content(products.sorted { $0.id < $1.id }))
    #expect(page.contains("<h2>All products <small>120</small></h2>"))
    #expect(page.contains("<a href=\"#vfr-sectional/Chart_7\">"))
    #expect(page.contains("id=\"vfr-sectional/Chart_7\""))
    #expect(page.utf8.count < 400_000)
  }
}

/// The report of products that are not staged.
@Suite struct ValidationPageTests {
  let sample = SampleBuild()

  private func page(_ paths: URL..., against: [PlacedProduct] = []) throws -> String {
    let request = ValidationRequest(paths, against: against)
    let report = try Validator().validate(request, progress: SilentProgress())
    return String(
      decoding: try ValidationPage.data(request, report, progress: SilentProgress()), as: UTF8.self)
  }

  @Test func `shows a refused cycle with its errors`() throws {
    try sample.chart("San_Francisco")
    let seattle = try sample.chart("Seattle", shade: 9)
    let archive = sample.build("2612", "vfr-sectional").appending(path: "Seattle.mbtiles")
    try breakTiles(of: archive, describedBy: seattle)
    let page = try page(sample.build("2612"))
    #expect(page.contains("<title>Cycle 2612: Not to be published: "))
    #expect(page.contains("<h3><code>tiles-decode</code>"))
    #expect(
      page.contains("id=\"vfr-sectional/San_Francisco\"") && page.contains("id=\"vfr-sectional/Seattle\""))
    #expect(!page.contains("../../") && !page.contains("manifest.json"))
    #expect(!sample.site.exists)
  }

  @Test func `a file that is not a product has a page`() throws {
    let description = try sample.chart("San_Francisco")
    try description.remove()
    let page = try page(sample.build("2612", "vfr-sectional").appending(path: "San_Francisco.mbtiles"))
    #expect(page.contains("<h1>Validation</h1>") && page.contains("<strong>Good to publish</strong>"))
  }

  @Test func `lists the changes of a database`() throws {
    let database = SampleDatabase(sample: sample)
    try database.build("2611", ["'KPAO', 'A', 37, 0"])
    try database.build("2612", ["'KPAO', 'B', 37, 0"])
    let page = try page(sample.build("2612"), against: ProductSearch.products(in: sample.build("2611")))
    #expect(page.contains("<summary>Renamed <small>1</small></summary>") && !page.contains("changes.html"))
  }
}
