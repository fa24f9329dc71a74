internal import Core
internal import Foundation

/// The PDFs of a state or an airport as one file.
struct PlateSetItem: PipelineItem {
  let definition: PlatesDefinition
  /// `CA`, `KSFO`
  let place: String

  static func isPlace(_ text: String) -> Bool {
    (2...4).contains(text.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }

  private var database: DatabaseItem<PlatesDefinition> { DatabaseItem(definition: definition) }
  var pipeline: String { definition.name }
  var id: String { place }
  var name: String { "\(definition.title): \(place)" }
  var schedule: Schedule { definition.cadence }
  var parts: [String] { [database.product] }

  func definitionText() throws -> Data { try database.definitionText() + Data(place.utf8) }

  /// The list, and the PDFs that it names.
  func sources(for cycle: AiracCycle) -> [SourceRequirement] {
    database.sources(for: cycle).map { list in
      var requirement = list
      requirement.products = [product]
      requirement.filesNamed = [
        { [place, definition] file in
          try PlateSetBuilder.pdfs(of: place, in: PlateList(file)).map { name in
            let url = definition.pdfs?.filled(name: name, day: cycle.effectiveDay)
            return RequiredFile(path: name, url: url, edition: cycle.edition(definition.cadence))
          }
        }
      ]
      return requirement
    }
  }

  func expectedSeconds(_ sizes: SourceSizes?) -> Double { 10 }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromResults: { try prepare($0, context) })] }

  private func prepare(_ results: StepResults, _ context: StepContext) throws -> PreparedStep? {
    guard let (base, folder) = try results[Step.ID(product: parts[0])]?.product() else { return nil }
    var request = PlateSetRequest(
      definition: definition, definitionSha256: try definitionSha256(), place: place, cycle: context.cycle,
      database: folder.appending(path: base.files[0].path), base: base, pdfs: [], archives: [])
    request.pdfs = try PlateSetBuilder.names(request).compactMap { try context.sources.locate([$0]) }
    request.archives = try definition.origin.names(definition.archives ?? [], for: context.cycle)
      .compactMap { try context.sources.locate([$0]) }
    let files = request.pdfs + request.archives
    let key = try context.key(
      of: self, sources: [base.files[0].sha256.text] + files.map(\.ingredient),
      libraries: PlateSetBuilder.libraries)
    return context.prepared(key, reading: files) { [request] in
      let set = context.workspace.scratchFile("\(place).sqlite")
      let (made, warnings) = try PlateSetBuilder.build(
        request, to: set, progress: context.progress, step: product)
      let leftOut = "\(Counts.of(warnings.count, "PDF")) left out: \(Counts.some(warnings, atMost: 5))"
      let counts = made.build.counts
      return try context.outputs(
        of: self, MadeProduct(product: made, files: [set]),
        detail:
          "\(Counts.of((counts["pdfs"] ?? 0) - warnings.count, "PDF")), \(counts["georeferenced"] ?? 0) georeferenced, "
          + "\(Counts.of(counts["placedByTicks"] ?? 0, "diagram")) placed by ticks, \(counts["unplacedDiagrams"] ?? 0) not placed, "
          + Counts.bytes(made.files[0].bytes),
        warnings: warnings.isEmpty ? [] : [leftOut])
    }
  }
}
