import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

@Suite struct StepRunnerTests {
  let folder = TemporaryFolder()
  let workspace: Workspace
  let progress = RecordedProgress()

  init() throws {
    workspace = Workspace(folder.url)
    try workspace.prepare()
  }

  /// Has no space for steps of some names, and passes on the call before the run.
  private func run(_ steps: [Step], before: (([Step.ID]) -> Void)? = nil) throws -> RunOutcome {
    func check(_ hasSpace: Bool) throws {
      if !hasSpace { throw UserError(.failed, operation: "making room", reason: "there is none") }
    }
    return try StepRunner(
      workspace: workspace, journal: Journal(cycle: "2601", in: workspace), progress: progress,
      checkBefore: { steps, _ in
        before?(steps)
        try check(!steps.contains("all"))
      }, checkAfter: { try check($0 != "large") }, now: { "now" }
    ).run(steps)
  }

  private func step(_ id: Step.ID, input: String, content: String) -> Step {
    let workspace = workspace
    return Step(id: id) {
      PreparedStep(key: try SHA256Hex(of: Array(input.utf8))) { _ in
        let scratch = workspace.scratchFile("x")
        try scratch.put(content)
        let final = workspace.build.appending(path: id.description)
        return StepOutputs(files: [.init(scratch: scratch, final: final)], detail: "made")
      }
    }
  }

  private func failing(_ id: Step.ID, _ kind: UserError.Kind = .badInput) -> Step {
    Step(id: id) { throw UserError(kind, operation: "reading", path: id.description, reason: "it is broken") }
  }

  @Test func `runs a step once for one input`() throws {
    _ = try run([step("p/a", input: "1", content: "first")])
    let second = try run([step("p/a", input: "1", content: "never written")])
    #expect(second.results.map(\.step) == ["p/a"])
    #expect(progress.all.last == .skipped(step: "p/a"))
    let made = try workspace.build.appending(path: "p/a").text
    #expect(made == "first")
  }

  @Test func `a changed input runs the step again`() throws {
    _ = try run([step("p/a", input: "1", content: "first")])
    _ = try run([step("p/a", input: "2", content: "second")])
    let made = try workspace.build.appending(path: "p/a").text
    #expect(made == "second")
  }

  @Test func `a failure does not stop the other steps`() throws {
    let outcome = try run([
      step("p/a", input: "1", content: "a"), failing("p/b"), step("p/c", input: "1", content: "c"),
    ])
    #expect(outcome.results.map(\.step) == ["p/a", "p/c"])
    #expect(outcome.failures.map(\.step) == ["p/b"])
    #expect(outcome.verdict == .partlyDone)
  }

  @Test func `reports missing sources before any work starts`() throws {
    _ = try run([step("p/a", input: "1", content: "a"), failing("p/b")])
    guard case .failed(step: "p/b", _)? = progress.all.first else {
      Issue.record("the first event was \(String(describing: progress.all.first))")
      return
    }
  }

  @Test func `a step that uses results is prepared last and sees them`() throws {
    let workspace = workspace
    let joined = Step(
      id: "p/all",
      fromResults: { results in
        let parts = ["p/a", "p/b", "p/c"].compactMap { results[$0] }
        return PreparedStep(key: try SHA256Hex(of: Array(parts.map(\.key.text).joined().utf8))) { _ in
          let scratch = workspace.scratchFile("all")
          try Data(try parts.flatMap { try [UInt8]($0.files[0].url.data) }).write(to: scratch)
          return StepOutputs(
            files: [.init(scratch: scratch, final: workspace.build.appending(path: "all"))], detail: "")
        }
      })
    let nothing = Step(
      id: "p/nothing",
      fromResults: { results in
        results["p/b"] == nil
          ? nil : PreparedStep(key: try SHA256Hex(of: [])) { _ in StepOutputs(files: [], detail: "") }
      })
    let outcome = try run([
      joined, nothing, step("p/a", input: "1", content: "a"), failing("p/b"),
      step("p/c", input: "1", content: "c"),
    ])
    #expect(outcome.results.map(\.step) == ["p/a", "p/c", "p/all"])
    #expect(outcome.failures.map(\.step) == ["p/b"])
    let file = workspace.build.appending(path: "all")
    #expect(try file.text == "ac")
    // The key of the missing part changes the key of the joined step.
    _ = try run([
      joined, step("p/a", input: "1", content: "a"), step("p/b", input: "1", content: "b"),
      step("p/c", input: "1", content: "c"),
    ])
    #expect(try file.text == "abc")
  }

  @Test func `a run without space fails before any work`() throws {
    var pending: [Step.ID] = []
    let fault = #expect(throws: UserError.self) {
      try run([step("a", input: "1", content: "a"), step("all", input: "1", content: "b")]) { pending = $0 }
    }
    #expect(fault?.reason == "there is none")
    #expect(pending == ["a", "all"])
    #expect(!workspace.build.exists)
  }

  @Test func `deletes an output that is too large`() throws {
    let outcome = try run([step("large", input: "1", content: "a"), step("b", input: "1", content: "b")])
    #expect(outcome.failures.map(\.step) == ["large"] && outcome.results.map(\.step) == ["b"])
    #expect(try files(below: workspace.build) == ["b"])
    #expect(try files(below: workspace.scratch).isEmpty)
  }

  @Test func `needs no space for a step that is up to date`() throws {
    let ids: [Step.ID] = ["a", "b", "c"]
    let steps = ids.map { step($0, input: "1", content: $0.description) }
    _ = try run([steps[0]])
    let joined = Step(
      id: "j",
      fromResults: { _ in PreparedStep(key: try SHA256Hex(of: [])) { _ in StepOutputs(files: [], detail: "") }
      })
    var pending: [Step.ID] = []
    let outcome = try run(steps + [joined]) { pending = $0 }
    #expect(pending == ["b", "c", "j"])
    #expect(outcome.seconds.map(\.step) == ["b", "c", "j"])
    #expect(outcome.results.map(\.step) == ["a", "b", "c", "j"])
  }

  @Test func `a step that uses results counts as pending if its key differs`() throws {
    let steps = [step("a", input: "1", content: "a")]
    func joined(_ input: String) -> Step {
      Step(
        id: "j",
        fromResults: { _ in
          PreparedStep(key: try SHA256Hex(of: Array(input.utf8))) { _ in StepOutputs(files: [], detail: "") }
        })
    }
    var pending: [[Step.ID]] = []
    for input in ["1", "1", "2"] { _ = try run(steps + [joined(input)]) { pending.append($0) } }
    #expect(pending == [["a", "j"], [], ["j"]])
  }

  @Test func `repeats the warnings of a step that is up to date`() throws {
    let doubtful = Step(id: "p/a") {
      PreparedStep(key: try SHA256Hex(of: [])) { _ in
        StepOutputs(files: [], detail: "made", warnings: ["an edge is not measurable"])
      }
    }
    for _ in 1...2 { _ = try run([doubtful]) }
    let warning = ProgressEvent.warning(step: "p/a", message: "an edge is not measurable")
    #expect(progress.all.suffix(2) == [.skipped(step: "p/a"), warning])
    #expect(progress.all.count { $0 == warning } == 2)
  }

  @Test func `the verdict is that of the failures if all steps fail`() throws {
    #expect(try run([failing("p/a"), failing("p/b")]).verdict == .badInput)
    #expect(try run([failing("p/a"), failing("p/b", .failed)]).verdict == .failed)
  }

  @Test func `a step that throws leaves no output`() throws {
    struct Odd: Error {}
    let workspace = workspace
    let broken = Step(id: "p/a") {
      PreparedStep(key: try SHA256Hex(of: [])) { _ in
        try workspace.scratchFile("half").put("half")
        throw Odd()
      }
    }
    let outcome = try run([broken])
    #expect(outcome.failures.first?.error.kind == .failed)
    #expect(try files(below: workspace.scratch).isEmpty, "other steps may need the space")
    #expect(!workspace.build.exists)
  }
}
