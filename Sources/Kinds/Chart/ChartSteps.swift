internal import Core
internal import Foundation

/// The step of a chart: from its zip to its tile archive.
extension ChartItem {
  /// The folder of charts whose edge tiles another step completes.
  private static let cutFolder = "cut"

  func prepare(_ context: StepContext) throws -> PreparedStep {
    let edition = context.cycle.edition(schedule)
    let issue = edition.effectiveDay
    let source = try context.sources.locate(
      [chart.zip, chart.tif],
      getItFrom: family.url?.filled(name: chart.zip, day: issue)
        ?? "https://aeronav.faa.gov/visual/\(issue.monthDayYear)/")
    let sources = try [source] + sidecars(of: source, context)
    let key = try context.key(
      of: self, edition: edition, sources: sources.map(\.ingredient), libraries: StepContext.tileLibraries)
    return context.prepared(key, reading: sources) { try make(source, context) }
  }

  /// The files beside an unzipped tif with its dates and a second georeference. They are inputs too.
  private func sidecars(of source: SourceFile, _ context: StepContext) throws -> [SourceFile] {
    guard source.name.lowercased().hasSuffix(".tif") else { return [] }
    return try (ChartFiles.pages + ChartFiles.worldFiles).compactMap {
      try context.sources.locate([source.name.dropLast(4) + $0])
    }
  }

  private func make(_ source: SourceFile, _ context: StepContext) throws -> StepOutputs {
    let request = ChartRequest(
      chart: chart, family: family, definitionSha256: try definitionSha256(), source: source,
      cycle: context.cycle)
    let archive = context.workspace.scratchFile(request.fileName)
    let control = context.workspace.scratchFile(request.controlName)
    let reference = context.workspace.scratchFile(request.referenceName)
    let built = try ChartBuilder.build(
      request, to: archive, control: control, reference: reference, jobs: context.jobs,
      progress: context.progress, step: product)
    let doubts = [built.cut?.doubts, built.reference?.doubts, built.reference?.repetition.map { [$0] }]
    let isCut = family.seam == .fill
    let evidence: [Product.Role: URL] = [.control: control, .reference: reference]
    var made = MadeProduct(product: built, files: built.files.map { evidence[$0.role] ?? archive })
    if !isCut { made = try made.with(family.tiles.archives, on: context) }
    let tiles = Counts.grouped(built.build.counts["tiles"] ?? 0)
    return try context.outputs(
      of: self, made, intermediateFolder: isCut ? ChartItem.cutFolder : nil,
      detail: "\(tiles) tiles, \(Counts.bytes(built.files[0].bytes))", warnings: doubts.flatMap { $0 ?? [] })
  }
}

/// The second step of a chart: completes its edge tiles from its neighbours.
extension ChartItem {
  var seamStep: Step.ID { Step.ID(product: product, completesSeams: true) }

  func prepareSeams(_ results: StepResults, _ context: StepContext) throws -> PreparedStep? {
    guard let own = try results.pack(product) else { return nil }
    let neighbours = try family.charts.filter { $0.id != chart.id && family.completesEdges($0) }
      .map { "\(pipeline)/\($0.id)" }.filter { !context.isRefused($0, in: results) }
      .compactMap { try results.pack($0) }
      .filter { MosaicBuilder.areNeighbours(own.pack, $0.pack) }
    let key = try context.key(
      of: self, edition: context.cycle.edition(schedule), sources: ([own] + neighbours).map(\.key.text),
      libraries: StepContext.tileLibraries, step: seamStep)
    return PreparedStep(key: key) { earlier in
      try make(own.pack, neighbours.map(\.pack), updating: try earlier()?.join(of: self), context)
    }
  }

  private func make(
    _ own: ChartPack, _ neighbours: [ChartPack], updating earlier: EarlierJoin?, _ context: StepContext
  ) throws -> StepOutputs {
    let archive = context.workspace.scratchFile("\(chart.id).mbtiles")
    let joined = try MosaicBuilder.fill(
      own, from: neighbours, settings: family.tiles(for: chart), updating: earlier, to: archive,
      jobs: context.jobs, progress: context.progress, step: seamStep.description)
    let control = try joined.product.files.dropFirst().map { try copy($0, beside: own.archive, context) }
    let made = try MadeProduct(product: joined.product, files: [archive] + control)
      .with(family.tiles.archives, on: context)
    return try context.outputs(
      of: self, made, beside: [(joinRecord, joined.record)],
      detail:
        "completed from \(Counts.of(neighbours.count, "neighbour")), \(Counts.bytes(joined.product.files[0].bytes))"
    )
  }

  /// Copies the evidence of the chart's place unchanged.
  private func copy(_ file: Product.File, beside archive: URL, _ context: StepContext) throws -> URL {
    let scratch = context.workspace.scratchFile(file.path)
    try FileManager.default.copyItem(
      at: archive.deletingLastPathComponent().appending(path: file.path), to: scratch)
    return scratch
  }
}
