/// The date that names an edition.
public enum IssueDate: Hashable, Comparable, Sendable {
  /// `2026-10-29`, of an edition of the AIRAC calendar.
  case day(CalendarDay)
  /// `2026-11-27T18:55:00Z`, of an edition of an interval.
  case time(Instant)
}

extension IssueDate: CodableText {
  public static let form = "a day or a time"

  public init?(_ text: String) {
    guard let date = CalendarDay(text).map(IssueDate.day) ?? Instant(text).map(IssueDate.time) else {
      return nil
    }
    self = date
  }

  public var description: String {
    switch self {
    case .day(let day): day.description
    case .time(let time): time.description
    }
  }
}
