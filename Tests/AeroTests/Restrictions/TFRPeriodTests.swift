import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Times of day, and how an app sees them that knows dates only.
@Suite struct TFRPeriodTests {
  private func periods(_ schedule: String) throws -> [TFRPeriod] {
    try MadeTFR(areas: [.init(schedule: schedule)]).detail().areas[0].periods
  }

  private func schedule(_ days: [String], _ start: String, _ end: String, isScheduled: Bool = true) -> String
  {
    let codes = days.map { "<dayCode>\($0)</dayCode>" }.joined()
    return """
      <isScheduledTfrArea>\(isScheduled ? "TRUE" : "FALSE")</isScheduledTfrArea>\(codes)<ScheduleGroup><isTimeSeparate>TRUE</isTimeSeparate>
      <dateEffective>2026-10-01T16:00:00</dateEffective><dateExpire>2026-10-15T02:00:00</dateExpire>
      <startTime>2026-10-01T\(start)</startTime><endTime>2026-10-01T\(end)</endTime></ScheduleGroup>
      """
  }

  private func spans(_ period: TFRPeriod, at time: String) throws -> [String] {
    period.spans(around: try instant(time), immediately: try instant("2026-09-30T00:00:00Z")).map {
      "\($0.from.description.dropFirst(5).dropLast(4)) \($0.until.description.dropFirst(5).dropLast(4))\($0.isRest ? " rest" : "")"
    }
  }

  @Test func `an overnight window ends on the next day`() throws {
    let period = try #require(try periods(schedule(["Daily"], "16:00:00", "02:00:00")).first)
    #expect(period.days == nil && period.hours == "daily 1600-0200 UTC")
    #expect(
      try spans(period, at: "2026-10-03T12:00:00Z") == [
        "10-02T16:00 10-03T02:00", "10-03T16:00 10-04T02:00", "10-04T16:00 10-05T02:00",
        "10-05T12:00 10-15T02:00 rest",
      ])
    #expect(
      try spans(period, at: "2026-10-14T20:00:00Z") == ["10-13T16:00 10-14T02:00", "10-14T16:00 10-15T02:00"])
    #expect(try spans(period, at: "2026-10-16T03:00:00Z") == [], "it is over for more than a day")
    #expect(
      try spans(period, at: "2026-09-25T00:00:00Z") == ["10-01T16:00 10-15T02:00"],
      "far ahead one span is enough")
  }

  @Test func `no moment of a schedule is missing, whenever an app reads the file`() throws {
    var random = SteadyNumbers(seed: 7)
    let anchor = try instant("2026-10-01T00:00:00Z")
    for _ in 0..<200 {
      func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
      let (start, end) = (number(0..<96) * 900, number(0..<96) * 900)
      var period = TFRPeriod(
        from: anchor.adding(number(0..<40) * 3600), until: anchor.adding(number(100..<500) * 3600))
      period.clock = (start, end)
      if number(0..<2) == 0 {
        period.days = Array(TFRPeriod.weekdays.shuffled(using: &random).prefix(number(1..<5)))
      }
      let time = anchor.adding(number(-100..<500) * 3600)
      let spans = period.spans(around: time, immediately: anchor)
      let (from, until) = (try #require(period.from), try #require(period.until))
      for hour in 0..<600 {
        let moment = anchor.adding(hour * 3600 + 1)
        guard moment > time.adding(-43_200), moment >= from, moment < until else { continue }
        let isClosed = [0, -1].contains { day in
          let midnight = Instant(moment.day.adding(days: day), hour: 0, minute: 0)
          let name = TFRPeriod.weekdays[midnight.day.daysSince1970 % 7]
          let close = midnight.adding(end > start ? end : end + 86_400)
          return period.days?.contains(name) ?? true && midnight.adding(start) <= moment && moment < close
        }
        let isShown = spans.contains { $0.from <= moment && moment < $0.until }
        if isClosed { #expect(isShown, "\(period) at \(moment)") }
      }
    }
  }

  @Test func `weekdays are in UTC, and a morning may be the evening before`() throws {
    let day = try #require(try periods(schedule(["Monday", "FRI"], "14:00:00", "20:00:00")).first)
    #expect(day.days == ["monday", "friday"])
    // 2026-10-02 is a Friday.
    #expect(
      try spans(day, at: "2026-10-02T12:00:00Z") == [
        "10-02T14:00 10-02T20:00", "10-04T12:00 10-15T02:00 rest",
      ])
    let morning = try #require(try periods(schedule(["Friday"], "01:00:00", "05:00:00")).first)
    #expect(
      try spans(morning, at: "2026-10-02T12:00:00Z") == [
        "10-02T01:00 10-02T05:00", "10-03T01:00 10-03T05:00", "10-04T12:00 10-15T02:00 rest",
      ])
    let odd = try MadeTFR(areas: [.init(schedule: schedule(["Weekdays"], "14:00:00", "20:00:00"))]).notice()
    #expect(odd.areas[0].hasUnknownDays && odd.areas[0].periods[0].days == nil)
  }

  @Test func `without a schedule the whole time counts`() throws {
    let whole = TFRPeriod(from: Instant("2026-10-01T16:00:00Z"), until: Instant("2026-10-15T02:00:00Z"))
    #expect(try periods(schedule(["Daily"], "16:00:00", "02:00:00", isScheduled: false)) == [whole])
    #expect(try periods(schedule(["Daily"], "16:00:00", "")) == [whole])
    #expect(try periods("") == [whole])
    let two =
      "<ScheduleGroup><dateExpire>2026-10-03T00:00:00</dateExpire></ScheduleGroup><ScheduleGroup><dateEffective>2026-10-05T00:00:00</dateEffective></ScheduleGroup>"
    #expect(
      try periods(two) == [
        TFRPeriod(from: whole.from, until: Instant("2026-10-03T00:00:00Z")),
        TFRPeriod(from: Instant("2026-10-05T00:00:00Z"), until: whole.until),
      ])
  }
}
