import Core
import Foundation
import SQLiteIO
import TestSupport

@testable import ChartpipeKit

/// A folder with the FAA's list of cycle 2002 and one of its PDFs, and what the pipeline makes of them.
struct PlatePipeline {
  static let list = "d-TPP_Metafile.xml"
  static let plate = "00989R11.PDF"

  let folder = TemporaryFolder()
  var place = "KSBP"

  init() throws {
    try folder.file("from").makeFolder()
    for name in [Self.list, Self.plate] { try Self.fixture(name).write(to: folder.file("from/\(name)")) }
  }

  static func fixture(_ name: String) throws -> Data {
    try fixtureFolder.appending(path: "plates/\(name)").data
  }

  /// Replaces a text of the list.
  func edit(_ text: String, to other: String) throws {
    let file = folder.file("from/\(Self.list)")
    try file.put(file.text.replacing(text, with: other))
  }

  func definition() throws -> any PipelineDefinition {
    let text = try repositoryRoot.appending(path: "pipelines/dtpp.json5").text
    let file = folder.file("dtpp.json5")
    try file.put(text.replacing("charts: 18000", with: "charts: 5"))
    return try PipelineLibrary.read(file)
  }

  /// Makes the database and the set of the place.
  func make(jobs: Int = 1, cycle: AiracCycle = "2002") throws -> RunOutcome {
    let plan = try BuildPlan([definition()]).only(["dtpp/\(place)"])
    let workspace = Workspace(folder.file("work"))
    try workspace.prepare()
    let context = StepContext(
      cycle: cycle, workspace: workspace, sources: try SourceFolder(folder.file("from")), jobs: jobs,
      joins: false, refused: [:], progress: SilentProgress())
    let journal = try Journal(cycle: cycle.identifier, in: workspace, hashes: FileHashes(in: workspace))
    let runner = StepRunner(
      workspace: workspace, journal: journal, progress: SilentProgress(), now: { "2020-02-01T00:00:00Z" })
    return try runner.run(plan.items.flatMap { $0.steps(context) })
  }

  func file(_ name: String, cycle: AiracCycle = "2002") -> URL {
    folder.file("work/build/\(cycle.identifier)/dtpp/\(name)")
  }

  /// The rows of a query, with their values as texts.
  func rows(_ query: String, of name: String = "plates.sqlite", cycle: AiracCycle = "2002") throws -> [String]
  {
    try SQLiteConnection(file(name, cycle: cycle).path, mode: .readOnly).prepare(query).map { row in
      (0..<row.columnCount).map { row.text($0) ?? "NULL" }.joined(separator: "|")
    }
  }
}
