import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct JournalTests {
  let folder: TemporaryFolder
  let workspace: Workspace
  let key: SHA256Hex
  let output: URL

  init() throws {
    folder = try TemporaryFolder()
    workspace = Workspace(folder.url)
    try workspace.prepare()
    key = try SHA256Hex(of: [1])
    output = folder.file("made")
    try Data("content".utf8).write(to: output)
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
    try Data("CONTENT".utf8).write(to: output)
    #expect(journal.result(of: "a/b", key: key) == nil)
    try FileManager.default.removeItem(at: output)
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
    #expect(!FileManager.default.fileExists(atPath: elsewhere.root.path))
  }

  @Test func `ignores an incomplete line of a killed run`() throws {
    try record(Journal(cycle: "2601", in: workspace))
    let file = workspace.journal.appending(path: "2601.jsonl")
    let whole = try Data(contentsOf: file)
    try (whole + whole.prefix(whole.count / 2)).write(to: file)

    let journal = try Journal(cycle: "2601", in: workspace)
    #expect(journal.result(of: "a/b", key: key)?.description == output)
    try journal.append(result("c/d"), seconds: 1, finished: "")
    let next = try Journal(cycle: "2601", in: workspace)
    #expect(next.result(of: "c/d", key: key)?.description == output)
    #expect(next.result(of: "a/b", key: key)?.files.map(\.url) == [output])
  }
}
