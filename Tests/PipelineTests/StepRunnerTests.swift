import Core
import CryptoIO
import Foundation
import Pipeline
import Synchronization
import TestSupport
import Testing

/// Keeps what was reported, in order.
final class RecordedProgress: ProgressReporter {
  private let events = Mutex<[ProgressEvent]>([])
  var all: [ProgressEvent] { events.withLock { $0 } }
  func report(_ event: ProgressEvent) { events.withLock { $0.append(event) } }
}

/// Has room for all but one step, and notes who asked.
private final class Door: StepAdmission {
  let closed: String
  var run: [String] = []
  var steps: [String] = []

  init(closed: String) { self.closed = closed }

  var failed: [String] = []

  func admit(run steps: [String], failed: [String]) throws {
    run = steps
    self.failed = failed
    if steps.contains("all") { throw UserError(.failed, operation: "making room", reason: "there is none") }
  }

  func admit(step: String) throws {
    steps.append(step)
    if step == closed { throw UserError(.failed, operation: "making room", reason: "there is none") }
  }

  func admit(made step: String) throws {
    if step == "large" { throw UserError(.failed, operation: "making room", reason: "there is none") }
  }
}

@Suite struct StepRunnerTests {
  let folder: TemporaryFolder
  let workspace: Workspace
  let progress = RecordedProgress()

  init() throws {
    folder = try TemporaryFolder()
    workspace = Workspace(folder.url)
    try workspace.prepare()
  }

  private func run(_ steps: [Step], asking door: Door? = nil) throws -> RunOutcome {
    let journal = try Journal(cycle: "2601", in: workspace)
    return try StepRunner(
      workspace: workspace, journal: journal, progress: progress, admission: door, now: { "now" }
    )
    .run(steps)
  }

  private func step(_ id: String, input: String, content: String) -> Step {
    let workspace = workspace
    return Step(id: id) {
      PreparedStep(key: try SHA256Hex(of: Array(input.utf8))) {
        let scratch = workspace.scratchFile("x")
        try Data(content.utf8).write(to: scratch)
        let final = workspace.build.appending(path: id)
        return StepOutputs(files: [.init(scratch: scratch, final: final)], detail: "made")
      }
    }
  }

  private func failing(_ id: String, _ kind: UserError.Kind = .badInput) -> Step {
    Step(id: id) { throw UserError(kind, operation: "reading", path: id, reason: "it is broken") }
  }

  @Test func aStepIsDoneOnceForOneInput() throws {
    _ = try run([step("p/a", input: "1", content: "first")])
    let second = try run([step("p/a", input: "1", content: "never written")])
    #expect(second.outputs.map(\.step) == ["p/a"])
    #expect(progress.all.last == .skipped(step: "p/a"))
    let made = try String(contentsOf: workspace.build.appending(path: "p/a"), encoding: .utf8)
    #expect(made == "first")
  }

  @Test func aChangedInputIsMadeAnew() throws {
    _ = try run([step("p/a", input: "1", content: "first")])
    _ = try run([step("p/a", input: "2", content: "second")])
    let made = try String(contentsOf: workspace.build.appending(path: "p/a"), encoding: .utf8)
    #expect(made == "second")
  }

  @Test func oneFailureDoesNotStopTheOthers() throws {
    let outcome = try run([
      step("p/a", input: "1", content: "a"), failing("p/b"), step("p/c", input: "1", content: "c"),
    ])
    #expect(outcome.outputs.map(\.step) == ["p/a", "p/c"])
    #expect(outcome.failures.map(\.step) == ["p/b"])
    #expect(outcome.verdict == .partlyDone)
  }

  @Test func missingSourcesAreToldBeforeAnyWorkStarts() throws {
    _ = try run([step("p/a", input: "1", content: "a"), failing("p/b")])
    guard case .failed(step: "p/b", _)? = progress.all.first else {
      Issue.record("the first event was \(String(describing: progress.all.first))")
      return
    }
  }

  @Test func whatIsMadeOfOtherStepsIsPreparedLastAndSeesWhatStands() throws {
    let workspace = workspace
    let joined = Step(
      id: "p/all",
      last: { standing in
        let parts = ["p/a", "p/b", "p/c"].compactMap { standing[$0] }
        return PreparedStep(key: try SHA256Hex(of: Array(parts.map(\.key.text).joined().utf8))) {
          let scratch = workspace.scratchFile("all")
          try Data(try parts.flatMap { try [UInt8](Data(contentsOf: $0.files[0])) }).write(to: scratch)
          return StepOutputs(
            files: [.init(scratch: scratch, final: workspace.build.appending(path: "all"))], detail: "")
        }
      })
    let nothing = Step(
      id: "p/nothing",
      last: { standing in
        standing["p/b"] == nil
          ? nil : PreparedStep(key: try SHA256Hex(of: [])) { StepOutputs(files: [], detail: "") }
      })
    let outcome = try run([
      joined, nothing, step("p/a", input: "1", content: "a"), failing("p/b"),
      step("p/c", input: "1", content: "c"),
    ])
    #expect(outcome.outputs.map(\.step) == ["p/a", "p/c", "p/all"])
    #expect(outcome.failures.map(\.step) == ["p/b"])
    let file = workspace.build.appending(path: "all")
    #expect(try String(contentsOf: file, encoding: .utf8) == "ac")
    // Once the missing part is there, its key makes the whole another one.
    _ = try run([
      joined, step("p/a", input: "1", content: "a"), step("p/b", input: "1", content: "b"),
      step("p/c", input: "1", content: "c"),
    ])
    #expect(try String(contentsOf: file, encoding: .utf8) == "abc")
  }

  @Test func aRunIsRefusedBeforeAnythingIsMade() throws {
    let door = Door(closed: "")
    let fault = #expect(throws: UserError.self) {
      try run(
        [step("a", input: "1", content: "a"), step("all", input: "1", content: "b")], asking: door)
    }
    #expect(fault?.reason == "there is none")
    #expect(door.run == ["a", "all"] && door.steps.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: workspace.build.path))
  }

  @Test func whatTurnsOutTooLargeIsThrownAway() throws {
    let outcome = try run(
      [step("large", input: "1", content: "a"), step("b", input: "1", content: "b")], asking: Door(closed: "")
    )
    #expect(outcome.failures.map(\.step) == ["large"] && outcome.outputs.map(\.step) == ["b"])
    #expect(try files(below: workspace.build) == ["b"])
    #expect(try files(below: workspace.scratch).isEmpty)
  }

  @Test func aStepWithoutRoomIsPassedOverAndWhatStandsAsksForNone() throws {
    let steps = ["a", "b", "c"].map { step($0, input: "1", content: $0) }
    _ = try run([steps[0]])
    let joined = Step(
      id: "j",
      last: { _ in PreparedStep(key: try SHA256Hex(of: [])) { StepOutputs(files: [], detail: "") } })
    let door = Door(closed: "b")
    let outcome = try run(steps + [joined], asking: door)
    #expect(door.run == ["b", "c", "j"])
    #expect(door.steps == ["b", "c", "j"])
    #expect(outcome.failures.map(\.step) == ["b"])
    #expect(outcome.seconds.map(\.step) == ["c", "j"])
    #expect(outcome.outputs.map(\.step) == ["a", "c", "j"])
  }

  @Test func whenAllFailTheVerdictIsTheirs() throws {
    #expect(try run([failing("p/a"), failing("p/b")]).verdict == .badInput)
    #expect(try run([failing("p/a"), failing("p/b", .failed)]).verdict == .failed)
  }

  @Test func aStepThatThrowsHalfwayLeavesNoOutput() throws {
    struct Odd: Error {}
    let workspace = workspace
    let broken = Step(id: "p/a") {
      PreparedStep(key: try SHA256Hex(of: [])) {
        try Data("half".utf8).write(to: workspace.scratchFile("half"))
        throw Odd()
      }
    }
    let outcome = try run([broken])
    #expect(outcome.failures.first?.fault.kind == .failed)
    #expect(try files(below: workspace.scratch).isEmpty, "others may need the room")
    #expect(!FileManager.default.fileExists(atPath: workspace.build.path))
  }
}
