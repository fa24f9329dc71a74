public import Core
public import Foundation
internal import RasterIO

/// An image to tile, and the wanted form of the tiles. Nil takes what the image suggests.
public struct RasterRequest: Sendable {
  public var file: URL
  /// The name of a map; nil for the file's name.
  public var name: String?
  public var attribution = ""
  public var description: String?
  public var zooms: ClosedRange<Int>?
  public var format: TileSettings.Format?
  public var size = 256
  public var quality = TileSettings.usualQuality
  /// A reference system in place of the image's own: `EPSG:32610`.
  public var system: String?
  /// The sample values that become black and white, for images of more than 8 bits.
  public var range: ClosedRange<Double>?
}

/// What a tile archive of an image holds.
public struct RasterSummary: Sendable {
  public let settings: TileSettings
  public let bounds: GeoBox
  public let width: Int
  public let height: Int
  public let archive: ArchiveSummary
}

/// Builds a tile archive from any georeferenced image, with the warp and the pyramid of charts.
public enum RasterBuilder {
  /// Writes an MBTiles archive.
  ///
  /// - Parameter scratch: where the archive is written.
  public static func tile(
    _ request: RasterRequest, to scratch: URL, jobs: Int, progress: any ProgressReporter, step: String
  ) throws -> RasterSummary {
    try reporting(request.file) {
      try make(request, to: scratch, jobs: jobs, progress: (progress, step)).summary
    }
  }

  /// Builds the product of an image.
  ///
  /// - Parameters:
  ///   - archive: where the MBTiles is written.
  ///   - samples: where the samples of the image are written. The tiles are compared with them.
  public static func build(
    _ request: RasterProductRequest, to archive: URL, samples: URL, jobs: Int, progress: any ProgressReporter,
    step: String
  ) throws -> Product {
    try reporting(request.source.url) {
      let made = try make(
        request.tiling, to: archive, jobs: jobs, progress: (progress, step))
      return try request.product(made, archive: archive, samples: samples)
    }
  }

  /// The files that GDAL reads together with an image, such as its world file, in the order of their names. None if GDAL cannot
  /// open the image; tiling it reports that.
  public static func filesBeside(_ image: URL) -> [URL] {
    guard image.isRegularFile else { return [] }
    let files = (try? RasterDataset(openingImage: image.path))?.fileList ?? []
    return Set(files).sorted().filter { $0 != image.path }.map { URL(filePath: $0) }
      .filter { $0.kindOnDisk == .file }
  }

  typealias Made = (summary: RasterSummary, neatline: Neatline, samples: RasterSamples)

  private static func make(
    _ request: RasterRequest, to scratch: URL, jobs: Int,
    progress: (reporter: any ProgressReporter, step: String)
  ) throws -> Made {
    let (image, facts) = try RasterReader(file: request.file, system: request.system, range: request.range)
      .open()
    let settings = try request.settings(for: facts)
    let neatline = facts.neatline
    let sheet = image.sheet
    let plan = try UnitPlan(settings, covering: neatline.windows, on: sheet)
    let bands = SheetBands(image)
    let tiler = ChartTiler(
      plan: plan, job: WarpJob(sheet: sheet, neatline: neatline, scales: plan.scales),
      bands: bands, evidence: SheetEvidence(samples: SampleCollector(sheet, plan)), jobs: jobs)
    let archive = try tiler.archive(
      settings, request.metadata(settings, facts.isPartial, neatline), isPrint: facts.hasPalette,
      to: scratch,
      progress: TileProgress(progress.reporter, step: progress.step, total: plan.leafCount)
    ) { request.invisible }
    let summary = RasterSummary(
      settings: settings, bounds: neatline.bounds, width: sheet.width, height: sheet.height, archive: archive)
    return (summary, neatline, try bands.evidence?.samples?.samples() ?? RasterSamples(samples: []))
  }

  /// All errors but the user's are caused by the machine: no memory, or a library without its data files.
  private static func reporting<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result {
    try UserError.wrapping(
      "tiling the image", file.path,
      suggestion: "Run `chartpipe doctor` to list what this machine lacks.", body)
  }
}

extension RasterRequest {
  /// Deeper zooms than that of the image only take space, so zooms at which a pixel becomes dozens of pixels wide are refused.
  private static let zoomsBeyondOwn = 6

  /// The wanted settings, completed by what suits the image.
  func settings(for facts: RasterFacts) throws -> TileSettings {
    let own = facts.zooms(size: size)
    let zooms = zooms ?? own
    try check(zooms, own: own.upperBound)
    var settings = TileSettings(zooms: zooms, format: format ?? facts.format, size: size)
    settings.quality = quality
    return settings
  }

  private func check(_ zooms: ClosedRange<Int>, own: Int) throws {
    let limit = min(own + RasterRequest.zoomsBeyondOwn, RasterTiles.zoomLimit)
    guard zooms.upperBound > limit else { return }
    throw UserError(
      .badCall, operation: "tiling the image", path: file.path,
      reason: "zoom \(zooms.upperBound) is far deeper than its own resolution, that of zoom \(own)",
      suggestion: "Give a largest zoom of \(limit) or less; without zooms, that of the image is taken.")
  }

  var invisible: UserError {
    UserError(
      .badInput, operation: "tiling the image", path: file.path, reason: "it has no visible pixel",
      suggestion: "Look at it with gdalinfo -stats: its mask, its alpha and its NoData value.")
  }

  var title: String { name ?? file.deletingPathExtension().lastPathComponent }

  func metadata(_ settings: TileSettings, _ isPartial: Bool, _ neatline: Neatline) -> ArchiveMetadata {
    let coverage = isPartial ? ArchiveMetadata.partialCoverage : ArchiveMetadata.fullCoverage
    return ArchiveMetadata(
      name: title, settings, neatline, attribution: attribution, description: description ?? title,
      version: "1", extra: [ArchiveMetadata.coverageKey: coverage])
  }
}

extension RasterFacts {
  /// A palette stays a palette. Other images are photographs, scans or shaded maps, for which WebP needs a fraction of PNG's bytes.
  var format: TileSettings.Format { hasPalette ? .png : .webp }

  /// From the zoom at which the image fits on a tile to the one nearest to its own resolution.
  func zooms(size: Int) -> ClosedRange<Int> {
    let largest = log2(2 * WebMercator.halfWorld / Double(size) / resolution).rounded()
    let last = Int(min(max(largest, 0), Double(RasterTiles.zoomLimit)))
    let boxes = neatline.windows
    let width = boxes.map { $0.east - $0.west }.reduce(0, +) / 360
    let (south, north) = (
      WebMercator.project(GeoPoint(longitude: 0, latitude: boxes[0].south)).y,
      WebMercator.project(GeoPoint(longitude: 0, latitude: boxes[0].north)).y
    )
    let side = max(width, (north - south) / (2 * WebMercator.halfWorld))
    let smallest = side > 0 ? (-log2(side)).rounded(.down) : 0
    return min(last, Int(min(max(smallest, 0), Double(RasterTiles.zoomLimit))))...last
  }
}
