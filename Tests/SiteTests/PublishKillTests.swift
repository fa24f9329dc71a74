import Core
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Site

/// The built program, killed while it publishes: what a reader sees is one whole site, the old or the new one.
struct PublishKillTests {
  private let folder: TemporaryFolder
  private let cycle = AiracCycle(at: Instant(secondsSince1970: Int(Date().timeIntervalSince1970)))

  init() throws { folder = try TemporaryFolder() }

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

  /// By a client's rule: who misses a file looks whether the catalogue is another one now.
  private func view(of store: any ObjectStore) throws -> [String: [String: String]] {
    while true {
      let before = try store.read(TargetState.catalogueKey)?.data
      do {
        return try offered(in: store)
      } catch {
        guard try store.read(TargetState.catalogueKey)?.data != before else { throw error }
      }
    }
  }

  /// What is published. The catalogues before it tell when they were made, and so are other files.
  private func names(_ store: any ObjectStore) throws -> [String] {
    let data = try #require(try store.read(TargetState.catalogueKey)?.data)
    let replaced = try TargetState.catalogue(data, in: store.name).replaces
    return try store.list("").map(\.key).filter { $0 != replaced?.path }
  }

  @Test func `whenever it is killed a reader of a folder sees one whole site, and the end is the same`()
    throws
  {
    let (target, reference) = (folder.file("target"), folder.file("reference"))
    try expectWhole(
      target.path, FolderStore(root: target), reference.path, FolderStore(root: reference), environment: [:],
      kills: Self.kills ?? 8)
  }

  @Test(.enabled(if: LoopbackS3.canRun, Comment(rawValue: LoopbackS3.whyNot)))
  func `and so does a reader of S3`() async throws {
    let server = try await LoopbackS3.strict()
    let names = try [server.newBucket(), server.newBucket()].map { "s3://\($0)/vfr" }
    let stores = try names.map { name in
      try S3Store(
        S3Target(name, environment: server.environment), keys: S3Keys(environment: server.environment))
    }
    try expectWhole(
      names[0], stores[0], names[1], stores[1], environment: server.environment, kills: Self.kills ?? 4)
  }

  /// More than there is time for in every run of the tests: `CHARTPIPE_KILLS=20 swift test --filter PublishKillTests`.
  private static let kills = ProcessInfo.processInfo.environment["CHARTPIPE_KILLS"].flatMap { Int($0) }

  private func expectWhole(
    _ target: String, _ store: any ObjectStore, _ reference: String, _ twin: any ObjectStore,
    environment: [String: String], kills wanted: Int
  ) throws {
    let (old, new) = (try site("old", "old", cycles: -1...0), try site("new", "new", cycles: 0...1))
    let program = try Program()
    let call = { (site: URL, place: String) in
      ["publish", site.path, place, "--quiet", "--jobs", "2"]
    }
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
      // Not by this thread, which may be slow to look when the machine is busy.
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
      // Whoever knows that it is dead need not wait for its lease.
      try store.remove(PublishLease.key)
    }
    #expect(kills > 0)
    let last = try program.run(call(new, target), environment: environment)
    #expect(last.status == 0, "\(last.errors)")
    #expect(try view(of: store) == after)
    let (here, there) = (Set(try names(store)), Set(try names(twin)))
    #expect(here.symmetricDifference(there).subtracting([PublishLease.key]).isEmpty)
  }
}
