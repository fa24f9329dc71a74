internal import Core
internal import Foundation

/// The step of an image: from its file to its tile archive.
struct RasterStep: Sendable {
  let context: StepContext
  let item: PipelineItem
  let image: RasterDefinition
  let family: RasterFamily

  @Sendable func prepare() throws -> PreparedStep {
    let place = family.url?.filled(name: image.file, day: context.cycle.effectiveDay)
    let source = try context.source([image.file], getItFrom: place ?? "its publisher")
    // The files that GDAL reads with the image are inputs too.
    let sidecars = try RasterBuilder.filesBeside(source.url).map { try SourceFolder.file($0) }
    let sources = [source] + sidecars
    let key = try context.key(
      of: item, sources: sources.map(\.sha256), libraries: context.tileLibraries(engine: .kernel))
    return context.prepared(key, reading: sources) { try make(source, sidecars) }
  }

  private func make(_ source: SourceFile, _ sidecars: [SourceFile]) throws -> StepOutputs {
    let request = RasterProductRequest(
      image: image, family: family, definitionSha256: try item.definitionSha256(), source: source,
      sidecars: sidecars, cycle: context.cycle)
    let archive = context.workspace.scratchFile(request.fileName)
    let samples = context.workspace.scratchFile(request.samplesName)
    let product = try RasterBuilder.build(
      request, to: archive, samples: samples, jobs: context.jobs, progress: context.progress,
      step: item.product)
    let made = try MadeProduct(product: product, files: [archive, samples])
      .with(family.tiles.archives, on: context)
    let tiles = Counts.grouped(product.build.counts["tiles"] ?? 0)
    return try context.outputs(
      of: item, made, detail: "\(tiles) tiles, \(Counts.bytes(product.files[0].bytes))")
  }
}
