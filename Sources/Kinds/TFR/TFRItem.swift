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
    let key = try context.key(of: self, sources: all.map(\.ingredient), libraries: DatabaseBuilder.libraries)
    return context.prepared(key, reading: all) {
      let files = Dictionary(first: try ([list] + others).map { ($0.name, try Data(contentsOf: $0.url)) })
      let directory = try TFRDirectory(files, terrain: terrain.map { try Terrain($0.url) })
      return try make(directory, all.map(\.record), context)
    }
  }

  /// Writes the files. Their bytes depend on the sources alone.
  private func make(
    _ directory: TFRDirectory, _ sources: [Product.Source], _ context: StepContext
  ) throws -> StepOutputs {
    let kinds: [(name: String, type: String, role: Product.Role)] = [
      ("tfr.geojson", "application/geo+json", .json), ("tfr.sqlite", "application/vnd.sqlite3", .database),
      ("openefb-tfrs.json", "application/json", .json),
    ]
    let files = kinds.map { context.workspace.scratchFile($0.name) }
    let elements = directory.notices.flatMap { $0.forApp(around: directory.newest) }
    let lines = try elements.map { Data("\n".utf8) + (try CanonicalJSON.line($0)) }
    try (Data("[".utf8) + lines.joined(separator: Data(",".utf8)) + Data("\n]\n".utf8)).write(to: files[2])
    var counts = directory.counts
    counts["appElements"] = elements.count
    counts["appAirspaces"] = try TFRTables.write(directory, counts, to: files[1])
    try TFRTables.writeMap(of: files[1], to: files[0])
    let made = Product(
      id: product, kind: Product.Kind(rawValue: "tfr"), name: name, cycle: context.cycle,
      edition: .time(directory.newest), effectiveDate: directory.newest,
      expirationDate: directory.newest.adding(definition.validMinutes * 60), boundingBox: directory.box,
      format: "tfr",
      files: try zip(kinds, files).map { kind, file in
        Product.File(
          path: kind.name, sha256: try SHA256Hex(ofFile: file), bytes: file.byteCount ?? 0,
          mediaType: kind.type, role: kind.role)
      },
      sources: sources,
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version, libraries: DatabaseBuilder.libraries,
        definitionSha256: try definitionSha256(), counts: counts))
    let detail = Counts.of(directory.notices.count, "TFR")
    return try context.outputs(of: self, MadeProduct(product: made, files: files), detail: detail)
  }
}
