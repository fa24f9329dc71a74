internal import Airac
internal import CryptoIO
public import Foundation
internal import Geo
internal import ImageIO
public import Pipeline
internal import RasterIO
internal import SQLiteIO
internal import TileArchive

/// The way of a chart: from the FAA's file to an archive of tiles.
public enum ChartBuilder {
  /// The versions of every library that can change a byte of an archive.
  public static var libraries: [String: String] {
    [
      "gdal": gdalVersion(), "proj": projVersion(), "libpng": PNG.libraryVersion,
      "zlib": PNG.compressorVersion, "sqlite": SQLiteConnection.libraryVersion,
    ]
  }

  /// Writes the MBTiles to `scratch`, where the caller publishes it from, and gives the product that it is.
  public static func build(
    _ request: ChartRequest, to scratch: URL, jobs: Int, progress: any ProgressReporter, step: String
  ) async throws -> Product {
    do {
      let (image, sources) = try load(request)
      let (neatline, cut) = try NeatlineSurveyor(image, subject: request.productID).cut(
        request.chart.neatline)
      let sheet = try ChartSheet(image)
      let summary = try await tile(
        sheet, neatline, request, to: scratch, jobs: jobs, progress: (progress, step))
      return try request.product(
        of: scratch, neatline: neatline, cut: cut, sources: sources, summary: summary)
    } catch let error where error is Fault || error is CancellationError {
      throw error
    } catch {
      // What is left is the machine's fault: no memory, or a library without its data.
      throw Fault(
        .failed, doing: "building the chart", subject: request.productID, problem: "\(error)",
        remedy: "Run `chartpipe doctor`; it tells what this machine lacks.", causes: [error])
    }
  }

  /// Everything that can be wrong with the source comes out here, before any tile is made.
  private static func load(_ request: ChartRequest) throws -> (SheetImage, [Product.Source]) {
    let files = try ChartFiles(request)
    let page: ChartPage
    do {
      page = try ChartPage(htm: files.htm)
    } catch {
      throw files.fault(files.htmName, "\(error)", causes: [error])
    }
    try request.checkEdition(page, of: files)
    return (try SheetReader(files: files, page: page).open(), files.records)
  }

  private static func tile(
    _ sheet: ChartSheet, _ neatline: Neatline, _ request: ChartRequest, to scratch: URL, jobs: Int,
    progress: (reporter: any ProgressReporter, step: String)
  ) async throws -> ArchiveSummary {
    let settings = request.tiles
    let plan = UnitPlan(settings, covering: neatline.bounds)
    let writer = try MBTilesWriter(creating: scratch)
    var top = PyramidTop(minZoom: settings.minZoom)
    var shown = TileProgress(progress.reporter, step: progress.step, total: plan.range.count)
    var isEmpty = true
    try await orderedWorkers(plan.roots, width: jobs) { root in
      try UnitRenderer(
        warper: try GDALWarper(sheet: sheet, neatline: neatline), maxZoom: settings.maxZoom, range: plan.range
      ).render(root)
    } consume: { unit in
      for tile in unit.tiles { try writer.add(tile) }
      isEmpty = isEmpty && unit.tiles.isEmpty
      if let picture = unit.picture {
        for tile in try top.add(unit.root, picture) { try writer.add(tile) }
      }
      shown.advance(by: unit.covered)
    }
    guard !isEmpty else {
      throw Fault(
        .badInput, doing: "building the chart", subject: request.productID,
        problem: "there is nothing to see inside its neatline at zoom \(settings.maxZoom)",
        remedy: "Mend `neatline` or `tiles.maxZoom` in the definition; docs/CHARTS.md shows their form.")
    }
    for tile in try top.finish() { try writer.add(tile) }
    return try writer.finish(request.archiveMetadata(neatline))
  }
}
