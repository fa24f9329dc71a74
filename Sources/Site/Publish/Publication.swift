internal import Core
internal import Foundation
internal import Pipeline

/// Does what a plan says. Its order is its safety: what will be named, then the signature, then the catalogue in one write, and
/// only then is anything removed. Whenever it ends, what can be read is one whole catalogue and all that it names.
struct Publication: Sendable {
  let store: any ObjectStore
  let lease: PublishLease
  let shipping: Shipping
  /// Whether nobody can be at work on what stands there now, but for us.
  let isAlone: Bool
  let progress: any ProgressReporter

  /// What of the plan was done; nil when somebody else changed the catalogue meanwhile, and the plan is outdated.
  func carryOut(_ plan: PublishPlan) throws -> PublishPlan? {
    try shipping.send(plan.blobs)
    try shipping.send(plan.pages)
    if let signature = try plan.signatureShipment { try shipping.send([signature]) }
    if plan.isChanged {
      try CancellationToken.current.check()
      try lease.confirm()
      guard try flip(plan) else { return nil }
    }
    try putAlias(plan)
    try putRootPages(plan)
    var done = plan
    if try !prune(plan) { done.removals = [] }
    return done
  }

  /// A refusal may be the answer to a second try whose first one had succeeded.
  private func flip(_ plan: PublishPlan) throws -> Bool {
    let condition = plan.target.stored.map { PutCondition.isStill($0.tag) } ?? .isAbsent
    let tag = try store.put(.data(plan.data), at: TargetState.catalogueKey, .catalogue, if: condition)
    return try tag != nil || store.read(TargetState.catalogueKey)?.data == plan.data
  }

  /// The signature where minisign looks for it. Nobody relies on it while it does not fit.
  private func putAlias(_ plan: PublishPlan) throws {
    guard plan.aliasIsStale, let signature = plan.signature else { return }
    try lease.confirm()
    guard try store.read(TargetState.catalogueKey)?.data == plan.data else { return }
    try store.put(.data(signature), at: TargetState.signatureKey, .signatureAlias, if: .always)
  }

  private func putRootPages(_ plan: PublishPlan) throws {
    for page in plan.rootPages where page.standing != .there {
      guard let body = page.body else { continue }
      try lease.confirm()
      try store.put(body, at: page.key, page.headers, if: .always)
    }
  }

  /// The removals are of what was there before anything was sent, so what others send meanwhile is safe. Who might still be about
  /// to flip the catalogue has been outrun when it is another one now.
  ///
  /// - Returns: whether it was done.
  private func prune(_ plan: PublishPlan) throws -> Bool {
    if let doubt = plan.doubt { warn(doubt) }
    guard !plan.removals.isEmpty else { return false }
    guard isAlone || plan.isChanged else {
      warn("unused files are left for the next publication, since another publisher may still be at work")
      return false
    }
    guard try store.read(TargetState.catalogueKey)?.data == plan.data else { return false }
    try shipping.each(plan.removals) { object in try remove(object.key) }
    return true
  }

  private func remove(_ key: String) throws {
    for pause in Publication.pauses {
      try CancellationToken.current.check()
      try lease.confirm()
      if (try? store.remove(key)) != nil { return }
      try lease.wait(pause)
    }
    try lease.confirm()
    try store.remove(key)
  }

  private static let pauses = [1, 2, 4]

  private func warn(_ message: String) {
    progress.report(.warning(step: Shipping.step, message: message))
  }
}
