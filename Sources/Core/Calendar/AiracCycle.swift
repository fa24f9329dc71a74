/// One AIRAC cycle, identified by its effective day.
///
/// All dates are computed from one anchor. Tables of these dates that are maintained manually contain errors.
public struct AiracCycle: Hashable, Comparable, Sendable {
  /// A day on which both a 28-day and a 56-day period start.
  static let anchor = CalendarDay(daysSince1970: 20_475)  // 2026-01-22

  public let effectiveDay: CalendarDay

  private init(number: Int) { effectiveDay = AiracCycle.anchor.adding(days: number * 28) }

  /// The cycle in force at an instant. A cycle takes effect at 0901Z, so its effective day starts in the cycle before.
  public init(at instant: Instant) {
    let start = Instant(AiracCycle.anchor, hour: 9, minute: 1).secondsSince1970
    self.init(number: floorDivide(instant.secondsSince1970 - start, 28 * 86_400))
  }

  /// The cycle that takes effect on exactly this day, or nil.
  public init?(effective day: CalendarDay) {
    let days = day.daysSince1970 - AiracCycle.anchor.daysSince1970
    guard days % 28 == 0 else { return nil }
    self.init(number: days / 28)
  }

  /// The years that the two digits of an identifier can mean.
  public static let years = 1964...2063

  /// Whether the identifier stands for this cycle, and not for one a century away.
  public var hasIdentifier: Bool { AiracCycle.years.contains(effectiveDay.year) }

  /// Reads an identifier such as `2612`. The years 64 to 99 mean the 1900s.
  public init?(identifier text: String) {
    guard text.utf8.count == 4, let number = digits(text) else { return nil }
    let century = number / 100 + 1900 < AiracCycle.years.lowerBound ? 2000 : 1900
    let year = century + number / 100
    guard let newYear = CalendarDay(year: year, month: 1, day: 1), number % 100 > 0 else { return nil }
    let sinceAnchor = newYear.daysSince1970 - AiracCycle.anchor.daysSince1970
    let first = -floorDivide(-sinceAnchor, 28)
    self.init(number: first + number % 100 - 1)
    guard effectiveDay.year == year else { return nil }
  }

  /// `2612`: the year, and the number of the cycle among those that take effect in that year.
  public var identifier: String {
    padded(effectiveDay.year % 100, 2) + padded((effectiveDay.dayOfYear - 1) / 28 + 1, 2)
  }

  /// Whether the charts and the 56-day NASR tables change with this cycle.
  public var isMajor: Bool {
    (effectiveDay.daysSince1970 - AiracCycle.anchor.daysSince1970) % 56 == 0
  }

  public var effective: Instant { Instant(effectiveDay, hour: 9, minute: 1) }

  /// When the next cycle takes effect.
  public var expires: Instant { advanced(by: 1).effective }

  /// The edition of a product that is in force during this cycle.
  public func edition(_ schedule: Schedule) -> Edition { schedule.edition(at: effective) }

  public func advanced(by cycles: Int) -> AiracCycle {
    AiracCycle(number: (effectiveDay.daysSince1970 - AiracCycle.anchor.daysSince1970) / 28 + cycles)
  }

  public static func < (left: AiracCycle, right: AiracCycle) -> Bool {
    left.effectiveDay < right.effectiveDay
  }
}

extension AiracCycle: CodableText {
  public static let form = "an AIRAC cycle"
  public init?(_ text: String) { self.init(identifier: text) }
  public var description: String { identifier }
  /// `2612 (2026-11-26)`
  public var dated: String { "\(identifier) (\(effectiveDay))" }
}
