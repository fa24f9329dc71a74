public import Core
internal import Foundation

/// The results and failures of a run's steps.
public struct RunOutcome: Sendable {
  /// Of all steps that are up to date now, whether this run or an earlier one did them.
  public var results: [StepResult] = []
  public var failures: [(step: Step.ID, error: UserError)] = []
  /// The durations of the steps that this run did.
  public var seconds: [(step: Step.ID, seconds: Double)] = []
  /// Remarks about the sources.
  public var notes: [SourceNote] = []

  public subscript(step: Step.ID) -> StepResult? { results.first { $0.step == step } }

  /// Replaces the results of steps that ran again.
  public mutating func replace(with later: RunOutcome) {
    let done = Set(later.results.map(\.step) + later.failures.map(\.step))
    results = results.filter { !done.contains($0.step) } + later.results
    failures = failures.filter { !done.contains($0.step) } + later.failures
    seconds += later.seconds
  }

  /// Nil if all steps succeeded. Failures beside results are "partly done".
  public var verdict: UserError.Kind? {
    guard let first = failures.first else { return nil }
    if !results.isEmpty { return .partlyDone }
    return failures.allSatisfy { $0.error.kind == first.error.kind } ? first.error.kind : .failed
  }
}

/// Runs steps one after another (each of them uses all workers). It skips steps that are up to date and continues after failures.
struct StepRunner {
  let workspace: Workspace
  let journal: Journal
  let progress: any ProgressReporter
  /// Called once, before any work starts, with the steps that are probably not up to date and those that failed already, since a
  /// source is missing. An error ends the run.
  var checkBefore: (_ steps: [Step.ID], _ failed: [Step.ID]) throws -> Void = { _, _ in }
  /// Called when the scratch files of a step are complete. An error fails this step and deletes the files.
  var checkAfter: (Step.ID) throws -> Void = { _ in }
  /// What the overall progress counts.
  var unit = "product"
  /// The seconds of a step in an earlier run; nil if it never ran.
  var expected: (Step.ID) -> Double? = { _ in nil }
  /// The products whose results of an earlier run are used if their steps fail, since they stay published.
  var staged: Set<String> = []
  /// The time for the journal. Published files never contain it.
  let now: () -> String

  /// - Parameter earlier: the outcome of other steps of the same run, for the steps that use results.
  func run(_ steps: [Step], after earlier: RunOutcome = RunOutcome()) throws -> RunOutcome {
    var outcome = RunOutcome()
    let own = Set(steps.map(\.id) + earlier.failures.map(\.step)).filter { !staged.contains($0.product) }
    var results = StepResults { [journal] in own.contains($0) ? nil : journal.result(of: $0) }
    for result in earlier.results { results.add(result) }
    let prepared = try prepareFromSources(steps, &outcome)
    let pending = pending(of: steps, prepared)
    try checkBefore(pending, outcome.failures.map(\.step))
    var overall = overall(of: steps, pending)
    for (step, prepared) in prepared {
      try run(step, &outcome, &results) { _ in prepared }
      report(step, outcome, &overall)
    }
    for step in steps {
      if case .fromResults(let prepare) = step.preparation {
        try run(step, &outcome, &results, prepare: prepare)
        report(step, outcome, &overall)
      }
    }
    return outcome
  }

  private func overall(of steps: [Step], _ pending: [Step.ID]) -> OverallProgress {
    let wanted = Set(pending)
    let later = steps.filter(\.usesResults).map(\.id).filter(wanted.contains)
    return OverallProgress(
      unit: unit, pending.filter { !later.contains($0) }, joins: later, expected: expected)
  }

  private func report(_ step: Step, _ outcome: RunOutcome, _ overall: inout OverallProgress) {
    let seconds = outcome.seconds.last.flatMap { $0.step == step.id ? $0.seconds : nil }
    if let event = overall.finished(step.id, seconds: seconds) { progress.report(event) }
  }

  /// The steps that probably have to run. For steps that use results, this is certain only if those are up to date.
  private func pending(of steps: [Step], _ prepared: [(step: Step, prepared: PreparedStep)]) -> [Step.ID] {
    let first = prepared.filter { !journal.isProbablyUpToDate($0.step.id, key: $0.prepared.key) }.map(
      \.step.id)
    guard !prepared.isEmpty else { return first }
    let results = StepResults { [journal] in journal.result(of: $0) }
    let later = steps.filter { step in
      guard case .fromResults(let prepare) = step.preparation else { return false }
      guard first.isEmpty else { return !journal.isProbablyUpToDate(step.id) }
      // An error is reported when the step's turn comes.
      return (try? prepare(results)).map { !journal.isProbablyUpToDate(step.id, key: $0.key) } ?? false
    }
    return first + later.map(\.id)
  }

  private func prepareFromSources(_ steps: [Step], _ outcome: inout RunOutcome) throws
    -> [(step: Step, prepared: PreparedStep)]
  {
    var prepared: [(step: Step, prepared: PreparedStep)] = []
    for step in steps {
      guard case .fromSources(let prepare) = step.preparation else { continue }
      try CancellationToken.current.check()
      do {
        prepared.append((step, try prepare()))
      } catch {
        record(error, of: step, in: &outcome)
      }
    }
    return prepared
  }

  private func run(
    _ step: Step, _ outcome: inout RunOutcome, _ results: inout StepResults,
    prepare: (StepResults) throws -> PreparedStep?
  ) throws {
    try CancellationToken.current.check()
    do {
      guard let prepared = try prepare(results) else { return }
      let result = try result(of: step, prepared, &outcome)
      outcome.results.append(result)
      results.add(result)
    } catch let error as CancellationError {
      throw error
    } catch {
      record(error, of: step, in: &outcome)
    }
  }

  private func result(
    of step: Step, _ prepared: PreparedStep, _ outcome: inout RunOutcome
  ) throws -> StepResult {
    let name = step.id.description
    if let result = journal.result(of: step.id, key: prepared.key) {
      progress.report(.skipped(step: name))
      for warning in result.warnings { progress.warn(name, warning) }
      return result
    }
    // Deletes the scratch files of a failed step, so later steps have the space.
    defer { try? workspace.prepare() }
    let start = ContinuousClock.now
    if let found = try journal.outputsOfOtherCycle(step.id, key: prepared.key) {
      return try finish(step.id, prepared.key, found.outputs, since: start, reusedFrom: found.cycle)
    }
    progress.report(.started(step: name))
    let outputs = try prepared.make { journal.result(of: step.id) ?? journal.resultOfOtherCycle(step.id) }
    try checkAfter(step.id)
    let result = try finish(step.id, prepared.key, outputs, since: start)
    outcome.seconds.append((step.id, (ContinuousClock.now - start) / .seconds(1)))
    return result
  }

  /// Moves the outputs to their final places and records the step.
  private func finish(
    _ step: Step.ID, _ key: SHA256Hex, _ outputs: StepOutputs, since start: ContinuousClock.Instant,
    reusedFrom origin: String? = nil
  ) throws -> StepResult {
    for file in outputs.files {
      if let sha256 = file.sha256 {
        try journal.hashes.publish(file.scratch, as: file.final, knownAs: sha256)
      } else {
        try DurableFile.publish(file.scratch, as: file.final)
      }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let result = StepResult(
      step: step, key: key, files: outputs.files.map { StepResult.File(url: $0.final, role: $0.role) },
      warnings: outputs.warnings)
    try journal.append(
      result, seconds: (seconds * 1000).rounded() / 1000, finished: now(), reusedFrom: origin)
    for warning in outputs.warnings { progress.warn(step.description, warning) }
    progress.finish(step.description, outputs.detail)
    return result
  }

  private func record(_ error: any Error, of step: Step, in outcome: inout RunOutcome) {
    let name = step.id.description
    let error =
      error as? UserError
      ?? UserError(.failed, operation: "making", path: name, reason: error.fileErrorReason, causes: [error])
    outcome.failures.append((step.id, error))
    progress.report(.failed(step: name, fault: error))
  }
}
