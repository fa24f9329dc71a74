internal import Core
internal import CryptoIO
internal import Foundation

/// The values that every step needs. Creates the steps of an item of the plan.
struct StepContext: Sendable {
  let cycle: AiracCycle
  let workspace: Workspace
  let sources: SourceFolder
  let jobs: Int
  let engine: WarpEngine
  /// Whether this run has all charts, so it can complete edge tiles and build mosaics.
  let joins: Bool
  /// The charts that validation refused, each with the key of its step. No other step uses them.
  let refused: [String: SHA256Hex]
  let progress: any ProgressReporter

  func steps(for item: PipelineItem) -> [Step] {
    switch item.content {
    case .chart(let chart, let family):
      let build = ChartStep(context: self, item: item, chart: chart, family: family)
      let step = Step(id: item.step, fromSources: build.prepare)
      guard family.seam == .fill, joins else { return [step] }
      let seams = SeamStep(context: self, item: item, chart: chart, family: family)
      return [step, Step(id: item.seamStep, fromResults: seams.prepare)]
    case .mosaic(let mosaic, let family):
      let build = MosaicStep(context: self, item: item, mosaic: mosaic, family: family)
      return [Step(id: item.step, fromResults: build.prepare)]
    case .raster(let image, let family):
      let build = RasterStep(context: self, item: item, image: image, family: family)
      return [Step(id: item.step, fromSources: build.prepare)]
    case .nasr(let definition):
      let build = DatabaseStep(context: self, item: item, definition: definition)
      return [Step(id: item.step, fromSources: build.prepare)]
    case .obstacles(let definition):
      let build = ObstacleStep(context: self, item: item, definition: definition)
      return [Step(id: item.step, fromSources: build.prepare)]
    case .export(let export, let origin):
      let build = ExportStep(context: self, item: item, export: export, origin: origin)
      return [Step(id: item.step, fromResults: build.prepare)]
    }
  }

  /// Whether validation refused the chart as it is in the results.
  func isRefused(_ chart: String, in results: StepResults) -> Bool {
    refused[chart].map { results[Step.ID(product: chart)]?.key == $0 } ?? false
  }

  /// The libraries that can change a byte of an MBTiles or PMTiles archive.
  var tileLibraries: [String: String] {
    tileLibraries(engine: engine)
  }

  func tileLibraries(engine: WarpEngine) -> [String: String] {
    ChartBuilder.libraries(engine: engine).merging(PMTilesWriter.libraries) { own, _ in own }
  }

  /// The key of an item's step. A step with the same key is up to date.
  ///
  /// - Parameter edition: the first cycle of the edition for a product whose files are the same in all cycles of the edition; nil
  ///   for a product of this cycle.
  func key(
    of item: PipelineItem, edition: AiracCycle? = nil, sources: [SHA256Hex], libraries: [String: String],
    step: Step.ID? = nil
  ) throws -> SHA256Hex {
    try StepIngredients(
      step: step ?? item.step, cycle: (edition ?? cycle).identifier,
      definitionSha256: item.definitionSha256(),
      sources: sources,
      libraries: libraries
    ).key()
  }

  /// Returns the first of these files in the sources. The error says where to download it.
  func source(_ names: [String], getItFrom place: String) throws -> SourceFile {
    if let file = try sources.locate(names) { return file }
    throw UserError(
      .badInput, operation: "looking for", path: names.joined(separator: " or "),
      reason: "it is not in \(sources.root.path)",
      suggestion: "Download it from \(place) into that folder, or name the right one with --from.")
  }

  /// Prepares a step that reads sources. Its key contains their hashes, so the sources must be unchanged when the step ends.
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
      // A changed source also explains a failure of the step.
      for source in sources { try source.checkUnchanged() }
      return try outcome.get()
    }
  }

  /// The outputs of a step. The product's description comes last: if it exists, the files that it lists exist too.
  ///
  /// - Parameter intermediateFolder: for a product that another step completes.
  func outputs(
    of item: PipelineItem, _ made: MadeProduct, beside: [(name: String, content: Data)] = [],
    intermediateFolder: String? = nil, detail: String
  ) throws -> StepOutputs {
    var folder = workspace.buildFolder(cycle: cycle.identifier, pipeline: item.pipeline)
    if let intermediateFolder { folder.append(path: intermediateFolder, directoryHint: .isDirectory) }
    var files = zip(made.files, made.product.files).map { scratch, file in
      StepOutputs.File(scratch: scratch, final: folder.appending(path: file.path), sha256: file.sha256)
    }
    func add(_ name: String, _ content: Data, _ role: OutputRole) throws {
      let scratch = workspace.scratchFile(name)
      try content.write(to: scratch)
      files.append(.init(scratch: scratch, final: folder.appending(path: name), role: role))
    }
    for (name, content) in beside { try add(name, content, .file) }
    try add(
      "\(item.id).\(intermediateFolder ?? "product").json", CanonicalJSON.pretty(made.product),
      intermediateFolder == nil ? .product : .intermediate)
    return StepOutputs(files: files, detail: detail)
  }
}

extension PipelineItem {
  /// The step that builds the product.
  var step: Step.ID { Step.ID(product: product) }
  /// The step that completes the edge tiles of a chart.
  var seamStep: Step.ID { Step.ID(product: product, completesSeams: true) }
}

/// Removes old cycles from the work folder, its site and the cache, so they do not accumulate on a machine that builds every cycle.
struct Cleanup {
  let workspace: Workspace
  let cache: SourceCache
  /// Never removed.
  let cycle: AiracCycle
  let now: Instant

  /// Cycles that took effect in these days are kept: the current and the previous one, and the previous edition of 56-day charts.
  static let daysKept = 84

  func run(_ console: Console) throws {
    let oldest = now.secondsSince1970 - Cleanup.daysKept * 86_400
    let cycles = workspace.cycleNames.sorted().filter { name in
      AiracCycle(identifier: name).map { $0 != cycle && $0.effective.secondsSince1970 < oldest } ?? false
    }
    for cycle in cycles { try workspace.forget(cycle: cycle) }
    let staged = try Retention.prune(staged: workspace.site)
    let cached = try cache.prune(
      downloadedBefore: Cleanup.date(oldest), unusedSince: Cleanup.date(now.secondsSince1970 - 86_400))
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
