/// One issue of a product, from its effective date until the next one.
public struct Edition: Hashable, Sendable {
  /// `2611`
  public let id: String
  /// The edition in a product's description.
  public var issue: IssueDate { .day(effectiveDay) }
  public let effective: Instant
  /// When the next edition takes effect.
  public let expires: Instant

  public var effectiveDay: CalendarDay { effective.day }
  /// The last whole day, as charts print it.
  public var lastDay: CalendarDay { expires.day.adding(days: -1) }
}

/// When the editions of a product begin: NASR data change every 28 days, VFR charts every 56.
public struct Schedule: Hashable, Sendable {
  /// When one of the editions begins, in seconds since 1970.
  private let first: Int
  private let seconds: Int

  public static let every28Days = Schedule(days: 28)
  public static let every56Days = Schedule(days: 56)
  /// The FAA's 56-day obstacle file starts between the charts' editions. It has the date of the Sunday before.
  public static let obstacles = Schedule(days: 56, after: 28)
  /// The schedules that a definition can name as its `cadence`.
  public static let cadences = [every28Days, every56Days]

  private init(days: Int, after delay: Int = 0) {
    first = Instant(AiracCycle.anchor.adding(days: delay), hour: 9, minute: 1).secondsSince1970
    seconds = days * 86_400
  }

  /// The edition in force at an instant.
  public func edition(at instant: Instant) -> Edition {
    let start = first + floorDivide(instant.secondsSince1970 - first, seconds) * seconds
    let begin = Instant(secondsSince1970: start)
    return Edition(id: AiracCycle(at: begin).identifier, effective: begin, expires: begin.adding(seconds))
  }

  public func edition(before edition: Edition) -> Edition {
    self.edition(at: Instant(secondsSince1970: edition.effective.secondsSince1970 - 1))
  }
}

extension Schedule: Codable {
  private var text: String { "\(seconds / 86_400)-day" }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let schedule = Schedule.cadences.first(where: { $0.text == text }) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: unknownValue(text, among: Schedule.cadences.map(\.text)))
    }
    self = schedule
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
