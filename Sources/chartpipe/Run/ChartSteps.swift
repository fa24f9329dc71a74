internal import Core
internal import CryptoIO
internal import Foundation

/// The step of a chart: from its zip to its tile archive.
struct ChartStep: Sendable {
  let context: StepContext
  let item: PipelineItem
  let chart: ChartDefinition
  let family: ChartFamily

  /// The folder of charts whose edge tiles another step completes.
  static let cutFolder = "cut"

  @Sendable func prepare() throws -> PreparedStep {
    let edition = context.cycle.issue(family.cadence)
    let issue = edition.effectiveDay
    let source = try context.source(
      [chart.zip, chart.tif],
      getItFrom: family.url?.filled(name: chart.zip, day: issue)
        ?? "https://aeronav.faa.gov/visual/\(issue.monthDayYear)/")
    let sources = try [source] + sidecars(of: source)
    let key = try context.key(
      of: item, edition: edition, sources: sources.map(\.sha256), libraries: context.tileLibraries)
    return context.prepared(key, reading: sources) { try make(source) }
  }

  /// The files beside an unzipped tif with its dates and a second georeference. They are inputs too.
  private func sidecars(of source: SourceFile) throws -> [SourceFile] {
    guard source.name.lowercased().hasSuffix(".tif") else { return [] }
    return try [".htm", ".tfw"].compactMap { try context.sources.locate([source.name.dropLast(4) + $0]) }
  }

  private func make(_ source: SourceFile) throws -> StepOutputs {
    let request = ChartRequest(
      chart: chart, family: family, definitionSha256: try item.definitionSha256(), source: source,
      cycle: context.cycle, engine: context.engine)
    let archive = context.workspace.scratchFile(request.fileName)
    let control = context.workspace.scratchFile(request.controlName)
    let reference = context.workspace.scratchFile(request.referenceName)
    let product = try ChartBuilder.build(
      request, to: archive, control: control, reference: reference, jobs: context.jobs,
      progress: context.progress, step: item.product)
    let doubts = [product.cut?.doubts, product.reference?.doubts, product.reference?.repetition.map { [$0] }]
    for doubt in doubts.compactMap(\.self).joined() {
      context.progress.report(.warning(step: item.product, message: doubt))
    }
    let isCut = family.seam == .fill
    let evidence: [Product.Role: URL] = [.control: control, .reference: reference]
    var made = MadeProduct(product: product, files: product.files.map { evidence[$0.role] ?? archive })
    if !isCut { made = try made.with(family.tiles.archives, on: context) }
    let tiles = Counts.grouped(product.build.counts["tiles"] ?? 0)
    return try context.outputs(
      of: item, made, intermediateFolder: isCut ? ChartStep.cutFolder : nil,
      detail: "\(tiles) tiles, \(Counts.bytes(product.files[0].bytes))")
  }
}

/// The second step of a chart: completes its edge tiles from its neighbours.
struct SeamStep: Sendable {
  let context: StepContext
  let item: PipelineItem
  let chart: ChartDefinition
  let family: ChartFamily

  @Sendable func prepare(_ results: StepResults) throws -> PreparedStep? {
    guard let own = try results.pack(item.product) else { return nil }
    let neighbours = try family.charts.filter { $0.id != chart.id && family.completesEdges($0) }
      .map { "\(item.pipeline)/\($0.id)" }.filter { !context.isRefused($0, in: results) }
      .compactMap { try results.pack($0) }
      .filter { MosaicBuilder.areNeighbours(own.pack, $0.pack) }
    let key = try context.key(
      of: item, edition: context.cycle.issue(family.cadence), sources: [own.key] + neighbours.map(\.key),
      libraries: context.tileLibraries, step: item.seamStep)
    return PreparedStep(key: key) { earlier in
      try make(own.pack, neighbours.map(\.pack), updating: try earlier()?.join(of: item))
    }
  }

  private func make(
    _ own: ChartPack, _ neighbours: [ChartPack], updating earlier: EarlierJoin?
  ) throws -> StepOutputs {
    let archive = context.workspace.scratchFile("\(chart.id).mbtiles")
    let joined = try MosaicBuilder.fill(
      own, from: neighbours, settings: family.tiles(for: chart), updating: earlier, to: archive,
      jobs: context.jobs, progress: context.progress, step: item.seamStep.description)
    let product = joined.product
    let control = try product.files.dropFirst().map { try copy($0, beside: own.archive) }
    let made = try MadeProduct(product: product, files: [archive] + control)
      .with(family.tiles.archives, on: context)
    return try context.outputs(
      of: item, made, beside: [(item.joinRecord, joined.record)],
      detail:
        "completed from \(Counts.of(neighbours.count, "neighbour")), \(Counts.bytes(product.files[0].bytes))")
  }
}

extension SeamStep {
  /// Copies the evidence of the chart's place unchanged.
  private func copy(_ file: Product.File, beside archive: URL) throws -> URL {
    let scratch = context.workspace.scratchFile(file.path)
    try FileManager.default.copyItem(
      at: archive.deletingLastPathComponent().appending(path: file.path), to: scratch)
    return scratch
  }
}

/// The step of a mosaic: joins charts of a family in one archive.
struct MosaicStep: Sendable {
  let context: StepContext
  let item: PipelineItem
  let mosaic: MosaicDefinition
  let family: ChartFamily

  @Sendable func prepare(_ results: StepResults) throws -> PreparedStep? {
    let found = try item.parts.map { (chart: $0, pack: try results.pack($0)) }
    let missing = found.filter { $0.pack == nil }.map { String($0.chart.dropFirst(item.pipeline.count + 1)) }
    guard missing.isEmpty else { throw incomplete(missing) }
    // Validation would hold back a mosaic of refused charts, so it is not built.
    guard !item.parts.contains(where: { context.isRefused($0, in: results) }) else { return nil }
    let packs = found.compactMap(\.pack)
    let key = try context.key(
      of: item, edition: context.cycle.issue(family.cadence), sources: packs.map(\.key),
      libraries: context.tileLibraries)
    return PreparedStep(key: key) { earlier in
      try make(packs.map(\.pack), updating: try earlier()?.join(of: item))
    }
  }

  /// A mosaic with a hole would look like a map without features.
  private func incomplete(_ missing: [String]) -> UserError {
    UserError(
      .badInput, operation: "joining charts", path: item.product,
      reason: "\(Counts.of(missing.count, "chart")) of \(item.parts.count) could not be built: "
        + missing.prefix(8).joined(separator: ", ") + (missing.count > 8 ? ", ..." : ""),
      suggestion: "Fix what stopped them and run again. What is up to date is not built twice.")
  }

  private func make(_ packs: [ChartPack], updating earlier: EarlierJoin?) throws -> StepOutputs {
    let archive = context.workspace.scratchFile("\(mosaic.id).mbtiles")
    let joined = try MosaicBuilder.build(
      mosaic, of: family, from: packs, definition: try item.definitionSha256(), updating: earlier,
      to: archive, jobs: context.jobs, progress: context.progress, step: item.product)
    let product = joined.product
    let tiles = Counts.grouped(product.build.counts["tiles"] ?? 0)
    let made = try MadeProduct(product: product, files: [archive]).with(mosaic.archives, on: context)
    return try context.outputs(
      of: item, made, beside: [(item.joinRecord, joined.record)],
      detail: "\(Counts.of(packs.count, "chart")), \(tiles) tiles, \(Counts.bytes(product.files[0].bytes))")
  }
}

extension PipelineItem {
  /// The name of the file with the record of a join, beside the product.
  fileprivate var joinRecord: String { "\(id).joins.txt" }
}

extension StepResult {
  /// The archive and the record of an earlier run of a step that joins; nil if an older version ran it.
  fileprivate func join(of item: PipelineItem) throws -> EarlierJoin? {
    guard let record = files.first(where: { $0.url.lastPathComponent == item.joinRecord }),
      let (product, folder) = try product()
    else { return nil }
    return EarlierJoin(archive: folder.appending(path: product.files[0].path), record: record.url)
  }
}

extension StepResults {
  /// The chart as built by its own step, before its edge tiles are completed.
  fileprivate func pack(_ chart: String) throws -> (key: SHA256Hex, pack: ChartPack)? {
    guard let result = self[Step.ID(product: chart)], let (product, folder) = try result.product() else {
      return nil
    }
    return (result.key, ChartPack(product: product, archive: folder.appending(path: product.files[0].path)))
  }
}

/// A product and its scratch files, in the order in which the product lists them.
struct MadeProduct {
  var product: Product
  var files: [URL]

  /// Writes the tiles, which the step made as MBTiles, in the formats that the definition lists.
  func with(_ archives: [TileSettings.Archive], on context: StepContext) throws -> MadeProduct {
    guard archives.contains(.pmtiles), let tiles = files.first else { return self }
    let twin = tiles.deletingPathExtension().appendingPathExtension("pmtiles")
    let step = product.id
    _ = try PMTilesWriter.write(MBTilesReader(opening: tiles), isOwn: true, to: twin) { done, total in
      try CancellationToken.current.check()
      context.progress.report(.advanced(step: step, done: done, total: total, unit: "tiles as PMTiles"))
    }
    let name = URL(filePath: product.files[0].path).deletingPathExtension().lastPathComponent + ".pmtiles"
    var made = self
    made.files.append(twin)
    made.product.files.append(
      Product.File(
        path: name, sha256: try SHA256Hex(ofFile: twin), bytes: twin.byteCount ?? 0,
        mediaType: "application/vnd.pmtiles", role: .pmtiles))
    made.product.build.libraries.merge(PMTilesWriter.libraries) { own, _ in own }
    if !archives.contains(.mbtiles) {
      try FileManager.default.removeItem(at: tiles)
      made.files.removeFirst()
      made.product.files.removeFirst()
    }
    return made
  }
}
