import Core
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

/// A step, and how many bytes it leaves in the work folder.
struct StepCost: Sendable {
  let step: String
  /// As last time, else guessed from the sizes of its sources.
  var bytes: Int
  /// The steps of whose outputs it is made.
  var parts: Set<String> = []
  /// Whether staging puts a copy into the site.
  var isStaged = true
  var isGuess = true

  /// A guess may be twice too much, and shall keep nobody from trying.
  var least: StepCost {
    var least = self
    if isGuess { least.bytes /= 2 }
    return least
  }

  /// What the steps of an item leave, guessed from the size of its sources.
  static func guessed(_ item: PipelineItem, _ sizes: SourceSizes, joins: Bool) -> [StepCost] {
    switch item.content {
    case .chart(let chart, let family):
      let tiles = bytes(chart, family, sizes)
      let pack = tiles * family.tiles.archives.count
      guard family.seam == .fill else { return [StepCost(step: item.product, bytes: pack)] }
      let cut = StepCost(step: item.product, bytes: tiles, isStaged: false)
      let filled = StepCost(step: SeamStep.id(item), bytes: pack, parts: [item.product])
      return joins ? [cut, filled] : [cut]
    case .mosaic(_, let family):
      let tiles = family.charts.map { bytes($0, family, sizes) }.reduce(0, +)
      return [
        StepCost(
          step: item.product, bytes: tiles * family.tiles.archives.count,
          parts: Set(family.charts.map { "\(item.pipeline)/\($0.id)" }))
      ]
    case .nasr(let definition):
      return [StepCost(step: item.product, bytes: sizes.bytes(of: definition.origin))]
    case .obstacles(let definition):
      return [StepCost(step: item.product, bytes: sizes.unpackedBytes(of: definition.origin))]
    case .export(_, let origin):
      return [
        StepCost(
          step: item.product, bytes: sizes.bytes(of: origin) / 4, parts: ["\(item.pipeline)/\(origin.id)"])
      ]
    }
  }

  /// The tiles of a dense sheet's largest useful zoom and all below, against its zip.
  private static func bytes(_ chart: ChartDefinition, _ family: ChartFamily, _ sizes: SourceSizes) -> Int {
    let tenths =
      switch family.tiles.format {
      case .png: 19
      case .png32: 69
      case .webp: 10
      case .webpLossless: 17
      }
    return sizes.bytes(of: chart, in: family) / 10 * tenths
  }
}

/// How much memory a run takes at most, as it was measured on sheets of all sizes and on databases of a whole cycle.
struct MemoryNeed: Sendable {
  /// Whatever the number of workers.
  private let base: Int
  private static let program = 95_000_000
  private static let worker = 30_000_000
  private static let database = 30_000_000

  init(_ plan: BuildPlan, _ sizes: SourceSizes) {
    let needs = plan.items.map { item in
      switch item.content {
      // The packed image is in memory as a whole, and bands of it unpacked.
      case .chart(let chart, let family): sizes.bytes(of: chart, in: family) / 10 * 22
      case .nasr, .obstacles, .export: MemoryNeed.database
      case .mosaic: 0
      }
    }
    base = MemoryNeed.program + (needs.max() ?? 0)
  }

  func bytes(workers: Int) -> Int { base + workers * MemoryNeed.worker }

  /// As many workers as fit, and no more than were asked for.
  func workers(_ wanted: Int, within limit: Int, for subject: String) throws -> Int {
    guard bytes(workers: 1) <= limit else {
      throw UserError(
        .failed, operation: "making room for", path: subject,
        reason: "it needs about \(Counts.bytes(bytes(workers: 1))) of memory with one worker, "
          + "and --max-memory allows \(Counts.bytes(limit))",
        suggestion: "Allow more; the largest chart decides, and --only builds others.")
    }
    return min(wanted, (limit - base) / MemoryNeed.worker)
  }
}
