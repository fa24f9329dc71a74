public import Core

/// The products of a cycle that should be published by now and are not.
public struct DueWork: Encodable, Equatable, Sendable {
  public enum Role: String, Encodable, Sendable {
    case current
    case next
  }

  /// `2612`, as `--cycle` takes it.
  public var cycle: AiracCycle
  public var role: Role
  public var effective: Instant
  /// The pipelines with missing products.
  public var pipelines: [String]
  /// The ids of the products that are missing.
  public var products: [String]
}

/// Compares the published products with those that the calendar requires.
public struct DueCalendar: Sendable {
  /// A product of a pipeline, and when the FAA publishes its sources.
  public struct Expected: Equatable, Sendable {
    public var product: String
    public var pipeline: String
    public var schedule: Schedule
    /// The number of days before the effective date on which the sources are published.
    public var daysAhead: Int
  }

  public private(set) var due: [DueWork]
  /// The next day on which more may be due; nil where nothing was expected.
  public private(set) var nextDay: CalendarDay?
  /// When the catalogue expires or expired, if it has to be renewed.
  public private(set) var expires: Instant?
  /// The cycle in force.
  public let current: AiracCycle

  /// The cycles to publish, each once: those that lack products, or else the one in force if the catalogue has to be renewed.
  public var cycles: [AiracCycle] { due.isEmpty && expires != nil ? [current] : due.map(\.cycle) }

  /// - Parameters:
  ///   - published: the products of the catalogue, of any cycle; empty for a site that does not exist yet.
  ///   - term: of the catalogue; nil if it does not expire.
  public init(_ expected: [Expected], published: [Product], until term: CatalogueTerm? = nil, now: Instant) {
    let current = AiracCycle(at: now)
    let next = current.advanced(by: 1)
    self.current = current
    expires = term.flatMap { $0.endsSoon(at: now) ? $0.expires : nil }
    due = [(current, DueWork.Role.current), (next, .next)].compactMap { cycle, role in
      let missing = expected.filter { each in
        DueCalendar.opens(each, for: cycle) <= now.day
          && !DueCalendar.isPublished(each, for: cycle, published)
      }
      if missing.isEmpty { return nil }
      return DueWork(
        cycle: cycle, role: role, effective: cycle.effective,
        pipelines: Set(missing.map(\.pipeline)).sorted(), products: missing.map(\.product).sorted())
    }
    nextDay = [next, next.advanced(by: 1), next.advanced(by: 2)]
      .flatMap { cycle in expected.map { DueCalendar.opens($0, for: cycle) } }.filter { $0 > now.day }.min()
  }

  /// Returns the day on which the sources of the issue that a cycle needs are published.
  private static func opens(_ expected: Expected, for cycle: AiracCycle) -> CalendarDay {
    cycle.edition(expected.schedule).effectiveDay.adding(days: -expected.daysAhead)
  }

  /// A chart of a major cycle also serves the minor cycle after it.
  private static func isPublished(_ expected: Expected, for cycle: AiracCycle, _ published: [Product]) -> Bool
  {
    let edition = cycle.edition(expected.schedule).issue
    return published.contains { $0.id == expected.product && $0.edition == edition }
  }
}
