internal import Core
internal import Foundation

/// A definition of a database that is made from one file.
protocol OneFileDefinition: DatabaseDefinition, PipelineDefinition {
  /// The FAA's page for the file.
  static var page: String { get }
  /// The table whose rows the message of the step counts.
  static var mainTable: String { get }
  /// The definition without the keys that do not affect the database.
  var essence: Self { get }
  /// The expected seconds of the build, for each megabyte of the file, and where its size is not known.
  static var pace: (perMegabyte: Double, usual: Double) { get }
  var partNames: [String] { get }
  func part(named name: String) -> (any PipelineItem)?
  /// The corrections of the file; nil if the definition names none.
  var listedCorrections: [Correction]? { get }
  static func correctionOutcomes(_ request: DatabaseRequest<Self>) throws -> [CorrectionOutcome]
  /// Writes the database to a scratch file.
  static var build: Build { get }
  typealias Build = (DatabaseRequest<Self>, URL, DatabaseBuilder.Advance) throws -> DatabaseOutcome
}

extension OneFileDefinition {
  var partNames: [String] { [] }
  func part(named name: String) -> (any PipelineItem)? { nil }
  var listedCorrections: [Correction]? { nil }
  static func correctionOutcomes(_ request: DatabaseRequest<Self>) throws -> [CorrectionOutcome] { [] }
}

/// A database that is made from one file.
struct DatabaseItem<Definition: OneFileDefinition>: PipelineItem {
  let definition: Definition

  var pipeline: String { definition.name }
  var id: String { definition.id }
  var name: String { definition.title }
  var schedule: Schedule { definition.cadence }
  var partNames: [String] { definition.partNames }
  var corrections: [Correction]? { definition.listedCorrections }

  func part(_ name: String) -> (any PipelineItem)? { definition.part(named: name) }

  func definitionText() throws -> Data { try CanonicalJSON.line(definition.essence) }

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
    let (pace, usual) = Definition.pace
    return SourceSizes.seconds(unpacked, least: 0.5, perMegabyte: pace, usual: usual)
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  func correctionOutcomes(_ sources: SourceFolder, _ cycle: AiracCycle) throws -> [CorrectionOutcome] {
    try Definition.correctionOutcomes(request(sources, cycle))
  }

  private func request(_ sources: SourceFolder, _ cycle: AiracCycle) throws -> DatabaseRequest<Definition> {
    let source = try sources.locate(
      definition.origin.names(definition.sources, for: cycle), getItFrom: Definition.page)
    return DatabaseRequest(
      definition: definition, definitionSha256: try definitionSha256(), source: source, cycle: cycle)
  }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let request = try request(context.sources, context.cycle)
    let source = request.source
    let key = try context.key(of: self, sources: [source.ingredient], libraries: DatabaseBuilder.libraries)
    return context.prepared(key, reading: [source]) {
      let database = context.workspace.scratchFile("\(definition.id).sqlite")
      var outcome = try Definition.build(request, database) {
        context.progress.report(.advanced(step: product, done: $0, total: 2, unit: "parts"))
      }
      try context.audit(&outcome, at: database, source)
      return try context.outputs(of: self, outcome, at: database, of: Definition.mainTable)
    }
  }
}
