public import Core
public import Foundation

/// Publishes a staged site, or rolls back to an earlier state. Readers see one complete site at every instant.
public enum Publisher {
  /// - Parameter isReplacing: whether a cycle becomes exactly the site's, even if the target has other products of it.
  public static func publish(
    _ site: URL, to target: PublishTarget, isReplacing: Bool = false, _ options: PublishOptions,
    progress: any ProgressReporter
  ) throws -> PublishReport {
    try target.checkApart(from: site)
    try checkOrder(site, target)
    try checkNoMirror(target)
    let source = try SiteSource(site)
    try source.check(options.reinstated)
    try source.checkKey(options)
    let serials = PublishedSerials(
      file: site.appending(path: ".published.json"), target: target.store.address)
    var options = options
    options.lastSerial = try serials.last()
    let report = try perform(target.store, options, progress) { [options] in
      try plan(source, target.store, isReplacing: isReplacing, options)
    }
    if !options.isDryRun { serials.keep(report.serial, progress) }
    return report
  }

  /// Checks before long work that the target can be read, and that the publisher may build on it.
  ///
  /// - Returns: the products of earlier cycles that are published there.
  public static func preflight(
    _ target: PublishTarget, _ options: PublishOptions, before cycle: AiracCycle,
    progress: any ProgressReporter
  ) throws -> [Product] {
    guard let catalogue = try TargetState.read(target.store, options).catalogue else { return [] }
    let entries = catalogue.entries.sorted { $0.id > $1.id }
    let manifests = try entries.compactMap { entry -> Manifest? in
      do {
        return try entry.manifest(in: target.store, of: catalogue).manifest
      } catch let error as Unreadable {
        progress.warn(
          Uploader.step,
          "the new products are not compared with cycle \(entry.id) of \(target.name): \(error.problem); `chartpipe verify` "
            + "shows what else is damaged there")
        return nil
      }
    }
    return manifests.products(before: cycle, and: catalogue.products)
  }

  /// Publishes the catalogue before the present one again, or with `renews` the present one.
  ///
  /// - Parameter cycle: the last cycle to list. All later cycles are withdrawn, and nothing else changes.
  public static func rollBack(
    _ target: PublishTarget, to cycle: AiracCycle?, _ options: PublishOptions,
    progress: any ProgressReporter
  ) throws -> PublishReport {
    try checkNoMirror(target)
    let tag = try target.store.read(PublishedCatalogue.path)?.tag
    return try perform(target.store, options, progress) {
      let state = try TargetState.read(target.store, options)
      guard cycle != nil || options.renews || state.tag == tag else {
        throw UserError(
          .failed, operation: "rolling back", path: target.name,
          reason: "another publisher has replaced the catalogue meanwhile",
          suggestion: "Look what is published there now, and roll back again if that is still right.")
      }
      return try RollbackPlanner(target: state, store: target.store).plan(to: cycle, options)
    }
  }

  private static func plan(
    _ source: SiteSource, _ store: any WritableObjectStore, isReplacing: Bool, _ options: PublishOptions
  ) throws -> PublishPlan {
    let (target, now) = (try TargetState.read(store, options), options.clock.now())
    let withdrawals = Withdrawals(target, reinstating: options.reinstated, at: now)
    let all = try CycleMerge(
      source: source, target: target, store: store, isReplacing: isReplacing, now: now,
      withdrawals: withdrawals
    ).merged()
    let merged = all.filter { $0.returning?.isAllowed ?? true }
    let own = Set(merged.map(\.listed.cycle))
    let cycles = merged.map(\.listed) + target.cycles.filter { !own.contains($0.cycle) }
    let listed = Catalog(serial: 0, listing: cycles, at: now).entries
    var content = PublishPlanner.Content(file: source.file)
    let sent = merged.filter { listed.contains($0.listed.entry) }
    for cycle in sent {
      let entry = cycle.listed.entry
      let isPublished = target.cycles.contains { $0.entry.manifest == entry.manifest }
      if let stored = source.manifests[cycle.listed.cycle], !isPublished { try source.check(stored) }
      content.data[entry.manifest.path] = cycle.manifest
      let pages = try [("manifest.json", cycle.manifest)] + source.pages(of: entry.id)
      content.pages[entry.id] = (pages, cycle.isWhole)
    }
    let planner = PublishPlanner(
      target: target, store: store, now: now, options: options,
      withdrawn: withdrawals.remaining(beside: sent.map(\.listed)))
    let editions =
      source.checkedProducts.filter { !withdrawals.has($0) } + (target.catalogue?.products ?? [])
    var plan = try planner.plan(cycles, beside: editions, above: source.serial, content)
    plan.unsent = UnsentCycle.all(of: all, listed: listed, at: now)
    plan.returning = sent.compactMap(\.returning)
    return plan
  }

  /// The next run of `mirror` would replace what is published there.
  private static func checkNoMirror(_ target: PublishTarget) throws {
    guard let parts = target.folder?.appending(path: SiteFolder.mirrorParts), parts.kindOnDisk != nil else {
      return
    }
    throw UserError(
      .badCall, operation: "publishing to", path: target.name,
      reason: "it is a mirror of another site, as its \(SiteFolder.mirrorParts) shows",
      suggestion: "Name another folder, or remove \(SiteFolder.mirrorParts) if it is a mirror no more.")
  }

  /// Recognizes two folders in the wrong order: one that was published to is the site, and one that was only staged is the target.
  private static func checkOrder(_ site: URL, _ target: PublishTarget) throws {
    guard let folder = target.folder, SiteFolder(root: site).isPublished else { return }
    let staged = SiteFolder(root: folder)
    guard staged.catalogue.kindOnDisk == .file, !staged.isPublished else { return }
    throw UserError(
      .badCall, operation: "publishing to", path: folder.path,
      reason: "it is a staged site, and \(site.path) is a published one: SITE and TARGET are swapped",
      suggestion: "Exchange the two, or name another target.")
  }
}

extension Publisher {
  private static let rounds = 20

  /// Plans and carries out the plan; plans again if another publisher has changed the catalogue meanwhile. Nothing is written for a
  /// plan that is refused.
  static func perform(
    _ store: any WritableObjectStore, _ options: PublishOptions, _ progress: any ProgressReporter,
    _ plan: () throws -> PublishPlan
  ) throws -> PublishReport {
    let complete = { (plan: PublishPlan) in
      try plan.replacingDamaged(in: store, all: options.checks, jobs: options.jobs, progress)
    }
    if options.isDryRun { return try tryOut(complete(plan()), in: store, options, progress) }
    let uploader = Uploader(store: store, jobs: options.jobs, progress: progress)
    let run = PublishRun(store: store, clock: options.clock, uploader: uploader, progress: progress)
    var isStarted = false
    for _ in 0..<rounds {
      guard let plan = try lastingPlan(store, plan) else { continue }
      try store.clearLeftovers()
      if !options.checks, !isStarted, try plan.isIdle {
        progress.report(.skipped(step: Uploader.step))
        return try PublishReport(plan, in: store, isDryRun: false)
      }
      if !isStarted { progress.report(.started(step: Uploader.step)) }
      isStarted = true
      guard let done = try run.carryOut(complete(plan)) else { continue }
      let report = try PublishReport(done, in: store, isDryRun: false)
      progress.finish(Uploader.step, report.summary)
      return report
    }
    throw UserError(
      .failed, operation: "publishing to", path: store.name,
      reason: "other publishers changed the catalogue \(rounds) times meanwhile",
      suggestion: "Find out who publishes there, and publish again.")
  }

  private static func tryOut(
    _ plan: PublishPlan, in store: any WritableObjectStore, _ options: PublishOptions,
    _ progress: any ProgressReporter
  ) throws -> PublishReport {
    if plan.target.lacksKey(options) {
      progress.warn(
        Uploader.step, "\(store.name) has a signed catalogue: without --dry-run, --key FILE is needed")
    }
    return try PublishReport(plan, in: store, isDryRun: true)
  }

  /// Returns nil if the plan cannot be made and another publisher has changed the catalogue meanwhile.
  private static func lastingPlan(
    _ store: any WritableObjectStore, _ plan: () throws -> PublishPlan
  ) throws -> PublishPlan? {
    let tag = try store.read(PublishedCatalogue.path)?.tag
    do {
      return try plan()
    } catch {
      guard try store.read(PublishedCatalogue.path)?.tag != tag else { throw error }
      return nil
    }
  }
}
