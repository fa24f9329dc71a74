internal import Core
internal import Foundation

extension ObstacleDefinition: PipelineDefinition {
  static let kind = "obstacles"

  var items: [any PipelineItem] { [ObstacleItem(definition: self)] + origin.items(exports, in: name) }
  var problem: String? { origin.problem(exports) }

  mutating func load(from folder: URL) throws { try corrections?.load(from: folder, Correction.list) }
}

/// A database of the Digital Obstacle File.
struct ObstacleItem: PipelineItem {
  let definition: ObstacleDefinition

  var pipeline: String { definition.name }
  var id: String { definition.id }
  var name: String { definition.title }
  var schedule: Schedule { definition.cadence }

  func definitionText() throws -> Data {
    var definition = definition
    (definition.exports, definition.urls) = (nil, nil)
    return try CanonicalJSON.line(definition)
  }

  func sources(for cycle: AiracCycle) -> [SourceRequirement] {
    [definition.origin.requirement(definition.sources, of: product, for: cycle)]
  }

  func sourceBytes(_ sizes: SourceSizes) -> Int { definition.origin.bytes(sizes) }

  /// The time depends on the unpacked size. A zip is about a tenth of it.
  func expectedSeconds(_ sizes: SourceSizes?) -> Double {
    let unpacked = sizes.map { sizes in
      definition.origin.files(sizes).map {
        sizes.bytes(of: $0) * ($0.pathExtension.lowercased() == "zip" ? 10 : 1)
      }.reduce(0, +)
    }
    return seconds(unpacked, least: 0.5, perMegabyte: 0.06, usual: 8)
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  var corrections: [Correction]? { definition.corrections?.content }

  func correctionOutcomes(_ sources: SourceFolder, _ cycle: AiracCycle) throws -> [CorrectionOutcome] {
    try ObstacleBuilder.correctionOutcomes(request(sources, cycle))
  }

  private func request(_ sources: SourceFolder, _ cycle: AiracCycle) throws -> ObstacleRequest {
    let source = try sources.locate(
      definition.origin.names(definition.sources, for: cycle),
      getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/dof/")
    return ObstacleRequest(
      definition: definition, definitionSha256: try definitionSha256(), source: source, cycle: cycle)
  }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let request = try request(context.sources, context.cycle)
    let source = request.source
    let key = try context.key(of: self, sources: [source.ingredient], libraries: ObstacleBuilder.libraries)
    return context.prepared(key, reading: [source]) {
      let database = context.workspace.scratchFile("\(definition.id).sqlite")
      var outcome = try ObstacleBuilder.build(
        request, to: database, progress: context.progress, step: product)
      try context.audit(&outcome, at: database, source)
      return try context.outputs(of: self, outcome, at: database, of: "obstacles")
    }
  }
}
