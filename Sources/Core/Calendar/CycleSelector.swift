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
