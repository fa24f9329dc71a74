import Core
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// Kills the built program while it publishes. Readers see one complete site, the old or the new one.
@Suite(.blocking, .slow) struct PublishKillTests {
  private let folder = TemporaryFolder()
  private let cycle = AiracCycle(at: Instant(secondsSince1970: Int(Date().timeIntervalSince1970)))

  private func site(_ name: String, _ words: String, cycles: ClosedRange<Int>) throws -> URL {
    var offer: [String: [String: String]] = [:]
    for step in cycles {
      let id = cycle.advanced(by: step).identifier
      for number in 0..<12 {
        offer[id, default: [:]]["p\(number)"] = String(repeating: "\(words) \(id) \(number) ", count: 8000)
      }
    }
    return try PaperSite(at: folder.file(name), offer).root
  }

  /// Reads as a client does: after a missing file it checks whether the catalogue has changed.
  private func view(of store: any WritableObjectStore) throws -> [String: [String: String]] {
    while true {
      let before = try store.read(PublishedCatalogue.path)?.data
      do {
        return try offered(in: store)
      } catch {
        guard try store.read(PublishedCatalogue.path)?.data != before else { throw error }
      }
    }
  }

  /// The keys of all objects without the replaced catalogue, which contains times, and the lists of pages, which contain the hash of
  /// the feed and so of times.
  private func names(_ store: any WritableObjectStore) throws -> [String] {
    let read = try PublishedCatalogue.read(from: store)
    let list = try PageList.read(#require(read.catalogue.pages), in: store)
    let replaced = try read.replaced(in: store)?.catalogue.pages
    let timed = [read.catalogue.replaces, read.catalogue.pages, list.replaces, replaced].map { $0?.path }
    return try store.list("").map(\.key).filter { !timed.contains($0) }
  }

  @Test func `a reader of a folder sees one complete site whenever the publisher is killed`() throws {
    let (target, reference) = (folder.file("target"), folder.file("reference"))
    try expectWhole(
      target.path, FolderStore(root: target), reference.path, FolderStore(root: reference), environment: [:],
      kills: Self.kills ?? 8)
  }

  @Test(.enabled(if: LoopbackS3.canRun, Comment(rawValue: LoopbackS3.whyNot)))
  func `a reader of S3 sees one complete site whenever the publisher is killed`() async throws {
    let server = try await LoopbackS3.strict()
    let names = try [server.newBucket(), server.newBucket()].map { "s3://\($0)/vfr" }
    let stores = try names.map { name in
      try S3Store(
        S3Target(name, environment: server.environment), keys: S3Keys(environment: server.environment))
    }
    try expectWhole(
      names[0], stores[0], names[1], stores[1], environment: server.environment, kills: Self.kills ?? 4)
  }

  /// For longer runs: `CHARTPIPE_KILLS=20 swift test --filter PublishKillTests`.
  private static let kills = ProcessInfo.processInfo.environment["CHARTPIPE_KILLS"].flatMap { Int($0) }

  private func expectWhole(
    _ target: String, _ store: any WritableObjectStore, _ reference: String, _ twin: any WritableObjectStore,
    environment: [String: String], kills wanted: Int
  ) throws {
    let (old, new) = (try site("old", "old", cycles: -1...0), try site("new", "new", cycles: 0...1))
    let program = try Program()
    let call = { (site: URL, place: String) in ["publish", site.path, place, "--quiet", "--jobs", "2"] }
    for place in [target, reference] {
      let ending = try program.run(call(old, place), environment: environment)
      try #require(ending.status == 0, "\(ending.errors)")
    }
    let before = try view(of: store)
    let start = ContinuousClock.now
    try #require(try program.run(call(new, reference), environment: environment).status == 0)
    let longest = Int((ContinuousClock.now - start) / .milliseconds(1))
    let after = try view(of: twin)
    var kills = 0
    for _ in 0..<wanted {
      // `timeout` kills it, since this thread may be late on a busy machine.
      let seconds = Double(Int.random(in: longest / 20...longest)) / 1000
      let running = try RunningProgram(
        URL(filePath: "/usr/bin/timeout"),
        ["-s", "KILL", "\(seconds)", program.url.path] + call(new, target), environment: environment)
      while running.isRunning {
        let seen = try view(of: store)
        #expect(seen == before || seen == after)
      }
      let ending = try running.wait()
      kills += ending.wasKilled || ending.status == 128 + SIGKILL ? 1 : 0
      let seen = try view(of: store)
      #expect(seen == before || seen == after)
    }
    #expect(kills > 0)
    let last = try program.run(call(new, target), environment: environment)
    #expect(last.status == 0, "\(last.errors)")
    #expect(try view(of: store) == after)
    let (here, there) = (Set(try names(store)), Set(try names(twin)))
    // The lists of killed publishers stay for two days. No catalogue names them.
    #expect(here.isSuperset(of: there))
  }
}
