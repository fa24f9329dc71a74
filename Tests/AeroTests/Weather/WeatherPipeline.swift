import ArchiveIO
import Core
import Foundation
import SQLiteIO
import TestSupport

@testable import ChartpipeKit

/// A folder of saved files, and what the pipeline makes of them.
struct WeatherPipeline {
  static let xml = [
    "metars.cache.xml", "tafs.cache.xml", "aircraftreports.cache.xml", "stations.cache.xml",
    "airsigmets.cache.xml", "gairmets.cache.xml", "sigmet_intl.json",
  ]
  static let now = "2026-08-22T17:58:00Z"

  let folder = TemporaryFolder()

  static func fixture(_ name: String) throws -> String {
    try fixtureFolder.appending(path: "weather/\(name)").text
  }

  /// Puts files of the fixture into the folder, compressed.
  func put(_ names: [String]) throws {
    for name in names { try put(name, WeatherPipeline.fixture(name)) }
  }

  func put(_ name: String, _ text: String) throws {
    let isPacked = !name.hasSuffix(".json")
    let bytes = isPacked ? try Gzip.compress(Array(text.utf8)) : Array(text.utf8)
    let file = folder.file("from/2025-08-01T0000-" + name + (isPacked ? ".gz" : ""))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  struct Made {
    let outcome: RunOutcome
    let faults: [String]

    func product(_ id: String) throws -> Product? {
      try outcome[Step.ID(product: "weather/\(id)")]?.product()?.product
    }

    func file(_ name: String) -> URL? {
      outcome.results.flatMap(\.files).map(\.url).first { $0.lastPathComponent == name }
    }

    /// The rows of a query of the database, with their values as texts.
    func rows(_ query: String) throws -> [[String]] {
      guard let file = file("weather.sqlite") else { return [] }
      return try SQLiteConnection(file.path, mode: .readOnly).prepare(query).map { row in
        (0..<row.columnCount).map { row.text($0) ?? "NULL" }
      }
    }
  }

  /// Fetches from the folder and makes all products.
  func make(at time: String = now, work: String = "work") throws -> Made {
    let now = Instant(time) ?? Instant(secondsSince1970: 0)
    let library = PipelineLibrary(folder: repositoryRoot.appending(path: "pipelines"))
    guard let definition = try library.definition("weather") as? WeatherDefinition else {
      return Made(outcome: RunOutcome(), faults: ["no definition"])
    }
    let workspace = Workspace(folder.file(work))
    try workspace.prepare()
    let cycle = AiracCycle(at: now)
    let from = folder.file("from")
    let poll = try SourcePoll(
      into: workspace.sources.appending(path: "weather"), from: .folder(from), now: now,
      progress: SilentProgress())
    try definition.poll(poll, CycleFiles(workspace: workspace, cycle: cycle, from: from))
    let context = StepContext(
      cycle: cycle, workspace: workspace, sources: try SourceFolder(poll.folder), jobs: 1,
      joins: false, refused: [:], progress: SilentProgress())
    let journal = try Journal(
      cycle: cycle.identifier, in: workspace, hashes: FileHashes(in: workspace))
    let runner = StepRunner(
      workspace: workspace, journal: journal, progress: SilentProgress(), now: { now.description })
    let outcome = try runner.run(definition.items.flatMap { $0.steps(context) })
    return Made(outcome: outcome, faults: poll.faults.map(\.reason))
  }
}
