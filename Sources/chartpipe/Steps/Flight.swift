import Airac
import Delivery
import Fetch
import Foundation
import Pipeline
import Validation

/// One run of the pipeline in one work folder: it holds the lock, makes the steps and runs them.
final class Flight {
  private let settings: RunSettings
  private let console: Console
  private let lock: FolderLock
  private let journal: Journal
  /// Whether what is built goes into the site too, which takes room for a copy.
  private let stages: Bool
  private var jobs: Int
  private var account = RunAccount()
  private let start = ContinuousClock.now

  init(_ settings: RunSettings, _ console: Console, stages: Bool = false) throws {
    self.settings = settings
    self.console = console
    self.stages = stages
    jobs = settings.jobs
    lock = try settings.workspace.lock()
    try settings.workspace.prepare()
    journal = try Journal(cycle: settings.cycle.identifier, in: settings.workspace)
  }

  deinit {
    // What is left there is of no use to anyone; the next run would empty it too.
    try? settings.workspace.sweep()
  }

  /// Gets the sources first, where they are to come from a server. What cannot be had is told, and missed again by those steps
  /// alone that need it.
  func fetch() async throws {
    guard let origin = settings.origin else { return }
    let wishes = SourceWish.wishes(of: settings.plan.items, for: settings.cycle)
    guard try origin != .publisher || lacksPublished(wishes) else { return }
    let begin = ContinuousClock.now
    defer { account.add(.fetched, begin.elapsed) }
    let request = Fetching.request(
      settings.plan.items, settings.cycle, from: origin, into: settings.workspace,
      cache: settings.cache, limit: settings.limits.disk)
    let fetched = try await SourceFetcher(request, progress: console.progress).fetch()
    if let fault = fetched.first?.fault, fetched.allSatisfy({ $0.fault != nil }) { throw fault }
  }

  /// Whether anything is not here yet that its publisher may have by now. What was fetched is not asked for again: a run that goes
  /// on makes the same of the same.
  private func lacksPublished(_ wishes: [SourceWish]) throws -> Bool {
    let folder = settings.workspace.sources(cycle: settings.cycle.identifier)
    return try !SourceLock(in: folder, cycle: settings.cycle.identifier).covers(wishes, in: folder)
  }

  func build(_ plan: BuildPlan) async throws -> RunOutcome {
    let begin = ContinuousClock.now
    defer { account.add(.built, begin.elapsed) }
    let sources = try SourceFolder(settings.from)
    let notes = SourceInventory(plan.items).notes(in: sources)
    for note in notes { console.progress.report(.warning(step: "inventory", message: note.message)) }
    let sizes = SourceSizes(sources: sources, cycle: settings.cycle)
    try fitMemory(plan, sizes)
    let bench = Workbench(
      cycle: settings.cycle, workspace: settings.workspace, sources: sources, jobs: jobs,
      engine: settings.engine, joins: !plan.isShard, progress: console.progress)
    let runner = StepRunner(
      workspace: settings.workspace, journal: journal, progress: console.progress,
      admission: try admission(plan, sizes), now: { SystemClock.now.description })
    var outcome = try await runner.run(plan.items.flatMap(bench.steps))
    outcome.notes = notes
    account.add(outcome)
    return outcome
  }

  /// Takes as many workers as the memory that is allowed has room for.
  private func fitMemory(_ plan: BuildPlan, _ sizes: SourceSizes) throws {
    guard let limit = settings.limits.memory else { return }
    jobs = try MemoryNeed(plan, sizes).workers(settings.jobs, within: limit, for: subject)
    if jobs < settings.jobs {
      console.note(
        "--max-memory \(Counts.bytes(limit)) has room for \(Counts.of(jobs, "worker")) of \(settings.jobs).")
    }
  }

  private func admission(_ plan: BuildPlan, _ sizes: SourceSizes) throws -> DiskAdmission {
    DiskAdmission(
      costs: try RunCosts(plan, sizes, in: settings.workspace, joins: !plan.isShard), room: room,
      journal: journal, cycle: settings.cycle.identifier, stages: stages, tell: console.show)
  }

  private var room: DiskRoom { DiskRoom(settings.workspace.root, limit: settings.limits.disk) }
  private var subject: String { "cycle \(settings.cycle.identifier)" }

  /// Stages exactly what this run made or found standing, so that nothing older slips in.
  func stage(
    _ outcome: RunOutcome, accepting accepted: [Acceptance], key: SigningKey?, siteURL: String?
  ) throws -> StagedSite {
    let products = outcome.outputs.flatMap(\.files).filter { $0.path.hasSuffix(".product.json") }
    let folders = [settings.from, settings.workspace.root]
    let failures = outcome.failures.map { ProductFailure(id: $0.step, $0.fault, leavingOut: folders) }
    let request = StageRequest(
      builds: products, site: settings.workspace.site, now: SystemClock.now, missing: failures.map(\.id),
      failures: failures, notes: outcome.notes, accepted: accepted, key: key,
      siteURL: siteURL)
    try room.check(Stager.bytesToCopy(request), for: "the site of \(subject)")
    let begin = ContinuousClock.now
    defer { account.add(.staged, begin.elapsed - account.seconds(of: .validated)) }
    return try Stager.stage(request, validate: validate, progress: console.progress)
  }

  private func validate(
    _ request: ValidationRequest, progress: any ProgressReporter
  ) throws -> ValidationReport {
    let begin = ContinuousClock.now
    defer { account.add(.validated, begin.elapsed) }
    return try Validator(jobs: jobs).validate(request, progress: progress)
  }

  func publish(_ site: URL, as publication: PublishSettings) async throws -> PublishReport {
    let begin = ContinuousClock.now
    defer { account.add(.published, begin.elapsed) }
    return try await publication.publish(site, progress: console.progress)
  }

  /// What the run took until now.
  func figures() -> RunAccount {
    account.seconds = start.elapsed
    account.memoryBytes = ProcessMemory.peak
    account.workBytes = room.used
    return account
  }

  /// Sums up, for those who read only the last lines, and gives the verdict.
  func close(_ outcome: RunOutcome) throws -> Fault.Kind? {
    try console.show(figures())
    if let limit = settings.limits.memory, let peak = ProcessMemory.peak, peak > limit {
      console.progress.report(
        .warning(
          step: subject, message: "it took \(Counts.bytes(peak)) of memory, more than --max-memory allows"))
    }
    guard let verdict = outcome.verdict else { return nil }
    let failed = outcome.failures.map(\.step).joined(separator: ", ")
    console.note(
      "\(outcome.failures.count) of \(outcome.failures.count + outcome.outputs.count) failed: \(failed)")
    return verdict
  }
}

extension ContinuousClock.Instant {
  /// The seconds since then.
  fileprivate var elapsed: Double { (ContinuousClock.now - self) / .seconds(1) }
}
