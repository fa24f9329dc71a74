import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// A suite that publishes sites to a folder or another store, with a stopped clock and without threads.
protocol PublishingSuite {
  var folder: TemporaryFolder { get }
  /// Signs the catalogues; nil for unsigned ones.
  var signer: SigningKey? { get }
}

extension PublishingSuite {
  var signer: SigningKey? { nil }
  var target: URL { folder.file("target") }

  func site(
    _ name: String, _ cycles: [String: [String: String]], serial: Int = 1, extra: [String: Data] = [:]
  ) throws -> URL { try PaperSite(at: folder.file(name), cycles, serial: serial, extra: extra).root }

  private func options(_ now: String, _ change: (inout PublishOptions) -> Void) throws -> PublishOptions {
    var options = try publishOptions(now)
    options.key = signer
    change(&options)
    return options
  }

  private func place(_ store: (any WritableObjectStore)?) -> PublishTarget {
    store.map { PublishTarget(store: $0) } ?? PublishTarget(folder: target)
  }

  /// Makes the files of a target look as if they had been there for some hours.
  func age(_ root: URL? = nil, hours: Int = 30 * 24, before now: String) throws {
    let end = try #require(Instant(now)).adding(-3600 * hours)
    let date = Date(timeIntervalSince1970: Double(end.secondsSince1970))
    for path in try files(below: root ?? target) {
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: (root ?? target).appending(path: path).path)
    }
  }

  func put(_ data: Data, _ key: String, in store: any WritableObjectStore) throws {
    try store.put(.data(data), at: key, .catalogue, if: .always)
  }

  @discardableResult
  func publish(
    _ site: URL, to store: (any WritableObjectStore)? = nil, now: String = "2026-12-01",
    replacing: Bool = false, progress: any ProgressReporter = SilentProgress(),
    _ change: (inout PublishOptions) -> Void = { _ in }
  ) throws -> PublishReport {
    if store == nil { try age(before: now) }
    return try Publisher.publish(
      site, to: place(store), isReplacing: replacing, options(now, change), progress: progress)
  }

  @discardableResult
  func rollBack(
    _ store: (any WritableObjectStore)? = nil, to cycle: AiracCycle? = nil, now: String = "2026-12-01",
    progress: any ProgressReporter = SilentProgress(), _ change: (inout PublishOptions) -> Void = { _ in }
  ) throws -> PublishReport {
    try Publisher.rollBack(place(store), to: cycle, options(now, change), progress: progress)
  }

  func catalogue(in store: (any WritableObjectStore)? = nil) throws -> Catalog {
    try PublishedCatalogue.read(from: store ?? FolderStore(root: target)).catalogue
  }

  func contents(of root: URL? = nil) throws -> [String: Data] { try fileContents(below: root ?? target) }

  func health(_ root: URL? = nil, now: String = "2026-12-01") throws -> HealthReport {
    try checkHealth(PublishedSite(folder: root ?? target), by: signer?.verifier, now: now)
  }
}

func checkHealth(
  _ site: PublishedSite, by verifier: PublicKey? = nil, now: String = "2026-12-01",
  seen: SeenCatalogue? = nil, isQuick: Bool = false
) throws -> HealthReport {
  let health = SiteHealth(
    site: site, verifier: verifier, now: try #require(Instant(now)), seen: seen, isQuick: isQuick)
  return try health.check(progress: SilentProgress())
}

/// Publishes a site to a folder.
@discardableResult
func publish(_ site: URL, to folder: URL, now: String = "2026-12-01") throws -> PublishReport {
  try Publisher.publish(
    site, to: PublishTarget(folder: folder), publishOptions(now), progress: SilentProgress())
}

/// Options with a stopped clock and without threads.
func publishOptions(_ now: String) throws -> PublishOptions {
  let instant = try #require(Instant(now))
  var options = PublishOptions(clock: PublishClock(now: { instant }, wait: { _ in }))
  options.jobs = nil
  return options
}

/// A store that writes in another way than the one that it contains.
protocol WrappedStore: WritableObjectStore {
  var store: any WritableObjectStore { get }
}

extension WrappedStore {
  var name: String { store.name }

  func read(_ key: String) throws -> TaggedObject? { try store.read(key) }
  func read(_ key: String, _ receive: PieceReceiver) throws -> ObjectInfo? { try store.read(key, receive) }
  func list(_ prefix: String) throws -> [ListedObject] { try store.list(prefix) }
  func remove(_ key: String) throws { try store.remove(key) }
}
