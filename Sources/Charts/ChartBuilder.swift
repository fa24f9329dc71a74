public import Core
public import CryptoIO
public import Fetch
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

/// What is to be built: one chart of one family, of one cycle, from one file.
public struct ChartRequest: Sendable {
  public let chart: ChartDefinition
  public let family: ChartFamily
  public let definitionSha256: SHA256Hex
  /// The FAA's zip, or a bare `.tif` that somebody downloaded by hand.
  public let source: SourceFile
  /// The cycle asked for; the chart's edition is the one in force during it.
  public let cycle: AiracCycle
  public let engine: WarpEngine

  public init(
    chart: ChartDefinition, family: ChartFamily, definitionSha256: SHA256Hex, source: SourceFile,
    cycle: AiracCycle, engine: WarpEngine = .kernel
  ) {
    self.chart = chart
    self.family = family
    self.definitionSha256 = definitionSha256
    self.source = source
    self.cycle = cycle
    self.engine = engine
  }

  /// The edition that must be built for this cycle.
  var edition: AiracCycle { cycle.issue(family.cadence) }

  var tiles: TileSettings { family.tiles(for: chart) }

  /// `San_Francisco.mbtiles`; tiles of twice the detail go by their scale, as images do.
  public var fileName: String { "\(stem).mbtiles" }

  /// `San_Francisco.control.png`
  public var controlName: String { "\(stem).control.png" }

  /// `San_Francisco.reference.png`
  public var referenceName: String { "\(stem).reference.png" }

  private var stem: String { chart.id + (tiles.size == 512 ? "@2x" : "") }

  /// `vfr-sectional/San_Francisco`
  var productID: String { "\(family.name)/\(chart.id)" }
}

extension ChartRequest {
  /// What the archive says of itself.
  func archiveMetadata(_ neatline: Neatline) -> ArchiveMetadata {
    let ends = cycle.issue(family.cadence, stepsAhead: 1).effectiveDay.adding(days: -1)
    return ArchiveMetadata(
      name: chart.name, format: tiles.format.imageType, bounds: neatline.bounds,
      adjustedBounds: neatline.adjustedBounds, minZoom: tiles.minZoom, maxZoom: tiles.maxZoom,
      attribution: family.attribution,
      description: "\(family.title): \(chart.name), edition of \(edition.effectiveDay) to \(ends)",
      version: edition.identifier, type: "overlay",
      extra: [
        "chartpipe:cycle": cycle.identifier,
        "chartpipe:effective": edition.effective.description,
        "chartpipe:expires": cycle.expires(family.cadence).description,
        "chartpipe:source_sha256": source.sha256.text,
        "chartpipe:neatline": neatline.geoJSON,
      ])
  }

  /// What the catalogue says of it.
  func product(
    of file: URL, neatline: Neatline, cut: Product.Cut, sources: [Product.Source], summary: ArchiveSummary
  ) throws -> Product {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    var product = Product(
      id: productID, kind: .chart, name: chart.name, cycle: cycle.identifier,
      edition: edition.effectiveDay.description, effectiveDate: edition.effective.description,
      expirationDate: cycle.expires(family.cadence).description, boundingBox: neatline.bounds,
      boundingBoxes: neatline.windows.count == 1 ? nil : neatline.windows,
      minZoom: tiles.minZoom, maxZoom: tiles.maxZoom, format: tiles.format.imageType,
      files: [
        Product.File(
          path: fileName, sha256: try SHA256Hex(ofFile: file), bytes: size ?? 0,
          mediaType: "application/vnd.sqlite3", role: "tiles")
      ],
      sources: sources,
      build: Product.Build(
        tool: ToolVersion.tool, version: ToolVersion.version,
        libraries: ChartBuilder.libraries(engine: engine),
        definitionSha256: definitionSha256,
        counts: [
          "tiles": summary.tiles, "distinctTiles": summary.distinctTiles, "tileBytes": summary.tileBytes,
        ], tileLoss: family.gates?.tileLoss),
      cut: cut,
      family: family.covers.map { Product.Family(charts: family.charts.count, covers: $0) },
      region: family.region(of: chart))
    product.tileSize = tiles.size == 256 ? nil : tiles.size
    product.variantOf = family.standardName.map { "\($0)/\(chart.id)" }
    return product
  }
}
