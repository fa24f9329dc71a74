import Aero
import Fetch
import Foundation
import Pipeline

/// A database's step: from the NASR subscription to SQLite.
struct DatabaseStep: Sendable {
  let bench: Workbench
  let item: PipelineItem
  let definition: NASRDefinition

  @Sendable func prepare() throws -> PreparedStep {
    let (source, obstacles) = try located()
    let request = NASRRequest(
      definition: definition, definitionSha256: try item.definitionSha256(), source: source,
      cycle: bench.cycle, classAirspace: try perhaps(definition.classAirspace),
      specialUse: try perhaps(definition.specialUse), obstacles: obstacles)
    let key = try bench.key(
      of: item, sources: request.sources.map(\.sha256), libraries: DatabaseBuilder.libraries)
    return bench.prepared(key, reading: request.sources) { try make(request) }
  }

  /// The subscription and the obstacles. Where both are missing, one error says so.
  private func located() throws -> (source: SourceFile, obstacles: SourceFile?) {
    let source = Result {
      try bench.source(
        definition.sourceNames(for: bench.cycle),
        getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/aero_data/NASR_Subscription/")
    }
    let obstacles = Result {
      try definition.obstacles.map {
        try bench.source(
          definition.names($0, for: bench.cycle),
          getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/dof/")
      }
    }
    if case .failure(let first as Fault) = source, case .failure(let second as Fault) = obstacles {
      throw Fault(
        first.kind, doing: first.doing, subject: first.subject,
        problem: "\(first.problem); nor are the obstacles, \(second.subject ?? "")",
        remedy: [first.remedy, second.remedy].compactMap(\.self).joined(separator: "\n  "))
    }
    return (try source.get(), try obstacles.get())
  }

  /// What may lie in a file of its own; else it is inside the subscription, and missing there is told when it is opened.
  private func perhaps(_ names: [String]?) throws -> SourceFile? {
    try names.flatMap { try bench.sources.locate(definition.names($0, for: bench.cycle)) }
  }

  private func make(_ request: NASRRequest) throws -> StepOutputs {
    let database = bench.workspace.scratchFile("\(definition.id).sqlite")
    let outcome = try DatabaseBuilder.build(
      request, to: database, progress: bench.progress, step: item.product)
    let made = try withColumns(MadeProduct(product: outcome.product, files: [database]))
    let counts = outcome.product.build.counts
    let airports = Counts.grouped(counts["airports"] ?? 0)
    let problems = outcome.problems
    for correction in problems.corrections where correction.ending != .used {
      bench.progress.report(.warning(step: item.product, message: correction.text))
    }
    let codes = problems.unknownCodes
    let unknown = codes > 0 ? ", \(Counts.of(codes, "code")) unknown" : ""
    let size = Counts.bytes(outcome.product.files[0].bytes)
    return try bench.outputs(
      of: item, made,
      beside: [("\(definition.id).problems.json", try CanonicalJSON.pretty(problems))],
      detail:
        "\(airports) airports, \(size); \(Counts.of(problems.droppedRows, "row")) and \(Counts.of(problems.droppedFields, "field")) dropped\(unknown)"
    )
  }

  /// With the reference of its columns, for validation without the definition.
  private func withColumns(_ made: MadeProduct) throws -> MadeProduct {
    guard let columns = definition.columns else { return made }
    let name = "\(definition.id).columns.json"
    let file = bench.workspace.scratchFile(name)
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
