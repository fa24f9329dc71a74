internal import Core
internal import ImageIO
internal import Pipeline
internal import TileArchive

/// Cuts a chart into tiles: the units of its plan go to the workers, their results to the archive.
struct ChartTiler: Sendable {
  let plan: UnitPlan
  let job: WarpJob
  let engine: WarpEngine
  let bands: SheetBands
  /// Without any cell filled.
  let reference: ReferenceGrid
  /// Without any place.
  let inks: InkSurvey
  let jobs: Int

  /// Looks at the colours of a few tiles from all over the chart, and of the same halved twice, as the lower zooms show
  /// them.
  func survey() throws -> ColorCensus {
    let warpers = Pool { [job, engine] in try engine.warper(job) }
    let feed = UnitFeed(plan.survey, from: bands)
    var census = ColorCensus()
    try processInOrder(width: jobs) {
      try feed.next()
    } work: { [plan] tile in
      try warpers.withItem { try $0.picture(of: tile.root, size: plan.tileSize, from: tile.rows) }
    } consume: { picture in
      guard let picture else { return }
      let half = picture.halved()
      for image in [picture, half, half.halved()] { census.add(image) }
    }
    return census
  }

  /// Colours that fill at least a ten-thousandth of the rows that the survey has decoded, of which its tiles are some spots.
  var tints: Set<RGB> {
    let population = bands.population
    let all = population.reduce(0, +)
    let large = population.indices.filter { population[$0] > 0 && population[$0] * 10_000 >= all }
    return Set(large.filter(job.sheet.colors.indices.contains).map(job.sheet.ink))
  }

  /// Gives every tile to `write`; false when there was none.
  func tile(
    with codec: TileCodec, progress: TileProgress, write: (Tile) throws -> Void
  ) throws -> Bool {
    bands.fill(reference, inks)
    var (shown, isEmpty) = (progress, true)
    var top = PyramidTop(plan, codec: codec)
    let workers = Pool { [plan, job, engine] in
      UnitRenderer(plan, warper: try engine.warper(job), codec: codec)
    }
    let feed = UnitFeed(plan.rows, from: bands)
    try processInOrder(width: jobs) {
      try feed.next()
    } work: { unit in
      try workers.withItem { try $0.render(unit) }
    } consume: { unit in
      let tiles = try unit.tiles + top.add(unit.root, unit.picture)
      for tile in tiles { try write(tile) }
      isEmpty = isEmpty && tiles.isEmpty
      shown.advance(by: unit.covered)
    }
    return !isEmpty
  }
}
