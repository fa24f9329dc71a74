internal import Core
internal import Foundation

/// Several charts of a family in one archive.
struct MosaicItem: PipelineItem {
  let mosaic: MosaicDefinition
  let family: ChartFamily

  var pipeline: String { family.name }
  var id: String { mosaic.id }
  var name: String { mosaic.name }
  var schedule: Schedule { family.cadence }
  var daysAhead: Int { 20 }
  var parts: [String] { family.charts(of: mosaic).map { "\(pipeline)/\($0.id)" } }
  var joining: JoinRole { .made }
  var isOfCharts: Bool { true }

  func definitionText() throws -> Data {
    var family = family
    (family.charts, family.mosaics, family.url) = (family.charts(of: mosaic), [mosaic], nil)
    return try CanonicalJSON.line(family)
  }

  /// No shard builds a mosaic.
  func expectedSeconds(_ sizes: SourceSizes?) -> Double { 0 }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromResults: { try prepare($0, context) })] }

  private func prepare(_ results: StepResults, _ context: StepContext) throws -> PreparedStep? {
    let found = try parts.map { (chart: $0, pack: try results.pack($0)) }
    let missing = found.filter { $0.pack == nil }.map { String($0.chart.dropFirst(pipeline.count + 1)) }
    guard missing.isEmpty else { throw incomplete(missing) }
    // Validation would hold back a mosaic of refused charts, so it is not built.
    guard !parts.contains(where: { context.isRefused($0, in: results) }) else { return nil }
    let packs = found.compactMap(\.pack)
    let key = try context.key(
      of: self, edition: context.cycle.edition(schedule), sources: packs.map(\.key.text),
      libraries: StepContext.tileLibraries)
    return PreparedStep(key: key) { earlier in
      try make(packs.map(\.pack), updating: try earlier()?.join(of: self), context)
    }
  }

  /// A mosaic with a hole would look like a map without features.
  private func incomplete(_ missing: [String]) -> UserError {
    UserError(
      .badInput, operation: "joining charts", path: product,
      reason: "\(Counts.of(missing.count, "chart")) of \(parts.count) could not be built: "
        + Counts.some(missing, atMost: 8),
      suggestion: "Fix what stopped them and run again. What is up to date is not built twice.")
  }

  private func make(
    _ packs: [ChartPack], updating earlier: EarlierJoin?, _ context: StepContext
  ) throws -> StepOutputs {
    let archive = context.workspace.scratchFile("\(mosaic.id).mbtiles")
    let joined = try MosaicBuilder.build(
      mosaic, of: family, from: packs, definition: try definitionSha256(), updating: earlier,
      to: archive, jobs: context.jobs, progress: context.progress, step: product)
    let tiles = Counts.grouped(joined.product.build.counts["tiles"] ?? 0)
    let made = try MadeProduct(product: joined.product, files: [archive]).with(mosaic.archives, on: context)
    return try context.outputs(
      of: self, made, beside: [(joinRecord, joined.record)],
      detail:
        "\(Counts.of(packs.count, "chart")), \(tiles) tiles, \(Counts.bytes(joined.product.files[0].bytes))")
  }
}

extension PipelineItem {
  /// The name of the file with the record of a join, beside the product.
  var joinRecord: String { "\(id).joins.txt" }
}

extension StepResult {
  /// The archive and the record of an earlier run of a step that joins; nil if an older version ran it.
  func join(of item: any PipelineItem) throws -> EarlierJoin? {
    guard let record = files.first(where: { $0.url.lastPathComponent == item.joinRecord }),
      let (product, folder) = try product()
    else { return nil }
    return EarlierJoin(archive: folder.appending(path: product.files[0].path), record: record.url)
  }
}

extension StepResults {
  /// The chart as built by its own step, before its edge tiles are completed.
  func pack(_ chart: String) throws -> (key: SHA256Hex, pack: ChartPack)? {
    guard let result = self[Step.ID(product: chart)], let (product, folder) = try result.product() else {
      return nil
    }
    return (result.key, ChartPack(product: product, archive: folder.appending(path: product.files[0].path)))
  }
}
