internal import Core
internal import Foundation
internal import HTTPIO
internal import Synchronization

/// Carries out a plan. The order makes it safe: first the files that the new catalogue names, then its signature, then the catalogue
/// in one write, then the pages, and only then removals. Whenever it ends, readers find one complete catalogue and all files that it names.
struct PublishRun: Sendable {
  let store: any WritableObjectStore
  let lease: PublishLease
  let uploader: Uploader
  let progress: any ProgressReporter

  /// Returns the parts of the plan that were carried out; nil if another publisher changed the catalogue meanwhile, so the plan is out of date.
  func carryOut(_ plan: PublishPlan) throws -> PublishPlan? {
    try uploader.send(plan.blobs)
    if let signature = try plan.signatureUpload { try uploader.send([signature]) }
    if plan.isChanged {
      try CancellationToken.current.check()
      try lease.confirm()
      guard try flip(plan) else { return nil }
    }
    try putAlias(plan)
    try putPages(plan)
    var done = plan
    if try !prune(plan) { done.removals = [] }
    return done
  }

  /// Returns whether the catalogue was in force. A refusal may be the answer to a retry after a success whose answer was lost, so the
  /// stored bytes decide. A store that keeps other bytes gets them again, and at last the catalogue before.
  private func flip(_ plan: PublishPlan) throws -> Bool {
    var condition = plan.target.tag.map(PutCondition.isStill) ?? .isAbsent
    func write(_ data: Data) throws -> Bool {
      try store.put(.data(data), at: PublishedCatalogue.path, .catalogue, if: condition) != nil
    }
    for _ in 0..<Uploader.attempts {
      let isWritten = try write(plan.data)
      let stored = try store.read(PublishedCatalogue.path)
      if stored?.data == plan.data { return true }
      guard isWritten else { return false }
      guard let stored, !isLater(stored.data, plan) else { return true }
      condition = .isStill(stored.tag)
    }
    if let before = plan.target.published { _ = try write(before.data) }
    throw UserError(
      .failed, operation: "publishing to", path: store.name,
      reason: "\(PublishedCatalogue.path): it was sent twice, and the store returned other bytes",
      suggestion: "Check the store, and publish again. See \"Recover a target\" in OPERATIONS.md.")
  }

  /// Whether another publisher has replaced the catalogue of the plan.
  private func isLater(_ data: Data, _ plan: PublishPlan) -> Bool {
    (try? PublishedCatalogue(data)).map { $0.catalogue.serial > plan.catalogue.serial } ?? false
  }

  private func isPublished(_ plan: PublishPlan) throws -> Bool {
    try store.read(PublishedCatalogue.path)?.data == plan.data
  }

  /// Writes the signature where minisign looks for it. No client needs it there.
  private func putAlias(_ plan: PublishPlan) throws {
    guard plan.needsAlias, let signature = plan.signature else { return }
    try lease.confirm()
    guard try isPublished(plan) else { return }
    try store.put(.data(signature), at: PublishedCatalogue.signature, .signatureAlias, if: .always)
  }

  /// The catalogue names the hash of each page, so a damaged page is noticed, and the next publication replaces it.
  private func putPages(_ plan: PublishPlan) throws {
    try uploader.each(plan.pages.filter { $0.state != .present }) { page in
      guard let body = page.body else { return }
      try lease.confirm()
      try store.put(body, at: page.key, page.headers, if: .always)
    }
  }

  /// Removes objects that were there before anything was sent, so objects that others send meanwhile are safe. Another publisher
  /// that was about to flip cannot do so any more, since the catalogue has changed.
  ///
  /// - Returns: whether objects were removed.
  private func prune(_ plan: PublishPlan) throws -> Bool {
    if let doubt = plan.doubt { warn(doubt) }
    guard !plan.removals.isEmpty else { return false }
    guard !lease.isTakeover || plan.isChanged else {
      warn("unused files are left for the next publication: the publisher before this may still write")
      return false
    }
    guard try isPublished(plan) else { return false }
    try uploader.each(plan.removals) { object in try remove(object.key) }
    return true
  }

  /// Each attempt confirms the lease first.
  private func remove(_ key: String) throws {
    let retry = RetryPolicy(
      attempts: 4, longestPause: .seconds(4), sleep: { try lease.wait(Int($0.components.seconds)) },
      chance: { 0 })
    do {
      try retry.perform {
        try CancellationToken.current.check()
        try lease.confirm()
        try explaining({ FailedRemoval(error: $0) }) { try store.remove(key) }
      }
    } catch let failure as FailedRemoval {
      throw failure.error
    }
  }

  private struct FailedRemoval: RetryableError {
    let error: any Error
    var isTransient: Bool { true }
    var retryAfter: Duration? { nil }
  }

  private func warn(_ message: String) { progress.warn(Uploader.step, message) }
}

/// Sends objects, several at a time, and reads each one back before anything names it.
struct Uploader: Sendable {
  let store: any WritableObjectStore
  let lease: PublishLease
  /// Nil for the caller's own thread.
  let jobs: Int?
  let progress: any ProgressReporter

  static let step = "publish"
  static let attempts = 2

  func send(_ uploads: [Upload]) throws {
    let due = uploads.filter { $0.state != .present }
    let bytes = ByteProgress(Uploader.step, total: due.map(\.bytes).reduce(0, +), every: 0, progress)
    try each(due) { upload in
      try send(upload)
      bytes.advance(by: upload.bytes)
    }
  }

  func each<Item: Sendable>(_ items: [Item], _ work: @escaping @Sendable (Item) throws -> Void) throws {
    try processEach(items, jobs: jobs, work)
  }

  private func send(_ upload: Upload) throws {
    try lease.renew()
    guard let body = upload.body else {
      throw upload.damage("its bytes are not those of its SHA-256", in: store)
    }
    for _ in 0..<Uploader.attempts {
      try CancellationToken.current.check()
      try store.put(body, at: upload.key, upload.headers, if: .always)
      if try upload.isIntact(in: store) { return }
    }
    try? discard(upload)
    throw upload.damage("it was sent twice, and the store returned other bytes", in: store)
  }

  /// Removes a damaged object: its size is right, so it would count as sent the next time. Readers may look for an object that the
  /// catalogue in force names.
  private func discard(_ upload: Upload) throws {
    guard BlobPath.isValid(upload.key), !upload.isPublished else { return }
    try lease.confirm()
    try store.remove(upload.key)
  }
}

/// Does the same as the other `processEach`. Without `jobs`, the work is done on the caller's own thread.
private func processEach<Item: Sendable>(
  _ items: [Item], jobs: Int?, _ work: @escaping @Sendable (Item) throws -> Void
) throws {
  if let jobs { return try processEach(items, width: jobs, work) }
  for item in items {
    try CancellationToken.current.check()
    try work(item)
  }
}

extension Upload {
  /// Reads the object at the target, and compares its hash.
  fileprivate func isIntact(in store: any ObjectStore) throws -> Bool {
    try Unreadable.explained({ damage($0, in: store) }) {
      try store.fingerprint(key) { _ in try CancellationToken.current.check() }?.sha256 == sha256
    }
  }

  fileprivate func damage(_ problem: String, in store: any ObjectStore) -> UserError {
    UserError(
      .failed, operation: "publishing to", path: store.name, reason: "\(key): \(problem)",
      suggestion: "Check the store, and publish again. The catalogue is unchanged.")
  }
}

extension PublishPlan {
  /// Returns the plan that also replaces damaged files of the target. It reads the files that the catalogue in force does not name, such
  /// as those of a publisher that was killed before it could read them back.
  ///
  /// - Parameter all: whether to read the other files, too.
  func replacingDamaged(
    in store: any ObjectStore, all: Bool, jobs: Int?, _ progress: any ProgressReporter
  ) throws -> PublishPlan {
    let present = blobs.filter { $0.state == .present && (all || !$0.isPublished) }
    if present.isEmpty { return self }
    let bytes = ByteProgress(Uploader.step, total: present.map(\.bytes).reduce(0, +), progress)
    let damaged = Mutex<Set<String>>([])
    try processEach(present, jobs: jobs) { upload in
      if try !upload.isIntact(in: store) { damaged.withLock { _ = $0.insert(upload.key) } }
      bytes.advance(by: upload.bytes)
    }
    var plan = self
    for index in plan.blobs.indices where damaged.withLock({ $0.contains(plan.blobs[index].key) }) {
      plan.blobs[index].state = .changed
    }
    return plan
  }
}
