internal import Core

/// When an area is closed, in UTC: from a moment until another one, or in the part of it between two times of the day.
struct TFRPeriod: Encodable, Equatable {
  /// Nil for immediately.
  var from: Instant?
  /// Nil for until further notice.
  var until: Instant?
  /// Names of days in lower case; nil for every day.
  var days: [String]?
  /// `16:00:00`; nil for the whole time.
  var start: TimeOfDay?
  var end: TimeOfDay?

  /// Seconds since midnight.
  struct TimeOfDay: Encodable, Equatable {
    let seconds: Int

    /// Reads the time of `2026-10-01T16:00:00`. Its date has no meaning.
    init?(_ text: String) {
      guard let clock = text.split(separator: "T").last, let time = Instant(faa: "2000-01-01T\(clock)") else {
        return nil
      }
      seconds = time.secondsSince1970 - Instant(time.day, hour: 0, minute: 0).secondsSince1970
    }

    /// `1600`
    var digits: String { String(10_000 + seconds / 3600 * 100 + seconds / 60 % 60).dropFirst().description }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(digits.prefix(2) + ":" + digits.suffix(2))
    }
  }

  static let weekdays = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]
  static let farFuture = Instant(secondsSince1970: 4_102_444_799)
  private static let day = 86_400

  /// `daily 1600-0200 UTC`, `monday, friday 1600-0200 UTC`; nil for the whole time.
  var hours: String? {
    guard let start, let end else { return nil }
    return "\(days?.joined(separator: ", ") ?? "daily") \(start.digits)-\(end.digits) UTC"
  }

  /// A time in which an app shows the area as closed.
  struct Span: Equatable {
    let from: Instant
    let until: Instant
    /// Whether it is all that follows after the spans of single days.
    var isRest = false
  }

  /// The spans for an app that knows no times of the day: each day until two days after a time, and the rest as one span. No moment is
  /// left out in which the area is closed, however old the file gets.
  ///
  /// - Parameters:
  ///   - time: the newest change of the list. Spans are left out that ended a day before.
  ///   - immediately: the start of a period without one.
  func spans(around time: Instant, immediately: Instant) -> [Span] {
    let from = from ?? immediately
    let stated = until ?? TFRPeriod.farFuture
    let until = stated > from ? stated : TFRPeriod.farFuture
    let (past, horizon) = (time.adding(-TFRPeriod.day), time.adding(2 * TFRPeriod.day))
    guard until > past else { return [] }
    guard let start, let end, from < horizon else { return [Span(from: from, until: until, isRest: false)] }
    var spans: [Span] = []
    var day = max(from, past).day.adding(days: -1)
    while day <= horizon.day {
      let midnight = Instant(day, hour: 0, minute: 0)
      let close = end.seconds > start.seconds ? end.seconds : end.seconds + TFRPeriod.day
      let span = Span(
        from: max(from, midnight.adding(start.seconds)), until: min(until, midnight.adding(close)))
      if isOn(day, start), span.from < span.until, span.until > past, span.from < horizon {
        spans.append(span)
      }
      day = day.adding(days: 1)
    }
    return horizon < until ? spans + [Span(from: horizon, until: until, isRest: true)] : spans
  }

  /// Whether a window begins on a day. Until noon in UTC, the day before may be meant, which it still is in the United States.
  private func isOn(_ day: CalendarDay, _ start: TimeOfDay) -> Bool {
    guard let days else { return true }
    func name(_ day: CalendarDay) -> String { TFRPeriod.weekdays[(day.daysSince1970 % 7 + 7) % 7] }
    return days.contains(name(day))
      || start.seconds < TFRPeriod.day / 2 && days.contains(name(day.adding(days: -1)))
  }
}
