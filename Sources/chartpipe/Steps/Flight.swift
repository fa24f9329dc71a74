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

  init(_ settings: RunSettings, _ console: Console) throws {
    self.settings = settings
    self.console = console
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
    let request = Fetching.request(
      settings.plan.items, settings.cycle, from: origin, into: settings.workspace,
      cache: settings.cache)
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
    let sources = try SourceFolder(settings.from)
    let notes = SourceInventory(plan.items).notes(in: sources)
    for note in notes { console.progress.report(.warning(step: "inventory", message: note.message)) }
    let bench = Workbench(
      cycle: settings.cycle, workspace: settings.workspace, sources: sources, jobs: settings.jobs,
      engine: settings.engine, joins: !plan.isShard, progress: console.progress)
    let runner = StepRunner(
      workspace: settings.workspace, journal: journal, progress: console.progress,
      now: { SystemClock.now.description })
    var outcome = try await runner.run(plan.items.flatMap(bench.steps))
    outcome.notes = notes
    return outcome
  }

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
    return try Stager.stage(
      request, validate: { try Validator(jobs: settings.jobs).validate($0, progress: $1) },
      progress: console.progress)
  }

  /// Sums up, for those who read only the last lines, and gives the verdict.
  func close(_ outcome: RunOutcome) -> Fault.Kind? {
    guard let verdict = outcome.verdict else { return nil }
    let failed = outcome.failures.map(\.step).joined(separator: ", ")
    console.note(
      "\(outcome.failures.count) of \(outcome.failures.count + outcome.outputs.count) failed: \(failed)")
    return verdict
  }
}
