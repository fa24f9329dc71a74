import ChartpipeClient
import Foundation
import Testing

/// All of it hangs on one second: 0901Z of an effective day.
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
  func `what is offered goes by the clock and not by the roles`(
    now: String, inForce: String?, upcoming: String?
  ) throws {
    let now = try moment(now)
    #expect(catalog.cycle(inForceAt: now)?.id == (now < (try moment("2027-01-21T09:01:00Z")) ? inForce : nil))
    let offer = catalog.offer(of: "vfr-sectional/San_Francisco", at: now)
    // The edition of October stands in two cycles: of these the later one counts.
    #expect(offer.inForce?.cycle == (inForce == "2611" ? "2612" : inForce))
    #expect(offer.upcoming?.cycle == upcoming)
  }

  @Test func `what has expired is shown until there is something newer`() throws {
    let old = catalog.offer(of: "vfr-sectional/San_Francisco", at: try moment("2027-03-01T00:00:00Z"))
    #expect(old.inForce == nil && old.shown?.cycle == "2613")
    let regions = catalog.chartRegions(of: "vfr-sectional", at: try moment("2027-03-01T00:00:00Z"))
    #expect(regions.map(\.expirationDate) == [try moment(CatalogText.february)])
    let none = catalog.offer(of: "vfr-sectional/Nowhere", at: .distantFuture)
    #expect(none.shown == nil && none.upcoming == nil)
  }

  @Test func `a catalogue without the next cycle expires soon, and one with it does not`() throws {
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
