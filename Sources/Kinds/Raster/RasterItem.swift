internal import Core
internal import Foundation

extension RasterFamily: PipelineDefinition {
  static let kind = "raster"

  var items: [any PipelineItem] { images.map { RasterItem(image: $0, family: self) } }
}

/// An image of any kind as a tile archive. It has no editions: its product is of the run's cycle.
struct RasterItem: PipelineItem {
  let image: RasterDefinition
  let family: RasterFamily

  var pipeline: String { family.name }
  var id: String { image.id }
  var name: String { image.name }
  var schedule: Schedule { .every28Days }

  func definitionText() throws -> Data {
    var family = family
    (family.images, family.url) = ([image], nil)
    return try CanonicalJSON.line(family)
  }

  private func url(_ cycle: AiracCycle) -> String? {
    family.url?.filled(name: image.file, day: cycle.effectiveDay)
  }

  func sources(for cycle: AiracCycle) -> [SourceRequirement] {
    let file = RequiredFile(path: image.file, url: url(cycle), edition: nil)
    return [SourceRequirement(alternatives: [[file]], products: [product])]
  }

  func sourceBytes(_ sizes: SourceSizes) -> Int { sizes.bytes([image.file]) ?? 0 }

  func expectedSeconds(_ sizes: SourceSizes?) -> Double {
    SourceSizes.seconds(sizes.map(sourceBytes), least: 0.5, perMegabyte: 0.05, usual: 10)
  }

  func steps(_ context: StepContext) -> [Step] { [Step(id: step, fromSources: { try prepare(context) })] }

  private func prepare(_ context: StepContext) throws -> PreparedStep {
    let source = try context.sources.locate([image.file], getItFrom: url(context.cycle) ?? "its publisher")
    // The files that GDAL reads with the image are inputs too.
    let sidecars = try RasterBuilder.filesBeside(source.url).map { try SourceFolder.file($0) }
    let sources = [source] + sidecars
    let key = try context.key(
      of: self, sources: sources.map(\.ingredient), libraries: StepContext.tileLibraries)
    return context.prepared(key, reading: sources) { try make(source, sidecars, context) }
  }

  private func make(
    _ source: SourceFile, _ sidecars: [SourceFile], _ context: StepContext
  ) throws -> StepOutputs {
    let request = RasterProductRequest(
      image: image, family: family, definitionSha256: try definitionSha256(), source: source,
      sidecars: sidecars, cycle: context.cycle)
    let archive = context.workspace.scratchFile(request.fileName)
    let samples = context.workspace.scratchFile(request.samplesName)
    let built = try RasterBuilder.build(
      request, to: archive, samples: samples, jobs: context.jobs, progress: context.progress, step: product)
    let made = try MadeProduct(product: built, files: [archive, samples])
      .with(family.tiles.archives, on: context)
    let tiles = Counts.grouped(built.build.counts["tiles"] ?? 0)
    return try context.outputs(
      of: self, made, detail: "\(tiles) tiles, \(Counts.bytes(built.files[0].bytes))")
  }
}
