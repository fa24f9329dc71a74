public import Core
public import Foundation
public import Pipeline

/// How something is to be published, whatever it is.
public struct PublishTerms: Sendable {
  /// What the catalogue is signed with; nil for a target without signatures.
  public var key: SigningKey?
  /// Whether what is no longer named stays.
  public var keepsOld = false
  /// Whether what is there already is read and proved too.
  public var checks = false
  /// Whether to go ahead although somebody else is at work there, or was when they were killed.
  public var takesOver = false
  public var isDryRun = false
  /// The cycles that are published again although they were withdrawn.
  public var reinstated: Set<AiracCycle> = []
  /// How many are sent at a time; nil for the caller's own thread.
  public var jobs: Int? = 4
  /// For how long others wait for a publisher that was killed.
  public var leaseSeconds = 300
  /// Where the site is to be had, for the links of its feed; nil for relative ones.
  public var siteURL: String?
  /// Who publishes, as others are told.
  public var holder: String
  public var clock: PublishClock

  public init(holder: String, clock: PublishClock) {
    (self.holder, self.clock) = (holder, clock)
  }
}

/// Publishes a staged site, so that a reader sees a whole one at any instant, and goes back to an earlier one.
public enum Publisher {
  /// - Parameter isReplacing: whether a cycle becomes exactly the site's, also where the target has other products of it.
  public static func publish(
    _ site: URL, to target: PublishTarget, isReplacing: Bool = false, _ terms: PublishTerms,
    progress: any ProgressReporter
  ) throws -> PublishReport {
    try checkApart(site, target)
    let source = try SiteSource(site)
    try source.check(terms.reinstated)
    return try perform(target.store, terms, progress) {
      try plan(source, target.store, isReplacing: isReplacing, terms)
    }
  }

  /// Sees to it that the target can be read and takes what is signed like this, before the long work of which it is to have the
  /// fruit.
  public static func knock(at target: PublishTarget, _ terms: PublishTerms) throws {
    try TargetState(target.store).checkKey(terms.key)
  }

  /// Offers again what the present catalogue has replaced.
  /// - Parameter cycle: the last one to be offered; with it, all that came later is withdrawn, and nothing else changes.
  public static func rollBack(
    _ target: PublishTarget, to cycle: AiracCycle?, _ terms: PublishTerms, progress: any ProgressReporter
  ) throws -> PublishReport {
    try perform(target.store, terms, progress) {
      try Rollback(target: TargetState(target.store), store: target.store).plan(to: cycle, terms)
    }
  }

  private static func plan(
    _ source: SiteSource, _ store: any ObjectStore, isReplacing: Bool, _ terms: PublishTerms
  ) throws -> PublishPlan {
    let (target, now) = (try TargetState(store), terms.clock.now())
    try target.checkKey(terms.key)
    let withdrawals = Withdrawals(target, reinstating: terms.reinstated, at: now)
    let all = try CycleMerge(
      source: source, target: target, store: store, isReplacing: isReplacing, now: now,
      withdrawals: withdrawals
    ).merged()
    let merged = all.filter { $0.comeback?.isAllowed ?? true }
    let own = Set(merged.map(\.offer.cycle))
    let cycles = merged.map(\.offer) + target.offered.filter { !own.contains($0.cycle) }
    let listed = Catalog(serial: 0, offering: cycles, at: now).entries
    var bundle = PlanDraft.Bundle(file: source.file)
    let sent = merged.filter { listed.contains($0.offer.entry) }
    for cycle in sent {
      let entry = cycle.offer.entry
      let isStanding = target.offered.contains { $0.entry.manifest == entry.manifest }
      if let stored = source.manifests[cycle.offer.cycle], !isStanding { try source.check(stored) }
      bundle.data[entry.manifest.path] = cycle.manifest
      let pages = try [("manifest.json", cycle.manifest)] + source.pages(of: entry.id)
      bundle.pages[entry.id] = .init(files: pages, areAll: cycle.isSites)
    }
    let draft = PlanDraft(
      target: target, store: store, now: now, key: terms.key, siteURL: terms.siteURL,
      keepsOld: terms.keepsOld, withdrawn: withdrawals.remaining(beside: sent.map(\.offer)))
    let editions =
      source.checkedProducts.filter { !withdrawals.has($0) } + (target.catalogue?.products ?? [])
    var plan = try draft.plan(cycles, beside: editions, above: source.serial, bundle)
    plan.unsent = UnsentCycle.all(of: all, listed: listed, at: now)
    plan.comebacks = sent.compactMap(\.comeback)
    return plan
  }

  /// A target within the site would be published into itself, and the other way round.
  private static func checkApart(_ site: URL, _ target: PublishTarget) throws {
    guard let folder = target.folder else { return }
    let (one, two) = (folder.resolvingSymlinksInPath().path, site.resolvingSymlinksInPath().path)
    guard one == two || one.hasPrefix(two + "/") || two.hasPrefix(one + "/") else { return }
    throw UserError(
      .badCall, operation: "publishing to", path: folder.path,
      reason: one == two ? "it is the site itself" : "the site and it lie within each other",
      suggestion: "Name another folder.")
  }
}

extension Publisher {
  private static let rounds = 5

  /// Plans, takes the lease, plans again, since only then nobody else is at work, and does it.
  static func perform(
    _ store: any ObjectStore, _ terms: PublishTerms, _ progress: any ProgressReporter,
    _ plan: () throws -> PublishPlan
  ) throws -> PublishReport {
    if terms.isDryRun { return try PublishReport(try plan(), in: store, isDryRun: true) }
    // What speaks against it is told below, when nobody can be in the middle of changing it.
    if !terms.checks, let idle = try? plan(), try idle.isIdle, try !isLittered(store, terms) {
      progress.report(.skipped(step: Shipping.step))
      return try PublishReport(idle, in: store, isDryRun: false)
    }
    let takesOver = try isHeld(store, terms) && terms.takesOver
    let lease = try PublishLease.take(terms.lease, in: store)
    do {
      let report = try publish(lease, store, terms, isAlone: !takesOver, progress, plan)
      try lease.giveBack()
      return report
    } catch {
      try? lease.giveBack()  // or it lapses by itself
      throw error
    }
  }

  private static func publish(
    _ lease: PublishLease, _ store: any ObjectStore, _ terms: PublishTerms, isAlone: Bool,
    _ progress: any ProgressReporter, _ plan: () throws -> PublishPlan
  ) throws -> PublishReport {
    progress.report(.started(step: Shipping.step))
    if try !lease.storeHeedsConditions() {
      progress.report(
        .warning(
          step: Shipping.step,
          message: "\(store.name) does not heed conditions: let no two publishers work there at once"))
    }
    try store.clearLeftovers()
    let keeper = terms.jobs.map { _ in LeaseKeeper(lease, every: terms.lease.spare) }
    defer { keeper?.stop() }
    let shipping = Shipping(
      store: store, lease: lease, jobs: terms.jobs, checks: terms.checks, progress: progress)
    let publication = Publication(
      store: store, lease: lease, shipping: shipping, isAlone: isAlone, progress: progress)
    for _ in 0..<rounds {
      guard let done = try publication.carryOut(plan()) else { continue }
      let report = try PublishReport(done, in: store, isDryRun: false)
      progress.report(.finished(step: Shipping.step, detail: report.summary))
      return report
    }
    throw UserError(
      .failed, operation: "publishing to", path: store.name,
      reason: "others changed the catalogue again and again meanwhile",
      suggestion: "See who publishes there, and publish again.")
  }

  /// Whether somebody was killed there in the middle of something, be it the last.
  private static func isLittered(_ store: any ObjectStore, _ terms: PublishTerms) throws -> Bool {
    try store.hasLeftovers() && !isHeld(store, terms)
  }

  private static func isHeld(_ store: any ObjectStore, _ terms: PublishTerms) throws -> Bool {
    try PublishLease.isHeld(in: store, at: terms.clock.now())
  }
}

extension PublishTerms {
  var lease: PublishLease.Terms {
    .init(holder: holder, seconds: leaseSeconds, clock: clock, takesOver: takesOver)
  }
}

/// Renews a lease while threads wait for what is sent, which may take longer than it lasts.
private final class LeaseKeeper: Sendable {
  private let isOver = DispatchSemaphore(value: 0)

  init(_ lease: PublishLease, every seconds: Int) {
    Thread.detachNewThread { [isOver] in
      while isOver.wait(timeout: .now() + .seconds(seconds)) == .timedOut {
        // Whoever works under it meets the same trouble, and tells it.
        try? lease.assure()
      }
    }
  }

  func stop() { isOver.signal() }
}
