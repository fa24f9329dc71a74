import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChartpipeKit

final class PublishLeaseTests: Sendable {
  private let folder = TemporaryFolder()
  private let store: FolderStore
  private let time = Mutex(1_800_000_000)

  init() throws { store = FolderStore(root: folder.file("target")) }

  private func terms(
    _ holder: String, takesOver: Bool = false, process: ProcessIdentity? = nil
  ) -> PublishOptions {
    PublishOptions(
      takesOver: takesOver, leaseSeconds: 300, holder: holder, process: process,
      clock: PublishClock(
        now: { [self] in Instant(secondsSince1970: time.withLock { $0 }) },
        wait: { [self] seconds in time.withLock { $0 += seconds } }))
  }

  private func pass(_ seconds: Int) { time.withLock { $0 += seconds } }

  @Test func `a second publisher learns who holds the lease`() throws {
    let lease = try PublishLease.take(terms("tower"), in: store)
    try expectFault("tower", remedy: "--take-over") { try PublishLease.take(terms("ground"), in: store) }
    try lease.giveBack()
    try PublishLease.take(terms("ground"), in: store).confirm()
    #expect(throws: UserError.self) { try lease.confirm() }
  }

  @Test func `a lease is renewed after half its time, and an expired one can be taken`() throws {
    let lease = try PublishLease.take(terms("tower"), in: store)
    for _ in 0..<10 {
      pass(160)
      try lease.confirm()
    }
    pass(301)
    let other = try PublishLease.take(terms("ground"), in: store)
    #expect(throws: UserError.self) { try lease.renew() }
    try lease.giveBack()  // it is not ours to give
    try other.confirm()
  }

  @Test func `a suspended publisher continues if no other one took the lease`() throws {
    let lease = try PublishLease.take(terms("tower"), in: store)
    pass(1000)
    try lease.confirm()
    #expect(throws: UserError.self) { try PublishLease.take(terms("ground"), in: store) }
  }

  @Test func `a takeover waits for the operations in progress, and the other publisher stops`() throws {
    let lease = try PublishLease.take(terms("tower"), in: store)
    let before = time.withLock { $0 }
    let other = try PublishLease.take(terms("ground", takesOver: true), in: store)
    #expect(time.withLock { $0 } == before + 60)
    #expect(throws: UserError.self) { try lease.confirm() }
    try other.confirm()
  }

  // MARK: - Ended processes

  /// Whether the lease of a process is taken over at once.
  private func isTakenOver(from process: ProcessIdentity) throws -> Bool {
    try? store.root.remove()
    let lease = try PublishLease.take(terms("tower", process: process), in: store)
    let before = time.withLock { $0 }
    guard let other = try? PublishLease.take(terms("ground"), in: store) else { return false }
    #expect(time.withLock { $0 } == before + 1 && other.isTakeover)
    #expect(throws: UserError.self) { try lease.confirm() }
    try other.confirm()
    return true
  }

  @Test(.enabled(if: ProcessIdentity.current != nil))
  func `the lease of an ended process is taken over at once, and that of a running one is not`() throws {
    let running = try RunningProgram(URL(filePath: "/bin/sleep"), ["600"])
    var process = try #require(ProcessIdentity(of: running.processIdentifier))
    let own = try #require(ProcessIdentity.current)
    #expect(try !isTakenOver(from: process) && !isTakenOver(from: own))
    process.started -= 1  // another process had this ID before
    #expect(try isTakenOver(from: process))
    process.started += 1
    running.send(SIGKILL)
    _ = try running.wait()
    #expect(try isTakenOver(from: process))
    for pid: Int32 in [0, -1] {
      process.pid = pid
      #expect(try !isTakenOver(from: process))
    }
  }

  @Test(.enabled(if: ProcessIdentity.current != nil))
  func `nothing is assumed of a process of another machine or container`() throws {
    let running = try RunningProgram(URL(filePath: "/bin/sleep"), ["600"])
    var process = try #require(ProcessIdentity(of: running.processIdentifier))
    process.host = String(process.host.reversed())
    running.send(SIGKILL)
    _ = try running.wait()
    #expect(try !isTakenOver(from: process))
  }

  @Test func `an unreadable lease is overwritten by a takeover only`() throws {
    try store.put(.data(Data("no lease".utf8)), at: PublishLease.key, .lease, if: .always)
    try expectFault("cannot be read") { try PublishLease.take(terms("tower"), in: store) }
    _ = try PublishLease.take(terms("tower", takesOver: true), in: store)
  }

  @Test func `a store that ignores conditions is recognized`() throws {
    let lease = try PublishLease.take(terms("tower"), in: store)
    #expect(try lease.storeSupportsConditions())
    try lease.confirm()
    let careless = CarelessStore(store: FolderStore(root: folder.file("careless")))
    let other = try PublishLease.take(terms("tower"), in: careless)
    #expect(try !other.storeSupportsConditions())
    try other.confirm()
  }

  @Test func `one of many concurrent publishers gets the lease`() throws {
    let leases = Mutex(0)
    try processEach(Array(0..<8), width: 8) { [self] number in
      guard (try? PublishLease.take(terms("\(number)"), in: store)) != nil else { return }
      leases.withLock { $0 += 1 }
    }
    #expect(leases.withLock { $0 } == 1)
  }
}

/// Ignores conditions, as some servers do.
private struct CarelessStore: WritableObjectStore {
  let store: FolderStore
  var name: String { store.name }

  func read(_ key: String) throws -> TaggedObject? { try store.read(key) }
  func read(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? { try store.read(key, receive) }
  func list(_ prefix: String) throws -> [ListedObject] { try store.list(prefix) }
  func put(_ body: ObjectBody, at key: String, _ headers: ObjectHeaders, if condition: PutCondition) throws
    -> ObjectTag?
  { try store.put(body, at: key, headers, if: .always) }
  func remove(_ key: String) throws { try store.remove(key) }
}
