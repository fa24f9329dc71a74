import Charts
import Core
import Fetch
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
