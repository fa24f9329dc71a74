internal import Core
internal import Foundation
internal import Pipeline

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
