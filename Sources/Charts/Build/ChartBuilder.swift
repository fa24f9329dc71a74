internal import Core
internal import CryptoIO
public import Foundation
internal import ImageIO
internal import RasterIO
internal import SQLiteIO

/// Builds a tile archive from one FAA chart.
public enum ChartBuilder {
  /// Returns the versions of all libraries that can change a byte of an archive.
  public static var libraries: [String: String] {
    // Other versions of this program can also warp with GDAL.
    let own = ["warp": "kernel", "sqlite": SQLiteConnection.libraryVersion]
    return [RasterLibraries.versions, ImageLibraries.versions, SystemLibraries.versions].reduce(own) {
      $0.merging($1) { own, _ in own }
    }
  }

  /// Builds a chart and returns its product.
  ///
  /// - Parameters:
  ///     - scratch: where the MBTiles is written.
  ///   - control: where the reference patches are written. They verify the position of the tiles.
  ///   - reference: where a coarse picture of the sheet is written. The tiles are compared with it.
  public static func build(
    _ request: ChartRequest, to scratch: URL, control: URL, reference: URL, jobs: Int,
    progress: any ProgressReporter, step: String
  ) throws -> Product {
    // All other errors are caused by the machine: no memory, or a library without its data files.
    try UserError.wrapping(
      "building the chart", request.productID,
      suggestion: "Run `chartpipe doctor` to list what this machine lacks."
    ) {
      let (image, sources) = try load(request)
      // The surveys of the edges and of the insets read many rows in common.
      let (neatline, cut) = try RasterCache.enlarged {
        try NeatlineSurveyor(image, subject: request.productID).cut(
          request.chart.neatline, insets: request.chart.insets ?? [], fit: request.family.fit)
      }
      let (sheet, placement) = (image.sheet, image.placement)
      let plan = try UnitPlan(request.tiles, covering: neatline.windows, on: sheet)
      var strip = try ReferencePatches(image, neatline: neatline, plan: plan)
      let grid = ReferenceGrid(sheet, neatline: neatline, plan: plan)
      let bands = SheetBands(image)
      let inks = InkPatches(sheet, neatline: neatline, side: strip.control.side)
      let tiler = ChartTiler(
        plan: plan, job: WarpJob(sheet: sheet, neatline: neatline, scales: plan.scales),
        bands: bands, evidence: SheetEvidence(reference: grid, inks: inks), jobs: jobs)
      let summary = try tiler.archive(
        request.tiles, request.archiveMetadata(neatline), to: scratch,
        progress: TileProgress(progress, step: step, total: plan.leafCount)
      ) { request.invisible }
      var product = try request.product(
        of: scratch, neatline: neatline, cut: cut, sources: sources, summary: summary)
      let evidence = bands.evidence
      strip.add(evidence?.inks ?? inks)
      product.control = strip.control
      product.control?.symbols = request.family.symbols
      product.control?.inks = sheet.mixes.isEmpty ? nil : sheet.inks.map(\.hex)
      product.placement = placement
      product.files += try [strip.write(to: control, as: request.controlName)].compactMap(\.self)
      let filled = evidence?.reference ?? grid
      product.reference = filled.reference
      product.files.append(try filled.write(to: reference, as: request.referenceName))
      return product
    }
  }

  /// Opens the source. All problems of the source are reported here, before the first tile.
  private static func load(_ request: ChartRequest) throws -> sending (SheetImage, [Product.Source]) {
    let files = try ChartFiles(request.source, tifName: request.chart.tif)
    let page = try explaining({ files.userError(files.htmName, "\($0)", causes: [$0]) }) {
      try ChartPage(htm: files.htm, isUndated: request.family.undated == true)
    }
    try request.checkTitle(page, of: files)
    try request.checkEdition(page, of: files)
    let reader = SheetReader(files: files, page: page, expected: request.chart.projection)
    return (try reader.open(), files.records(dated: page))
  }
}

extension ChartRequest {
  fileprivate var invisible: UserError {
    UserError(
      .badInput, operation: "building the chart", path: productID,
      reason: "its neatline contains no visible pixel at zoom \(tiles.maxZoom)",
      suggestion: "Correct `neatline` or `tiles.maxZoom` in the definition; docs/CHARTS.md shows their form.")
  }

  /// Returns the metadata of the archive.
  func archiveMetadata(_ neatline: Neatline) -> ArchiveMetadata {
    ArchiveMetadata(
      name: chart.name, tiles, neatline, attribution: family.attribution,
      description: "\(family.title): \(chart.name), edition of \(edition.effectiveDay) to \(edition.lastDay)",
      version: edition.id,
      extra: [
        // An edition has the same archive in all of its cycles.
        "chartpipe:cycle": edition.id,
        "chartpipe:effective": edition.effective.description,
        "chartpipe:expires": edition.expires.description,
        "chartpipe:source_sha256": source.sha256.text,
      ])
  }

  /// Returns the product's description, with its files, sources and versions.
  func product(
    of file: URL, neatline: Neatline, cut: Product.Cut, sources: [Product.Source], summary: ArchiveSummary
  ) throws -> Product {
    var product = Product(
      id: productID, name: chart.name, cycle, edition: edition.issue,
      dates: (edition.effective, edition.expires), tiles, neatline,
      files: [try Product.File(tiles: file, named: fileName)], sources: sources,
      definition: definitionSha256, counts: summary.counts)
    product.build.tileLoss = family.gates?.tileLoss
    product.build.maxMegabytes = family.gates?.maxMegabytes
    product.cut = cut
    product.family = family.covers.map { Product.Family(charts: family.charts.count, covers: $0) }
    product.region = family.region(of: chart)
    product.variantOf = family.standardName.map { "\($0)/\(chart.id)" }
    return product
  }
}

extension ArchiveMetadata {
  /// Of the tiles inside a neatline.
  init(
    name: String, _ tiles: TileSettings, _ neatline: Neatline, attribution: String, description: String,
    version: String, extra: [String: String]
  ) {
    self.init(
      name: name, format: tiles.format.imageType, bounds: neatline.bounds,
      adjustedBounds: neatline.adjustedBounds, minZoom: tiles.minZoom, maxZoom: tiles.maxZoom,
      attribution: attribution, description: description, version: version,
      extra: extra.merging(["chartpipe:neatline": neatline.geoJSON]) { $1 })
  }
}

extension Product {
  /// The tiles inside a neatline.
  init(
    id: String, name: String, _ cycle: AiracCycle, edition: IssueDate,
    dates: (effective: Instant, expires: Instant),
    _ tiles: TileSettings, _ neatline: Neatline, files: [File], sources: [Source],
    definition: SHA256Hex, counts: [String: Int]
  ) {
    self.init(
      id: id, kind: .chart, name: name, cycle: cycle, edition: edition,
      effectiveDate: dates.effective, expirationDate: dates.expires,
      boundingBox: neatline.bounds, boundingBoxes: neatline.windows.count == 1 ? nil : neatline.windows,
      minZoom: tiles.minZoom, maxZoom: tiles.maxZoom, format: tiles.format.imageType, files: files,
      sources: sources,
      build: Build(
        tool: ToolVersion.tool, version: ToolVersion.version,
        libraries: ChartBuilder.libraries, definitionSha256: definition, counts: counts))
    tileSize = tiles.size == 256 ? nil : tiles.size
  }
}

extension Product.File {
  /// Describes a tile archive.
  init(tiles file: URL, named path: String) throws {
    self.init(
      path: path, sha256: try SHA256Hex(ofFile: file), bytes: file.byteCount ?? 0,
      mediaType: "application/vnd.sqlite3", role: .tiles)
  }

  /// Writes a PNG file and describes it.
  init(writing png: [UInt8], to file: URL, named path: String, role: Product.Role) throws {
    try Data(png).write(to: file)
    self.init(
      path: path, sha256: try SHA256Hex(of: png), bytes: png.count, mediaType: "image/png", role: role)
  }
}

extension ArchiveSummary {
  /// The counts in a product's description.
  var counts: [String: Int] {
    ["tiles": tiles, "distinctTiles": distinctTiles, "tileBytes": tileBytes]
  }
}
