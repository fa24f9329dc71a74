import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The feed by which people and programs hear of a new cycle.
struct CycleFeedTests {
  private let sample = SampleBuild()

  init() throws {
    try sample.chart("Seattle", cycle: "2611", shade: 1)
    try sample.chart("Gone", cycle: "2611")
    try sample.stage(sample.build("2611"))
    try sample.chart("Seattle", shade: 2)
    try sample.chart("San_Francisco")
    try sample.stage(sample.build("2612"))
  }

  private func text(_ catalogue: Catalog, site: String? = nil) -> String {
    String(decoding: CycleFeed(catalogue, site: site).data, as: UTF8.self)
  }

  @Test func `staging writes it, with the newest cycle first`() throws {
    let feed = try sample.file("feed.xml").data
    let catalogue = try sample.catalogue()
    #expect(feed == CycleFeed(catalogue).data)
    let text = String(decoding: feed, as: UTF8.self)
    let titles = text.matches(of: /<title>(Cycle.*)<\/title>/).map { String($0.1) }
    #expect(titles == ["Cycle 2612, effective 2026-11-26", "Cycle 2611, effective 2026-10-29"])
    #expect(
      text.contains("2 charts, in force until 2026-12-24. Against cycle 2611: 1 new, 1 changed, 1 gone."))
    #expect(text.contains("href=\"cycles/2612/report.html\""))
    let hash = try #require(catalogue.current?.manifest.sha256)
    #expect(text.contains("<id>urn:chartpipe:cycle:2612:\(hash)</id>"))
  }

  @Test func `links begin with the site's address if it is given`() throws {
    try sample.stage(sample.build("2612")) { $0.siteURL = "https://charts.example.org/vfr/" }
    let text = try sample.file("feed.xml").text
    #expect(text.contains("rel=\"self\" href=\"https://charts.example.org/vfr/feed.xml\""))
    #expect(text.contains("href=\"https://charts.example.org/vfr/cycles/2612/report.html\""))
  }

  @Test func `an entry has the time of its publication`() throws {
    var catalogue = try sample.catalogue()
    #expect(text(catalogue).contains("<updated>2026-11-26T09:01:00Z</updated>"))
    catalogue.current?.published = "2026-11-07T10:11:12Z"
    #expect(text(catalogue).contains("<updated>2026-11-07T10:11:12Z</updated>"))
  }

  @Test(.enabled(if: Python.has("feedparser"), "python3-feedparser is not installed"))
  func `an independent parser reads the feed of any catalogue`() throws {
    let program = """
      import sys, feedparser
      for name in sys.argv[1:]:
          feed = feedparser.parse(name)
          assert not feed.bozo, feed.bozo_exception
          assert feed.version == "atom10" and feed.feed.id and feed.feed.updated_parsed and feed.feed.author
          for entry in feed.entries:
              assert entry.id and entry.title and entry.updated_parsed and entry.summary and len(entry.links) == 2
          print(len(feed.entries))
      """
    var hostile = try sample.catalogue()
    hostile.current?.held = [.init(id: "26<12>&\"'\u{0}\u{8}\u{FFFF}", reason: .refused)]
    let none = Catalog(serial: 1, previous: nil, current: nil, next: nil, products: [])
    let feeds = try [sample.catalogue(), hostile, none].enumerated().map { index, catalogue in
      let file = sample.folder.file("\(index).xml")
      try CycleFeed(catalogue, site: index == 0 ? "https://example.org/a&b" : nil).data.write(to: file)
      return file.path
    }
    let ending = try Python.run(program, feeds)
    #expect(ending.status == 0 && ending.output == "2\n2\n0\n", "\(ending.errors)")
  }
}
