internal import Core
internal import Foundation

/// The values that every step needs.
struct StepContext: Sendable {
  let cycle: AiracCycle
  let workspace: Workspace
  let sources: SourceFolder
  let jobs: Int
  /// Whether this run has all charts, so it can complete edge tiles and build mosaics.
  let joins: Bool
  /// The charts that validation refused, each with the key of its step. No other step uses them.
  let refused: [String: SHA256Hex]
  let progress: any ProgressReporter

  /// Whether validation refused the chart as it is in the results.
  func isRefused(_ chart: String, in results: StepResults) -> Bool {
    refused[chart].map { results[Step.ID(product: chart)]?.key == $0 } ?? false
  }

  /// The libraries that can change a byte of an MBTiles or PMTiles archive.
  static var tileLibraries: [String: String] {
    ChartBuilder.libraries.merging(PMTilesWriter.libraries) { own, _ in own }
  }

  /// The libraries that can change a byte of any product.
  static var libraries: [String: String] {
    tileLibraries.merging(DatabaseBuilder.libraries) { own, _ in own }
  }

  /// The key of an item's step. A step with the same key is up to date.
  ///
  /// - Parameter edition: for a product whose files are the same in all cycles of the edition; nil for a product of this cycle.
  func key(
    of item: any PipelineItem, edition: Edition? = nil, sources: [String], libraries: [String: String],
    step: Step.ID? = nil
  ) throws -> SHA256Hex {
    try StepIngredients(
      step: step ?? item.step, cycle: edition?.id ?? cycle.identifier,
      definitionSha256: item.definitionSha256(),
      sources: sources,
      libraries: libraries
    ).key()
  }

  /// Prepares a step that reads sources. Its key contains their hashes, so the sources must be unchanged when the step ends.
  func prepared(
    _ key: SHA256Hex, reading sources: [SourceFile],
    _ make: @escaping @Sendable () throws -> StepOutputs
  ) -> PreparedStep {
    PreparedStep(key: key) { _ in
      let outcome = Result { try make() }
      // A changed source also explains a failure of the step.
      for source in sources { try source.checkUnchanged() }
      return try outcome.get()
    }
  }

  /// The outputs of a step. The product's description comes last: if it exists, the files that it lists exist too.
  ///
  /// - Parameter intermediateFolder: for a product that another step completes.
  func outputs(
    of item: any PipelineItem, _ made: MadeProduct, beside: [(name: String, content: Data)] = [],
    intermediateFolder: String? = nil, detail: String, warnings: [String] = []
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
    return StepOutputs(files: files, detail: detail, warnings: warnings)
  }
}

extension SourceFolder {
  /// Returns the first of these files that is there. The error says where to download it.
  func locate(_ names: [String], getItFrom place: String) throws -> SourceFile {
    if let file = try locate(names) { return file }
    let similar = names.first.flatMap(similarName).map { "; the folder has \($0)" } ?? ""
    throw UserError(
      .badInput, operation: "looking for", path: names.joined(separator: " or "),
      reason: "it is not in \(root.path)\(similar)",
      suggestion:
        "Download it from \(place) into that folder, name the right folder with --from, or correct the name in the definition."
    )
  }
}
