internal import Core
internal import Foundation

/// The database of weather, or a list of it as JSON.
struct WeatherItem: LiveItem {
  let definition: WeatherDefinition
  /// Nil for the database.
  var list: WeatherJSON?

  var pipeline: String { definition.name }
  var id: String { list?.rawValue ?? "database" }
  var name: String { definition.title + (list.map { ": \($0.rawValue.uppercased()) as JSON" } ?? "") }
  var confirmingSources: [String] { (list == .taf ? WeatherFile.tafs : .metars).names }
  var parts: [String] { list == nil ? [] : [WeatherItem(definition: definition).product] }

  func definitionText() throws -> Data {
    var definition = definition
    definition.urls = [:]
    return try CanonicalJSON.line(definition)
  }

  func steps(_ context: StepContext) -> [Step] {
    if list == nil { return [Step(id: step, fromSources: { try prepare(context) })] }
    return [Step(id: step, fromResults: { try prepare($0, context) })]
  }

  /// The key of the step. It is the same in all cycles, since the files depend on their sources alone.
  private func key(_ sources: [String], _ context: StepContext) throws -> SHA256Hex {
    let always = schedule.edition(at: Instant(secondsSince1970: 0))
    return try context.key(of: self, edition: always, sources: sources, libraries: WeatherBuilder.libraries)
  }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    // Without METARs there is no snapshot.
    _ = try context.sources.locate(
      WeatherFile.metars.names, getItFrom: "https://aviationweather.gov/data/cache/")
    let files = try WeatherFile.all.compactMap { file in
      try context.sources.locate(file.names).map { (file: file, source: $0) }
    }
    let request = WeatherRequest(
      product: product, title: name, definitionSha256: try definitionSha256(), minutes: definition.minutes,
      cycle: context.cycle, files: files, airports: try context.sources.locate([WeatherDefinition.airports]))
    let key = try key(request.sources.map(\.ingredient), context)
    return context.prepared(key, reading: request.sources) {
      let database = context.workspace.scratchFile("weather.sqlite")
      let made = try WeatherBuilder.build(request, to: database)
      return try outputs(made, [database], context)
    }
  }

  private func prepare(_ results: StepResults, _ context: StepContext) throws -> PreparedStep? {
    guard let list, let (base, folder) = try results[Step.ID(product: parts[0])]?.product(),
      base.build.counts[list.table] != nil
    else { return nil }
    return context.prepared(try key([base.files[0].sha256.text], context), reading: []) {
      var made = base
      (made.id, made.name, made.build.definitionSha256) = (product, name, try definitionSha256())
      let database = folder.appending(path: base.files[0].path)
      let files = try list.write(database, as: &made) { context.workspace.scratchFile($0) }
      return try outputs(made, files, context)
    }
  }

  private func outputs(_ made: Product, _ files: [URL], _ context: StepContext) throws -> StepOutputs {
    let counts = ["metars", "tafs", "unread"].compactMap { name in
      made.build.counts[name].map { "\(Counts.grouped($0)) \(name)" }
    }
    return try context.outputs(
      of: self, MadeProduct(product: made, files: files),
      detail: "\(counts.joined(separator: ", ")), \(Counts.bytes(made.files.map(\.bytes).reduce(0, +)))")
  }
}
