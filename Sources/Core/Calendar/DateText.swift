/// A date that JSON has as text, in exactly the form of its description.
public protocol DateText: Codable, LosslessStringConvertible {
  /// For messages: `a day such as 2026-11-26`
  static var form: String { get }
}

extension DateText {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = Self(text), date.description == text else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not \(Self.form)")
    }
    self = date
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The date that names an edition.
public enum IssueDate: Hashable, Comparable, Sendable {
  /// `2026-10-29`, of an edition of the AIRAC calendar.
  case day(CalendarDay)
  /// `2026-11-27T18:55:00Z`, of an edition of an interval.
  case time(Instant)
}

extension IssueDate: DateText {
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
