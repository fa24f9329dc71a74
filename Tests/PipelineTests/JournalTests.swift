import CryptoIO
import Foundation
import Pipeline
import TestSupport
import Testing

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

  private func record(_ journal: Journal) throws {
    try journal.append(step: "a/b", key: key, outputs: [output], seconds: 1, finished: "2026-01-01T00:00:00Z")
  }

  @Test func whatIsRecordedStandsInTheNextRun() throws {
    try record(Journal(cycle: "2601", in: workspace))
    let next = try Journal(cycle: "2601", in: workspace)
    #expect(next.standing(step: "a/b", key: key) == [output])
  }

  @Test func anotherKeyOrAnotherCycleDoesNotStand() throws {
    let journal = try Journal(cycle: "2601", in: workspace)
    try record(journal)
    #expect(journal.standing(step: "a/b", key: try SHA256Hex(of: [2])) == nil)
    #expect(try Journal(cycle: "2602", in: workspace).standing(step: "a/b", key: key) == nil)
  }

  @Test func anOutputThatWasChangedOrRemovedDoesNotStand() throws {
    let journal = try Journal(cycle: "2601", in: workspace)
    try record(journal)
    try Data("CONTENT".utf8).write(to: output)
    #expect(journal.standing(step: "a/b", key: key) == nil)
    try FileManager.default.removeItem(at: output)
    #expect(journal.standing(step: "a/b", key: key) == nil)
  }

  @Test func historyTellsOfTheLastTimeInWhateverCycle() throws {
    for (cycle, size, finished) in [
      ("2601", 10, "2026-01-02"), ("2602", 20, "2026-01-03"), ("2603", 5, "2026-01-01"),
    ] {
      try Data(count: size).write(to: output)
      let journal = try Journal(cycle: cycle, in: workspace)
      try journal.append(step: "a/b", key: key, outputs: [output], seconds: Double(size), finished: finished)
    }
    let history = try StepHistory(in: workspace)
    #expect(history.bytes(of: "a/b") == 20 && history.seconds(of: "a/b") == 20)
    #expect(history.bytes(of: "never") == nil && history.seconds(of: "never") == nil)
    #expect(try Journal(cycle: "2603", in: workspace).bytesOnDisk(of: "a/b") == 5)
  }

  @Test func lookingIntoAFolderWithoutRunsMakesNothing() throws {
    let elsewhere = Workspace(folder.file("elsewhere"))
    #expect(try StepHistory(in: elsewhere).bytes(of: "a/b") == nil)
    #expect(!FileManager.default.fileExists(atPath: elsewhere.root.path))
  }

  @Test func aLineThatAKillCutOffIsPassedOver() throws {
    try record(Journal(cycle: "2601", in: workspace))
    let file = workspace.journal.appending(path: "2601.jsonl")
    let whole = try Data(contentsOf: file)
    try (whole + whole.prefix(whole.count / 2)).write(to: file)

    let journal = try Journal(cycle: "2601", in: workspace)
    #expect(journal.standing(step: "a/b", key: key) == [output])
    try journal.append(step: "c/d", key: key, outputs: [output], seconds: 1, finished: "")
    let next = try Journal(cycle: "2601", in: workspace)
    #expect(next.standing(step: "c/d", key: key) == [output])
    #expect(next.standing(step: "a/b", key: key) == [output])
  }
}
