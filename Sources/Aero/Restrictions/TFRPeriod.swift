internal import Core

/// When an area is closed, in UTC: from a moment until another one, or in the part of it between two times of the day.
struct TFRPeriod: Equatable {
  /// Nil for immediately.
  var from: Instant?
  /// Nil for until further notice.
  var until: Instant?
  /// Names of days in lower case; nil for every day.
  var days: [String]?
  /// Seconds since midnight; nil for the whole time. The end is on the next day if it is not after the start.
  var clock: (start: Int, end: Int)?

  static let weekdays = ["thursday", "friday", "saturday", "sunday", "monday", "tuesday", "wednesday"]
  /// Of more periods than any area has, the whole time counts.
  static let most = 100
  static let farFuture = Instant(secondsSince1970: 4_102_444_799)
  private static let day = 86_400

  static func == (left: TFRPeriod, right: TFRPeriod) -> Bool { left.text == right.text }

  /// Reads the time of the day of `2026-10-01T16:00:00`. Its date has no meaning.
  static func seconds(_ text: String) -> Int? {
    text.split(separator: "T").last.flatMap { Instant(faa: "1970-01-01T\($0)")?.secondsSince1970 }
  }

  /// `1600`
  static func digits(_ seconds: Int) -> String {
    "\(10_000 + seconds / 3600 * 100 + seconds / 60 % 60)".dropFirst().description
  }

  /// `daily 1600-0200 UTC`, `monday, friday 1600-0200 UTC`; nil for the whole time.
  var hours: String? {
    clock.map {
      "\(days?.joined(separator: ", ") ?? "daily") \(TFRPeriod.digits($0.start))-\(TFRPeriod.digits($0.end)) UTC"
    }
  }

  /// `2026-10-01T16:00:00Z to 2026-10-15T02:00:00Z, daily 1600-0200 UTC`
  var text: String {
    let dates = "\(from?.description ?? "immediately") to \(until?.description ?? "further notice")"
    return hours.map { "\(dates), \($0)" } ?? dates
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
    let until = until.flatMap { $0 > from ? $0 : nil } ?? TFRPeriod.farFuture
    let (past, horizon) = (time.adding(-TFRPeriod.day), time.adding(2 * TFRPeriod.day))
    guard until > past else { return [] }
    guard let clock, from < horizon else { return [Span(from: from, until: until)] }
    let close = clock.end > clock.start ? clock.end : clock.end + TFRPeriod.day
    let first = max(from, past).day.daysSince1970 - 1
    let spans = (first...horizon.day.daysSince1970).map(CalendarDay.init).filter { isOn($0, clock.start) }.map
    { day in
      let midnight = Instant(day, hour: 0, minute: 0)
      return Span(from: max(from, midnight.adding(clock.start)), until: min(until, midnight.adding(close)))
    }.filter { $0.from < $0.until && $0.until > past && $0.from < horizon }
    return horizon < until ? spans + [Span(from: horizon, until: until, isRest: true)] : spans
  }

  /// Whether a window begins on a day. Until noon in UTC, the day before may be meant, which it still is in the United States.
  private func isOn(_ day: CalendarDay, _ start: Int) -> Bool {
    guard let days else { return true }
    let dates = start < TFRPeriod.day / 2 ? [day, day.adding(days: -1)] : [day]
    return dates.contains { days.contains(TFRPeriod.weekdays[($0.daysSince1970 % 7 + 7) % 7]) }
  }
}
