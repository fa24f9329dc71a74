public import Core
internal import Foundation
internal import Pipeline
internal import Synchronization

/// Keeps publishers apart: the object `publishing.json`, which one of them holds for a while and renews as long as it works.
///
/// What is done under it is begun only with time to spare, so that it has happened before anybody else may begin. Whoever sleeps
/// past its end finds the object changed, and stops.
final class PublishLease: Sendable {
  static let key = "publishing.json"
  private static let looks = 50

  struct Terms: Sendable {
    var holder: String
    var seconds: Int
    var clock: PublishClock
    /// Whether to take it from one who still holds it.
    var takesOver: Bool

    /// How much of it must be left for something to be begun: longer than any call to a store lasts.
    var spare: Int { max(1, seconds / 5) }
    /// How long a look at it may take.
    var glance: Int { max(1, spare / 6) }
  }

  struct Record: Codable, Equatable {
    var holder: String
    var nonce: String
    var expires: String

    func isLapsed(at now: Instant) -> Bool { Instant(expires).map { $0 <= now } ?? false }
  }

  private struct State {
    var tag: ObjectTag
    var expires: Instant
  }

  private let store: any ObjectStore
  private let terms: Terms
  private let nonce: String
  private let state: Mutex<State>

  private init(_ store: any ObjectStore, _ terms: Terms, nonce: String, _ tag: ObjectTag, until: Instant) {
    (self.store, self.terms, self.nonce) = (store, terms, nonce)
    state = Mutex(State(tag: tag, expires: until))
  }

  // MARK: - Taking and giving back

  static func take(_ terms: Terms, in store: any ObjectStore) throws -> PublishLease {
    let nonce = UUID().uuidString
    for _ in 0..<5 {
      let now = terms.clock.now()
      let standing = try store.read(key)
      let record = try standing.map { try self.record(of: $0, in: store, terms) }
      let isLive = record.map { !$0.isLapsed(at: now) } ?? false
      if isLive, !terms.takesOver { throw held(record, store) }
      let until = now.adding(terms.seconds)
      let body = try data(Record(holder: terms.holder, nonce: nonce, expires: until.description))
      let condition = standing.map { PutCondition.isStill($0.tag) } ?? .isAbsent
      guard let tag = try put(body, if: condition, in: store) else { continue }
      let lease = PublishLease(store, terms, nonce: nonce, tag, until: until)
      // What the one before has under way is to have happened before anything is looked at.
      if isLive { try terms.clock.wait(terms.spare) }
      return lease
    }
    throw held(nil, store)
  }

  /// Whether somebody has it now, as far as can be read.
  static func isHeld(in store: any ObjectStore, at now: Instant) throws -> Bool {
    guard let standing = try store.read(key) else { return false }
    let record = try? JSONDecoder().decode(Record.self, from: standing.data)
    return record.map { !$0.isLapsed(at: now) } ?? true
  }

  /// Leaves it lapsed, and by everybody's clock. To remove it could remove somebody else's.
  func giveBack() throws {
    try state.withLock { state in
      let long = Instant(secondsSince1970: 0)
      guard state.expires > terms.clock.now(), let tag = try put(until: long, if: .isStill(state.tag))
      else { return }
      state = State(tag: tag, expires: long)
    }
  }

  // MARK: - Holding it

  /// Renews it in time; throws when somebody else has taken it.
  func assure() throws {
    try state.withLock { state in
      let now = terms.clock.now()
      guard left(state, at: now) <= terms.seconds / 2 else { return }
      let until = now.adding(terms.seconds)
      guard let tag = try put(until: until, if: .isStill(state.tag)) else { throw lost() }
      state = State(tag: tag, expires: until)
      guard left(state, at: terms.clock.now()) > terms.spare else { throw lost() }
    }
  }

  /// Looks at the object too, before what cannot be taken back: somebody may have taken it over from us. A look that took long is
  /// worth nothing, since that may have happened after it.
  func confirm() throws {
    for _ in 0..<PublishLease.looks {
      try assure()
      let (tag, begin) = (state.withLock { $0.tag }, terms.clock.now())
      let found = try store.read(PublishLease.key)?.tag
      let end = terms.clock.now()
      let held = state.withLock { $0 }
      // Another thread of ours may have renewed it meanwhile.
      guard held.tag == tag else { continue }
      guard found == tag, left(held, at: end) > terms.spare else { throw lost() }
      if end.secondsSince1970 - begin.secondsSince1970 <= terms.glance { return }
    }
    throw lost()
  }

  /// Whether the store does what it is told only under a condition: to put what is there already must fail.
  func storeHeedsConditions() throws -> Bool {
    try state.withLock { state in
      let body = try PublishLease.data(record(until: state.expires))
      guard let tag = try store.put(.data(body), at: PublishLease.key, .lease, if: .isAbsent) else {
        return true
      }
      state.tag = tag
      return false
    }
  }

  /// For something that may be over soon.
  func wait(_ seconds: Int) throws { try terms.clock.wait(seconds) }

  private func left(_ state: State, at now: Instant) -> Int {
    state.expires.secondsSince1970 - now.secondsSince1970
  }

  private func record(until: Instant) -> Record {
    Record(holder: terms.holder, nonce: nonce, expires: until.description)
  }

  private func put(until: Instant, if condition: PutCondition) throws -> ObjectTag? {
    try PublishLease.put(PublishLease.data(record(until: until)), if: condition, in: store)
  }

  /// A refusal may be the answer to a second try whose first one had succeeded: then what is there is what we put.
  private static func put(
    _ body: Data, if condition: PutCondition, in store: any ObjectStore
  ) throws -> ObjectTag? {
    if let tag = try store.put(.data(body), at: key, .lease, if: condition) { return tag }
    guard let standing = try store.read(key), standing.data == body else { return nil }
    return standing.tag
  }

  private static func data(_ record: Record) throws -> Data { try CanonicalJSON.pretty(record) }

  private static func record(of object: StoredObject, in store: any ObjectStore, _ terms: Terms) throws
    -> Record
  {
    if let record = try? JSONDecoder().decode(Record.self, from: object.data),
      Instant(record.expires) != nil
    {
      return record
    }
    guard terms.takesOver else {
      throw UserError(
        .failed, operation: "publishing to", path: store.name, reason: "its \(key) cannot be read",
        suggestion: "If no other publisher uses this target, remove the file or give --take-over.")
    }
    return Record(
      holder: "an unknown publisher", nonce: "", expires: terms.clock.now().adding(terms.seconds).description)
  }

  // MARK: - Faults

  private static func held(_ record: Record?, _ store: any ObjectStore) -> UserError {
    let holder = record.map { "\($0.holder) is at work there, until \($0.expires) at least" }
    return UserError(
      .failed, operation: "publishing to", path: store.name,
      reason: holder ?? "others are publishing there",
      suggestion:
        "Wait for it to end. If it was killed, wait until then, or call `chartpipe publish` with --take-over."
    )
  }

  private func lost() -> UserError {
    UserError(
      .failed, operation: "publishing to", path: store.name,
      reason: "another publisher has taken over, or this machine slept too long",
      suggestion: "What is published is whole. See who publishes there, and publish again.")
  }
}

/// The time of day as publishers keep it, and how they wait.
public struct PublishClock: Sendable {
  public var now: @Sendable () -> Instant
  public var wait: @Sendable (_ seconds: Int) throws -> Void

  public init(
    now: @escaping @Sendable () -> Instant,
    wait: @escaping @Sendable (_ seconds: Int) throws -> Void = PublishClock.sleep
  ) {
    self.now = now
    self.wait = wait
  }

  /// In short naps, so that Ctrl-C is heeded.
  public static func sleep(_ seconds: Int) throws {
    for _ in 0..<seconds * 10 {
      try CancellationToken.current.check()
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
}

extension Instant {
  func adding(_ seconds: Int) -> Instant { Instant(secondsSince1970: secondsSince1970 + seconds) }
}
