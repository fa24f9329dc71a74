internal import Core
internal import Foundation
internal import ImageIO
internal import Synchronization

/// Cuts a chart into tiles: workers render the units of its plan, and the archive receives the results in order.
struct ChartTiler: Sendable {
  let plan: UnitPlan
  let job: WarpJob
  let bands: SheetBands
  /// The evidence to collect, still empty.
  let evidence: SheetEvidence
  let jobs: Int

  /// Writes an MBTiles archive of all tiles.
  ///
  /// - Parameters:
  ///   - isPrint: whether the sheet is flat tints and lettering, as a chart is.
  ///   - invisible: returns the error for a sheet without a visible pixel.
  func archive(
    _ tiles: TileSettings, _ metadata: ArchiveMetadata, isPrint: Bool = true, to scratch: URL,
    progress: TileProgress, invisible: () -> UserError
  ) throws -> ArchiveSummary {
    let writer = try MBTilesWriter(creating: scratch)
    let census = tiles.format.hasPalette ? try survey() : nil
    let tints = tints
    bands.collect(evidence)
    // Its first rows are decoded while the palette is chosen.
    let feed = UnitFeed(plan.rows, from: bands)
    // One palette for the whole sheet, so that neighbouring tiles agree.
    var palette =
      census?.palette(limit: tiles.colors, inks: job.sheet.inks, tints: tints) ?? Palette([])
    palette.tolerance = tiles.tolerance
    let codec = TileCodec(tiles.tileFormat(palette, isPrint: isPrint))
    guard try tile(feed, with: codec, progress: progress, write: { try writer.add($0) }) else {
      throw invisible()
    }
    return try writer.finish(metadata)
  }

  /// Counts the colours of a few tiles from all over the chart, and of the same tiles halved once and twice, as the lower zooms
  /// show them.
  func survey() throws -> ColorCensus {
    let warpers = Pool { [job] in try KernelWarper(job) }
    let feed = UnitFeed(plan.survey, from: bands)
    let census = Mutex(ColorCensus())
    try processInOrder(width: jobs) {
      try feed.next()
    } work: { [plan, job] tile in
      let picture = try warpers.withItem {
        try $0.picture(of: tile.root, size: plan.tileSize, from: tile.rows)
      }
      guard let picture else { return }
      let half = picture.halved()
      for image in [picture, half, half.halved()] {
        // In an image of colours, any pixel may be partly transparent. In a chart, only those at the neatline are.
        let counted = job.sheet.colors.isEmpty ? image.withVisiblePixelsOpaque : image
        census.withLock { $0.add(counted) }
      }
    } consume: { _ in
    }
    return census.withLock { $0 }
  }

  /// Colours that fill at least a ten-thousandth of the rows decoded by the survey. The survey's tiles cover a part of these
  /// rows only.
  var tints: Set<RGB> {
    let population = bands.population
    let all = population.reduce(0, +)
    let large = population.indices.filter { population[$0] > 0 && population[$0] * 10_000 >= all }
    return Set(large.filter(job.sheet.colors.indices.contains).map(job.sheet.ink))
  }

  /// Passes every tile to `write`. Returns false if there was none.
  private func tile(
    _ feed: UnitFeed, with codec: TileCodec, progress: TileProgress, write: (Tile) throws -> Void
  ) throws -> Bool {
    var (shown, isEmpty) = (progress, true)
    var top = PyramidTop(plan, codec: codec)
    let workers = Pool { [plan, job] in
      UnitRenderer(plan, warper: try KernelWarper(job), codec: codec)
    }
    try processInOrder(width: jobs) {
      try feed.next()
    } work: { unit in
      try workers.withItem { try $0.render(unit.root, from: unit.rows) }
    } consume: { unit in
      let tiles = try unit.tiles + top.add(unit.root, unit.picture)
      for tile in tiles { try write(tile) }
      isEmpty = isEmpty && tiles.isEmpty
      shown.advance(by: unit.covered)
    }
    return !isEmpty
  }
}

/// Reports progress a few dozen times, regardless of the number of tiles.
struct TileProgress {
  let reporter: any ProgressReporter
  let step: String
  let total: Int
  private var done = 0
  private var reported = 0

  private static let reports = 25

  init(_ reporter: any ProgressReporter, step: String, total: Int) {
    (self.reporter, self.step, self.total) = (reporter, step, total)
  }

  mutating func advance(by tiles: Int) {
    done += tiles
    let stage = total > 0 ? done * TileProgress.reports / total : TileProgress.reports
    guard stage > reported else { return }
    reported = stage
    reporter.report(.advanced(step: step, done: done, total: total, unit: "tiles"))
  }
}

extension TileSettings {
  /// The encoder's form of the settings. Only some formats use the palette.
  func tileFormat(_ palette: Palette, isPrint: Bool = true) -> TileFormat {
    switch format {
    case .png: .png8(palette)
    case .png32: isPrint ? .png32 : .png32Filtered
    case .webp: .webp(quality: quality)
    case .webpLossless: .webpLossless(palette)
    }
  }
}

extension TileSettings.Format {
  /// Whether the tiles have a limited number of colours.
  var hasPalette: Bool { self == .png || self == .webpLossless }

  var isWebP: Bool { self == .webp || self == .webpLossless }
}

extension TileCodec {
  /// Nil for a fully transparent picture; such tiles are never written. The caller, a worker, also computes the name, since the
  /// writer of an archive is a single thread.
  func tile(_ picture: RGBAImage, as id: TileID) throws -> Tile? {
    try encode(picture).map { Tile(id: id, data: $0, name: try TileHash.identifier(of: $0)) }
  }
}
