import Charts
import Core
import CryptoIO
import Foundation
import Pipeline

/// A chart's second step: its edge tiles completed from its neighbours, once all of them are built.
struct SeamStep: Sendable {
  let bench: Workbench
  let item: PipelineItem
  let chart: ChartDefinition
  let family: ChartFamily

  var id: String { SeamStep.id(item) }

  static func id(_ item: PipelineItem) -> String { "\(item.product), seams" }

  /// The product of a step, also of one that completes its edge tiles.
  static func product(ofStep id: String) -> String { String(id.prefix { $0 != "," }) }

  @Sendable func prepare(_ standing: UpToDateSteps) throws -> PreparedStep? {
    guard let own = try standing.pack(item.product) else { return nil }
    let neighbours = try family.charts.filter { $0.id != chart.id && !isInset($0) }
      .map { "\(item.pipeline)/\($0.id)" }.filter { !bench.refused.contains($0, builtIn: standing) }
      .compactMap { try standing.pack($0) }
      .filter { MosaicBuilder.areNeighbours(own.pack, $0.pack) }
    let key = try bench.key(
      of: item, sources: [own.key] + neighbours.map(\.key),
      libraries: bench.tileLibraries, step: id)
    return PreparedStep(key: key) { try make(own.pack, neighbours.map(\.pack)) }
  }

  /// What lies on top of another chart, in another scale, is no neighbour of any.
  private func isInset(_ other: ChartDefinition) -> Bool {
    (family.mosaic?.without ?? []).contains(other.id)
  }

  private func make(_ own: ChartPack, _ neighbours: [ChartPack]) throws -> StepOutputs {
    let archive = bench.workspace.scratchFile("\(chart.id).mbtiles")
    let product = try MosaicBuilder.fill(
      own, from: neighbours, settings: family.tiles(for: chart), to: archive, jobs: bench.jobs,
      progress: bench.progress, step: id)
    let control = try product.files.dropFirst().map { try copy($0, beside: own.archive) }
    let made = try MadeProduct(product: product, files: [archive] + control)
      .withPMTiles(family.tiles, on: bench)
    return try bench.outputs(
      of: item, made,
      detail:
        "completed from \(Counts.of(neighbours.count, "neighbour")), \(Counts.bytes(product.files[0].bytes))")
  }
}

extension SeamStep {
  /// What proves the chart's place goes with it as it is.
  private func copy(_ file: Product.File, beside archive: URL) throws -> URL {
    let scratch = bench.workspace.scratchFile(file.path)
    try FileManager.default.copyItem(
      at: archive.deletingLastPathComponent().appending(path: file.path), to: scratch)
    return scratch
  }
}

/// A family in one archive, once all of its charts are built.
struct MosaicStep: Sendable {
  let bench: Workbench
  let item: PipelineItem
  let mosaic: MosaicDefinition
  let family: ChartFamily

  /// The ids of the charts that it joins.
  var parts: [String] { wanted.map { "\(item.pipeline)/\($0.id)" } }

  private var wanted: [ChartDefinition] {
    family.charts.filter { !(mosaic.without ?? []).contains($0.id) }
  }

  @Sendable func prepare(_ standing: UpToDateSteps) throws -> PreparedStep? {
    let found = try wanted.map { (chart: $0, pack: try standing.pack("\(item.pipeline)/\($0.id)")) }
    let missing = found.filter { $0.pack == nil }.map(\.chart.id)
    guard missing.isEmpty else { throw incomplete(missing) }
    // A mosaic of refused charts would be held back with them, so it is not made.
    guard !parts.contains(where: { bench.refused.contains($0, builtIn: standing) }) else { return nil }
    let packs = found.compactMap(\.pack)
    let key = try bench.key(
      of: item, sources: packs.map(\.key), libraries: bench.tileLibraries)
    return PreparedStep(key: key) { try make(packs.map(\.pack)) }
  }

  /// A mosaic with a hole would look like a map of a place where nothing is.
  private func incomplete(_ missing: [String]) -> UserError {
    UserError(
      .badInput, operation: "joining charts", path: item.product,
      reason: "\(Counts.of(missing.count, "chart")) of \(family.charts.count) could not be built: "
        + missing.prefix(8).joined(separator: ", ") + (missing.count > 8 ? ", ..." : ""),
      suggestion: "Fix what stopped them and run again. What is up to date is not built twice.")
  }

  private func make(_ packs: [ChartPack]) throws -> StepOutputs {
    let archive = bench.workspace.scratchFile("\(mosaic.id).mbtiles")
    let product = try MosaicBuilder.build(
      mosaic, of: family, from: packs, definition: try item.definitionSha256(), to: archive, jobs: bench.jobs,
      progress: bench.progress, step: item.product)
    let tiles = Counts.grouped(product.build.counts["tiles"] ?? 0)
    let made = try MadeProduct(product: product, files: [archive]).withPMTiles(family.tiles, on: bench)
    return try bench.outputs(
      of: item, made,
      detail: "\(Counts.of(packs.count, "chart")), \(tiles) tiles, \(Counts.bytes(product.files[0].bytes))")
  }
}

extension UpToDateSteps {
  /// The chart that a step of this run built, whole or still to be completed.
  fileprivate func pack(_ step: String) throws -> (key: SHA256Hex, pack: ChartPack)? {
    guard let (key, files) = self[step], let description = files.last else { return nil }
    let product = try JSONDecoder().decode(Product.self, from: try Data(contentsOf: description))
    let archive = description.deletingLastPathComponent().appending(path: product.files[0].path)
    return (key, ChartPack(product: product, archive: archive))
  }
}
