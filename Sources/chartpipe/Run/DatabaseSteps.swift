import Aero
import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline

/// A database's step: from the NASR subscription to SQLite.
struct DatabaseStep: Sendable {
  let bench: Workbench
  let item: PipelineItem
  let definition: NASRDefinition

  @Sendable func prepare() throws -> PreparedStep {
    let source = try bench.source(
      definition.sourceNames(for: bench.cycle),
      getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/aero_data/NASR_Subscription/")
    let request = NASRRequest(
      definition: definition, definitionSha256: try item.definitionSha256(), source: source,
      cycle: bench.cycle, classAirspace: try perhaps(definition.classAirspace),
      specialUse: try perhaps(definition.specialUse))
    let key = try bench.key(
      of: item, sources: request.sources.map(\.sha256), libraries: DatabaseBuilder.libraries)
    return bench.prepared(key, reading: request.sources) { try make(request) }
  }

  /// What may lie in a file of its own; else it is inside the subscription, and missing there is told when it is opened.
  private func perhaps(_ names: [String]?) throws -> SourceFile? {
    try names.flatMap { try bench.sources.locate(definition.origin.names($0, for: bench.cycle)) }
  }

  private func make(_ request: NASRRequest) throws -> StepOutputs {
    let database = bench.workspace.scratchFile("\(definition.id).sqlite")
    let outcome = try DatabaseBuilder.build(
      request, to: database, progress: bench.progress, step: item.product)
    for correction in outcome.problems.corrections where correction.ending != .used {
      bench.progress.report(.warning(step: item.product, message: correction.text))
    }
    return try bench.outputs(of: item, outcome, at: database, of: "airports", columns: definition.columns)
  }
}

extension Workbench {
  /// The outputs of a database's step: the database, what its sources lacked, and the reference of its columns.
  ///
  /// - Parameter table: the one whose rows are counted in the step's line.
  func outputs(
    of item: PipelineItem, _ outcome: DatabaseOutcome, at database: URL, of table: String,
    columns: ColumnReference?
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
      of: item, try columns.map { try adding($0, to: made, of: item) } ?? made,
      beside: [("\(item.id).problems.json", try CanonicalJSON.pretty(problems))],
      detail: "\(rows) \(table), \(size); \(dropped)\(unknown)")
  }

  /// With the reference of its columns, for validation without the definition.
  private func adding(
    _ columns: ColumnReference, to made: MadeProduct, of item: PipelineItem
  ) throws -> MadeProduct {
    let name = "\(item.id).columns.json"
    let file = workspace.scratchFile(name)
    try CanonicalJSON.pretty(columns.tables).write(to: file)
    let source = try SourceFolder.file(file)
    var made = made
    made.files.append(file)
    made.product.files.append(
      Product.File(
        path: name, sha256: source.sha256, bytes: source.bytes, mediaType: "application/json",
        role: ColumnReference.role))
    return made
  }
}

/// The obstacle database's step: from the Digital Obstacle File to SQLite.
struct ObstacleStep: Sendable {
  let bench: Workbench
  let item: PipelineItem
  let definition: ObstacleDefinition

  @Sendable func prepare() throws -> PreparedStep {
    let source = try bench.source(
      definition.origin.names(definition.sources, for: bench.cycle),
      getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/dof/")
    let request = ObstacleRequest(
      definition: definition, definitionSha256: try item.definitionSha256(), source: source,
      cycle: bench.cycle)
    let key = try bench.key(of: item, sources: [source.sha256], libraries: ObstacleBuilder.libraries)
    return bench.prepared(key, reading: [source]) {
      let database = bench.workspace.scratchFile("\(definition.id).sqlite")
      let outcome = try ObstacleBuilder.build(
        request, to: database, progress: bench.progress, step: item.product)
      return try bench.outputs(
        of: item, outcome, at: database, of: "obstacles", columns: definition.columns)
    }
  }
}

/// Another form of a database, once that is built.
struct ExportStep: Sendable {
  let bench: Workbench
  let item: PipelineItem
  let export: ExportDefinition
  let origin: DatabaseOrigin

  @Sendable func prepare(_ standing: UpToDateSteps) throws -> PreparedStep? {
    guard let files = standing["\(item.pipeline)/\(origin.id)"]?.files, let description = files.last
    else { return nil }
    let product = try JSONDecoder().decode(Product.self, from: try Data(contentsOf: description))
    let world = try export.world.map {
      try bench.source(
        origin.names($0, for: bench.cycle), getItFrom: "https://ourairports.com/data/ (as one zip)")
    }
    let request = ExportRequest(
      export: export, definitionSha256: try item.definitionSha256(), product: item.product,
      database: description.deletingLastPathComponent().appending(path: product.files[0].path),
      of: product, world: world, cycle: bench.cycle)
    let key = try bench.key(
      of: item, sources: request.inputs, libraries: ExportBuilder.libraries)
    return bench.prepared(key, reading: [world].compactMap(\.self)) { try make(request) }
  }

  private func make(_ request: ExportRequest) throws -> StepOutputs {
    let outcome = try ExportBuilder.build(request) { bench.workspace.scratchFile($0) }
    let bytes = outcome.product.files.reduce(0) { $0 + $1.bytes }
    let problems = try outcome.problems.map { ("\(export.id).problems.json", try CanonicalJSON.pretty($0)) }
    return try bench.outputs(
      of: item, MadeProduct(product: outcome.product, files: outcome.files),
      beside: [problems].compactMap(\.self),
      detail: "\(outcome.summary), \(Counts.bytes(bytes))")
  }
}
