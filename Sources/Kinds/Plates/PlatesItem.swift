internal import Core
internal import Foundation

extension PlatesDefinition: PipelineDefinition {
  static let kind = "plates"

  var items: [any PipelineItem] {
    [PlatesItem(definition: self)] + (sets ?? []).map { PlateSetItem(definition: self, place: $0) }
  }

  var problem: String? {
    if let stray = origin.strayURL([]) { return "urls has \"\(stray)\", which is not the name of a source" }
    return (sets ?? []).first { !PlateSetItem.isPlace($0) }.map {
      "\"\($0)\" of sets is neither a state such as CA nor an airport such as KSFO"
    }
  }
}

/// The database of terminal procedures.
struct PlatesItem: PipelineItem {
  let definition: PlatesDefinition

  var pipeline: String { definition.name }
  var id: String { definition.id }
  var name: String { definition.title }
  var schedule: Schedule { definition.cadence }

  func definitionText() throws -> Data { try definition.text }

  func sources(for cycle: AiracCycle) -> [SourceRequirement] {
    [definition.origin.requirement(definition.sources, of: product, for: cycle)]
  }

  func sourceBytes(_ sizes: SourceSizes) -> Int { definition.origin.bytes(sizes) }

  func expectedSeconds(_ sizes: SourceSizes?) -> Double {
    seconds(sizes.map(sourceBytes), least: 0.2, perMegabyte: 0.2, usual: 3)
  }

  /// `dtpp/CA` and `dtpp/KSFO` are the sets of a state and of an airport.
  func part(_ name: String) -> (any PipelineItem)? {
    guard name.hasPrefix(pipeline + "/"), name != product else { return nil }
    let place = String(name.dropFirst(pipeline.count + 1))
    return PlateSetItem.isPlace(place) ? PlateSetItem(definition: definition, place: place) : nil
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let source = try context.sources.locate(
      definition.origin.names(definition.sources, for: context.cycle),
      getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/digital_products/dtpp/")
    let request = PlateRequest(
      definition: definition, definitionSha256: try definitionSha256(), source: source, cycle: context.cycle)
    let key = try context.key(of: self, sources: [source.ingredient], libraries: PlateBuilder.libraries)
    return context.prepared(key, reading: [source]) {
      let database = context.workspace.scratchFile("\(definition.id).sqlite")
      var outcome = try PlateBuilder.build(
        request, to: database, progress: context.progress, step: product)
      try context.audit(&outcome, at: database, source)
      return try context.outputs(of: self, outcome, at: database, of: "charts")
    }
  }
}

extension PlatesDefinition {
  /// The keys that affect the database and the sets.
  fileprivate var text: Data {
    get throws {
      var definition = self
      (definition.urls, definition.sets, definition.archives) = (nil, nil, nil)
      return try CanonicalJSON.line(definition)
    }
  }
}
