/// One issue of a product, from its effective date until the next one.
public struct Edition: Hashable, Sendable {
  /// `2611` for one of the AIRAC calendar, `20261127T1855Z` for one of an interval.
  public let id: String
  /// The edition in a product's description.
  public let issue: IssueDate
  public let effective: Instant
  /// When the next edition takes effect.
  public let expires: Instant

  public var effectiveDay: CalendarDay { effective.day }
  /// The last whole day, as charts print it.
  public var lastDay: CalendarDay { expires.day.adding(days: -1) }
}

/// When the editions of a product begin: NASR data change every 28 days, VFR charts every 56, a snapshot every few minutes.
public struct Schedule: Hashable, Sendable {
  /// When one of the editions begins, in seconds since 1970.
  private let first: Int
  private let seconds: Int
  /// Whether its editions begin with cycles of the AIRAC calendar.
  public let isAirac: Bool

  public static let every28Days = Schedule(days: 28)
  public static let every56Days = Schedule(days: 56)
  /// The FAA's 56-day obstacle file starts between the charts' editions. It has the date of the Sunday before.
  public static let obstacles = Schedule(days: 56, after: 28)
  /// The schedules that a definition can name as its `cadence`.
  public static let cadences = [every28Days, every56Days]

  private init(days: Int, after delay: Int = 0) {
    first = Instant(AiracCycle.anchor.adding(days: delay), hour: 9, minute: 1).secondsSince1970
    (seconds, isAirac) = (days * 86_400, true)
  }

  private init(seconds: Int) { (first, self.seconds, isAirac) = (0, seconds, false) }

  /// Editions that begin at whole multiples of this time since 1970, such as :00, :05 and :10.
  public static func every(minutes: Int) -> Schedule { Schedule(seconds: minutes * 60) }

  /// The edition in force at an instant.
  public func edition(at instant: Instant) -> Edition {
    let start = first + floorDivide(instant.secondsSince1970 - first, seconds) * seconds
    let (begin, end) = (Instant(secondsSince1970: start), Instant(secondsSince1970: start + seconds))
    let clock = begin.description.filter { $0 != "-" && $0 != ":" }
    return Edition(
      id: isAirac ? AiracCycle(at: begin).identifier : clock.dropLast(3) + "Z",
      issue: isAirac ? .day(begin.day) : .time(begin), effective: begin, expires: end)
  }

  public func edition(before edition: Edition) -> Edition {
    self.edition(at: Instant(secondsSince1970: edition.effective.secondsSince1970 - 1))
  }
}

extension Schedule: Codable {
  private var text: String { isAirac ? "\(seconds / 86_400)-day" : "\(seconds / 60)-minute" }

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

/// The time for which a run builds.
public struct RunDate: Hashable, Sendable {
  public let cycle: AiracCycle
  /// For products that change more often than a cycle.
  public let now: Instant

  public init(cycle: AiracCycle, now: Instant) { (self.cycle, self.now) = (cycle, now) }

  /// The edition to build: the one in force during the cycle, or, of an interval, the one in force now.
  public func edition(_ schedule: Schedule) -> Edition {
    schedule.edition(at: schedule.isAirac ? cycle.effective : now)
  }
}
