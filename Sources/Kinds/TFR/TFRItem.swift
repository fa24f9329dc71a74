internal import Core
internal import CryptoIO
internal import Foundation

/// A snapshot of the TFRs.
struct TFRItem: LiveItem {
  let definition: TFRDefinition

  var pipeline: String { definition.name }
  var id: String { definition.id }
  var name: String { definition.title }
  var confirmingSources: [String] { [TFRSource.list] }
  var secondsAfterFetch: Int? { definition.validMinutes * 60 }

  func definitionText() throws -> Data {
    var definition = definition
    definition.urls = nil
    return try CanonicalJSON.line(definition)
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let list = try context.sources.locate(
      [TFRSource.list], getItFrom: "https://tfr.faa.gov/tfrapi/getTfrList")
    let details = context.sources.root.names.filter { $0.hasPrefix(TFRSource.detailStart) }
    let others = try ([TFRSource.noShapes, TFRSource.features] + details).compactMap {
      try context.sources.locate([$0])
    }
    let terrain = try definition.terrain.flatMap { try context.sources.locate([$0]) }
    let all = [list] + others + [terrain].compactMap(\.self)
    let key = try context.key(of: self, sources: all.map(\.ingredient), libraries: TFRBuilder.libraries)
    return context.prepared(key, reading: all) {
      try make(TFRBuilder(list: list, others: others, terrain: terrain), all.map(\.record), context)
    }
  }

  private func make(
    _ builder: TFRBuilder, _ sources: [Product.Source], _ context: StepContext
  ) throws -> StepOutputs {
    var builder = builder
    let scratch = { (name: String) in context.workspace.scratchFile(name) }
    try builder.write(scratch)
    let names = TFRBuilder.fileNames
    let kinds: [(name: String, type: String, role: Product.Role)] = [
      (names.map, "application/geo+json", .json), (names.database, "application/vnd.sqlite3", .database),
      (names.app, "application/json", .json),
    ]
    let files = try kinds.map { kind in
      Product.File(
        path: kind.name, sha256: try SHA256Hex(ofFile: scratch(kind.name)),
        bytes: scratch(kind.name).byteCount ?? 0,
        mediaType: kind.type, role: kind.role)
    }
    let made = Product(
      id: product, kind: Product.Kind(rawValue: "tfr"), name: name, cycle: context.cycle,
      edition: .time(builder.newest),
      effectiveDate: builder.newest, expirationDate: builder.newest.adding(definition.validMinutes * 60),
      boundingBox: builder.box, format: "tfr", files: files, sources: sources,
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: TFRBuilder.libraries,
        definitionSha256: try definitionSha256(), counts: builder.counts))
    return try context.outputs(
      of: self, MadeProduct(product: made, files: kinds.map { scratch($0.name) }),
      detail: Counts.of(builder.counts["notams"] ?? 0, "TFR"))
  }
}
