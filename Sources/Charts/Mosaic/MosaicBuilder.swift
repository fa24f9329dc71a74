internal import Core
public import CryptoIO
public import Foundation
public import Pipeline
internal import TileArchive

/// Joins charts that were built: a family to one archive, or a chart's edge tiles with what its neighbours show there.
public enum MosaicBuilder {
  /// Writes the whole family as one archive, without seams that show.
  public static func build(
    _ mosaic: MosaicDefinition, of family: ChartFamily, from packs: [ChartPack], definition: SHA256Hex,
    to scratch: URL,
    jobs: Int, progress: any ProgressReporter, step: String
  ) throws -> Product {
    let zooms = family.tiles.minZoom...family.tiles.maxZoom
    let joined = try packs.map { try JoinedPack($0, zooms: zooms) }
    guard let first = joined.first else {
      throw UserError(
        .failed, operation: "joining charts", path: step, reason: "none of its charts was built",
        suggestion: "Fix what stopped them and run again: finished steps are reused.")
    }
    let joiner = PackJoiner(packs: joined.map(\.archive), rule: .deepest, settings: family.tiles)
    let metadata = try first.archiveMetadata().joined(joined, as: mosaic, of: family)
    let summary = try write(
      joiner, joiner.allTiles, to: scratch, metadata: metadata, jobs: jobs, progress: progress, step: step)
    var product = first.pack.product
    product.id = step
    product.name = mosaic.name
    product.variantOf = family.standardName.map { "\($0)/\(mosaic.id)" }
    product.boundingBox = metadata.bounds
    product.boundingBoxes = metadata.adjustedBounds?.windows
    // Each chart has its own.
    (product.cut, product.control, product.reference, product.family) = (nil, nil, nil, nil)
    product.region = nil
    product.minZoom = metadata.minZoom
    product.maxZoom = metadata.maxZoom
    product.sources = joined.flatMap(\.pack.product.sources).withoutDoubles
    product.build.definitionSha256 = definition
    product.includes = joined.map(\.pack.product.id).sorted()
    return try product.holding(
      scratch, named: "\(mosaic.id)\(family.tiles.size == 512 ? "@2x" : "").mbtiles", summary)
  }

  /// Writes a chart's archive again with its edge tiles completed from its neighbours, so that packs that are shown side
  /// by side leave no hole where the first one's half-empty tile would hide the other's.
  public static func fill(
    _ chart: ChartPack, from neighbours: [ChartPack], settings: TileSettings, to scratch: URL, jobs: Int,
    progress: any ProgressReporter, step: String
  ) throws -> Product {
    let zooms = settings.minZoom...settings.maxZoom
    let own = try JoinedPack(chart, zooms: zooms)
    let near = try neighbours.map { try JoinedPack($0, zooms: zooms) }
      .filter { !$0.tiles.isDisjoint(with: own.tiles) }
    let joiner = PackJoiner(packs: ([own] + near).map(\.archive), rule: .first, settings: settings)
    var metadata = try own.archiveMetadata()
    metadata.extra["chartpipe:seams"] = near.map(\.pack.product.name).sorted().joined(separator: ", ")
    let tiles = own.tiles.sorted { ($0.zoom, $0.row, $0.column) < ($1.zoom, $1.row, $1.column) }
    let summary = try write(
      joiner, tiles, to: scratch, metadata: metadata, jobs: jobs, progress: progress, step: step)
    var product = try chart.product.holding(scratch, named: chart.product.files[0].path, summary)
    product.includes = near.isEmpty ? nil : near.map(\.pack.product.id).sorted()
    return product
  }

  /// Whether two charts may share a tile at all: at the smallest zooms a tile is larger than a chart.
  public static func areNeighbours(_ one: ChartPack, _ other: ChartPack) -> Bool {
    guard let zoom = one.product.minZoom, let boxes = one.product.windows, let others = other.product.windows
    else { return true }
    let ranges = others.map { TileRange(zoom: zoom, covering: $0) }
    return boxes.map { TileRange(zoom: zoom, covering: $0) }.contains { own in
      ranges.contains { own.columns.overlaps($0.columns) && own.rows.overlaps($0.rows) }
    }
  }

  private static func write(
    _ joiner: PackJoiner, _ tiles: [TileID], to scratch: URL, metadata: ArchiveMetadata, jobs: Int,
    progress: any ProgressReporter, step: String
  ) throws -> ArchiveSummary {
    let writer = try MBTilesWriter(creating: scratch)
    try joiner.write(
      tiles, to: writer, jobs: jobs, report: TileProgress(progress, step: step, total: tiles.count))
    return try writer.finish(metadata)
  }
}
