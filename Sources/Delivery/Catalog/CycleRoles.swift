internal import Airac

/// Which of the cycles of a site is the current one, and its neighbours.
struct CycleRoles<Cycle> {
  let previous: Cycle?
  let current: Cycle?
  let next: Cycle?

  /// The current cycle is the latest that is in force. When none is, a new site has something to offer all the same:
  /// the earliest, with its dates.
  init(_ cycles: [(cycle: AiracCycle, value: Cycle)], at now: Instant) {
    let ordered = cycles.sorted { $0.cycle < $1.cycle }
    let index = ordered.lastIndex { $0.cycle.effective <= now } ?? 0
    func value(_ index: Int) -> Cycle? { ordered.indices.contains(index) ? ordered[index].value : nil }
    previous = value(index - 1)
    current = value(index)
    next = value(index + 1)
  }
}
