import Aero
import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline

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
