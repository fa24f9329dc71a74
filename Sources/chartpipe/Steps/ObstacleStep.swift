import Aero
import Fetch
import Pipeline

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
