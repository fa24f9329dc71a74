import Foundation
import Pipeline

/// What a run is expected to leave on the disk and how long that took before, and whether the disk has room for it.
struct RunCosts {
  let costs: [StepCost]
  /// How long they took in an earlier run, those that were done in one.
  private let seconds: [String: Double]

  /// - Parameter joins: whether all charts are there, so that they are joined.
  init(_ plan: BuildPlan, _ sizes: SourceSizes, in workspace: Workspace, joins: Bool) throws {
    let history = try StepHistory(in: workspace)
    costs = plan.items.flatMap { StepCost.guessed($0, sizes, joins: joins) }.map { cost in
      guard let bytes = history.bytes(of: cost.step) else { return cost }
      var known = cost
      (known.bytes, known.isGuess) = (bytes, false)
      return known
    }
    let known = costs.compactMap { cost in history.seconds(of: cost.step).map { (cost.step, $0) } }
    seconds = Dictionary(known) { first, _ in first }
  }

  /// How many of them an earlier run measured, and how long those took together.
  var measured: (steps: Int, seconds: Double) { (seconds.count, seconds.values.sorted().reduce(0, +)) }

  /// These steps, and those for which they make parts.
  func made(_ steps: [String]) -> [StepCost] {
    let wanted = Set(steps)
    return costs.filter { wanted.contains($0.step) || !wanted.isDisjoint(with: $0.parts) }
  }

  func forecast(_ steps: [String], failed: [String] = [], cycle: String, stages: Bool) -> RunForecast {
    let made = made(steps)
    let times = made.compactMap { seconds[$0.step] }
    return RunForecast(
      cycle: cycle, steps: made.count, ofSteps: costs.count,
      failed: failed.isEmpty ? nil : self.made(failed).count,
      buildBytes: made.built,
      siteBytes: stages ? made.staged : nil,
      seconds: times.count == made.count ? times.sorted().reduce(0, +) : nil)
  }
}

extension [StepCost] {
  var built: Int { map(\.bytes).reduce(0, +) }
  var staged: Int { filter(\.isStaged).built }
}

/// Asks the disk before a run, and before each of its steps.
struct DiskAdmission: StepAdmission {
  let costs: RunCosts
  let room: DiskSpace
  /// What an earlier run of the cycle left, which the new files replace.
  let journal: Journal
  let cycle: String
  /// Whether what is built goes into the site too.
  let stages: Bool
  /// Tells what is going to be done.
  let tell: (RunForecast) -> Void

  /// A file that is replaced goes only when the new one is whole, and that one after the other.
  func admit(run steps: [String], failed: [String] = []) throws {
    tell(costs.forecast(steps, failed: failed, cycle: cycle, stages: stages))
    let made = costs.made(steps).map(\.least)
    let replaced = made.map { Swift.min($0.bytes, journal.bytesOnDisk(of: $0.step)) }
    let need = made.built - replaced.reduce(0, +) + (replaced.max() ?? 0) + (stages ? made.staged : 0)
    try room.check(need, for: "cycle \(cycle)")
  }

  func admit(step: String) throws {
    try room.check(costs.costs.first { $0.step == step }?.least.bytes ?? 0, for: step)
  }

  func admit(made step: String) throws { try room.checkKept(for: step) }
}
