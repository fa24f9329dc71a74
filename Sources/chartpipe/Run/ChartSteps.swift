import Charts
import Core
import CryptoIO
import Fetch
import Foundation
import Pipeline
import TileArchive

/// A chart's step: from its zip to its tile archive.
struct ChartStep: Sendable {
  let bench: Workbench
  let item: PipelineItem
  let chart: ChartDefinition
  let family: ChartFamily

  /// Where charts lie whose edge tiles are still to be completed.
  static let cutFolder = "cut"

  @Sendable func prepare() throws -> PreparedStep {
    let issue = bench.cycle.issue(family.cadence).effectiveDay
    let source = try bench.source(
      [chart.zip, chart.tif],
      getItFrom: family.url?.filled(name: chart.zip, day: issue)
        ?? "https://aeronav.faa.gov/visual/\(issue.monthDayYear)/")
    let sources = try [source] + sidecars(of: source)
    let key = try bench.key(of: item, sources: sources.map(\.sha256), libraries: bench.tileLibraries)
    return bench.prepared(key, reading: sources) { try make(source) }
  }

  /// A bare tif has its dates and a second placement in files beside it, which count as inputs too.
  private func sidecars(of source: SourceFile) throws -> [SourceFile] {
    guard source.name.lowercased().hasSuffix(".tif") else { return [] }
    return try [".htm", ".tfw"].compactMap { try bench.sources.locate([source.name.dropLast(4) + $0]) }
  }

  private func make(_ source: SourceFile) throws -> StepOutputs {
    let request = ChartRequest(
      chart: chart, family: family, definitionSha256: try item.definitionSha256(), source: source,
      cycle: bench.cycle, engine: bench.engine)
    let archive = bench.workspace.scratchFile(request.fileName)
    let control = bench.workspace.scratchFile(request.controlName)
    let reference = bench.workspace.scratchFile(request.referenceName)
    let product = try ChartBuilder.build(
      request, to: archive, control: control, reference: reference, jobs: bench.jobs,
      progress: bench.progress, step: item.product)
    for doubt in (product.cut?.doubts ?? []) + (product.reference?.doubts ?? []) {
      bench.progress.report(.warning(step: item.product, message: doubt))
    }
    let isCut = family.seam == .fill
    let evidence = [Product.Control.role: control, Product.Reference.role: reference]
    var made = MadeProduct(product: product, files: product.files.map { evidence[$0.role] ?? archive })
    if !isCut { made = try made.withPMTiles(family.tiles, on: bench) }
    let tiles = Counts.grouped(product.build.counts["tiles"] ?? 0)
    return try bench.outputs(
      of: item, made, aside: isCut ? ChartStep.cutFolder : nil,
      detail: "\(tiles) tiles, \(Counts.bytes(product.files[0].bytes))")
  }
}

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

/// A product and the scratch files that it is made of, in the order in which the product lists them.
struct MadeProduct {
  var product: Product
  var files: [URL]

  /// Adds the same tiles as PMTiles, where the family asks for them.
  func withPMTiles(_ settings: TileSettings, on bench: Workbench) throws -> MadeProduct {
    guard settings.archives.contains(.pmtiles), let tiles = files.first else { return self }
    let name = URL(filePath: product.files[0].path).deletingPathExtension().lastPathComponent + ".pmtiles"
    let twin = bench.workspace.scratchFile(name)
    let step = product.id
    _ = try PMTilesWriter.write(MBTilesReader(opening: tiles), to: twin) { done, total in
      try CancellationToken.current.check()
      bench.progress.report(.advanced(step: step, done: done, total: total, unit: "tiles as PMTiles"))
    }
    var made = MadeProduct(product: product, files: files + [twin])
    made.product.files.append(
      Product.File(
        path: name, sha256: try SHA256Hex(ofFile: twin), bytes: twin.fileSize,
        mediaType: "application/vnd.pmtiles", role: "pmtiles"))
    made.product.build.libraries.merge(PMTilesWriter.libraries) { own, _ in own }
    return made
  }
}
