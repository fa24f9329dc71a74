import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ChartpipeKit

/// Runs two publishers, one process that prunes or rolls back, and readers in an order that follows from a seed, with kills,
/// suspensions and lost answers. A reader always finds all files that the catalogue names.
@Suite(.blocking, .slow) struct PublishRaceTests {
  private let folder = TemporaryFolder()
  private let key = SigningKey.new()
  private let base: PaperSite
  private let sites: [PaperSite]
  private let start: Instant
  private let objects: [String: Data]

  init() throws {
    start = Instant(try #require(CalendarDay("2026-12-01")), hour: 12, minute: 0)
    let first = try PaperSite(
      at: folder.file("first"), ["2611": ["a": "a1", "chart": "b1"], "2612": ["a": "a1"]])
    base = try PaperSite(
      at: folder.file("base"), ["2611": ["a": "a1", "chart": "b1"], "2612": ["a": "a1", "chart": "b2"]])
    sites = [
      try PaperSite(at: folder.file("A"), ["2612": ["chart": "b3", "d": "d1"]]),
      try PaperSite(at: folder.file("B"), ["2612": ["c": "c5"], "2613": ["a": "a4", "chart": "b4"]]),
    ]
    let world = PublishedWorld(from: start)
    let threads = SteppedThreads(seed: 0, from: start, count: 1)
    let store = SteppedStore(world: world, threads: threads, thread: 0, life: .init(.max))
    for site in [first, base] {
      let terms = Self.terms(threads, 0, key: key)
      threads.run([{ Self.untilDone(threads, 0) { _ = try publish(site, store, terms) } }])
    }
    // The files that a killed publisher of B had sent.
    var objects = world.objects
    for path in try files(below: sites[1].root) where path.hasPrefix("blobs/") {
      objects[path] = try sites[1].root.appending(path: path).data
    }
    self.objects = objects
    #expect(world.complaints.isEmpty && world.flips == 2)
  }

  @Test func `no order of events makes the catalogue name an absent file`() throws {
    var (flips, seen) = (0, 0)
    try processInOrder(Array(UInt64(1)...200), width: ProcessInfo.processInfo.activeProcessorCount) {
      seed in
      (seed, try run(seed))
    } consume: { seed, run in
      flips += run.world.flips
      seen += run.reads
      #expect(run.world.complaints.isEmpty, "seed \(seed): \(run.world.complaints)")
    }
    // The runs prove something only if much happens in them.
    #expect(flips > 400 && seen > 600, "\(flips) flips, \(seen) whole sites read")
  }

  @Test(arguments: [SteppedStore.Weakness.flipsUnconditionally, .everythingIsOld])
  func `without the flip's condition or the ages, some order of events does`(weakness: SteppedStore.Weakness)
    throws
  {
    let found = try (1...500).lazy.contains { try !run(UInt64($0), weakness).world.complaints.isEmpty }
    #expect(found)
  }

  // MARK: - One run

  private func run(
    _ seed: UInt64, _ weakness: SteppedStore.Weakness? = nil
  ) throws -> (world: PublishedWorld, reads: Int) {
    var dice = Dice(seed: seed)
    let stalls = dice.roll(0...2) == 0
    let world = PublishedWorld(objects, from: start.adding(-3600 * dice.roll(0...72)))
    let threads = SteppedThreads(seed: seed, from: start, count: 5)
    let reads = Mutex(0)
    let reader = { @Sendable (thread: Int) in
      let whole = Self.read(world, threads, thread)
      reads.withLock { $0 += whole }
    }
    var work: [@Sendable () -> Void] = [{ reader(0) }, { reader(1) }]
    var tasks: [Work] = sites.map { site in { try publish(site, $0, $1) } }
    let prunes: Work = { [base] in try publish(base, $0, $1) }
    tasks.append(dice.roll(0...1) == 0 ? prunes : rollBack)
    for (index, task) in tasks.enumerated() {
      let thread = index + 2
      let lives = (0..<2).map { _ in dice.roll(0...1) == 0 ? Int.max : dice.roll(1...90) }
      work.append { [key] in
        for life in lives {
          var store = SteppedStore(world: world, threads: threads, thread: thread, life: .init(life))
          (store.weakness, store.stallsFlips) = (weakness, stalls)
          let terms = Self.terms(threads, thread, key: key)
          let isDone = Self.untilDone(threads, thread) {
            if stalls, store.life.hasFlipped { return }
            _ = try task(store, terms)
          }
          if stalls || isDone { return }
        }
      }
    }
    threads.run(work)
    // The end takes as long as the race, and depends less on the order.
    if weakness == nil, seed % 4 == 0 { try expectEnd(world, threads.now) }
    return (world, reads.withLock { $0 })
  }

  /// Retries while other publishers run, as users do; ends when it is done or killed.
  @discardableResult
  private static func untilDone(
    _ threads: SteppedThreads, _ thread: Int, _ work: () throws -> Void
  ) -> Bool {
    for _ in 0..<5 {
      do {
        try work()
        return true
      } catch is SteppedStore.Killed {
        return false
      } catch {
        threads.step(thread, pause: threads.roll(10...200))
      }
    }
    return false
  }

  /// A last publication finds a working target, and a second one finds nothing to send.
  private func expectEnd(_ world: PublishedWorld, _ now: Instant) throws {
    let last = SteppedThreads(seed: 1, from: now.adding(1000), count: 1)
    let store = SteppedStore(world: world, threads: last, thread: 0, life: .init(.max))
    var terms = Self.terms(last, 0, key: key, sleeps: false)
    // A rollback may have withdrawn what this site holds.
    terms.reinstated = Set(try SiteSource(sites[0].root).manifests.keys)
    let reports = Mutex<[PublishReport]>([])
    last.run([
      { [sites, terms] in
        for _ in 0..<2 {
          Self.untilDone(last, 0) {
            let report = try publish(sites[0], store, terms)
            reports.withLock { $0.append(report) }
          }
        }
      }
    ])
    // It may remove what has become old enough meanwhile.
    if reports.withLock({ $0.last?.sent.isEmpty }) != true { world.complain("the end is not the end") }
    let named = try world.read("catalog.json").map { try PublishedCatalogue($0).catalogue }
    if named?.products.contains(where: { $0.id == "paper/d" }) != true { world.complain("A is not there") }
  }

  private static func terms(
    _ threads: SteppedThreads, _ thread: Int, key: SigningKey, sleeps: Bool = true
  ) -> PublishOptions {
    let clock = PublishClock(
      now: {
        let nap = sleeps && threads.roll(1...60) == 1 ? threads.rollNap() : 0
        threads.step(thread, pause: nap)
        return threads.now
      },
      wait: { threads.step(thread, pause: $0) })
    var terms = PublishOptions(clock: clock)
    (terms.key, terms.jobs) = (key, nil)
    return terms
  }

  /// Reads as a client does: after a missing file it reads the catalogue again, which must have changed.
  private static func read(_ world: PublishedWorld, _ threads: SteppedThreads, _ thread: Int) -> Int {
    var (whole, serial) = (0, 0)
    for _ in 0..<8 {
      threads.step(thread, pause: threads.roll(0...60))
      let offer = world.offer
      if offer.serial < serial { world.complain("a reader saw \(offer.serial) after \(serial)") }
      serial = offer.serial
      let missing = offer.named.first { path, bytes in
        threads.step(thread)
        return world.read(path)?.count != bytes
      }
      if missing == nil { whole += 1 }
      if let missing, world.offer.serial == serial {
        world.complain("\(missing.key) was missed by a reader of serial \(serial)")
      }
    }
    return whole
  }
}

private typealias Work = @Sendable (_ store: SteppedStore, _ terms: PublishOptions) throws -> PublishReport

private func publish(_ site: PaperSite, _ store: SteppedStore, _ terms: PublishOptions) throws
  -> PublishReport
{ try Publisher.publish(site.root, to: PublishTarget(store: store), terms, progress: SilentProgress()) }

@Sendable private func rollBack(_ store: SteppedStore, _ terms: PublishOptions) throws -> PublishReport {
  try Publisher.rollBack(PublishTarget(store: store), to: nil, terms, progress: SilentProgress())
}
