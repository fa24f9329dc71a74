internal import Core
internal import Foundation

extension ProceduresDefinition: PipelineDefinition {
  static let kind = "cifp"

  var items: [any PipelineItem] { [ProceduresItem(definition: self)] + origin.items(exports, in: name) }
  var problem: String? { origin.problem(exports) }
}

/// A database of coded procedures, or of a part of them.
struct ProceduresItem: PipelineItem {
  let definition: ProceduresDefinition

  var pipeline: String { definition.name }
  var id: String { definition.id }
  var name: String { definition.title }
  var schedule: Schedule { definition.cadence }
  var partNames: [String] { (definition.parts ?? [:]).keys.sorted() }

  func part(_ name: String) -> (any PipelineItem)? { definition.part(name).map(ProceduresItem.init) }

  func definitionText() throws -> Data {
    var definition = definition
    (definition.urls, definition.parts, definition.exports) = (nil, nil, nil)
    return try CanonicalJSON.line(definition)
  }

  func sources(for cycle: AiracCycle) -> [SourceRequirement] {
    [definition.origin.requirement(definition.sources, of: product, for: cycle)]
  }

  func sourceBytes(_ sizes: SourceSizes) -> Int { definition.origin.bytes(sizes) }

  func expectedSeconds(_ sizes: SourceSizes?) -> Double {
    seconds(sizes.map(sourceBytes), least: 0.5, perMegabyte: 1, usual: 9)
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let source = try context.sources.locate(
      definition.origin.names(definition.sources, for: context.cycle),
      getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/cifp/")
    let request = ProcedureRequest(
      definition: definition, definitionSha256: try definitionSha256(), source: source, cycle: context.cycle)
    let key = try context.key(of: self, sources: [source.ingredient], libraries: ProcedureBuilder.libraries)
    return context.prepared(key, reading: [source]) {
      let database = context.workspace.scratchFile("\(definition.id).sqlite")
      var outcome = try ProcedureBuilder.build(
        request, to: database, progress: context.progress, step: product)
      try context.audit(&outcome, at: database, source)
      return try context.outputs(of: self, outcome, at: database, of: "legs")
    }
  }
}
