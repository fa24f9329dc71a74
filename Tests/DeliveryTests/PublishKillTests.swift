import Airac
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Delivery

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

  private func arguments(_ site: URL, _ target: URL) -> [String] {
    ["publish", site.path, target.path, "--quiet", "--jobs", "2"]
  }

  /// By a client's rule: who misses a file looks whether the catalogue is another one now.
  private func view(of target: URL) throws -> [String: [String: String]] {
    let file = target.appending(path: "catalog.json")
    while true {
      let before = try Data(contentsOf: file)
      do {
        return try offered(in: target)
      } catch {
        guard try Data(contentsOf: file) != before else { throw error }
      }
    }
  }

  @Test func `whenever it is killed a reader sees one whole site, and the end is the same`() throws {
    let (old, new) = (try site("old", "old", cycles: -1...0), try site("new", "new", cycles: 0...1))
    let (target, reference) = (folder.file("target"), folder.file("reference"))
    for place in [target, reference] {
      try #require(try Program().run(arguments(old, place)).status == 0)
    }
    let before = try view(of: target)
    try #require(try Program().run(arguments(new, reference)).status == 0)
    let after = try view(of: reference)
    var kills = 0
    for round in 0..<8 {
      // Whoever knows that it is dead need not wait for its lease.
      try? FileManager.default.removeItem(at: target.appending(path: PublishLease.key))
      let running = try RunningProgram(try Program().url, arguments(new, target))
      let end = ContinuousClock.now + .milliseconds(Int.random(in: 0...60) + 60 * round)
      while running.isRunning, ContinuousClock.now < end {
        let seen = try view(of: target)
        #expect(seen == before || seen == after)
      }
      running.send(SIGKILL)
      kills += try running.wait().wasKilled ? 1 : 0
      let seen = try view(of: target)
      #expect(seen == before || seen == after)
    }
    #expect(kills > 0)
    try? FileManager.default.removeItem(at: target.appending(path: PublishLease.key))
    let last = try Program().run(arguments(new, target))
    #expect(last.status == 0, "\(last.errors)")
    #expect(try view(of: target) == after)
    #expect(try names(target) == names(reference))
  }

  /// What is published; the catalogues before it tell when they were made, and so are other files.
  private func names(_ target: URL) throws -> [String] {
    let replaced = try JSONDecoder().decode(
      Catalog.self, from: Data(contentsOf: target.appending(path: "catalog.json"))
    ).replaces
    return try files(below: target).filter { $0 != replaced?.path }
  }
}
