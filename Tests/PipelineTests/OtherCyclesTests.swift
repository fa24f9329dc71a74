import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// A step takes over files from another cycle.
@Suite struct OtherCyclesTests {
  let folder = TemporaryFolder()
  let workspace: Workspace
  let progress = RecordedProgress()

  init() throws {
    workspace = Workspace(folder.url)
    try workspace.prepare()
  }

  private func run(
    _ cycle: String, key: String = "1", tiles: String, before: @escaping ([Step.ID]) -> Void = { _ in }
  ) throws -> RunOutcome {
    let workspace = workspace
    let step = Step(id: "p/a") {
      PreparedStep(key: try SHA256Hex(of: Array(key.utf8))) { _ in
        let (archive, description) = (workspace.scratchFile("a"), workspace.scratchFile("json"))
        try archive.put(tiles)
        try CanonicalJSON.pretty(product(#require(AiracCycle(cycle)))).write(to: description)
        let build = workspace.buildFolder(cycle: cycle, pipeline: "p")
        return StepOutputs(
          files: [
            .init(scratch: archive, final: build.appending(path: "a.mbtiles")),
            .init(scratch: description, final: build.appending(path: "a.product.json"), role: .product),
          ], detail: "made")
      }
    }
    try workspace.prepare()
    return try StepRunner(
      workspace: workspace, journal: Journal(cycle: cycle, in: workspace), progress: progress,
      checkBefore: { steps, _ in before(steps) }, now: { "now" }
    ).run([step])
  }

  private func file(_ cycle: String, _ name: String = "a.mbtiles") -> URL {
    workspace.buildFolder(cycle: cycle, pipeline: "p").appending(path: name)
  }

  private func tiles(_ cycle: String) throws -> String { try file(cycle).text }

  private func number(of file: URL) throws -> Int? {
    let facts = try FileManager.default.attributesOfItem(atPath: file.path)
    return (facts[.systemFileNumber] as? NSNumber)?.intValue
  }

  @Test func `links the files of another cycle with the same key and describes them for its own`() throws {
    _ = try run("2601", tiles: "old")
    let outcome = try run("2602", tiles: "never written")
    #expect(progress.all.last == .finished(step: "p/a", detail: "the same as in cycle 2601"))
    #expect(outcome.seconds.isEmpty && outcome.results.count == 1)
    #expect(try number(of: file("2601")) == number(of: file("2602")))
    #expect(try file("2602", "a.product.json").data == CanonicalJSON.pretty(product("2602")))
    #expect(try file("2601", "a.product.json").data == CanonicalJSON.pretty(product("2601")))
    #expect(try files(below: workspace.scratch).isEmpty)
    // The next run finds them in its own journal; a third cycle names the first.
    _ = try run("2602", tiles: "never written")
    #expect(progress.all.last == .skipped(step: "p/a"))
    _ = try run("2603", tiles: "never written")
    let entries = try Journal(cycle: "2603", in: workspace).entries
    #expect(entries.map(\.reusedFrom) == ["2601"])
  }

  @Test func `a step with the files of another cycle needs no space`() throws {
    var pending: [Step.ID] = []
    _ = try run("2601", tiles: "old") { pending += $0 }
    #expect(pending == ["p/a"])
    _ = try run("2602", tiles: "never written") { pending += $0 }
    #expect(pending == ["p/a"])
  }

  @Test func `builds files of another key, and damaged or missing ones`() throws {
    _ = try run("2601", tiles: "old")
    _ = try run("2602", key: "2", tiles: "of another key")
    #expect(try tiles("2602") == "of another key")
    try file("2601").put("0ld")
    _ = try run("2603", tiles: "new")
    #expect(try tiles("2603") == "new")
    try file("2603").remove()
    _ = try run("2604", tiles: "newer")
    #expect(try tiles("2604") == "newer")
  }

  @Test func `a rebuilt or removed cycle leaves the files of the other`() throws {
    _ = try run("2601", tiles: "old")
    _ = try run("2602", tiles: "never written")
    _ = try run("2601", key: "2", tiles: "rebuilt")
    #expect(try tiles("2601") == "rebuilt" && tiles("2602") == "old")
    try workspace.forget(cycle: "2601")
    _ = try run("2602", tiles: "never written")
    #expect(progress.all.last == .skipped(step: "p/a"))
  }

  @Test func `takes over again after a run that was killed before its entry`() throws {
    _ = try run("2601", tiles: "old")
    _ = try run("2602", tiles: "never written")
    try workspace.journal.appending(path: "2602").remove()
    _ = try run("2602", tiles: "never written")
    #expect(try tiles("2602") == "old")
    #expect(try files(below: workspace.scratch).isEmpty)
  }

  @Test func `a reused step is no measurement of its duration`() throws {
    _ = try run("2601", tiles: "old")
    let first = try StepHistory(in: workspace).seconds(of: "p/a")
    _ = try run("2602", tiles: "never written")
    #expect(try StepHistory(in: workspace).seconds(of: "p/a") == first)
  }
}

private func product(_ cycle: AiracCycle) throws -> Product {
  Product(
    id: "p/a", kind: .chart, name: "A", cycle: cycle, edition: "2026-01-22",
    effectiveDate: "2026-01-22T09:01:00Z", expirationDate: "2026-03-19T09:01:00Z", boundingBox: nil,
    minZoom: 5, maxZoom: 7, format: "png", files: [], sources: [],
    build: Product.Build(
      tool: "chartpipe", version: "0", libraries: [:], definitionSha256: try SHA256Hex(of: []), counts: [:]))
}
