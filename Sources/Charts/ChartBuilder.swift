internal import Core
internal import CryptoIO
public import Foundation
internal import ImageIO
public import Pipeline
internal import RasterIO
internal import SQLiteIO
internal import TileArchive

/// The way of a chart: from the FAA's file to an archive of tiles.
public enum ChartBuilder {
  /// The versions of every library that can change a byte of an archive, and what warps.
  public static func libraries(engine: WarpEngine) -> [String: String] {
    let own = ["warp": engine.rawValue, "sqlite": SQLiteConnection.libraryVersion]
    return [RasterLibraries.versions, ImageLibraries.versions, SystemLibraries.versions].reduce(own) {
      $0.merging($1) { own, _ in own }
    }
  }

  /// Builds a chart and returns its product.
  ///
  /// - Parameters:
  ///   - scratch: where the MBTiles is written.
  ///   - control: where pieces of the sheet are written, by which the place of the tiles is verified.
  ///   - reference: where a coarse picture of the sheet is written, with which the tiles are compared.
  public static func build(
    _ request: ChartRequest, to scratch: URL, control: URL, reference: URL, jobs: Int,
    progress: any ProgressReporter, step: String
  ) throws -> Product {
    do {
      let (image, sources) = try load(request)
      let (neatline, cut) = try NeatlineSurveyor(image, subject: request.productID).cut(
        request.chart.neatline, insets: request.chart.insets ?? [], fit: request.family.fit)
      let (sheet, placement) = (ChartSheet(image), image.placement)
      let plan = try UnitPlan(request.tiles, covering: neatline.windows, on: sheet)
      var strip = try ControlStrip(image, neatline: neatline, plan: plan)
      let grid = ReferenceGrid(sheet, neatline: neatline, plan: plan)
      let bands = SheetBands(image)
      let inks = InkSurvey(sheet, neatline: neatline, side: strip.control.side)
      let tiler = ChartTiler(
        plan: plan, job: WarpJob(sheet: sheet, neatline: neatline, scales: plan.scales),
        engine: request.engine, bands: bands, reference: grid, inks: inks, jobs: jobs)
      let summary = try archive(
        tiler, request, to: scratch,
        progress: TileProgress(progress, step: step, total: plan.leafCount))
      var product = try request.product(
        of: scratch, neatline: neatline, cut: cut, sources: sources, summary: summary)
      let gathered = bands.gathered
      strip.add(gathered.inks ?? inks)
      product.control = strip.control
      product.placement = placement
      product.files += try [strip.write(to: control, as: request.controlName)].compactMap(\.self)
      let filled = gathered.reference ?? grid
      product.reference = filled.reference
      product.files.append(try filled.write(to: reference, as: request.referenceName))
      return product
    } catch let error where error is UserError || error is CancellationError {
      throw error
    } catch {
      // What is left is the machine's fault: no memory, or a library without its data.
      throw UserError(
        .failed, operation: "building the chart", path: request.productID, reason: "\(error)",
        suggestion: "Run `chartpipe doctor` to list what this machine lacks.", causes: [error])
    }
  }

  /// Everything that can be wrong with the source comes out here, before any tile is made.
  private static func load(_ request: ChartRequest) throws -> sending (SheetImage, [Product.Source]) {
    let files = try ChartFiles(request)
    let page: ChartPage
    do {
      page = try ChartPage(htm: files.htm)
    } catch {
      throw files.fault(files.htmName, "\(error)", causes: [error])
    }
    try request.checkEdition(page, of: files)
    return (try SheetReader(files: files, page: page).open(), files.records(dated: page))
  }

  private static func archive(
    _ tiler: ChartTiler, _ request: ChartRequest, to scratch: URL, progress: TileProgress
  ) throws -> ArchiveSummary {
    let writer = try MBTilesWriter(creating: scratch)
    // One palette for the whole chart, so that neighbouring tiles agree.
    let tiles = request.tiles
    var palette =
      tiles.format.hasPalette
      ? try tiler.survey().palette(
        limit: tiles.colors, inks: tiler.job.sheet.inks, tints: tiler.tints) : Palette([])
    palette.tolerance = tiles.tolerance
    let codec = TileCodec(tiles.tileFormat(palette))
    guard try tiler.tile(with: codec, progress: progress, write: writer.add) else {
      throw UserError(
        .badInput, operation: "building the chart", path: request.productID,
        reason: "there is nothing to see inside its neatline at zoom \(tiles.maxZoom)",
        suggestion:
          "Correct `neatline` or `tiles.maxZoom` in the definition; docs/CHARTS.md shows their form.")
    }
    return try writer.finish(request.archiveMetadata(tiler.job.neatline))
  }
}
