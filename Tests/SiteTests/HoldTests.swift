import ChartpipeClient
import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Products that validation refuses, and the editions that stay published in their place.
@Suite(.slow) struct HoldTests {
  let sample = SampleBuild()
  private let seattle = "vfr-sectional/Seattle"
  private let miami = "vfr-sectional/Miami"

  /// Builds both charts of a cycle, one of them broken or not, and stages them.
  @discardableResult
  private func stage(
    _ cycle: String, broken: Bool, now: String = "2026-12-01", strict: Bool = false,
    validate: Stager.Validate? = nil, in build: SampleBuild? = nil
  ) throws -> StagedSite {
    let build = build ?? sample
    try build.chart("Miami", cycle: cycle, shade: 40)
    let description = try build.chart("Seattle", cycle: cycle)
    if broken {
      let archive = build.build(cycle, "vfr-sectional").appending(path: "Seattle.mbtiles")
      try breakTiles(of: archive, describedBy: description)
    }
    var request = build.request([build.build(cycle)], now: now)
    request.isStrict = strict
    return try Stager.stage(request, validate: validate, progress: SilentProgress())
  }

  private func app(_ site: URL? = nil) throws -> ChartpipeClient.Catalog {
    try ChartpipeClient.Catalog(json: (site ?? sample.site).appending(path: "catalog.json").data)
  }

  private func time(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  private func health(_ site: URL? = nil, at now: String) throws -> HealthReport {
    try checkHealth(PublishedSite(folder: site ?? sample.site), now: now)
  }

  @Test func `without an earlier edition a refused product is not published`() throws {
    let staged = try stage("2612", broken: true)
    #expect(staged.products == 1 && staged.held.map(\.id) == [seattle])
    #expect(staged.held[0].rule == "tiles-decode" && staged.held[0].published == nil)
    let manifest = try sample.manifest("2612")
    #expect(manifest.products.map(\.id) == [miami] && manifest.kept == nil && manifest.missing.isEmpty)
    #expect(manifest.validation.ok && manifest.validation.findings.isEmpty)
    let entry = try #require(try sample.catalogue().current)
    #expect(entry.held == [.init(id: seattle, reason: .refused, rule: "tiles-decode")])
    #expect(try sample.catalogue().products.map(\.id) == [miami])
    #expect(try sample.report().contains("1 of 2 charts published; Seattle held back"))
    #expect(try sample.report().contains("no edition is published"))
    #expect(try health(at: "2026-12-01T00:00:00Z").text.contains("no earlier edition is published"))
  }

  private func describe(_ description: URL, _ change: (inout Product) -> Void) throws {
    var product = try description.decoded(Product.self)
    change(&product)
    try CanonicalJSON.pretty(product).write(to: description)
  }

  @Test func `a chart is staged only with the charts that it shows`() throws {
    let description = try sample.chart("Seattle")
    try describe(description) { $0.includes = [miami] }
    try expectFault("it shows parts of \(miami)", kind: .refused) { try sample.stage(description) }
    try sample.chart("Miami")
    try sample.stage(sample.build("2612"))
    try sample.stage(description)
  }

  @Test func `a variant of a refused chart is refused`() throws {
    let description = try sample.chart("Seattle")
    let archive = sample.build("2612", "vfr-sectional").appending(path: "Seattle.mbtiles")
    try breakTiles(of: archive, describedBy: description)
    try describe(sample.chart("Miami")) { $0.variantOf = seattle }
    try sample.chart("Reno")
    let staged = try sample.stage(sample.build("2612"))
    #expect(staged.held.map(\.id) == [miami, seattle] && staged.products == 1)
  }

  @Test func `the previous edition stays with its own dates, which show that it expired`() throws {
    try stage("2611", broken: false)
    try stage("2613", broken: true, now: "2026-12-30")
    let kept = try #require(try sample.manifest("2613").kept?.first)
    #expect(kept == (try sample.manifest("2611").products.first { $0.id == seattle }))
    let catalogue = try sample.catalogue()
    #expect(
      catalogue.products.map { "\($0.cycle) \($0.id)" } == [
        "2611 \(miami)", "2611 \(seattle)", "2613 \(miami)",
      ])
    #expect(catalogue.current?.held?.map(\.published) == ["2611"])
    let offer = try app().offer(of: seattle, at: time("2026-12-30T00:00:00Z"))
    #expect(offer.inForce == nil && offer.shown?.cycle == "2611")
    #expect(
      offer.shown?.currency(at: try time("2026-12-30T00:00:00Z"))
        == .expired(since: try time("2026-12-24T09:01:00Z")))
    #expect(
      offer.held?.rule == "tiles-decode" && offer.held?.reason == .refused && offer.held?.published == "2611")
    // The old edition is current while it is in force.
    let before = try app().offer(of: seattle, at: time("2026-12-01T00:00:00Z"))
    #expect(before.inForce?.cycle == "2611" && before.held == nil)
    let report = try health(at: "2026-12-30T00:00:00Z")
    #expect(!report.ok && report.findings.map(\.severity) == [.error], "\(report.text)")
    #expect(
      report.text.contains("validation refused it (tiles-decode)")
        && report.text.contains("expired on 2026-12-24T09:01:00Z"))
    let feed = try sample.file("feed.xml").text
    #expect(feed.contains("Held back: vfr-sectional/Seattle (tiles-decode).") && feed.contains("0 gone"))
  }

  @Test func `the previous edition and its files stay through later cycles`() throws {
    try stage("2611", broken: false)
    try stage("2613", broken: true, now: "2026-12-30")
    try stage("2701", broken: true, now: "2027-01-25")
    let catalogue = try sample.catalogue()
    #expect([catalogue.previous?.id, catalogue.current?.id] == ["2613", "2701"])
    #expect(
      catalogue.products.map { "\($0.cycle) \($0.id)" } == [
        "2611 \(miami)", "2611 \(seattle)", "2613 \(miami)", "2701 \(miami)",
      ])
    let file = try #require(catalogue.products.first { $0.id == seattle }?.files.first)
    _ = try Retention.prune(staged: sample.site)
    #expect(!sample.file("cycles/2611").exists)
    #expect(sample.file(file.path).exists)
    // The folder of its cycle is gone, and the next cycle still finds it.
    try stage("2702", broken: true, now: "2027-02-20")
    #expect(try sample.manifest("2702").kept?.map(\.cycle) == ["2611"])
    #expect(try health(at: "2027-02-20T00:00:00Z").findings.allSatisfy { $0.rule == "site-held" })
    // The repaired chart replaces the old edition.
    try stage("2702", broken: false, now: "2027-02-20")
    #expect(try sample.manifest("2702").held == nil && sample.manifest("2702").kept == nil)
    #expect(try sample.catalogue().current?.held == nil)
    #expect(try app().offer(of: seattle, at: time("2027-02-20T00:00:00Z")).inForce?.cycle == "2702")
  }

  @Test func `a valid edition of the same cycle stays when a rebuild is refused`() throws {
    try stage("2612", broken: false)
    let good = try #require(try sample.manifest("2612").products.first { $0.id == seattle })
    try stage("2612", broken: true)
    #expect(try sample.manifest("2612").kept == [good])
    #expect(try sample.catalogue().products.map(\.id) == [miami, seattle])
    #expect(try app().offer(of: seattle, at: time("2026-12-01T00:00:00Z")).inForce?.cycle == "2612")
    #expect(try health(at: "2026-12-01T00:00:00Z").ok)
  }

  @Test func `a published edition with the refused bytes does not stay`() throws {
    let target = sample.folder.file("published")
    try stage("2612", broken: true, validate: { _, _ in ValidationReport(findings: []) })
    try publish(sample.site, to: target)
    #expect(try app(target).offer(of: seattle, at: time("2026-12-01T12:00:00Z")).inForce != nil)
    try stage("2612", broken: true)
    let manifest = try sample.manifest("2612")
    #expect(manifest.held?.map(\.id) == [seattle] && manifest.held?[0].published == nil)
    #expect(manifest.kept == nil)
    #expect(try sample.catalogue().products.map(\.id) == [miami])
    try publish(sample.site, to: target)
    #expect(try app(target).offer(of: seattle, at: time("2026-12-01T12:00:00Z")).inForce == nil)
    #expect(try health(target, at: "2026-12-01T12:00:00Z").ok)
  }

  @Test func `the bytes are the same in a second run and on another machine`() throws {
    let other = SampleBuild()
    for place in [sample, other] {
      try stage("2611", broken: false, in: place)
      try stage("2613", broken: true, now: "2026-12-30", in: place)
    }
    let before = try sample.hashes()
    try stage("2613", broken: true, now: "2026-12-30")
    #expect(try sample.hashes() == before && other.hashes() == before)
  }

  @Test func `a strict run and a run in which all is refused change nothing`() throws {
    try stage("2612", broken: false)
    let before = try sample.hashes()
    try expectFault(kind: .refused) { try stage("2612", broken: true, strict: true) }
    let only = sample.build("2612", "vfr-sectional").appending(path: "Seattle.product.json")
    try expectFault(kind: .refused, remedy: "Nothing was staged, and what is published stays.") {
      try sample.stage(only)
    }
    #expect(try sample.hashes() == before)
  }

  @Test func `an error of no single product refuses all products`() throws {
    try stage("2612", broken: false)
    let before = try sample.hashes()
    func offer(_ findings: [Finding]) throws -> StagedSite {
      try Stager.stage(
        sample.request([sample.build("2612")]),
        validate: { request, _ in
          let names = request.paths.map(\.lastPathComponent)
          return ValidationReport(
            findings: findings.filter { finding in
              finding.product.map { id in names.contains { id.hasSuffix("/\($0.prefix { $0 != "." })") } }
                ?? true
            })
        }, progress: SilentProgress())
    }
    let cover = Finding(rule: "charts-cover", severity: .error, where: "vfr-sectional", message: "a hole")
    let moved = Finding(
      rule: "place-airports", severity: .error, where: "Seattle", message: "off", product: seattle)
    #expect(try #require(throws: UserError.self) { try offer([cover]) }.kind == .refused)
    #expect(try #require(throws: UserError.self) { try offer([moved, cover]) }.kind == .refused)
    #expect(try sample.hashes() == before)
    #expect(try offer([moved]).held.map(\.rule) == ["place-airports"])
  }

  @Test func `a product that could not be built keeps its previous edition`() throws {
    try stage("2611", broken: false)
    let miami = try sample.chart("Miami", cycle: "2613", shade: 40)
    try sample.stage(miami, now: "2026-12-30", missing: [seattle])
    #expect(try sample.manifest("2613").missing == [seattle])
    #expect(try sample.manifest("2613").kept?.map(\.cycle) == ["2611"])
    #expect(try sample.catalogue().current?.held == [.init(id: seattle, reason: .failed, published: "2611")])
  }

  @Test func `a refused database holds back its exports`() throws {
    let findings = [
      Finding(
        rule: "database-rows", severity: .error, where: "aviation.sqlite", message: "half of it",
        product: "nasr/aviation")
    ]
    let database = SampleDatabase(sample: sample)
    try database.build("2612", ["'KPAO', 'PALO ALTO', 37.46, 1"])
    try sample.chart("Miami")
    let staged = try Stager.stage(
      sample.request([sample.build("2612")]),
      validate: { request, _ in
        ValidationReport(findings: request.paths.contains { $0.path.contains("nasr") } ? findings : [])
      }, progress: SilentProgress())
    #expect(staged.held.map(\.id) == ["nasr/aviation"] && staged.products == 1)
  }

  // MARK: - Publishing

  @Test func `a site with one cycle keeps the target's other editions`() throws {
    let target = sample.folder.file("target")
    try stage("2611", broken: false)
    try publish(sample.site, to: target)
    let fresh = SampleBuild()
    try stage("2613", broken: true, now: "2026-12-30", in: fresh)
    #expect(try fresh.manifest("2613").kept == nil)
    try publish(fresh.site, to: target, now: "2026-12-30")
    let catalogue = try ChartpipeKit.Catalog(in: target)
    #expect(catalogue.current?.held?.map(\.published) == ["2611"])
    #expect(
      catalogue.products.map { "\($0.cycle) \($0.id)" } == [
        "2611 \(miami)", "2611 \(seattle)", "2613 \(miami)",
      ])
    // Two cycles later the target still names it and has its files.
    try stage("2701", broken: true, now: "2027-01-25", in: fresh)
    try publish(fresh.site, to: target, now: "2027-01-25")
    try publish(fresh.site, to: target, now: "2027-01-26")
    #expect(try ChartpipeKit.Catalog(in: target).products.first?.cycle == "2611")
    let report = try health(target, at: "2027-01-26T00:00:00Z")
    #expect(report.findings.allSatisfy { $0.rule == "site-held" }, "\(report.text)")
    // The repaired chart is listed like any other.
    try stage("2701", broken: false, now: "2027-01-27", in: fresh)
    try publish(fresh.site, to: target, now: "2027-01-27")
    #expect(try ChartpipeKit.Catalog(in: target).current?.held == nil)
    let back = try Publisher.rollBack(
      PublishTarget(folder: target), to: nil, publishOptions("2027-01-28"), progress: SilentProgress())
    #expect(back.changed)
    #expect(try ChartpipeKit.Catalog(in: target).current?.held?.map(\.published) == ["2611"])
    #expect(try health(target, at: "2027-01-29T00:00:00Z").findings.allSatisfy { $0.rule == "site-held" })
  }

  @Test func `a mirror has the previous edition`() throws {
    try stage("2611", broken: false)
    try stage("2613", broken: true, now: "2026-12-30")
    try stage("2701", broken: true, now: "2027-01-25")
    _ = try Retention.prune(staged: sample.site)
    let mirror = sample.folder.file("mirror")
    _ = try SiteMirror(
      source: sample.published, folder: mirror, now: "2027-01-25"
    ).run(progress: SilentProgress())
    #expect(try health(mirror, at: "2027-01-25T00:00:00Z").findings.allSatisfy { $0.rule == "site-held" })
    let shown = try app(mirror).offer(of: seattle, at: time("2027-01-25T00:00:00Z"))
    #expect(shown.shown?.cycle == "2611" && shown.held?.reason == .refused)
  }

  @Test func `an edition with wrong dates is an error`() throws {
    try stage("2611", broken: false)
    try stage("2613", broken: true, now: "2026-12-30")
    var catalogue = try sample.catalogue()
    let index = try #require(catalogue.products.firstIndex { $0.id == seattle })
    catalogue.products[index].effectiveDate = "2026-12-24T09:01:00Z"
    catalogue.products[index].expirationDate = "2027-02-18T09:01:00Z"
    try CanonicalJSON.pretty(catalogue).write(to: sample.catalogueFile)
    let report = try health(at: "2026-12-30T00:00:00Z")
    #expect(
      !report.ok && report.text.contains("site-held  \(seattle): it is of cycle 2611"), "\(report.text)")
  }
}

extension ChartpipeKit.Catalog {
  fileprivate init(in folder: URL) throws {
    self = try folder.appending(path: "catalog.json").decoded(ChartpipeKit.Catalog.self)
  }
}
