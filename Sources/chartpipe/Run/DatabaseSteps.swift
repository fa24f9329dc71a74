internal import Core
internal import CryptoIO
internal import Foundation

/// The step of a database: from the NASR subscription to SQLite.
struct DatabaseStep: Sendable {
  let context: StepContext
  let item: PipelineItem
  let definition: NASRDefinition

  @Sendable func prepare() throws -> PreparedStep {
    let source = try context.source(
      definition.sourceNames(for: context.cycle),
      getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/aero_data/NASR_Subscription/")
    let request = NASRRequest(
      definition: definition, definitionSha256: try item.definitionSha256(), source: source,
      cycle: context.cycle, classAirspace: try separateFile(definition.classAirspace),
      specialUse: try separateFile(definition.specialUse))
    let key = try context.key(
      of: item, sources: request.sources.map(\.sha256), libraries: DatabaseBuilder.libraries)
    return context.prepared(key, reading: request.sources) { try make(request) }
  }

  /// The separate file of a part, if there is one; else the part is inside the subscription, and opening that reports a missing part.
  private func separateFile(_ names: [String]?) throws -> SourceFile? {
    try names.flatMap { try context.sources.locate(definition.origin.names($0, for: context.cycle)) }
  }

  private func make(_ request: NASRRequest) throws -> StepOutputs {
    let database = context.workspace.scratchFile("\(definition.id).sqlite")
    var outcome = try DatabaseBuilder.build(
      request, to: database, progress: context.progress, step: item.product)
    try context.audit(
      &outcome, at: database,
      AuditedSources(request.source, classAirspace: request.classAirspace, specialUse: request.specialUse))
    let idle = outcome.problems.corrections.filter { $0.ending != .used }
    for message in idle.map(\.text) + outcome.warnings {
      context.progress.report(.warning(step: item.product, message: message))
    }
    return try context.outputs(of: item, outcome, at: database, of: "airports")
  }
}

extension StepContext {
  /// Compares a built database with its sources, and adds the result to its description. Throws an error if they differ.
  func audit(_ outcome: inout DatabaseOutcome, at database: URL, _ sources: AuditedSources) throws {
    let audited = try DatabaseAudit(
      database, cycle: cycle, sources: sources, problems: outcome.problems, jobs: jobs
    ).outcome()
    try audited.check(database)
    outcome.product.audit = audited.evidence(of: outcome.product.files[0].sha256)
  }

  /// The outputs of a database's step: the database, and the problems of its sources.
  ///
  /// - Parameter table: the table whose rows the step's message counts.
  func outputs(
    of item: PipelineItem, _ outcome: DatabaseOutcome, at database: URL, of table: String
  ) throws -> StepOutputs {
    let made = MadeProduct(product: outcome.product, files: [database])
    let problems = outcome.problems
    let rows = Counts.grouped(outcome.product.build.counts[table] ?? 0)
    let size = Counts.bytes(outcome.product.files[0].bytes)
    let dropped =
      "\(Counts.of(problems.droppedRows, "row")) and \(Counts.of(problems.droppedFields, "field")) dropped"
    let codes = problems.unknownCodes
    let unknown = codes > 0 ? ", \(Counts.of(codes, "code")) unknown" : ""
    return try outputs(
      of: item, made,
      beside: [("\(item.id).problems.json", try CanonicalJSON.pretty(problems))],
      detail: "\(rows) \(table), \(size); \(dropped)\(unknown)"
        + (outcome.product.audit.map { "; \($0.text)" } ?? ""))
  }
}

/// The step of an obstacle database: from the Digital Obstacle File to SQLite.
struct ObstacleStep: Sendable {
  let context: StepContext
  let item: PipelineItem
  let definition: ObstacleDefinition

  @Sendable func prepare() throws -> PreparedStep {
    let source = try context.source(
      definition.origin.names(definition.sources, for: context.cycle),
      getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/dof/")
    let request = ObstacleRequest(
      definition: definition, definitionSha256: try item.definitionSha256(), source: source,
      cycle: context.cycle)
    let key = try context.key(of: item, sources: [source.sha256], libraries: ObstacleBuilder.libraries)
    return context.prepared(key, reading: [source]) {
      let database = context.workspace.scratchFile("\(definition.id).sqlite")
      var outcome = try ObstacleBuilder.build(
        request, to: database, progress: context.progress, step: item.product)
      try context.audit(&outcome, at: database, AuditedSources(source))
      return try context.outputs(of: item, outcome, at: database, of: "obstacles")
    }
  }
}

/// The step of an export: another form of a database.
struct ExportStep: Sendable {
  let context: StepContext
  let item: PipelineItem
  let export: ExportDefinition
  let origin: DatabaseOrigin

  @Sendable func prepare(_ results: StepResults) throws -> PreparedStep? {
    let database = Step.ID(product: "\(item.pipeline)/\(origin.id)")
    guard let (product, folder) = try results[database]?.product() else { return nil }
    let world = try export.world.map {
      try context.source(
        origin.names($0, for: context.cycle), getItFrom: "https://ourairports.com/data/ (as one zip)")
    }
    let request = ExportRequest(
      export: export, definitionSha256: try item.definitionSha256(), product: item.product,
      database: folder.appending(path: product.files[0].path),
      base: product, world: world)
    let key = try context.key(
      of: item, sources: request.inputs, libraries: ExportBuilder.libraries(of: export.format))
    return context.prepared(key, reading: [world].compactMap(\.self)) { try make(request) }
  }

  private func make(_ request: ExportRequest) throws -> StepOutputs {
    let outcome = try ExportBuilder.build(request, jobs: context.jobs) { done, total in
      context.progress.report(.advanced(step: item.product, done: done, total: total, unit: "parts"))
    } scratch: { name in
      context.workspace.scratchFile(name)
    }
    let bytes = outcome.product.files.reduce(0) { $0 + $1.bytes }
    let problems = try outcome.problems.map { ("\(export.id).problems.json", try CanonicalJSON.pretty($0)) }
    return try context.outputs(
      of: item, MadeProduct(product: outcome.product, files: outcome.files),
      beside: [problems].compactMap(\.self),
      detail: "\(outcome.summary), \(Counts.bytes(bytes))")
  }
}
