import Core
import CryptoIO
import Foundation
import TestSupport
import Testing

@testable import ChartpipeKit

/// The estimates of a run.
@Suite struct RunCostTests {
  let folder: TemporaryFolder
  let workspace: Workspace
  let plan: BuildPlan
  let cycle: AiracCycle

  init() throws {
    folder = try TemporaryFolder()
    workspace = Workspace(folder.file("work"))
    let library = PipelineLibrary(folder: repositoryRoot.appending(path: "pipelines"))
    plan = try BuildPlan([try library.definition("sample-mosaic")])
    cycle = try #require(AiracCycle(identifier: "2304"))
    try FileManager.default.createDirectory(at: folder.file("in"), withIntermediateDirectories: true)
    try Data(count: 1000).write(to: folder.file("in/Sample_West.zip"))
    try Data(count: 500).write(to: folder.file("in/Sample_East.zip"))
  }

  private var sizes: SourceSizes {
    get throws { SourceSizes(sources: try SourceFolder(folder.file("in")), cycle: cycle) }
  }

  private func costs(joins: Bool = true) throws -> RunCosts {
    try RunCosts(plan, sizes, in: workspace, joins: joins)
  }

  private func record(_ step: Step.ID, bytes: Int, in journal: Journal) throws {
    let file = workspace.root.appending(path: "made")
    try Data(count: bytes).write(to: file)
    try journal.append(
      StepResult(step: step, key: SHA256Hex(of: [1]), files: [.init(url: file)]), seconds: 2.5,
      finished: "2023-04-01T00:00:00Z")
  }

  @Test func `estimates the first run from the sources`() throws {
    let costs = try costs()
    // The cut charts, the completed charts as two archives each, and the mosaic of both as two archives.
    #expect(
      costs.costs.map { "\($0.step) \($0.bytes)" } == [
        "sample-mosaic/Sample_West 1000", "sample-mosaic/Sample_West, seams 2000",
        "sample-mosaic/Sample_East 500", "sample-mosaic/Sample_East, seams 1000",
        "sample-mosaic/Bay_Area 3000",
      ])
    #expect(costs.costs.built == 7500)
    #expect(costs.measured.steps == 0)
    #expect(try self.costs(joins: false).costs.count == 3)
  }

  @Test func `estimates later runs from the last one`() throws {
    try record("sample-mosaic/Bay_Area", bytes: 70, in: Journal(cycle: "2301", in: workspace))
    let costs = try costs()
    #expect(costs.costs.last?.bytes == 70)
    #expect(costs.measured == (1, 2.5))
  }

  @Test func `a changed chart affects its seams and the mosaic`() throws {
    let made = try costs().affected(by: ["sample-mosaic/Sample_East"]).map(\.step)
    #expect(
      made == ["sample-mosaic/Sample_East", "sample-mosaic/Sample_East, seams", "sample-mosaic/Bay_Area"])
  }

  /// Replaced files free their space one after another.
  @Test func `a run needs space for new files and the largest replaced one`() throws {
    let journal = try Journal(cycle: "2304", in: workspace)
    try record("sample-mosaic/Sample_East", bytes: 400, in: journal)
    var shown: [RunForecast] = []
    func check(_ limit: Int, stages: Bool) throws -> DiskCapacityCheck {
      let room = DiskSpace(workspace.root, limit: DiskSpace(workspace.root).used + limit)
      return DiskCapacityCheck(
        costs: try costs(), room: room, journal: journal, cycle: "2304", stages: stages,
        show: { shown.append($0) })
    }
    let changed: [Step.ID] = ["sample-mosaic/Sample_East"]
    // 400 bytes replace 400 bytes, which a site keeps. The completed edges and the mosaic are new: half of their estimates of 1000
    // and 3000 bytes is required.
    try check(2400, stages: false).check(run: changed, failed: [])
    #expect(throws: UserError.self) { try check(2399, stages: false).check(run: changed, failed: []) }
    try check(2400, stages: true).check(run: changed, failed: [])
    #expect(shown.last?.text == "Cycle 2304: 3 of 5 steps to do, about 4.4 kB of build.")
    #expect(throws: UserError.self) { try check(2399, stages: true).check(run: changed, failed: []) }
    try check(400, stages: true).check(before: changed[0])
    let fault = #expect(throws: UserError.self) { try check(399, stages: true).check(before: changed[0]) }
    #expect(fault?.path == changed[0].description)
    try check(0, stages: true).check(run: [], failed: [])
    #expect(shown.last?.text == "Cycle 2304: all steps are up to date.")
    // Steps that failed in preparation are not up to date.
    try check(0, stages: true).check(run: [], failed: ["sample-mosaic/Sample_West"])
    #expect(shown.last?.text == "Cycle 2304: 3 of 5 steps cannot be done; the others are up to date.")
    try check(0, stages: true).check(run: [], failed: changed + ["sample-mosaic/Sample_West"])
    #expect(shown.last?.text == "Cycle 2304: 5 of 5 steps cannot be done.")
  }
}
