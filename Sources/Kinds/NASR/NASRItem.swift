internal import Core
internal import Foundation

extension NASRDefinition: PipelineDefinition {
  static let kind = "nasr"

  var items: [any PipelineItem] { [NASRItem(definition: self)] + origin.items(exports, in: name) }
  var problem: String? {
    (exports ?? []).contains { $0.format == .obstacles }
      ? "a database of airports has no export of the format obstacles" : origin.problem(exports)
  }

  mutating func load(from folder: URL) throws {
    try corrections?.load(from: folder, Correction.list)
    try known?.load(from: folder, KnownAirport.list)
    for export in (exports ?? []).indices {
      for supplement in (exports?[export].supplements ?? []).indices {
        try exports?[export].supplements?[supplement].table?.load(from: folder) { url in
          try UserError.wrapping(
            "reading the table", url.path, kind: .badInput, suggestion: "Put it beside the definition."
          ) { String(decoding: try Data(contentsOf: url), as: UTF8.self) }
        }
      }
    }
  }
}

/// A database of a NASR subscription, or the part of it that has some of its tables.
struct NASRItem: PipelineItem {
  var definition: NASRDefinition

  var pipeline: String { definition.name }
  var id: String { definition.id }
  var name: String { definition.title }
  var schedule: Schedule { definition.cadence }
  var partNames: [String] { (definition.parts ?? [:]).keys.sorted() }

  func part(_ name: String) -> (any PipelineItem)? { definition.part(name).map(NASRItem.init) }

  func definitionText() throws -> Data {
    var definition = definition
    (definition.exports, definition.urls, definition.parts) = (nil, nil, nil)
    return try CanonicalJSON.line(definition)
  }

  /// The whole subscription contains the airspace. The archive of tables alone does not, so the airspace files are added to that
  /// alternative when the definition gives their addresses.
  func sources(for cycle: AiracCycle) -> [SourceRequirement] {
    let origin = definition.origin
    let airspace = [definition.classAirspace ?? [], definition.specialUse ?? []].compactMap { names in
      origin.alternatives(names, for: cycle).first { $0.allSatisfy { $0.url != nil } }
    }
    let alternatives = origin.alternatives(definition.sources, for: cycle).map { files in
      files.contains { $0.path.hasSuffix("_CSV.zip") } ? files + airspace.joined() : files
    }
    let subscriptions = definition.sourceNames(for: cycle)
    let subscription = SourceRequirement(alternatives: alternatives, products: [product]) { file, path in
      if subscriptions.contains(path) { _ = try SubscriptionArchive(file, cycle: cycle) }
    }
    return [subscription]
  }

  func sourceBytes(_ sizes: SourceSizes) -> Int { definition.origin.bytes(sizes) }

  func expectedSeconds(_ sizes: SourceSizes?) -> Double {
    SourceSizes.seconds(sizes.map(sourceBytes), least: 0.5, perMegabyte: 0.05, usual: 12)
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  var corrections: [Correction]? { definition.corrections?.content }

  func correctionOutcomes(_ sources: SourceFolder, _ cycle: AiracCycle) throws -> [CorrectionOutcome] {
    try DatabaseBuilder.correctionOutcomes(request(sources, cycle))
  }

  private func request(_ sources: SourceFolder, _ cycle: AiracCycle) throws -> NASRRequest {
    /// The separate file of a part, if there is one; else the part is inside the subscription, and opening that reports a missing part.
    func separate(_ names: [String]?) throws -> SourceFile? {
      try names.flatMap { try sources.locate(definition.origin.names($0, for: cycle)) }
    }
    let source = try sources.locate(
      definition.sourceNames(for: cycle),
      getItFrom: "https://www.faa.gov/air_traffic/flight_info/aeronav/aero_data/NASR_Subscription/")
    return NASRRequest(
      definition: definition, definitionSha256: try definitionSha256(), source: source, cycle: cycle,
      classAirspace: try separate(definition.classAirspace), specialUse: try separate(definition.specialUse))
  }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let request = try request(context.sources, context.cycle)
    let key = try context.key(
      of: self, sources: request.sources.map(\.ingredient), libraries: DatabaseBuilder.libraries)
    return context.prepared(key, reading: request.sources) { try make(request, context) }
  }

  private func make(_ request: NASRRequest, _ context: StepContext) throws -> StepOutputs {
    let database = context.workspace.scratchFile("\(definition.id).sqlite")
    var outcome = try DatabaseBuilder.build(request, to: database, progress: context.progress, step: product)
    try context.audit(
      &outcome, at: database, request.source, classAirspace: request.classAirspace,
      specialUse: request.specialUse)
    return try context.outputs(of: self, outcome, at: database, of: "airports")
  }
}

extension BuildPlan {
  /// The plan with each table of the subscription carried along in the databases; nil when no database is made.
  var carryingRawTables: BuildPlan? {
    replacing { item in
      guard var item = item as? NASRItem else { return nil }
      item.definition.rawTables = true
      return item
    }
  }
}
