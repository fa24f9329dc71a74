internal import Core
internal import CryptoIO
internal import Foundation

/// A snapshot of the TFRs.
struct TFRItem: LiveItem {
  let definition: TFRDefinition

  var pipeline: String { definition.name }
  var id: String { definition.id }
  var name: String { definition.title }
  var confirmingSource: String { TFRSources.list }
  var secondsAfterFetch: Int? { definition.validMinutes * 60 }

  func definitionText() throws -> Data {
    var definition = definition
    definition.urls = nil
    return try CanonicalJSON.line(definition)
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let request = try request(context.sources)
    let terrain = request.terrain.map { [$0] } ?? []
    let key = try context.key(
      of: self, sources: (request.sources + terrain).map(\.ingredient), libraries: TFRBuilder.libraries)
    return context.prepared(key, reading: request.sources + terrain) { try make(request, context) }
  }

  private func request(_ sources: SourceFolder) throws -> TFRRequest {
    let list = try sources.locate(
      [TFRSources.list], getItFrom: definition.urls?.list.pattern ?? "https://tfr.faa.gov")
    var request = TFRRequest(list: list)
    request.noShapes = try sources.locate([TFRSources.noShapes])
    request.features = try sources.locate([TFRSources.features])
    request.terrain = try definition.terrain.flatMap { try sources.locate([$0]) }
    for number in Set(try request.numbers) {
      request.details[number] = try sources.locate([number.detailName])
    }
    return request
  }

  private func make(_ request: TFRRequest, _ context: StepContext) throws -> StepOutputs {
    var builder = try TFRBuilder(request)
    let scratch = { (name: String) in context.workspace.scratchFile(name) }
    try builder.write(scratch)
    let names = TFRBuilder.fileNames
    let kinds: [(name: String, mediaType: String, role: Product.Role)] = [
      (names.map, "application/geo+json", .json), (names.database, "application/vnd.sqlite3", .database),
      (names.app, "application/json", .json),
    ]
    let files = kinds.map { scratch($0.name) }
    let made = Product(
      id: product, kind: Product.Kind(rawValue: "tfr"), name: name, cycle: context.cycle,
      edition: .time(builder.newest),
      effectiveDate: builder.newest, expirationDate: builder.newest.adding(definition.validMinutes * 60),
      boundingBox: builder.box, format: "tfr",
      files: try zip(kinds, files).map { kind, file in
        Product.File(
          path: kind.name, sha256: try SHA256Hex(ofFile: file), bytes: file.byteCount ?? 0,
          mediaType: kind.mediaType,
          role: kind.role)
      },
      sources: request.sources.map(\.record),
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: TFRBuilder.libraries,
        definitionSha256: try definitionSha256(), counts: builder.counts))
    let count = Counts.of(builder.counts["notams"] ?? 0, "TFR")
    return try context.outputs(of: self, MadeProduct(product: made, files: files), detail: count)
  }
}
