import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The disk space that a run needs.
@Suite struct DiskCapacityTests {
  let folder = TemporaryFolder()
  let workspace: Workspace
  let plan: BuildPlan
  let cycle: AiracCycle

  init() throws {
    workspace = Workspace(folder.file("work"))
    let library = PipelineLibrary(folder: repositoryRoot.appending(path: "pipelines"))
    plan = try BuildPlan([try library.definition("sample-mosaic")])
    cycle = "2304"
    try folder.file("in").makeFolder()
    try Data(count: 1000).write(to: folder.file("in/Sample_West.zip"))
    try Data(count: 500).write(to: folder.file("in/Sample_East.zip"))
  }

  private var sizes: SourceSizes {
    get throws {
      SourceSizes(sources: try SourceFolder(folder.file("in")), cycle: cycle)
    }
  }

  private func record(_ step: Step.ID, bytes: Int, in journal: Journal) throws {
    let file = workspace.root.appending(path: "made")
    try Data(count: bytes).write(to: file)
    try journal.append(
      StepResult(step: step, key: SHA256Hex(of: [1]), files: [.init(url: file)]), seconds: 2.5,
      finished: "2023-04-01T00:00:00Z")
  }

  private func check(_ limit: Int, _ show: @escaping (RunStart) -> Void = { _ in }) throws
    -> DiskCapacityCheck
  {
    DiskCapacityCheck(
      cycle: "2304", items: plan.items, sizes: try sizes, history: try StepHistory(in: workspace),
      room: DiskSpace(workspace.root, limit: DiskSpace(workspace.root).used + limit), show: show)
  }

  @Test func `a step needs as much as its last run, else as its sources`() throws {
    try record("sample-mosaic/Bay_Area", bytes: 70, in: Journal(cycle: "2301", in: workspace))
    let steps: [Step.ID] = [
      "sample-mosaic/Sample_West", "sample-mosaic/Sample_East", "sample-mosaic/Sample_East, seams",
      "sample-mosaic/Bay_Area",
    ]
    try check(1570).check(run: steps, failed: [])
    let fault = #expect(throws: UserError.self) { try check(1569).check(run: steps, failed: []) }
    #expect(fault?.path == "cycle 2304")
    try check(0).check(run: [], failed: [])
  }

  @Test func `says how much there is to do`() throws {
    var shown: [RunStart] = []
    let check = try check(5000) { shown.append($0) }
    try check.check(run: ["sample-mosaic/Sample_East"], failed: [])
    try check.check(run: [], failed: [])
    // Steps that failed in preparation are not up to date.
    try check.check(run: [], failed: ["sample-mosaic/Sample_West", "sample-mosaic/Sample_East"])
    #expect(
      shown.map(\.text) == [
        "Cycle 2304: 1 step to do.", "Cycle 2304: all steps are up to date.",
        "Cycle 2304: 2 steps cannot be done; the others are up to date.",
      ])
  }
}
