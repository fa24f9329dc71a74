internal import Core

/// Which of the cycles of a site is in force, and its neighbours.
///
/// A cycle that has expired is never called current, whatever else the site lacks: better to have nothing current than
/// to be believed with last month's chart.
struct CycleRoles<Cycle> {
  let previous: Cycle?
  let current: Cycle?
  let next: Cycle?

  init(_ cycles: [(cycle: AiracCycle, value: Cycle)], at now: Instant) {
    let inForce = AiracCycle(at: now)
    let ordered = cycles.sorted { $0.cycle < $1.cycle }
    previous = ordered.last { $0.cycle < inForce }?.value
    current = ordered.first { $0.cycle == inForce }?.value
    next = ordered.first { $0.cycle > inForce }?.value
  }
}
