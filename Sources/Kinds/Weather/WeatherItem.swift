internal import Core
internal import Foundation

/// A product of the pipeline of weather.
protocol WeatherProduct: LiveItem {
  var definition: WeatherDefinition { get }
}

extension WeatherProduct {
  var pipeline: String { definition.name }

  func definitionText() throws -> Data {
    var definition = definition
    definition.urls = [:]
    return try CanonicalJSON.line(definition)
  }

  /// The key of the step. It is the same in all cycles, since the files depend on their sources alone.
  func key(_ sources: [String], _ context: StepContext) throws -> SHA256Hex {
    let always = schedule.edition(at: Instant(secondsSince1970: 0))
    return try context.key(of: self, edition: always, sources: sources, libraries: WeatherBuilder.libraries)
  }
}

/// The database of weather.
struct WeatherItem: WeatherProduct {
  let definition: WeatherDefinition

  static let id = "database"
  var id: String { WeatherItem.id }
  var name: String { definition.title }
  var confirmingSource: String { WeatherFile.metars.names[0] }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let files = try WeatherFile.all.compactMap { file in
      try context.sources.locate(file.names).map { (file: file, source: $0) }
    }
    // It is the first file. Without it there is no snapshot.
    _ = try context.sources.locate(
      WeatherFile.metars.names, getItFrom: "https://aviationweather.gov/data/cache/")
    let request = WeatherRequest(
      product: product, title: name, definitionSha256: try definitionSha256(), minutes: definition.minutes,
      cycle: context.cycle, files: files, airports: try context.sources.locate([WeatherDefinition.airports]))
    return context.prepared(
      try key(request.sources.map(\.ingredient), context), reading: request.sources
    ) {
      let database = context.workspace.scratchFile("weather.sqlite")
      let made = try WeatherBuilder.build(request, to: database)
      let counts = ["metars", "tafs", "unread"].map { "\(Counts.grouped(made.build.counts[$0] ?? 0)) \($0)" }
      return try context.outputs(
        of: self, MadeProduct(product: made, files: [database]),
        detail: "\(counts.joined(separator: ", ")), \(Counts.bytes(made.files[0].bytes))")
    }
  }
}

/// A list of the database as JSON.
struct WeatherListItem: WeatherProduct {
  let definition: WeatherDefinition
  let list: WeatherJSON

  var id: String { list.rawValue }
  var name: String { "\(definition.title): \(id.uppercased()) as JSON" }
  var parts: [String] { ["\(pipeline)/\(WeatherItem.id)"] }
  var confirmingSource: String { (list == .metar ? WeatherFile.metars : .tafs).names[0] }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromResults: { try prepare($0, context) })] }

  private func prepare(_ results: StepResults, _ context: StepContext) throws -> PreparedStep? {
    guard let (base, folder) = try results[Step.ID(product: parts[0])]?.product(),
      base.build.counts[list.table] != nil
    else { return nil }
    return context.prepared(try key([base.files[0].sha256.text], context), reading: []) {
      try make(of: base, folder.appending(path: base.files[0].path), context)
    }
  }

  private func make(of base: Product, _ database: URL, _ context: StepContext) throws -> StepOutputs {
    let made = try list.write(database, of: base) { context.workspace.scratchFile($0) }
    let files = try made.files.map { file in
      let stored = try SourceFolder.file(file.scratch)
      return Product.File(
        path: file.name, sha256: stored.sha256, bytes: stored.bytes, mediaType: file.mediaType, role: .json)
    }
    var product = base
    (product.id, product.name, product.format, product.files) = (self.product, name, "json", files)
    (product.edition, product.effectiveDate, product.expirationDate) = (.time(made.from), made.from, made.to)
    (product.build.definitionSha256, product.build.counts) = (try definitionSha256(), [list.table: made.rows])
    return try context.outputs(
      of: self, MadeProduct(product: product, files: made.files.map(\.scratch)),
      detail: Counts.of(made.rows, "row"))
  }
}
