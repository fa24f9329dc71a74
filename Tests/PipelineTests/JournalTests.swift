import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct JournalTests {
  let folder = TemporaryFolder()
  let workspace: Workspace
  let key: SHA256Hex
  let output: URL

  init() throws {
    workspace = Workspace(folder.url)
    try workspace.prepare()
    key = try SHA256Hex(of: [1])
    output = folder.file("made")
    try output.put("content")
  }

  private func result(_ step: Step.ID) -> StepResult {
    StepResult(step: step, key: key, files: [.init(url: output, role: .product)])
  }

  private func record(_ journal: Journal) throws {
    try journal.append(result("a/b"), seconds: 1, finished: "2026-01-01T00:00:00Z")
  }

  @Test func `a recorded step is up to date in the next run`() throws {
    try record(Journal(cycle: "2601", in: workspace))
    let next = try Journal(cycle: "2601", in: workspace)
    #expect(next.result(of: "a/b", key: key)?.files.map(\.url) == [output])
  }

  @Test func `another key or cycle is not up to date`() throws {
    let journal = try Journal(cycle: "2601", in: workspace)
    try record(journal)
    #expect(journal.result(of: "a/b", key: try SHA256Hex(of: [2])) == nil)
    #expect(try Journal(cycle: "2602", in: workspace).result(of: "a/b", key: key) == nil)
  }

  @Test func `a step with a changed or removed output is not up to date`() throws {
    let journal = try Journal(cycle: "2601", in: workspace)
    try record(journal)
    try output.put("CONTENT")
    #expect(journal.result(of: "a/b", key: key) == nil)
    try output.remove()
    #expect(journal.result(of: "a/b", key: key) == nil)
  }

  @Test func `history has the last run of a step in any cycle`() throws {
    for (cycle, size, finished) in [
      ("2601", 10, "2026-01-02"), ("2602", 20, "2026-01-03"), ("2603", 5, "2026-01-01"),
    ] {
      try Data(count: size).write(to: output)
      let journal = try Journal(cycle: cycle, in: workspace)
      try journal.append(result("a/b"), seconds: Double(size), finished: finished)
    }
    let history = try StepHistory(in: workspace)
    #expect(history.bytes(of: "a/b") == 20 && history.seconds(of: "a/b") == 20)
    #expect(history.bytes(of: "never") == nil && history.seconds(of: "never") == nil)
  }

  @Test func `reading a folder without runs creates nothing`() throws {
    let elsewhere = Workspace(folder.file("elsewhere"))
    #expect(try StepHistory(in: elsewhere).bytes(of: "a/b") == nil)
    #expect(!elsewhere.root.exists)
  }

  @Test func `a damaged entry, and one under another name, is not up to date`() throws {
    try record(Journal(cycle: "2601", in: workspace))
    let file = workspace.journal.appending(path: "2601/products/a/b/\(key)")
    let whole = try file.data
    var flipped = whole
    flipped[whole.count - 9] ^= 1
    for damaged in [Data(), whole.prefix(whole.count / 2), flipped] {
      try damaged.write(to: file)
      #expect(try Journal(cycle: "2601", in: workspace).result(of: "a/b", key: key) == nil)
    }
    let moved = workspace.journal.appending(path: "2601/products/c/d/\(key)")
    try moved.deletingLastPathComponent().makeFolder()
    try whole.write(to: moved)
    let journal = try Journal(cycle: "2601", in: workspace)
    #expect(journal.result(of: "c/d", key: key) == nil)
    try record(journal)
    #expect(try file.data == whole)
  }

  @Test func `a step has one entry, the last`() throws {
    let journal = try Journal(cycle: "2601", in: workspace)
    try record(journal)
    let other = try SHA256Hex(of: [2])
    try journal.append(
      StepResult(step: "a/b", key: other, files: []), seconds: 2, finished: "2026-01-01T00:00:00Z")
    #expect(journal.entries.map(\.key) == [other] && journal["a/b"]?.key == other)
  }

  @Test func `an entry with impossible sizes is no crash`() {
    let output = Journal.Entry.Output(path: "a", role: .file, sha256: key, bytes: .max)
    let entry = Journal.Entry(
      step: "a/b", key: key, outputs: [output, output], seconds: 1, finished: "2026-01-01T00:00:00Z")
    #expect(entry.bytes > 0)
  }

  @Test func `refused charts are those of the cycle`() throws {
    let journal = try Journal(cycle: "2601", in: workspace)
    journal.keep(refusedCharts: ["a/b": key])
    #expect(try Journal(cycle: "2601", in: workspace).refusedCharts == ["a/b": key])
    #expect(try Journal(cycle: "2602", in: workspace).refusedCharts.isEmpty)
    journal.keep(refusedCharts: [:])
    #expect(journal.refusedCharts.isEmpty)
  }
}

/// The values of steps that build no product.
@Suite struct JournalValueTests {
  let folder = TemporaryFolder()
  let workspace: Workspace

  init() throws {
    workspace = Workspace(folder.url)
    try workspace.prepare()
  }

  private func journal(_ version: String = "1", cycle: String = "2601") throws -> Journal {
    try Journal(cycle: cycle, in: workspace, environment: ["library": version])
  }

  /// Returns the result, and whether it was made now.
  private func use(
    _ journal: Journal, _ inputs: [String] = ["a"], step: String = "texts/one"
  ) throws -> (text: String, made: Bool) {
    var made = false
    let text = try journal.value(of: step, for: inputs) {
      made = true
      return "the text of \(inputs)"
    }
    return (text, made)
  }

  private var stored: URL {
    get throws {
      let path = try #require(try files(below: workspace.journal).first)
      return workspace.journal.appending(path: path)
    }
  }

  @Test func `a result is made once for the same inputs and versions`() throws {
    #expect(try use(journal()).made)
    #expect(try use(journal()) == ("the text of [\"a\"]", false))
    #expect(try use(journal(), ["b"]).made)
    #expect(try use(journal("2")).made)
    #expect(try use(journal(), step: "texts/two").made)
  }

  @Test func `a damaged result is made again`() throws {
    _ = try use(journal())
    let whole = try stored.data
    var flipped = whole
    flipped[flipped.count - 4] ^= 1
    for damaged in [Data(), whole.prefix(70), whole.prefix(20), flipped, Data("\n".utf8)] {
      try damaged.write(to: stored)
      #expect(try use(journal()) == ("the text of [\"a\"]", true))
      #expect(try stored.data == whole)
    }
  }

  @Test func `a result under another one's name is made again`() throws {
    _ = try use(journal())
    let first = try stored
    let content = try first.data
    try first.remove()
    _ = try use(journal(), ["b"])
    try content.write(to: stored)
    #expect(try use(journal(), ["b"]) == ("the text of [\"b\"]", true))
  }

  @Test func `a value of another cycle with the same key counts, also after that cycle is removed`() throws {
    _ = try use(journal())
    #expect(try !use(journal(cycle: "2602")).made)
    try workspace.forget(cycle: "2601")
    #expect(try !use(journal(cycle: "2602")).made)
    #expect(try use(journal(cycle: "2602"), step: "texts/two").made)
  }

  @Test func `a step whose name leads out of the journal is not kept`() throws {
    for step in ["../texts", "/texts", "texts//one", ""] {
      #expect(try use(journal(), step: step).made)
      #expect(try use(journal(), step: step).made)
    }
    #expect(try files(below: workspace.root).isEmpty)
  }

  @Test func `a folder that cannot be written to only costs time`() throws {
    let journal = try journal()
    try Data().write(to: workspace.journal.appending(path: "2601"))
    #expect(try use(journal).made)
    #expect(try use(journal).made)
  }

  @Test func `without a work folder results are kept for the process`() throws {
    let journal = Journal()
    #expect(try use(journal).made)
    #expect(try !use(journal).made)
    #expect(try use(Journal()).made)
  }
}
