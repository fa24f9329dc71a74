internal import Core
internal import Foundation

/// Another form of a database.
struct ExportItem: PipelineItem {
  let pipeline: String
  let export: ExportDefinition
  /// The database.
  let origin: DatabaseOrigin

  var id: String { export.id }
  var name: String { export.title }
  var schedule: Schedule { origin.cadence }
  var parts: [String] { ["\(pipeline)/\(origin.id)"] }

  func definitionText() throws -> Data { try CanonicalJSON.line(export) }

  func sources(for cycle: AiracCycle) -> [SourceRequirement] {
    export.lists.map { origin.requirement($0, of: product, for: cycle) }
  }

  func expectedSeconds(_ sizes: SourceSizes?) -> Double {
    SourceSizes.seconds(sizes.map(origin.bytes), least: 0.2, perMegabyte: 0.02, usual: 3)
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromResults: { try prepare($0, context) })] }

  private func prepare(_ results: StepResults, _ context: StepContext) throws -> PreparedStep? {
    guard let (base, folder) = try results[Step.ID(product: parts[0])]?.product() else { return nil }
    func source(_ names: [String]?, getItFrom place: String) throws -> SourceFile? {
      try names.map { try context.sources.locate(origin.names($0, for: context.cycle), getItFrom: place) }
    }
    let world = try source(export.world, getItFrom: "https://ourairports.com/data/ (as one zip)")
    let terrain = try source(
      export.terrain, getItFrom: "https://www.ncei.noaa.gov/products/etopo-global-relief-model")
    let supplements = try (export.supplements ?? []).map { try source($0.files, getItFrom: $0.source) }
    let request = ExportRequest(
      export: export, definitionSha256: try definitionSha256(), product: product,
      database: folder.appending(path: base.files[0].path), base: base, world: world, terrain: terrain,
      supplements: supplements)
    let key = try context.key(
      of: self, sources: request.inputs, libraries: ExportBuilder.libraries(of: export.format))
    return context.prepared(key, reading: request.extras) { try make(request, context) }
  }

  private func make(_ request: ExportRequest, _ context: StepContext) throws -> StepOutputs {
    let outcome = try ExportBuilder.build(request, jobs: context.jobs) { done, total in
      context.progress.report(.advanced(step: product, done: done, total: total, unit: "parts"))
    } scratch: { name in
      context.workspace.scratchFile(name)
    }
    let bytes = outcome.product.files.reduce(0) { $0 + $1.bytes }
    let problems = try outcome.problems.map { ("\(export.id).problems.json", try CanonicalJSON.pretty($0)) }
    return try context.outputs(
      of: self, MadeProduct(product: outcome.product, files: outcome.files),
      beside: [problems].compactMap(\.self),
      detail: "\(outcome.summary), \(Counts.bytes(bytes))")
  }
}
