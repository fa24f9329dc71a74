internal import Core
internal import CryptoIO
internal import Foundation
internal import Pipeline
internal import Synchronization

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

/// Sends objects, several at a time, and reads each back: what is then named is there, whole.
struct Shipping: Sendable {
  let store: any ObjectStore
  let lease: PublishLease
  /// Nil for the caller's own thread.
  let jobs: Int?
  /// Whether what is there already is read too.
  let checks: Bool
  let progress: any ProgressReporter

  static let step = "publish"
  private static let tries = 2

  func send(_ shipments: [Shipment]) throws {
    let due = shipments.filter { checks || $0.standing != .there }
    let tally = Tally(total: due.map(\.bytes).reduce(0, +), progress)
    try each(due) { shipment in
      try bring(shipment)
      tally.add(shipment.bytes)
    }
  }

  func each<Item: Sendable>(_ items: [Item], _ work: @escaping @Sendable (Item) throws -> Void) throws {
    if let jobs { return try processEach(items, width: jobs, work) }
    for item in items {
      try CancellationToken.current.check()
      try work(item)
    }
  }

  private func bring(_ shipment: Shipment) throws {
    try lease.assure()
    if shipment.standing == .there, try isWhole(shipment) { return }
    guard let body = shipment.body else { throw damaged(shipment, "it is not what its name says") }
    for _ in 0..<Shipping.tries {
      try CancellationToken.current.check()
      try store.put(body, at: shipment.key, shipment.headers, if: .always)
      if try isWhole(shipment) { return }
    }
    throw damaged(shipment, "it was sent twice, and came back as something else")
  }

  private func isWhole(_ shipment: Shipment) throws -> Bool {
    let digest = try Digest(.sha256)
    let isThere = try store.read(shipment.key) {
      try CancellationToken.current.check()
      try digest.update($0)
    }
    return try isThere && SHA256Hex(finishing: digest) == shipment.sha256
  }

  private func damaged(_ shipment: Shipment, _ problem: String) -> UserError {
    UserError(
      .failed, operation: "publishing to", path: store.name, reason: "\(shipment.key): \(problem)",
      suggestion: "Look whether the store is sound, and publish again. The catalogue was left as it was.")
  }
}

/// How much is done, by whichever thread.
private final class Tally: Sendable {
  private let done = Mutex(0)
  private let total: Int
  private let progress: any ProgressReporter

  init(total: Int, _ progress: any ProgressReporter) {
    (self.total, self.progress) = (total, progress)
  }

  func add(_ bytes: Int) {
    done.withLock { done in
      done += bytes
      progress.report(.advanced(step: Shipping.step, done: done, total: total, unit: "bytes"))
    }
  }
}
