/// Checks the disk space before a run and after each of its steps.
struct DiskCapacityCheck {
  let cycle: String
  let items: [any PipelineItem]
  let sizes: SourceSizes
  let history: StepHistory
  let room: DiskSpace
  let show: (RunStart) throws -> Void

  func check(run steps: [Step.ID], failed: [Step.ID]) throws {
    try show(RunStart(cycle: cycle, steps: steps.count, failed: failed.isEmpty ? nil : failed.count))
    try room.check(steps.map(bytes).reduce(0, +), for: "cycle \(cycle)")
  }

  func check(after step: Step.ID) throws { try room.checkKept(for: step.description) }

  /// The output of a step: that of its last run, or else as much as its sources, which is less than most steps write.
  private func bytes(of step: Step.ID) -> Int {
    history.bytes(of: step) ?? items.first { $0.step == step }?.sourceBytes(sizes) ?? 0
  }
}
