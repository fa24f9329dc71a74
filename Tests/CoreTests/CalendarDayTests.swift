import Core
import Foundation
import Testing

@Suite struct CalendarDayTests {
  @Test func `every day from 1900 to 2200 equals that of Foundation's calendar`() throws {
    var calendar = Calendar(identifier: .iso8601)  // Gregorian for all time, without a Julian past
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let first = try #require(CalendarDay("1900-01-01"))
    let last = try #require(CalendarDay("2200-12-31"))
    for number in first.daysSince1970...last.daysSince1970 {
      let day = CalendarDay(daysSince1970: number)
      let date = Date(timeIntervalSince1970: Double(number) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      guard day.year == parts.year, day.month == parts.month, day.day == parts.day,
        CalendarDay(year: day.year, month: day.month, day: day.day) == day
      else {
        Issue.record("\(day) is not \(parts)")
        return
      }
    }
  }

  @Test func `days of the year count from 1 January`() throws {
    for year in 1900...2200 {
      let newYear = try #require(CalendarDay(year: year, month: 1, day: 1))
      let newYearsEve = try #require(CalendarDay(year: year, month: 12, day: 31))
      #expect(newYear.dayOfYear == 1)
      #expect(newYearsEve.dayOfYear == (isLeap(year) ? 366 : 365))
      #expect((CalendarDay(year: year, month: 2, day: 29) != nil) == isLeap(year))
    }
  }

  @Test(arguments: [
    (2026, 2, 29), (2100, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0),
    (2026, 1, 32), (2026, -1, 1),
  ])
  func `days that do not exist are nil`(year: Int, month: Int, day: Int) {
    #expect(CalendarDay(year: year, month: month, day: day) == nil)
  }

  @Test(arguments: [
    "", "2026", "2026-1-22", "26-01-22", "2026-01-2", "2026-01-022", " 2026-01-22", "2026-01-22 ",
    "2026-02-30",
    "2026/01/22", "+026-01-22", "2026--1-22", "2026-01-22-", "２０２６-01-22", "2026-01-22T00:00:00Z",
  ])
  func `rejects other texts as days`(text: String) { #expect(CalendarDay(text) == nil) }

  @Test(arguments: ["", "2026112", "202611266", "20261301", "20260230", "2026-1-1", "+0261126", "2026112x"])
  func `rejects other texts as compact days`(text: String) { #expect(CalendarDay(compact: text) == nil) }

  @Test func `writes the date forms of the sources`() throws {
    let day = try #require(CalendarDay("2026-03-09"))
    #expect(day.description == "2026-03-09")
    #expect(day.monthDayYear == "03-09-2026")
    #expect(day.dayNameYear == "09_Mar_2026")
    #expect(day.slashed == "2026/03/09")
    #expect(day.compact == "20260309")
    #expect(CalendarDay(compact: day.compact) == day)
    #expect(CalendarDay(day.description) == day)
  }

  @Test func `writes the names of all months`() throws {
    let names = try (1...12).map { month in
      try #require(CalendarDay(year: 2026, month: month, day: 1)).dayNameYear.split(separator: "_")[1]
    }
    #expect(names == ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"])
  }

  private func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

@Suite struct InstantTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-26T09:01:00Z", 1_795_683_660),
    ("2026-11-26T09:01Z", 1_795_683_660), ("2026-11-26T11:01:00+02:00", 1_795_683_660),
    ("2026-11-26T01:01:00-08:00", 1_795_683_660), ("2026-11-26T14:46:00+05:45", 1_795_683_660),
    ("2026-11-27T00:01:00+15:00", 1_795_683_660), ("2026-11-26T09:01:00.999Z", 1_795_683_660),
    ("1969-12-31T23:59:59Z", -1), ("1969-12-31", -1), ("2026-11-25", 1_795_651_199),
  ])
  func `reads times with their zone`(text: String, seconds: Int) throws {
    #expect(try #require(Instant(text)).secondsSince1970 == seconds)
  }

  @Test(arguments: [
    "", "T", "2026-11-26T", "2026-11-26T09:01:00", "2026-11-26T09:01:00z", "2026-11-26 09:01:00Z",
    "2026-11-26T24:00:00Z", "2026-11-26T09:60:00Z", "2026-11-26T09:01:60Z", "2026-11-26T9:01:00Z",
    "2026-11-26T09Z", "2026-11-26T09:01:00:00Z", "2026-02-30T09:01:00Z", "2026-11-26T09:01:00+0200",
    "2026-11-26T09:01:00+2:00", "2026-11-26T09:01:00+02:60", "2026-11-26T09:01:00+24:00",
    "2026-11-26T09:01:00*02:00", "2026-11-26T-9:01:00Z", "2026-11-26T09:01:00Z+02:00",
    "2026-11-26TT09:01:00Z", "2026-11-26T09:01:00.Z", "2026-11-26T09:01:00.5xZ", "2026-11-26T09:01.5Z",
    "2026-11-26T09:01:00.5.5Z", "20261126T090100Z", "tomorrow",
  ])
  func `rejects other texts as instants`(text: String) { #expect(Instant(text) == nil) }

  @Test(arguments: [
    "1964-01-16T09:01:00Z", "1969-12-31T23:59:59Z", "2026-11-26T09:01:00Z", "2099-12-31T00:00:07Z",
  ])
  func `an instant is written as it is read`(text: String) throws {
    #expect(try #require(Instant(text)).description == text)
  }

  @Test func `an instant has the right day before and after 1970`() throws {
    #expect(Instant(secondsSince1970: -1).day.description == "1969-12-31")
    #expect(Instant(secondsSince1970: 0).day.description == "1970-01-01")
    #expect(Instant(secondsSince1970: 86_399).day.description == "1970-01-01")
    #expect(Instant(secondsSince1970: 86_400).day.description == "1970-01-02")
  }
}
