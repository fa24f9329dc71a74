internal import Core
internal import Foundation
internal import Synchronization

/// The times, in seconds, that let several publishers work at one target.
///
/// A publisher removes only objects that have been there for two days, and relies on an unused object only if it is younger than
/// `reuse`. Both follow from a plan that is at most `plan` old. So whatever a plan relies on is still there when its catalogue names it.
enum PublishTimes {
  static let removal = 48 * 3600
  static let reuse = 20 * 3600
  static let plan = 12 * 3600
  /// From the look at an object until its removal: more than a call to a store takes.
  static let call = 60
  static let look = 10

  static func isOld(_ object: ListedObject, at time: Instant) -> Bool {
    object.modified.adding(removal) < time
  }

  static func isNew(_ object: ListedObject, at time: Instant) -> Bool {
    object.modified.adding(reuse) > time
  }
}

/// Carries out a plan. The order makes it safe: first the files that the new catalogue names, then its signature, then the catalogue
/// in one write, then the pages, and only then removals. Whenever it ends, readers find one complete catalogue and all files that it names.
struct PublishRun: Sendable {
  let store: any WritableObjectStore
  let clock: PublishClock
  let uploader: Uploader
  let progress: any ProgressReporter

  /// Returns the parts of the plan that were carried out; nil if another publisher changed the catalogue meanwhile, or if it took too
  /// long, so the plan is out of date.
  func carryOut(_ plan: PublishPlan) throws -> PublishPlan? {
    try uploader.send(plan.blobs)
    try sendAgain(plan.blobs.filter(\.replacesUnused))
    if let signature = try plan.signatureUpload { try uploader.send([signature]) }
    if plan.isChanged {
      try CancellationToken.current.check()
      try checkConditions(plan)
      guard isFresh(plan), try flip(plan) else { return nil }
    }
    try putAlias(plan)
    try putPages(plan)
    var done = plan
    done.removals = try prune(plan)
    return done
  }

  private func isFresh(_ plan: PublishPlan) -> Bool {
    clock.now() < plan.target.time.adding(PublishTimes.plan)
  }

  /// Another publisher that looked at an unused object before it was sent may have removed it afterwards.
  private func sendAgain(_ uploads: [Upload]) throws {
    guard !uploads.isEmpty else { return }
    let seconds = PublishTimes.look + PublishTimes.call
    let files = Counts.of(uploads.count, "file")
    warn(
      "\(files) had been there unused, so another publisher may remove them: verified in \(seconds) seconds")
    try clock.wait(seconds)
    try uploader.send(uploads.filter { try !$0.isIntact(in: store) })
  }

  /// Warns of a store that ignores the conditions of writes: an object that is there is put as if it were absent.
  private func checkConditions(_ plan: PublishPlan) throws {
    guard let list = plan.blobs.first(where: { $0.key == plan.catalogue.pages?.path }), let body = list.body,
      try store.put(body, at: list.key, list.headers, if: .isAbsent) != nil
    else { return }
    warn("\(store.name) ignores write conditions: never run two publishers there at a time")
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

  /// Writes the signature where minisign looks for it. No client needs it there.
  private func putAlias(_ plan: PublishPlan) throws {
    guard plan.needsAlias, let signature = plan.signature else { return }
    try put(.data(signature), at: PublishedCatalogue.signature, .signatureAlias, with: plan)
  }

  /// The catalogue names the hash of each page, so a damaged page is noticed, and the next publication replaces it.
  private func putPages(_ plan: PublishPlan) throws {
    try uploader.each(plan.pages.filter { $0.state != .present }) { page in
      guard let body = page.body else { return }
      try put(body, at: page.key, page.headers, with: plan)
    }
  }

  /// Writes an object that follows from the catalogue, as long as that is in force. The condition makes the publisher of a later
  /// catalogue the last one to write.
  private func put(_ body: ObjectBody, at key: String, _ headers: ObjectHeaders, with plan: PublishPlan)
    throws
  {
    for _ in 0..<PublishRun.rounds {
      let condition = try store.read(key).map { PutCondition.isStill($0.tag) } ?? .isAbsent
      guard try store.read(PublishedCatalogue.path)?.data == plan.data,
        try store.put(body, at: key, headers, if: condition) == nil
      else { return }
    }
    warn("\(key) is left for the next publication: other publishers write it all the time")
  }

  /// Removes objects that were there long before the plan was made. What cannot be removed is left to the next publication.
  ///
  /// - Returns: the removed objects.
  private func prune(_ plan: PublishPlan) throws -> [ListedObject] {
    if let doubt = plan.doubt { warn(doubt) }
    let removed = Mutex<[ListedObject]>([])
    do {
      try uploader.each(plan.removals) { object in
        if try remove(object.key, of: plan) { removed.withLock { $0.append(object) } }
      }
    } catch let error as UserError {
      warn("unused files are left for the next publication: \(error.reason)")
    }
    return removed.withLock { $0 }.sorted { $0.key < $1.key }
  }

  /// Looks at the object first: another publisher may have sent it again. A slow look counts for nothing.
  private func remove(_ key: String, of plan: PublishPlan) throws -> Bool {
    for _ in 0..<PublishRun.rounds {
      try CancellationToken.current.check()
      let start = clock.now()
      guard let object = try store.list(key).first(where: { $0.key == key }),
        PublishTimes.isOld(object, at: start), isFresh(plan)
      else { return false }
      guard clock.now() <= start.adding(PublishTimes.look) else { continue }
      try store.remove(key)
      return true
    }
    return false
  }

  private static let rounds = 50

  private func warn(_ message: String) { progress.warn(Uploader.step, message) }
}

/// Sends objects, several at a time, and reads each one back before anything names it.
struct Uploader: Sendable {
  let store: any WritableObjectStore
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
    guard let body = upload.body else {
      throw upload.damage("its bytes are not those of its SHA-256", in: store)
    }
    for _ in 0..<Uploader.attempts {
      try CancellationToken.current.check()
      try store.put(body, at: upload.key, upload.headers, if: .always)
      if try upload.isIntact(in: store) { return }
    }
    throw upload.damage("it was sent twice, and the store returned other bytes", in: store)
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
