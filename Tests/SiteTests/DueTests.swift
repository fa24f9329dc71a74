import Core
import CryptoIO
import TestSupport
import Testing

@testable import ChartpipeKit

/// 2611 takes effect on 2026-10-29 and is major, 2612 on 2026-11-26 and is minor, 2613 on 2026-12-24 and is major.
@Suite struct DueTests {
  private let chart = DueCalendar.Expected(
    product: "vfr-sectional/Seattle", pipeline: "vfr-sectional", schedule: .every56Days, daysAhead: 20)
  private let data = DueCalendar.Expected(
    product: "nasr/United_States", pipeline: "nasr", schedule: .every28Days, daysAhead: 28)

  private func calendar(_ day: String, _ published: [(id: String, edition: IssueDate)]) throws -> DueCalendar
  {
    let now = try #require(Instant(day + "T12:00:00Z"))
    return DueCalendar(
      [chart, data], published: try published.map { try product($0.id, edition: $0.edition) }, now: now)
  }

  private func product(_ id: String, edition: IssueDate) throws -> Product {
    Product(
      id: id, kind: .chart, name: id, cycle: "2612", edition: edition, effectiveDate: "2026-11-26",
      expirationDate: "2026-12-24", boundingBox: nil, minZoom: nil, maxZoom: nil, format: "mbtiles",
      files: [], sources: [],
      build: .init(
        tool: "chartpipe", version: "1", libraries: [:],
        definitionSha256: try .init(of: []), counts: [:]))
  }

  @Test func `everything is due when nothing is published`() throws {
    let due = try calendar("2026-10-30", []).due
    #expect(due.map(\.cycle) == ["2611", "2612"])
    #expect(due.first?.role == .current)
    #expect(due.first?.products == ["nasr/United_States", "vfr-sectional/Seattle"])
    // The charts of 2612 are those of 2611, already published; its data was published 28 days before.
    #expect(due.last?.pipelines == ["nasr", "vfr-sectional"])
  }

  @Test func `charts of the major cycle serve the minor cycle`() throws {
    let now = try calendar(
      "2026-10-30", [("vfr-sectional/Seattle", "2026-10-29"), ("nasr/United_States", "2026-10-29")])
    #expect(now.due.map(\.cycle) == ["2612"])
    #expect(now.due.first?.products == ["nasr/United_States"])
  }

  @Test func `the next issue is due when the FAA publishes it`() throws {
    let published: [(String, IssueDate)] = [
      ("vfr-sectional/Seattle", "2026-10-29"), ("nasr/United_States", "2026-11-26"),
    ]
    let early = try calendar("2026-12-03", published)
    #expect(early.due.map(\.products) == [["nasr/United_States"]])
    #expect(early.nextDay == CalendarDay("2026-12-04"))
    let later = try calendar("2026-12-04", published)
    #expect(later.due.map(\.products) == [["nasr/United_States", "vfr-sectional/Seattle"]])
    #expect(later.due.first?.role == .next)
  }

  @Test func `nothing is due when everything is published`() throws {
    let all = try calendar(
      "2026-10-30",
      [
        ("vfr-sectional/Seattle", "2026-10-29"), ("nasr/United_States", "2026-10-29"),
        ("nasr/United_States", "2026-11-26"),
      ])
    #expect(all.due.isEmpty)
    #expect(all.nextDay == CalendarDay("2026-11-26"))
  }

  @Test func `a catalogue that expires soon is due for another publication`() throws {
    let now = Instant("2026-10-30T12:00:00Z")
    let published = try [("vfr-sectional/Seattle", "2026-10-29"), ("nasr/United_States", "2026-11-26")].map {
      try product($0.0, edition: $0.1)
    }
    for (hours, isDue) in [(-30, true), (5, true), (9, false)] {
      let (issued, expires) = (now.secondsSince1970 - 36 * 3600, now.secondsSince1970 + hours * 3600)
      let term = CatalogueTerm(
        issued: Instant(secondsSince1970: issued), expires: Instant(secondsSince1970: expires))
      let calendar = DueCalendar([chart], published: published, until: term, now: now)
      #expect(calendar.due.isEmpty && calendar.cycles == (isDue ? ["2611"] : []))
      #expect(calendar.expires == (isDue ? term.expires : nil))
    }
  }
}
