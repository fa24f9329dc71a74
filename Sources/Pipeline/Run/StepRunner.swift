public import Core
public import CryptoIO
public import Foundation

/// What became of a run's steps.
public struct RunOutcome: Sendable {
  /// The outputs of every step that stands, by step id.
  public var outputs: [(step: String, files: [URL])] = []
  /// The keys of those steps.
  public var keys: [String: SHA256Hex] = [:]
  public var failures: [(step: String, fault: UserError)] = []
  /// How long those took that were made and did not stand.
  public var seconds: [(step: String, seconds: Double)] = []
  /// What was noticed of the sources before the work began.
  public var notes: [SourceNote] = []

  public init() {}

  /// Takes what a later run of some of the steps did in place of what they did before.
  public mutating func replace(with later: RunOutcome) {
    let done = Set(later.outputs.map(\.step) + later.failures.map(\.step))
    outputs = outputs.filter { !done.contains($0.step) } + later.outputs
    failures = failures.filter { !done.contains($0.step) } + later.failures
    keys.merge(later.keys) { $1 }
    seconds += later.seconds
  }

  /// Nil when all went well. One bad input among many good ones is "partly done".
  public var verdict: UserError.Kind? {
    guard let first = failures.first else { return nil }
    if !outputs.isEmpty { return .partlyDone }
    return failures.allSatisfy { $0.fault.kind == first.fault.kind } ? first.fault.kind : .failed
  }
}

/// Runs steps one after the other (each of them uses all workers), skips what stands, and goes on past what fails.
public struct StepRunner {
  private let workspace: Workspace
  private let journal: Journal
  private let progress: any ProgressReporter
  private let admission: (any StepAdmission)?
  private let now: () -> String

  /// - Parameters:
  ///   - admission: who says whether there is room; nil where nobody asks.
  ///   - now: the time for the journal's lines; nothing that is published holds it.
  public init(
    workspace: Workspace, journal: Journal, progress: any ProgressReporter,
    admission: (any StepAdmission)? = nil, now: @escaping () -> String
  ) {
    self.admission = admission
    self.workspace = workspace
    self.journal = journal
    self.progress = progress
    self.now = now
  }

  /// - Parameter earlier: what other steps did in the same run, which the last steps may use.
  public func run(_ steps: [Step], after earlier: RunOutcome = RunOutcome()) throws -> RunOutcome {
    var outcome = RunOutcome()
    let own = Set(steps.map(\.id) + earlier.failures.map(\.step))
    var standing = UpToDateSteps { [journal] in own.contains($0) ? nil : journal.left(by: $0) }
    for (step, files) in earlier.outputs {
      if let key = earlier.keys[step] { standing.add(step, (key, files)) }
    }
    let ready = try prepareFirst(steps, &outcome)
    try admission?.admit(run: missing(of: steps, ready), failed: outcome.failures.map(\.step))
    for (step, prepared) in ready {
      try run(step, &outcome, &standing) { _ in prepared }
    }
    for step in steps {
      if case .last(let prepare) = step.preparation {
        try run(step, &outcome, &standing) { try prepare($0) }
      }
    }
    return outcome
  }

  /// Those that seem to have to be done, as far as it can be told before their parts are there.
  private func missing(of steps: [Step], _ ready: [(step: Step, prepared: PreparedStep)]) -> [String] {
    let first = ready.filter { !journal.seemsToStand(step: $0.step.id, key: $0.prepared.key) }.map(\.step.id)
    let last = steps.filter { step in
      guard case .last = step.preparation, !ready.isEmpty else { return false }
      return !journal.seemsToStand(step: step.id)
    }
    return first + last.map(\.id)
  }

  private func prepareFirst(_ steps: [Step], _ outcome: inout RunOutcome) throws
    -> [(step: Step, prepared: PreparedStep)]
  {
    var ready: [(step: Step, prepared: PreparedStep)] = []
    for step in steps {
      guard case .first(let prepare) = step.preparation else { continue }
      try CancellationToken.current.check()
      do {
        ready.append((step, try prepare()))
      } catch {
        note(failure: error, of: step, in: &outcome)
      }
    }
    return ready
  }

  private func run(
    _ step: Step, _ outcome: inout RunOutcome, _ standing: inout UpToDateSteps,
    prepare: (UpToDateSteps) throws -> PreparedStep?
  ) throws {
    try CancellationToken.current.check()
    do {
      guard let prepared = try prepare(standing) else { return }
      let files = try outputs(of: step, prepared, &outcome)
      outcome.outputs.append((step.id, files))
      outcome.keys[step.id] = prepared.key
      standing.add(step.id, (prepared.key, files))
    } catch let error as CancellationError {
      throw error
    } catch {
      note(failure: error, of: step, in: &outcome)
    }
  }

  private func outputs(
    of step: Step, _ prepared: PreparedStep, _ outcome: inout RunOutcome
  ) throws -> [URL] {
    if let standing = journal.standing(step: step.id, key: prepared.key) {
      progress.report(.skipped(step: step.id))
      return standing
    }
    try admission?.admit(step: step.id)
    progress.report(.started(step: step.id))
    // What a failed step leaves would take the room of those after it.
    defer { try? workspace.prepare() }
    let clock = ContinuousClock()
    let start = clock.now
    let made = try prepared.make()
    try admission?.admit(made: step.id)
    for file in made.files { try DurableFile.publish(file.scratch, as: file.final) }
    let files = made.files.map(\.final)
    let seconds = (clock.now - start) / .seconds(1)
    try journal.append(
      step: step.id, key: prepared.key, outputs: files, seconds: (seconds * 1000).rounded() / 1000,
      finished: now())
    outcome.seconds.append((step.id, seconds))
    progress.report(.finished(step: step.id, detail: made.detail))
    return files
  }

  private func note(failure error: any Error, of step: Step, in outcome: inout RunOutcome) {
    let fault =
      error as? UserError
      ?? UserError(
        .failed, operation: "making", path: step.id, reason: error.fileErrorReason, causes: [error])
    outcome.failures.append((step.id, fault))
    progress.report(.failed(step: step.id, fault: fault))
  }
}

/// Whoever knows what steps will leave, and whether there is room for it.
public protocol StepAdmission {
  /// Is asked once, before any work starts, with all steps that seem to have to be done: those whose inputs changed, and those
  /// that were never done. A fault ends the run.
  ///
  /// - Parameter failed: the steps that failed already, since their sources cannot be had.
  func admit(run steps: [String], failed: [String]) throws
  /// Is asked before each step that has to be done. A fault is that step's alone.
  func admit(step: String) throws
  /// Is asked when what a step made lies aside as a whole. A fault is that step's alone, and throws it away.
  func admit(made step: String) throws
}
