import Charts
import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline
import Site
import TileArchive

/// What every step needs, and the way from an item of the plan to its steps.
struct Workbench: Sendable {
  let cycle: AiracCycle
  let workspace: Workspace
  let sources: SourceFolder
  let jobs: Int
  let engine: WarpEngine
  /// Whether this run has all charts, so that they can be joined.
  let joins: Bool
  /// The charts of which nothing else is made.
  let refused: RefusedCharts
  let progress: any ProgressReporter

  func steps(for item: PipelineItem) -> [Step] {
    switch item.content {
    case .chart(let chart, let family):
      let step = ChartStep(bench: self, item: item, chart: chart, family: family)
      guard family.seam == .fill else { return [Step(id: item.product, prepare: step.prepare)] }
      let fill = SeamStep(bench: self, item: item, chart: chart, family: family)
      let made = Step(id: item.product, prepare: step.prepare)
      return joins ? [made, Step(id: fill.id, last: fill.prepare)] : [made]
    case .mosaic(let mosaic, let family):
      return [
        Step(
          id: item.product, last: MosaicStep(bench: self, item: item, mosaic: mosaic, family: family).prepare)
      ]
    case .nasr(let definition):
      return [
        Step(id: item.product, prepare: DatabaseStep(bench: self, item: item, definition: definition).prepare)
      ]
    case .obstacles(let definition):
      return [
        Step(id: item.product, prepare: ObstacleStep(bench: self, item: item, definition: definition).prepare)
      ]
    case .export(let export, let origin):
      let step = ExportStep(bench: self, item: item, export: export, origin: origin)
      return [Step(id: item.product, last: step.prepare)]
    }
  }

  /// Whatever can change a byte of a tile archive, of either kind.
  var tileLibraries: [String: String] {
    ChartBuilder.libraries(engine: engine).merging(PMTilesWriter.libraries) { own, _ in own }
  }

  /// What decides whether the step has to be done again.
  func key(
    of item: PipelineItem, sources: [SHA256Hex], libraries: [String: String], step: String? = nil
  ) throws -> SHA256Hex {
    try StepIngredients(
      step: step ?? item.product, cycle: cycle.identifier, definitionSha256: item.definitionSha256(),
      sources: sources,
      libraries: libraries
    ).key()
  }

  /// The first of these names in the sources, or a fault that says where to get it.
  func source(_ names: [String], getItFrom place: String) throws -> SourceFile {
    if let file = try sources.locate(names) { return file }
    throw UserError(
      .badInput, operation: "looking for", path: names.joined(separator: " or "),
      reason: "it is not in \(sources.root.path)",
      suggestion: "Download it from \(place) into that folder, or name the right one with --from.")
  }

  /// A step that reads sources. Its key is of the bytes that were hashed, so they must still be there when it has read them.
  func prepared(
    _ key: SHA256Hex, reading sources: [SourceFile],
    _ make: @escaping @Sendable () throws -> StepOutputs
  ) -> PreparedStep {
    PreparedStep(key: key) {
      let outcome: Result<StepOutputs, any Error>
      do {
        outcome = .success(try make())
      } catch {
        outcome = .failure(error)
      }
      // If one has changed, that is also why it could not be made.
      for source in sources { try source.checkUnchanged() }
      return try outcome.get()
    }
  }

  /// The product's own description goes last: where it stands, the files it vouches for stand too.
  ///
  /// - Parameter aside: a folder for what is not to be published as it is.
  func outputs(
    of item: PipelineItem, _ made: MadeProduct, beside: [(name: String, content: Data)] = [],
    aside: String? = nil, detail: String
  ) throws -> StepOutputs {
    var folder = workspace.buildFolder(cycle: cycle.identifier, pipeline: item.pipeline)
    if let aside { folder.append(path: aside, directoryHint: .isDirectory) }
    var files = zip(made.files, made.product.files).map { scratch, file in
      StepOutputs.File(scratch: scratch, final: folder.appending(path: file.path))
    }
    let description = ("\(item.id).\(aside ?? "product").json", try CanonicalJSON.pretty(made.product))
    for (name, content) in beside + [description] {
      let scratch = workspace.scratchFile(name)
      try content.write(to: scratch)
      files.append(.init(scratch: scratch, final: folder.appending(path: name)))
    }
    return StepOutputs(files: files, detail: detail)
  }
}

/// The charts of a cycle that validation refused, each with the key of the step that built it: nothing else is made of them until
/// they are built again or pass. The file lies beside the journal, so that a later run does not first join them again.
struct RefusedCharts: Equatable, Sendable {
  private(set) var keys: [String: SHA256Hex] = [:]

  init(_ keys: [String: SHA256Hex] = [:]) {
    self.keys = keys
  }

  /// Reads what an earlier run noted. A file that cannot be read costs time and nothing else.
  init(cycle: String, in workspace: Workspace) {
    let data = try? Data(contentsOf: workspace.refusals(cycle: cycle))
    keys = data.flatMap { try? JSONDecoder().decode([String: SHA256Hex].self, from: $0) } ?? [:]
  }

  func write(cycle: String, in workspace: Workspace) throws {
    let file = workspace.refusals(cycle: cycle)
    if keys.isEmpty {
      if file.kindOnDisk != nil { try FileManager.default.removeItem(at: file) }
    } else {
      try DurableFile.write(
        CanonicalJSON.pretty(keys), to: file, scratch: workspace.scratchFile(file.lastPathComponent))
    }
  }

  /// Whether the chart is refused as it was built by this key.
  func contains(_ product: String, builtAs key: SHA256Hex) -> Bool { keys[product] == key }

  func contains(_ product: String, builtIn standing: UpToDateSteps) -> Bool {
    keys[product] != nil && standing[product].map { contains(product, builtAs: $0.key) } ?? false
  }

  /// The same, with this as the word on the charts of a run.
  func replacing(_ charts: Set<String>, with refused: [String: SHA256Hex]) -> RefusedCharts {
    RefusedCharts(keys.filter { !charts.contains($0.key) }.merging(refused) { $1 })
  }
}

/// Takes away what a machine that makes every cycle would otherwise gather: cycles that nobody needs any more in the work folder,
/// in its site and in the cache.
struct Tidying {
  let workspace: Workspace
  let cache: SourceCache
  /// Stays, however old it is.
  let cycle: AiracCycle
  let now: Instant

  /// The cycle in force, the one before, and what charts of 56 days are compared with: all that took effect in these days.
  static let daysKept = 84

  func run(_ console: Console) throws {
    let oldest = now.secondsSince1970 - Tidying.daysKept * 86_400
    let cycles = workspace.cycleNames.sorted().filter { name in
      AiracCycle(identifier: name).map { $0 != cycle && $0.effective.secondsSince1970 < oldest } ?? false
    }
    for cycle in cycles { try workspace.forget(cycle: cycle) }
    let staged = try SitePruning.prune(staged: workspace.site)
    let cached = try cache.prune(
      noted: Tidying.date(oldest), settled: Tidying.date(now.secondsSince1970 - 86_400))
    let parts = [
      cycles.isEmpty ? nil : "\(cycles.count == 1 ? "cycle" : "cycles") \(cycles.joined(separator: ", "))",
      staged == 0 ? nil : "\(Counts.of(staged, "file")) of the site",
      cached.files == 0
        ? nil : "\(Counts.of(cached.files, "file")) of the cache (\(Counts.bytes(cached.bytes)))",
    ].compactMap(\.self)
    if !parts.isEmpty { console.note("Removed as out of date: \(parts.joined(separator: "; ")).") }
  }

  private static func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}
