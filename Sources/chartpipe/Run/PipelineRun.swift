internal import Core
internal import Foundation

/// One invocation of `run` or `build` in a work folder. It holds the folder's lock, creates the steps and runs them.
final class PipelineRun {
  private let settings: RunSettings
  private let console: Console
  private let lock: FolderLock
  private let journal: Journal
  private var account = RunAccount()
  /// The charts that validation refused, each with the key of its step. No other step uses them until they are rebuilt or pass.
  private var refused: [String: SHA256Hex]
  private let hashes: FileHashes
  private let start = ContinuousClock.now
  private let printed = PrintedWarnings()
  /// The products whose sources could not be fetched since their server cannot be reached.
  private var unreachable: Set<String> = []

  init(_ settings: RunSettings, _ console: Console) throws {
    self.settings = settings
    self.console = console
    // A run that cannot read its sources does not create its work folder.
    if let folder = settings.place?.localFolder { try SourceFolder.check(folder) }
    lock = try settings.workspace.lock()
    try settings.workspace.prepare()
    hashes = FileHashes(in: settings.workspace, rehash: settings.rehashes)
    journal = try Journal(
      cycle: settings.cycle.identifier, in: settings.workspace, hashes: hashes,
      environment: PipelineRun.versions(hashes))
    refused = journal.refusedCharts
  }

  deinit {
    saveHashes()
    // Deletes scratch files; the next run would delete them too.
    try? settings.workspace.sweep()
  }

  private var progress: any ProgressReporter {
    FilteredProgress(reporter: console.progress) { [printed] in printed.isNew($0) }
  }

  /// Without the failures of products whose server cannot be reached. That was reported once for the server. The outcome of the
  /// run, the report and the JSON lines contain every failure.
  private var stepProgress: any ProgressReporter {
    guard !unreachable.isEmpty, !console.json else { return progress }
    return FilteredProgress(reporter: progress) { [unreachable] event in
      if case .failed(let step, _) = event { !unreachable.contains(Step.ID(step).product) } else { true }
    }
  }

  /// Downloads missing sources. It reports the sources that it cannot get; later only the steps that need them fail.
  func fetch() throws {
    guard let origin = settings.origin else { return }
    let requirements = SourceRequirement.all(of: settings.plan.items, for: settings.cycle)
    guard try origin != .publisher || lacksPublished(requirements) else { return }
    let begin = ContinuousClock.now
    defer { account.add(.fetched, begin.elapsed) }
    let request = FetchRequest(
      settings.plan.items, settings.cycle, from: origin, into: settings.workspace,
      cache: settings.cache, limit: settings.maxDisk)
    let fetched = try SourceFetcher(request, progress: progress).fetch()
    if let fault = fetched.first?.error, fetched.allSatisfy({ $0.error != nil }) { throw fault }
    unreachable = Set(fetched.filter { $0.unreachableServer != nil }.flatMap(\.products))
  }

  /// Whether a source is missing that its publisher may have by now. A resumed run does not ask again for sources that it has, so
  /// it uses the same files.
  private func lacksPublished(_ requirements: [SourceRequirement]) throws -> Bool {
    let folder = settings.workspace.sources(cycle: settings.cycle.identifier)
    let all = try requirements + SourceRequirement.named(by: requirements, in: folder)
    return try !SourceLock(in: folder, cycle: settings.cycle.identifier).covers(all, in: folder)
  }

  func build(_ plan: BuildPlan) throws -> RunOutcome {
    let begin = ContinuousClock.now
    defer { account.add(.built, begin.elapsed) }
    // A run that is killed later does not hash the files again.
    defer { saveHashes() }
    // An empty shard needs no folder of sources.
    let sources =
      try plan.items.isEmpty
      ? SourceFolder(empty: settings.from) : settings.sourceFolder(hashes, isShard: plan.isShard)
    let notes = SourceInventory(plan.items, of: settings.plan.items).notes(in: sources)
    for note in notes { progress.warn("inventory", note.message) }
    let isOfCharts = plan.items.allSatisfy(\.isOfCharts)
    let runner = runner(try capacityCheck(plan, sources), unit: isOfCharts ? "chart" : "product")
    // The databases come first: a run that is cut short still has what the charts are compared with.
    let ordered = plan.items.filter { !$0.isOfCharts } + plan.items.filter(\.isOfCharts)
    var outcome = try runner.run(ordered.flatMap { [context = context(plan, sources)] in $0.steps(context) })
    outcome.notes = notes
    account.add(outcome)
    forgetRefusals(ofRebuiltIn: outcome)
    for mosaic in plan.items.compactMap({ $0.mosaic(without: refused) }) {
      let charts = mosaic.parts.filter { refused[$0] != nil }.joined(separator: ", ")
      progress.warn(mosaic.id, "not built, since validation refused \(charts) when the cycle was staged")
    }
    return outcome
  }

  /// Takes the products of the parts in place of a build, and completes edge tiles and builds mosaics from them.
  func join(_ parts: PartSet) throws -> RunOutcome {
    let begin = ContinuousClock.now
    defer { account.add(.built, begin.elapsed) }
    let merge = PartMerge(
      parts: parts, workspace: settings.workspace, journal: journal, room: room, progress: progress,
      now: { SystemClock.now.description })
    let outcome = try merge.run(settings.plan)
    forgetRefusals(ofRebuiltIn: outcome)
    return try rejoin(settings.plan, after: outcome)
  }

  /// A run without a finished step leaves no file.
  private func saveHashes() {
    if !journal.entries.isEmpty { hashes.save() }
  }

  /// A rebuilt chart is validated again.
  private func forgetRefusals(ofRebuiltIn outcome: RunOutcome) {
    let charts = charts
    refused = refused.filter { chart, key in
      !charts.contains(chart) || outcome[Step.ID(product: chart)]?.key == key
    }
  }

  /// The journal's entry of a step.
  func entry(of step: Step.ID) -> Journal.Entry? { journal[step] }

  /// Completes edge tiles and builds mosaics again, without the refused charts.
  private func rejoin(_ plan: BuildPlan, after outcome: RunOutcome) throws -> RunOutcome {
    let begin = ContinuousClock.now
    defer { account.add(.built, begin.elapsed) }
    let context = context(plan, try settings.sourceFolder(hashes))
    let steps = plan.items.filter(\.isOfCharts).flatMap { $0.steps(context) }.filter(\.usesResults)
    var joined = outcome
    joined.replace(with: try runner(nil).run(steps, after: outcome))
    account.add(joined)
    return joined
  }

  private func context(_ plan: BuildPlan, _ sources: SourceFolder) -> StepContext {
    StepContext(
      cycle: settings.cycle, workspace: settings.workspace, sources: sources, jobs: settings.jobs,
      joins: !plan.isShard, refused: refused, progress: progress)
  }

  private func runner(_ capacity: DiskCapacityCheck?, unit: String = "product") -> StepRunner {
    StepRunner(
      workspace: settings.workspace, journal: journal, progress: stepProgress,
      checkBefore: { try capacity?.check(run: $0, failed: $1) },
      checkAfter: { try capacity?.check(after: $0) },
      unit: unit, expected: { capacity?.history.seconds(of: $0) }, staged: staged,
      now: { SystemClock.now.description })
  }

  /// The products of the cycle in the site. Staging reports a damaged one.
  private var staged: Set<String> {
    let manifests = try? SiteFolder(root: settings.workspace.site).readManifests()
    return Set(manifests?[settings.cycle]?.manifest.whole.map(\.id) ?? [])
  }

  private func capacityCheck(_ plan: BuildPlan, _ sources: SourceFolder) throws -> DiskCapacityCheck {
    DiskCapacityCheck(
      cycle: settings.cycle.identifier, items: plan.items,
      sizes: SourceSizes(sources: sources, cycle: settings.cycle),
      history: try StepHistory(in: settings.workspace), room: room,
      show: { [console] in try console.show($0, text: $0.text) })
  }

  private var room: DiskSpace { DiskSpace(settings.workspace.root, limit: settings.maxDisk) }

  /// Stages the products that this run built or found up to date, and no older ones.
  ///
  /// If validation refuses a chart, the run completes the chart's neighbours again without it and does not build its mosaic.
  /// Files that passed are not validated again. A refusal is withdrawn if the chart passes without another refused chart.
  ///
  /// A staging that would change nothing is skipped.
  ///
  /// - Parameters:
  ///   - staging: the options of staging, without products.
  ///   - outcome: the outcome of the build, updated with the steps that ran again.
  func stage(_ outcome: inout RunOutcome, _ staging: StageRequest) throws -> StagedSite {
    if let staged = try unchanged(outcome, staging) { return staged }
    var round = 0
    while true {
      round += 1
      let recorder = MessageRecorder(progress)
      let admission = try admit(outcome, staging, recorder)
      let next = refused.filter { !charts.contains($0.key) }
        .merging(refusedCharts(admission, outcome)) { $1 }
      // The limit guards against charts that pass only without each other.
      guard refused == next || round == 4 else {
        refused = next
        console.note(
          next.isEmpty
            ? "Validation refuses no chart any more: edges and mosaics are built again with all charts."
            : "Validation refuses \(next.keys.sorted().joined(separator: ", ")): edges and mosaics that show them are built again."
        )
        outcome = try rejoin(settings.plan, after: outcome)
        continue
      }
      journal.keep(refusedCharts: refused)
      let begin = ContinuousClock.now
      defer { account.add(.staged, begin.elapsed) }
      let staged = try Stager.stage(admission, progress: recorder)
      try record(outcome, staging)?.store(staged, messages: recorder.messages)
      return staged
    }
  }

  private func unchanged(_ outcome: RunOutcome, _ staging: StageRequest) throws -> StagedSite? {
    let begin = ContinuousClock.now
    let staged = try record(outcome, staging)?.unchanged(progress: progress)
    account.add(.validated, begin.elapsed)
    if staged != nil { account.add(.staged, 0) }
    return staged
  }

  private func record(_ outcome: RunOutcome, _ staging: StageRequest) throws -> StagingRecord? {
    StagingRecord(request(outcome, staging), files: outcome.results.flatMap(\.files).map(\.url))
  }

  private func admit(
    _ outcome: RunOutcome, _ staging: StageRequest, _ progress: any ProgressReporter
  ) throws -> StageAdmission {
    let begin = ContinuousClock.now
    defer { account.add(.validated, begin.elapsed) }
    let validator = Validator(jobs: settings.jobs, journal: journal)
    return try Stager.admit(
      request(outcome, staging), validate: { try validator.validate($0, progress: $1) }, progress: progress)
  }

  private func request(_ outcome: RunOutcome, _ staging: StageRequest) -> StageRequest {
    let skipped = settings.plan.items.compactMap { $0.mosaic(without: refused) }
    // The edge tiles of a failed chart may be up to date.
    let dropped = Set(skipped.map(\.id) + outcome.failures.map(\.step.product))
    let products = outcome.results.filter { !dropped.contains($0.step.product) }.compactMap(\.description)
    let folders = [settings.from, settings.workspace.root]
    let outlines = settings.plan.outlines
    let failures = outcome.failures.map { failure in
      ProductFailure(
        id: failure.step.product, failure.error, outline: outlines[failure.step.product], leavingOut: folders)
    }
    let decided = Set(outcome.results.map(\.step.product) + failures.map(\.id)).union(dropped)
    // The exports of a database that failed.
    let dependent = settings.plan.items.map(\.product).filter { !decided.contains($0) }
    var request = staging
    (request.builds, request.now) = (products, SystemClock.now)
    (request.missing, request.failures, request.skipped) = (failures.map(\.id) + dependent, failures, skipped)
    (request.notes, request.journal, request.linksFiles) = (outcome.notes, journal, true)
    return request
  }

  /// The ids of the plan's charts.
  private var charts: Set<String> {
    Set(settings.plan.items.filter { $0.isOfCharts && $0.parts.isEmpty }.map(\.product))
  }

  private func refusedCharts(_ admission: StageAdmission, _ outcome: RunOutcome) -> [String: SHA256Hex] {
    let charts = charts
    return Dictionary(
      uniqueKeysWithValues: admission.refused.filter(charts.contains).compactMap { id in
        outcome[Step.ID(product: id)].map { (id, $0.key) }
      })
  }

  func publish(_ site: URL, to target: PublishTarget, _ options: PublishOptions) throws -> PublishReport {
    let begin = ContinuousClock.now
    defer { account.add(.published, begin.elapsed) }
    return try Publisher.publish(site, to: target, options, progress: progress)
  }

  /// The measurements of the run until now.
  func figures() -> RunAccount {
    account.seconds = start.elapsed
    account.memoryBytes = RunAccount.peakMemory
    account.workBytes = room.used
    return account
  }

  /// Prints the summary and returns the verdict.
  func close(
    _ outcome: RunOutcome, held: [HeldProduct] = [], published: PublishReport? = nil
  ) throws -> UserError.Kind? {
    let figures = figures()
    try console.show(figures, text: String(figures.text.dropLast()))
    if !outcome.failures.isEmpty {
      let failed = outcome.failures.map(\.step.description).joined(separator: ", ")
      console.note(
        "\(outcome.failures.count) of \(outcome.failures.count + outcome.results.count) failed: \(failed)")
    }
    // As text, the report of the publication contains the warnings.
    for message in console.json ? published?.warnings ?? [] : [] { progress.warn(Uploader.step, message) }
    let isUnsent = published?.unsent.contains { $0.cycle == settings.cycle } ?? false
    return outcome.verdict ?? (held.isEmpty && !isUnsent ? nil : .partlyDone)
  }
}

extension PipelineRun {
  /// What can change a result of validation besides the validated files: the versions of the libraries, and the hash of the
  /// program, since two development builds have the same version.
  private static func versions(_ hashes: FileHashes) -> [String: String] {
    let program = Bundle.main.executableURL.flatMap { try? hashes.sha256(of: $0.resolvingSymlinksInPath()) }
    // Without the program's hash, no later run uses the values.
    return StepContext.libraries.merging(["program": program?.text ?? UUID().uuidString]) { own, _ in own }
  }
}

extension ContinuousClock.Instant {
  /// The seconds since then.
  fileprivate var elapsed: Double { (ContinuousClock.now - self) / .seconds(1) }
}

extension BuildPlan {
  /// The rough outlines of the charts, by product.
  fileprivate var outlines: [String: [[Double]]] {
    Dictionary(first: items.compactMap { item in item.outline.map { (item.product, $0) } })
  }
}

extension PipelineItem {
  /// The mosaic if some of its charts are refused; nil for any other item.
  fileprivate func mosaic(without refused: [String: SHA256Hex]) -> SkippedMosaic? {
    guard isOfCharts, parts.contains(where: { refused[$0] != nil }) else { return nil }
    return SkippedMosaic(id: product, name: name, parts: parts)
  }
}
