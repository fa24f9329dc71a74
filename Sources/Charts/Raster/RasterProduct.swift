public import Core
internal import CryptoIO
internal import Foundation

/// The input of one build: one image of one family, one cycle, one source file.
public struct RasterProductRequest: Sendable {
  public let image: RasterDefinition
  public let family: RasterFamily
  public let definitionSha256: SHA256Hex
  public let source: SourceFile
  /// The files beside it that GDAL reads too.
  public let sidecars: [SourceFile]
  /// Images have no editions: the product is of the run's cycle.
  public let cycle: AiracCycle

  private var stem: String { image.id + (family.tiles.size == 512 ? "@2x" : "") }

  /// `Harbour.mbtiles`, or `Harbour@2x.mbtiles` for tiles of 512 pixels.
  public var fileName: String { "\(stem).mbtiles" }

  /// `Harbour.samples.json`
  public var samplesName: String { "\(stem).samples.json" }

  var tiling: RasterRequest {
    let tiles = family.tiles(for: image)
    var request = RasterRequest(file: source.url)
    request.name = image.name
    request.attribution = family.attribution
    request.description = "\(family.title): \(image.name)"
    if let first = tiles.minZoom, let last = tiles.maxZoom { request.zooms = first...last }
    (request.format, request.size, request.quality) = (tiles.format, tiles.size, tiles.quality)
    request.system = image.crs
    request.range = image.scale.map { $0[0]...$0[1] }
    return request
  }

  /// Returns the product's description, with its files, sources and versions.
  func product(_ made: RasterBuilder.Made, archive: URL, samples: URL) throws -> Product {
    let (settings, neatline) = (made.summary.settings, made.neatline)
    let text = try CanonicalJSON.line(made.samples)
    try text.write(to: samples)
    let evidence = Product.File(
      path: samplesName, sha256: try SHA256Hex(of: Array(text)), bytes: text.count,
      mediaType: "application/json", role: .samples)
    var product = Product(
      id: "\(family.name)/\(image.id)", name: image.name, cycle, edition: .day(cycle.effectiveDay),
      dates: (cycle.effective, cycle.expires), settings, neatline,
      files: [try Product.File(tiles: archive, named: fileName), evidence],
      sources: ([source] + sidecars).map(\.record), definition: definitionSha256,
      counts: made.summary.archive.counts)
    if settings.format.imageType == "png", settings.size == 256 {
      product.region = image.id + (family.regionSuffix ?? "")
    }
    return product
  }
}
