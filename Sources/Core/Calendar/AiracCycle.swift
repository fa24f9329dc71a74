/// How often a product changes: the NASR data every cycle, the VFR charts every second one.
public enum Cadence: String, Codable, Sendable, CaseIterable {
  case every28Days = "28-day"
  case every56Days = "56-day"

  public var days: Int { self == .every28Days ? 28 : 56 }
}

/// One AIRAC cycle, by its effective day. All of it is arithmetic from one anchor; nothing is tabulated,
/// since hand-kept tables of these dates are wrong in every peer that has one.
public struct AiracCycle: Hashable, Comparable, Sendable {
  /// A day on which a 28-day and a 56-day period both begin.
  static let anchor = CalendarDay(daysSince1970: 20_475)  // 2026-01-22

  public let effectiveDay: CalendarDay

  private init(number: Int) {
    effectiveDay = AiracCycle.anchor.adding(days: number * 28)
  }

  /// The cycle in force at an instant. A cycle takes effect at 0901Z, so its own day begins under the last one.
  public init(at instant: Instant, cadence: Cadence = .every28Days) {
    let start = Instant(AiracCycle.anchor, hour: 9, minute: 1).secondsSince1970
    let periods = floorDivide(instant.secondsSince1970 - start, cadence.days * 86_400)
    self.init(number: periods * cadence.days / 28)
  }

  /// The cycle that takes effect on exactly this day.
  public init?(effective day: CalendarDay) {
    let days = day.daysSince1970 - AiracCycle.anchor.daysSince1970
    guard days % 28 == 0 else { return nil }
    self.init(number: days / 28)
  }

  /// Reads an identifier such as `2612`. Two digits cannot name a century: 64 to 99 mean the 1900s.
  public init?(identifier text: String) {
    guard text.utf8.count == 4, let number = digits(text) else { return nil }
    let year = number / 100 < 64 ? 2000 + number / 100 : 1900 + number / 100
    guard let newYear = CalendarDay(year: year, month: 1, day: 1), number % 100 > 0 else { return nil }
    let sinceAnchor = newYear.daysSince1970 - AiracCycle.anchor.daysSince1970
    let first = -floorDivide(-sinceAnchor, 28)
    self.init(number: first + number % 100 - 1)
    guard effectiveDay.year == year else { return nil }
  }

  /// `2612`: the year, then the ordinal of this cycle among those that take effect in it.
  public var identifier: String {
    padded(effectiveDay.year % 100, 2) + padded((effectiveDay.dayOfYear - 1) / 28 + 1, 2)
  }

  /// Whether charts and the 56-day NASR tables change with this cycle.
  public var isMajor: Bool {
    (effectiveDay.daysSince1970 - AiracCycle.anchor.daysSince1970) % 56 == 0
  }

  public var effective: Instant { Instant(effectiveDay, hour: 9, minute: 1) }

  /// A product expires when its next issue takes effect.
  public func expires(_ cadence: Cadence) -> Instant { issue(cadence, stepsAhead: 1).effective }

  /// The issue of a product that is in force during this cycle, or a neighbour of that issue.
  public func issue(_ cadence: Cadence, stepsAhead: Int = 0) -> AiracCycle {
    let own = AiracCycle(at: effective, cadence: cadence)
    return own.advanced(by: stepsAhead * cadence.days / 28)
  }

  /// The cycle with whose day the FAA's obstacle file of 56 days begins: every second one, between those of the charts. The file is
  /// dated the Sunday before.
  public var obstacleIssue: AiracCycle { isMajor ? advanced(by: -1) : self }

  public func advanced(by cycles: Int) -> AiracCycle {
    AiracCycle(number: (effectiveDay.daysSince1970 - AiracCycle.anchor.daysSince1970) / 28 + cycles)
  }

  public static func < (left: AiracCycle, right: AiracCycle) -> Bool {
    left.effectiveDay < right.effectiveDay
  }
}

extension AiracCycle: CustomStringConvertible {
  /// `2612 (2026-11-26)`
  public var description: String { "\(identifier) (\(effectiveDay))" }
}

/// What a person may write after `--cycle`.
public enum CycleSelector: Equatable, Sendable {
  case previous
  case current
  case next
  case exactly(AiracCycle)

  /// Why a text names no cycle; the wording for people is made where faults are worded.
  public enum Misreading: Error, Equatable {
    case notAnEffectiveDay(CalendarDay, inForce: AiracCycle, following: AiracCycle)
    case noSuchIdentifier(String)
    case unreadable(String)
  }

  public init(_ text: String) throws(Misreading) {
    switch text {
    case "previous": self = .previous
    case "current": self = .current
    case "next": self = .next
    default: self = .exactly(try CycleSelector.cycle(text))
    }
  }

  public func cycle(at now: Instant) -> AiracCycle {
    switch self {
    case .previous: AiracCycle(at: now).advanced(by: -1)
    case .current: AiracCycle(at: now)
    case .next: AiracCycle(at: now).advanced(by: 1)
    case .exactly(let cycle): cycle
    }
  }

  /// A day inside a cycle is refused: somebody who writes one may mean either neighbour, and pilots fly with the result.
  private static func cycle(_ text: String) throws(Misreading) -> AiracCycle {
    if let day = CalendarDay(text) {
      if let cycle = AiracCycle(effective: day) { return cycle }
      let inForce = AiracCycle(at: Instant(day, hour: 9, minute: 1))
      throw .notAnEffectiveDay(day, inForce: inForce, following: inForce.advanced(by: 1))
    }
    guard text.utf8.count == 4, digits(text) != nil else { throw .unreadable(text) }
    guard let cycle = AiracCycle(identifier: text) else { throw .noSuchIdentifier(text) }
    return cycle
  }
}
