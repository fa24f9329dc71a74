internal import Core
internal import Foundation

/// The command `run` for pipelines of snapshots: fetches what changed, makes the snapshots, stages and publishes `live.json`. One turn
/// needs no other process, and the next turn completes one that was killed.
struct LiveRun {
  static let options = [
    OptionSpec(
      "--every", value: "TIME",
      "for pipelines of snapshots: repeat every so many minutes, such as 5m, until Ctrl-C")
  ]

  private let definitions: [any LiveDefinition]
  private let plan: BuildPlan
  private let workspace: Workspace
  private let origin: SourceOrigin
  private let key: SigningKey?
  private let publication: PublishTarget?
  private let publishOptions: PublishOptions
  private let minutes: Int?

  /// Options that make no sense for snapshots.
  private static let useless = [
    OptionSpec.cycle, .only, .variant, .rawTables, .maxDisk, .cache, .accept, .strict,
    .validFor,
  ]

  /// Nil if no pipeline is of snapshots.
  init?(_ arguments: ParsedArguments) throws {
    let all = try arguments.operands.map(arguments.library.definition)
    definitions = all.compactMap { $0 as? any LiveDefinition }
    minutes = try arguments.minutes("--every")
    guard !definitions.isEmpty else {
      if minutes != nil { throw arguments.usageError("--every is for pipelines of snapshots, such as tfr") }
      return nil
    }
    if let other = all.first(where: { !($0 is any LiveDefinition) }) {
      throw arguments.usageError(
        "\(other.name) is of a cycle, and \(definitions[0].name) is of snapshots",
        remedy: "Run them separately, so that a snapshot never waits for a cycle.")
    }
    if let given = LiveRun.useless.first(where: { arguments.value($0.name) != nil || arguments.has($0.name) })
    {
      throw arguments.usageError("\(given.name) makes no sense for snapshots")
    }
    plan = try BuildPlan(all)
    workspace = arguments.workspace
    origin = try SourceOrigin(arguments.value("--from"))
    key = try arguments.signingKey()
    publication = try arguments.value("--publish").map(arguments.publishTarget)
    publishOptions = try arguments.publishOptions(key: key)
  }

  func run(_ console: Console) throws -> UserError.Kind? {
    try publication?.checkOutside(of: workspace.root)
    guard let minutes else { return try turn(console) }
    while true {
      do {
        _ = try turn(console)
      } catch let error where !(error is CancellationError) {
        let fault =
          error as? UserError
          ?? UserError(.failed, operation: "making the snapshots", reason: "\(error)", causes: [error])
        // Every turn would fail in the same way.
        if fault.kind == .badCall { throw fault }
        console.show(fault)
      }
      // Whole multiples, so that turns do not drift. A clock that was set meanwhile changes the pause of one turn only.
      let pause = minutes * 60 - SystemClock.now.secondsSince1970 % (minutes * 60)
      try PublishClock.sleep(pause)
    }
  }

  private func turn(_ console: Console) throws -> UserError.Kind? {
    let live = LiveWork.workspace(in: workspace)
    let lock = try live.lock()
    defer { withExtendedLifetime(lock) {} }
    let work = LiveWork(
      definitions: definitions, plan: plan, workspace: workspace, origin: origin, now: SystemClock.now)
    let made = try work.run(console.progress)
    let own = plan.items.map(\.product)
    var held: [String] = []
    let targets = [PublishTarget(folder: workspace.site), publication].compactMap(\.self)
    for (number, target) in targets.enumerated() {
      let publisher = LivePublisher(
        target, publishOptions, from: workspace.site, progress: console.progress)
      let report = try publisher.publish(made.snapshots, of: own)
      // One JSON document for each turn.
      if !console.json || number == targets.count - 1 { try console.result(report, text: report.text) }
      held = report.held.filter(own.contains)
    }
    return made.faults.isEmpty && held.isEmpty ? nil : .partlyDone
  }
}

/// One turn of pipelines of snapshots, up to the finished files.
struct LiveWork {
  let definitions: [any LiveDefinition]
  let plan: BuildPlan
  let workspace: Workspace
  let origin: SourceOrigin
  let now: Instant

  /// Apart from that of the cycles, so that a snapshot never waits for one.
  static func workspace(in work: Workspace) -> Workspace { Workspace(work.root.appending(path: "live")) }

  /// - Returns: the snapshots with their files, and what could not be fetched or made.
  func run(_ progress: any ProgressReporter) throws -> (snapshots: [PlacedProduct], faults: [UserError]) {
    let live = LiveWork.workspace(in: workspace)
    try live.prepare()
    let cycle = AiracCycle(at: now)
    for old in live.cycleNames where AiracCycle(old) != nil && old != cycle.identifier {
      try live.forget(cycle: old)
    }
    let hashes = FileHashes(in: live)
    defer { hashes.save() }
    let journal = try Journal(cycle: cycle.identifier, in: live, hashes: hashes)
    var (snapshots, faults): ([PlacedProduct], [UserError]) = ([], [])
    for definition in definitions {
      let poll = try SourcePoll(
        into: live.sources.appending(path: definition.name), from: origin, now: now, progress: progress)
      try definition.poll(poll, CycleFiles(workspace: workspace, cycle: cycle, from: origin.localFolder))
      guard !poll.isClockWrong else {
        throw UserError(
          .failed, operation: "making the snapshots of", path: definition.name,
          reason: "the clock of this machine says \(now), and that of each server another time",
          suggestion: "Set the clock. What is published stays until it expires.")
      }
      let context = StepContext(
        cycle: cycle, workspace: live, sources: try SourceFolder(poll.folder, hashes: hashes), jobs: 1,
        joins: false, refused: [:], progress: progress)
      let runner = StepRunner(
        workspace: live, journal: journal, progress: progress, now: { now.description })
      let items = definition.items
      let outcome = try runner.run(items.flatMap { $0.steps(context) })
      faults += poll.faults + outcome.failures.map(\.error)
      for item in items.compactMap({ $0 as? any LiveItem }) {
        guard let (product, folder) = try outcome[item.step]?.product(),
          let fetched = item.confirmingSources.lazy.compactMap({ poll.note($0)?.fetched }).first
        else { continue }
        snapshots.append(PlacedProduct(product.snapshot(of: item, fetched: fetched), in: folder))
      }
    }
    return (snapshots, faults)
  }
}

extension Product {
  /// The product with the times of a fetch, which its files do not depend on.
  fileprivate func snapshot(of item: any LiveItem, fetched time: Instant) -> Product {
    var product = self
    product.fetched = time
    guard let seconds = item.secondsAfterFetch else { return product }
    (product.edition, product.effectiveDate) = (.time(time), time)
    product.expirationDate = time.adding(seconds)
    return product
  }
}
