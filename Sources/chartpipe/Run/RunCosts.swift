internal import Core
internal import Foundation

/// The expected output and duration of a run's steps, from earlier runs or estimated from their sources.
struct RunCosts {
  let costs: [StepCost]
  /// The durations of the steps that an earlier run did.
  private let seconds: [Step.ID: Double]

  /// - Parameter joins: whether the run has all charts, so it completes edge tiles.
  init(_ plan: BuildPlan, _ sizes: SourceSizes, in workspace: Workspace, joins: Bool) throws {
    let history = try StepHistory(in: workspace)
    costs = plan.items.flatMap { StepCost.estimates($0, sizes, joins: joins) }.map { cost in
      guard let bytes = history.bytes(of: cost.step) else { return cost }
      var known = cost
      (known.bytes, known.isEstimate) = (bytes, false)
      return known
    }
    let known = costs.compactMap { cost in history.seconds(of: cost.step).map { (cost.step, $0) } }
    seconds = Dictionary(known) { first, _ in first }
  }

  /// The number of steps that an earlier run measured, and their total duration.
  var measured: (steps: Int, seconds: Double) { (seconds.count, seconds.values.sorted().reduce(0, +)) }

  /// The seconds of a step in an earlier run; nil if it never ran.
  func seconds(of step: Step.ID) -> Double? { seconds[step] }

  /// The costs of these steps and of the steps that use their results.
  func affected(by steps: [Step.ID]) -> [StepCost] {
    let wanted = Set(steps)
    return costs.filter { wanted.contains($0.step) || !wanted.isDisjoint(with: $0.parts) }
  }

  func forecast(_ steps: [Step.ID], failed: [Step.ID] = [], cycle: String) -> RunForecast {
    let made = affected(by: steps)
    let times = made.compactMap { seconds[$0.step] }
    return RunForecast(
      cycle: cycle, steps: made.count, ofSteps: costs.count,
      failed: failed.isEmpty ? nil : affected(by: failed).count,
      buildBytes: made.built,
      seconds: times.count == made.count ? times.sorted().reduce(0, +) : nil)
  }
}

extension [StepCost] {
  var built: Int { map(\.bytes).reduce(0, +) }
}

/// Checks the disk space before a run and before and after each of its steps.
struct DiskCapacityCheck: CapacityCheck {
  let costs: RunCosts
  let room: DiskSpace
  /// The files of an earlier run of the cycle, which the new files replace.
  let journal: Journal
  let cycle: String
  /// Whether the run also stages the products: the site shares their files, and keeps those that the new files replace.
  let stages: Bool
  let show: (RunForecast) -> Void

  /// Without a site, an old file is deleted when its replacement is complete, one file after another.
  func check(run steps: [Step.ID], failed: [Step.ID] = []) throws {
    show(costs.forecast(steps, failed: failed, cycle: cycle))
    let made = costs.affected(by: steps).map(\.minimum)
    let replaced = stages ? [] : made.map { Swift.min($0.bytes, journal.bytesOnDisk(of: $0.step)) }
    try room.check(made.built - replaced.reduce(0, +) + (replaced.max() ?? 0), for: "cycle \(cycle)")
  }

  func check(before step: Step.ID) throws {
    try room.check(costs.costs.first { $0.step == step }?.minimum.bytes ?? 0, for: step.description)
  }

  func check(after step: Step.ID) throws { try room.checkKept(for: step.description) }
}

/// The size of a step's output in the work folder.
struct StepCost: Sendable {
  let step: Step.ID
  /// From the last run, else estimated from the sizes of its sources.
  var bytes: Int
  /// The steps whose results it uses.
  var parts: Set<Step.ID> = []
  var isEstimate = true

  /// Half of an estimate, which may be twice the real size: an estimate must not prevent a run that would fit.
  var minimum: StepCost {
    var minimum = self
    if isEstimate { minimum.bytes /= 2 }
    return minimum
  }

  /// The costs of an item's steps, estimated from the sizes of its sources.
  static func estimates(_ item: PipelineItem, _ sizes: SourceSizes, joins: Bool) -> [StepCost] {
    switch item.content {
    case .chart(let chart, let family):
      let tiles = bytes(chart, family, sizes)
      let pack = tiles * family.tiles.archives.count
      guard family.seam == .fill else { return [StepCost(step: item.step, bytes: pack)] }
      let cut = StepCost(step: item.step, bytes: tiles)
      let filled = StepCost(step: item.seamStep, bytes: pack, parts: [item.step])
      return joins ? [cut, filled] : [cut]
    case .mosaic(let mosaic, let family):
      let tiles = family.charts(of: mosaic).map { bytes($0, family, sizes) }.reduce(0, +)
      return [
        StepCost(
          step: item.step, bytes: tiles * mosaic.archives.count,
          parts: Set(item.parts.map { Step.ID(product: $0) }))
      ]
    case .nasr(let definition):
      return [StepCost(step: item.step, bytes: sizes.bytes(of: definition.origin))]
    case .obstacles(let definition):
      return [StepCost(step: item.step, bytes: sizes.unpackedBytes(of: definition.origin))]
    case .export(_, let origin):
      return [
        StepCost(
          step: item.step, bytes: sizes.bytes(of: origin) / 4,
          parts: [Step.ID(product: "\(item.pipeline)/\(origin.id)")])
      ]
    case .raster(let image, let family):
      // Half of its size as WebP, and a third more for the lower zooms; PNG is about as large as the image.
      return [
        StepCost(step: item.step, bytes: sizes.bytes(of: image) * family.tiles.archives.count)
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
