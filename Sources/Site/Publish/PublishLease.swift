public import Core
internal import Foundation
internal import Synchronization

/// Prevents two publishers at a time: the object `publishing.json`, which one publisher holds for some minutes and renews while it
/// runs.
///
/// A publisher starts an operation only with time to spare, so the operation has ended before another publisher may start. A publisher
/// that was suspended beyond the end of its lease finds the object changed, and stops.
final class PublishLease: Sendable {
  static let key = "publishing.json"
  private static let maxChecks = 50
  /// How long a server may need for a request whose sender was killed.
  private static let secondsAfterEnd = 1

  struct Record: Codable, Equatable {
    var holder: String
    /// Nil if the holder's system does not identify processes.
    var process: ProcessIdentity?
    var nonce: String
    var expires: Instant

    func isExpired(at now: Instant) -> Bool { expires <= now }
    var hasEnded: Bool { process?.hasEnded ?? false }
  }

  private struct State {
    var tag: ObjectTag
    var expires: Instant
  }

  private let store: any WritableObjectStore
  private let options: PublishOptions
  private let nonce: String
  /// Whether another publisher held it, which may have a request under way.
  let isTakeover: Bool
  private let state: Mutex<State>

  private init(
    _ store: any WritableObjectStore, _ options: PublishOptions, nonce: String, isTakeover: Bool,
    _ tag: ObjectTag,
    until: Instant
  ) {
    (self.store, self.options, self.nonce, self.isTakeover) = (store, options, nonce, isTakeover)
    state = Mutex(State(tag: tag, expires: until))
  }

  // MARK: - Taking and returning

  static func take(_ options: PublishOptions, in store: any WritableObjectStore) throws -> PublishLease {
    let nonce = UUID().uuidString
    for _ in 0..<5 {
      let now = options.clock.now()
      let present = try store.read(key)
      let record = try present.map { try self.record(of: $0, in: store, options) }
      let isLive = record.map { !$0.isExpired(at: now) } ?? false
      let hasEnded = record?.hasEnded ?? false
      if isLive, !hasEnded, !options.takesOver { throw held(record, store) }
      let until = now.adding(options.leaseSeconds)
      let body = try data(self.record(options, nonce, until: until))
      let condition = present.map { PutCondition.isStill($0.tag) } ?? .isAbsent
      guard let tag = try put(body, if: condition, in: store) else { continue }
      let lease = PublishLease(store, options, nonce: nonce, isTakeover: isLive, tag, until: until)
      // The other publisher's operations in progress have to end before the target is read.
      if isLive { try options.clock.wait(hasEnded ? secondsAfterEnd : options.spareSeconds) }
      return lease
    }
    throw held(nil, store)
  }

  /// Whether a publisher holds it now. An unreadable lease counts as held.
  static func isHeld(in store: any WritableObjectStore, at now: Instant) throws -> Bool {
    guard let present = try store.read(key) else { return false }
    let record = try? JSONDecoder().decode(Record.self, from: present.data)
    return record.map { !$0.isExpired(at: now) && !$0.hasEnded } ?? true
  }

  /// Lets it expire by every clock. Deleting it could delete the lease of the next holder.
  func giveBack() throws {
    try state.withLock { state in
      let past = Instant(secondsSince1970: 0)
      guard state.expires > options.clock.now(), let tag = try put(until: past, if: .isStill(state.tag))
      else { return }
      state = State(tag: tag, expires: past)
    }
  }

  // MARK: - Holding

  /// Renews it in time; throws if another publisher has taken it.
  func renew() throws {
    try state.withLock { state in
      let now = options.clock.now()
      guard left(state, at: now) <= options.leaseSeconds / 2 else { return }
      let until = now.adding(options.leaseSeconds)
      guard let tag = try put(until: until, if: .isStill(state.tag)) else { throw lost() }
      state = State(tag: tag, expires: until)
      guard left(state, at: options.clock.now()) > options.spareSeconds else { throw lost() }
    }
  }

  /// Reads the object, too, before an operation that cannot be undone: another publisher may have taken over. A slow read counts for
  /// nothing, since the takeover may have happened after it.
  func confirm() throws {
    for _ in 0..<PublishLease.maxChecks {
      try renew()
      let (tag, begin) = (state.withLock { $0.tag }, options.clock.now())
      let found = try store.read(PublishLease.key)?.tag
      let end = options.clock.now()
      let held = state.withLock { $0 }
      // Another thread may have renewed it meanwhile.
      guard held.tag == tag else { continue }
      guard found == tag, left(held, at: end) > options.spareSeconds else { throw lost() }
      if end.secondsSince1970 - begin.secondsSince1970 <= options.checkSeconds { return }
    }
    throw lost()
  }

  /// Whether the store supports conditional writes: putting an object that exists must fail.
  func storeSupportsConditions() throws -> Bool {
    try state.withLock { state in
      let body = try PublishLease.data(PublishLease.record(options, nonce, until: state.expires))
      guard let tag = try store.put(.data(body), at: PublishLease.key, .lease, if: .isAbsent) else {
        return true
      }
      state.tag = tag
      return false
    }
  }

  /// Waits by the clock of the publisher.
  func wait(_ seconds: Int) throws { try options.clock.wait(seconds) }

  private func left(_ state: State, at now: Instant) -> Int {
    state.expires.secondsSince1970 - now.secondsSince1970
  }

  private static func record(_ options: PublishOptions, _ nonce: String, until: Instant) -> Record {
    Record(holder: options.holder, process: options.process, nonce: nonce, expires: until)
  }

  private func put(until: Instant, if condition: PutCondition) throws -> ObjectTag? {
    let record = PublishLease.record(options, nonce, until: until)
    return try PublishLease.put(PublishLease.data(record), if: condition, in: store)
  }

  /// A refusal may be the answer to a retry after a success whose answer was lost. Then the stored bytes are ours.
  private static func put(
    _ body: Data, if condition: PutCondition, in store: any WritableObjectStore
  ) throws -> ObjectTag? {
    if let tag = try store.put(.data(body), at: key, .lease, if: condition) { return tag }
    guard let present = try store.read(key), present.data == body else { return nil }
    return present.tag
  }

  private static func data(_ record: Record) throws -> Data { try CanonicalJSON.pretty(record) }

  private static func record(
    of object: TaggedObject, in store: any WritableObjectStore, _ options: PublishOptions
  ) throws -> Record {
    if let record = try? JSONDecoder().decode(Record.self, from: object.data) { return record }
    guard options.takesOver else {
      throw UserError(
        .failed, operation: "publishing to", path: store.name, reason: "its \(key) cannot be read",
        suggestion: "If no other publisher uses this target, remove the file or give --take-over.")
    }
    return Record(
      holder: "an unknown publisher", nonce: "", expires: options.clock.now().adding(options.leaseSeconds))
  }

  // MARK: - Errors

  private static func held(_ record: Record?, _ store: any WritableObjectStore) -> UserError {
    let holder = record.map { "\($0.holder) is publishing there, until \($0.expires) at least" }
    return UserError(
      .failed, operation: "publishing to", path: store.name,
      reason: holder ?? "other publishers are running there",
      suggestion:
        "Wait for it to end. If it was killed on another machine, wait until then, or add --take-over."
    )
  }

  private func lost() -> UserError {
    UserError(
      .failed, operation: "publishing to", path: store.name,
      reason: "another publisher has taken over, or this machine was suspended for too long",
      suggestion: "The published site is complete. Find out who publishes there, and publish again.")
  }
}

extension PublishOptions {
  /// How much time of the lease must be left to start an operation: more than any call to a store takes.
  var spareSeconds: Int { max(1, leaseSeconds / 5) }
  /// How long a check of the lease may take.
  fileprivate var checkSeconds: Int { max(1, spareSeconds / 6) }
}

/// The clock of a publisher.
public struct PublishClock: Sendable {
  public var now: @Sendable () -> Instant
  public var wait: @Sendable (_ seconds: Int) throws -> Void = PublishClock.sleep

  /// Checks for Ctrl-C ten times a second.
  public static func sleep(_ seconds: Int) throws {
    for _ in 0..<seconds * 10 {
      try CancellationToken.current.check()
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
}
