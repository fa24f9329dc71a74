import Core
import Foundation
import Testing

/// The calendar is pure arithmetic. It imports nothing, so it is independent of time zone, locale and clock.
@Suite struct AiracIdentifierTests {
  private func decoded<Date: CodableText>(_ text: String) throws -> Date {
    try JSONDecoder().decode([Date].self, from: JSONEncoder().encode([text]))[0]
  }

  @Test func `JSON has a date in one form only`() throws {
    #expect(try decoded("2026-11-26T09:01:00Z") == Instant("2026-11-26T09:01:00Z"))
    #expect(try decoded("2026-11-26") == IssueDate("2026-11-26"))
    #expect(throws: DecodingError.self) { try decoded("2699") as AiracCycle }
    #expect(throws: DecodingError.self) { try decoded("2026-11-26") as Instant }
    #expect(throws: DecodingError.self) { try decoded("2026-11-26T10:01:00+01:00") as Instant }
  }

  @Test func `exactly six years between 1964 and 2100 have fourteen cycles`() throws {
    var fourteen: [Int] = []
    for year in 1964...2100 {
      let count = try cycles(takingEffectIn: year).count
      #expect(count == 13 || count == 14, "\(year)")
      if count == 14 { fourteen.append(year) }
    }
    #expect(fourteen == [1976, 1998, 2020, 2043, 2065, 2088])
  }

  @Test func `identifiers count from one in each year`() throws {
    for year in 1964...2100 {
      let found = try cycles(takingEffectIn: year).map(\.identifier)
      let expected = (1...found.count).map { twoDigits(year % 100) + twoDigits($0) }
      #expect(found == expected, "\(year)")
    }
  }

  @Test func `identifiers and dates name the same cycles from 1964 to 2063`() throws {
    var all = 0
    for year in 1964...2063 {
      for cycle in try cycles(takingEffectIn: year) {
        #expect(AiracCycle(identifier: cycle.identifier) == cycle)
        #expect(AiracCycle(effective: cycle.effectiveDay) == cycle)
        all += 1
      }
    }
    #expect(all == 100 * 13 + 4)
  }

  @Test(arguments: [
    ("2014", "2020-12-31"), ("9801", "1998-01-01"), ("9802", "1998-01-29"), ("9814", "1998-12-31"),
    ("7614", "1976-12-30"), ("4314", "2043-12-31"), ("2601", "2026-01-22"), ("2612", "2026-11-26"),
    ("2001", "2020-01-02"), ("2101", "2021-01-28"), ("2201", "2022-01-27"), ("2301", "2023-01-26"),
    ("2401", "2024-01-25"), ("2501", "2025-01-23"), ("2701", "2027-01-21"), ("2801", "2028-01-20"),
    ("2901", "2029-01-18"), ("3001", "2030-01-17"),
  ])
  func `published identifiers and days match`(identifier: String, day: String) throws {
    let cycle = try #require(AiracCycle(identifier: identifier))
    #expect(cycle.effectiveDay.description == day)
    #expect(cycle.identifier == identifier)
    #expect(try decoded(identifier) == cycle)
    #expect(cycle.description == "\(identifier)" && cycle.dated == "\(identifier) (\(day))")
  }

  @Test(arguments: [
    "", "2", "261", "26120", "2600", "2614", "2015", "2199", "-612", "+612", " 612", "26 2", "2x12", "２６１２",
    "٢٦",
  ])
  func `other texts name no cycle`(text: String) { #expect(AiracCycle(identifier: text) == nil) }

  @Test func `only effective days name cycles`() throws {
    let first = try #require(CalendarDay("2026-11-26"))
    #expect(AiracCycle(effective: first) != nil)
    for offset in 1...27 {
      #expect(AiracCycle(effective: first.adding(days: offset)) == nil)
      #expect(AiracCycle(effective: first.adding(days: -offset)) == nil)
    }
  }

  private func cycles(takingEffectIn year: Int) throws -> [AiracCycle] {
    let newYear = try #require(CalendarDay(year: year, month: 1, day: 1))
    var cycle = AiracCycle(at: Instant(newYear, hour: 0, minute: 0))
    while cycle.effectiveDay.year < year { cycle = cycle.advanced(by: 1) }
    var found: [AiracCycle] = []
    while cycle.effectiveDay.year == year {
      found.append(cycle)
      cycle = cycle.advanced(by: 1)
    }
    return found
  }

  private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

@Suite struct AiracCadenceTests {
  /// The days on which VFR charts and the major NASR tables changed, or will, as published.
  static let majorDays = [
    "2024-12-26", "2025-02-20", "2025-04-17", "2025-06-12", "2025-08-07", "2025-10-02", "2025-11-27",
    "2026-01-22", "2026-03-19", "2026-05-14", "2026-07-09", "2026-09-03", "2026-10-29", "2026-12-24",
    "2027-02-18", "2027-04-15", "2027-06-10", "2027-08-05", "2027-09-30", "2027-11-25", "2028-01-20",
    "2028-03-16", "2028-05-11", "2028-07-06", "2028-08-31", "2028-10-26", "2028-12-21",
  ]
  static let majorIdentifiers = [
    "2413", "2502", "2504", "2506", "2508", "2510", "2512", "2601", "2603", "2605", "2607", "2609", "2611",
    "2613", "2702", "2704", "2706", "2708", "2710", "2712", "2801", "2803", "2805", "2807", "2809", "2811",
    "2813",
  ]

  @Test func `major cycles are those that the FAA published`() throws {
    var cycle = try #require(AiracCycle(identifier: AiracCadenceTests.majorIdentifiers[0]))
    let last = try #require(AiracCycle(identifier: "2813"))
    var found: [AiracCycle] = []
    while cycle <= last {
      if cycle.isMajor { found.append(cycle) }
      cycle = cycle.advanced(by: 1)
    }
    #expect(found.map(\.effectiveDay.description) == AiracCadenceTests.majorDays)
    #expect(found.map(\.identifier) == AiracCadenceTests.majorIdentifiers)
  }

  @Test func `older issues have the same cadence`() throws {
    #expect(try #require(AiracCycle(identifier: "2209")).isMajor)
    #expect(try #require(CalendarDay("2022-09-08").flatMap(AiracCycle.init(effective:))).isMajor)
    #expect(try #require(CalendarDay("2017-03-02").flatMap(AiracCycle.init(effective:))).isMajor)
    #expect(try #require(CalendarDay("2017-03-30").flatMap(AiracCycle.init(effective:))).isMajor == false)
    #expect(try #require(CalendarDay("2024-06-13").flatMap(AiracCycle.init(effective:))).isMajor == false)
    #expect(try #require(CalendarDay("2026-02-19").flatMap(AiracCycle.init(effective:))).isMajor == false)
  }

  @Test func `a chart issue spans two cycles`() throws {
    let minor = try #require(AiracCycle(identifier: "2612"))
    let charts = minor.edition(.every56Days)
    #expect(charts.id == "2611")
    #expect(Schedule.every56Days.edition(at: charts.expires).id == "2613")
    #expect(Schedule.every56Days.edition(before: charts).id == "2609")
    let data = minor.edition(.every28Days)
    #expect(data.id == "2612")
    #expect(Schedule.every28Days.edition(before: data).id == "2611")
    let major = try #require(AiracCycle(identifier: "2611"))
    #expect(major.edition(.every56Days).effective == major.effective)
  }

  @Test func `a product expires when its next issue takes effect`() throws {
    let minor = try #require(AiracCycle(identifier: "2612"))
    #expect(minor.edition(.every28Days).expires.description == "2026-12-24T09:01:00Z")
    #expect(minor.edition(.every56Days).expires.description == "2026-12-24T09:01:00Z")
    let major = try #require(AiracCycle(identifier: "2611"))
    #expect(major.edition(.every28Days).expires.description == "2026-11-26T09:01:00Z")
    #expect(major.edition(.every56Days).expires.description == "2026-12-24T09:01:00Z")
  }
}

@Suite struct AiracBoundaryTests {
  @Test(arguments: [
    ("2026-11-26T00:00:00Z", "2611"), ("2026-11-26T09:00:59Z", "2611"), ("2026-11-26T09:01:00Z", "2612"),
    ("2026-11-26T09:01:01Z", "2612"), ("2026-12-24T09:00:59Z", "2612"), ("2026-12-24T09:01:00Z", "2613"),
    ("1998-01-01T09:00:59Z", "9713"), ("1964-01-16T09:01:00Z", "6401"), ("2026-11-21", "2611"),
    ("2026-11-26", "2612"), ("2020-12-31", "2014"),
  ])
  func aCycleIsInForceFrom0901Z(moment: String, identifier: String) throws {
    let instant = try #require(Instant(moment))
    #expect(AiracCycle(at: instant).identifier == identifier)
  }

  @Test(arguments: [
    ("2026-10-29T09:00:59Z", "2609"), ("2026-10-29T09:01:00Z", "2611"), ("2026-12-24T09:00:59Z", "2611"),
    ("2026-12-24T09:01:00Z", "2613"), ("2026-01-22T09:00:59Z", "2512"), ("2026-01-22T09:01:00Z", "2601"),
  ])
  func aChartIssueIsInForceFrom0901Z(moment: String, identifier: String) throws {
    let instant = try #require(Instant(moment))
    #expect(Schedule.every56Days.edition(at: instant).id == identifier)
  }

  @Test func `a cycle starts at its instant and ends a second before the next`() throws {
    var cycle = try #require(AiracCycle(identifier: "6401"))
    for _ in 0..<1800 {
      let next = cycle.advanced(by: 1)
      #expect(AiracCycle(at: cycle.effective) == cycle)
      let lastSecond = Instant(secondsSince1970: next.effective.secondsSince1970 - 1)
      #expect(AiracCycle(at: lastSecond) == cycle)
      #expect(cycle.edition(.every28Days).expires == next.effective)
      #expect(cycle < next)
      cycle = next
    }
    #expect(cycle.effectiveDay.year > 2100)
  }
}
