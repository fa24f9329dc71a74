import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline
import TestSupport
import Testing

@testable import chartpipe

/// What a run is expected to take before it begins.
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

  private func record(_ step: String, bytes: Int, in journal: Journal) throws {
    let file = workspace.root.appending(path: "made")
    try Data(count: bytes).write(to: file)
    try journal.append(
      step: step, key: SHA256Hex(of: [1]), outputs: [file], seconds: 2.5, finished: "2023-04-01T00:00:00Z")
  }

  @Test func theFirstTimeItIsGuessedFromTheSources() throws {
    let costs = try costs()
    // Cut, then filled and as two kinds of archive; the mosaic is both charts as two kinds.
    #expect(
      costs.costs.map { "\($0.step) \($0.bytes)" } == [
        "sample-mosaic/Sample_West 1000", "sample-mosaic/Sample_West, seams 2000",
        "sample-mosaic/Sample_East 500", "sample-mosaic/Sample_East, seams 1000",
        "sample-mosaic/Bay_Area 3000",
      ])
    #expect(costs.costs.built == 7500 && costs.costs.staged == 6000)
    #expect(costs.measured.steps == 0)
    #expect(try self.costs(joins: false).costs.count == 3)
  }

  @Test func afterThatItIsWhatItWas() throws {
    try record("sample-mosaic/Bay_Area", bytes: 70, in: Journal(cycle: "2301", in: workspace))
    let costs = try costs()
    #expect(costs.costs.last?.bytes == 70)
    #expect(costs.measured == (1, 2.5))
  }

  @Test func aChangedChartMakesItsSeamsAndTheMosaicAnew() throws {
    let made = try costs().made(["sample-mosaic/Sample_East"]).map(\.step)
    #expect(
      made == ["sample-mosaic/Sample_East", "sample-mosaic/Sample_East, seams", "sample-mosaic/Bay_Area"])
  }

  /// What is replaced frees its room again, one after the other.
  @Test func aRunNeedsRoomForWhatItAddsAndForTheLargestThatItReplaces() throws {
    let journal = try Journal(cycle: "2304", in: workspace)
    try record("sample-mosaic/Sample_East", bytes: 400, in: journal)
    var told: [RunForecast] = []
    func admission(_ limit: Int, stages: Bool) throws -> DiskAdmission {
      let room = DiskSpace(workspace.root, limit: DiskSpace(workspace.root).used + limit)
      return DiskAdmission(
        costs: try costs(), room: room, journal: journal, cycle: "2304", stages: stages,
        tell: { told.append($0) })
    }
    let changed = ["sample-mosaic/Sample_East"]
    // 400 are replaced by 400; filled edges and the mosaic are new, guessed at 1000 and 3000 and wanted at half of it,
    // and both are staged.
    try admission(2400, stages: false).admit(run: changed)
    #expect(throws: UserError.self) { try admission(2399, stages: false).admit(run: changed) }
    try admission(4400, stages: true).admit(run: changed)
    #expect(
      told.last?.text
        == "Cycle 2304: 3 of 5 steps to do, about 4.4 kB of build and 4.0 kB of the site.")
    #expect(throws: UserError.self) { try admission(4399, stages: true).admit(run: changed) }
    try admission(400, stages: true).admit(step: changed[0])
    let fault = #expect(throws: UserError.self) { try admission(399, stages: true).admit(step: changed[0]) }
    #expect(fault?.path == changed[0])
    try admission(0, stages: true).admit(run: [])
    #expect(told.last?.text == "Cycle 2304: all steps are up to date.")
    // What failed before the work began does not stand.
    try admission(0, stages: true).admit(run: [], failed: ["sample-mosaic/Sample_West"])
    #expect(told.last?.text == "Cycle 2304: 3 of 5 steps cannot be done; the others are up to date.")
    try admission(0, stages: true).admit(run: [], failed: changed + ["sample-mosaic/Sample_West"])
    #expect(told.last?.text == "Cycle 2304: 5 of 5 steps cannot be done.")
  }

  @Test func asManyWorkersAsFit() throws {
    let need = MemoryNeed(plan, try sizes)
    let one = need.bytes(workers: 1)
    #expect(try need.workers(8, within: one, for: "x") == 1)
    #expect(try need.workers(8, within: need.bytes(workers: 3), for: "x") == 3)
    #expect(try need.workers(2, within: need.bytes(workers: 3), for: "x") == 2)
    let fault = #expect(throws: UserError.self) { try need.workers(8, within: one - 1, for: "cycle 2304") }
    #expect(fault?.reason.hasPrefix("it needs about 125.0 MB of memory with one worker") == true)
  }

  @Test func aSheetOfRealSizeTakesWhatItWasMeasuredToTake() throws {
    try Data(count: 66_000_000).write(to: folder.file("in/Sample_West.zip"))
    #expect((266_000_000...310_000_000).contains(MemoryNeed(plan, try sizes).bytes(workers: 2)))
  }
}
