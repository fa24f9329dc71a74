public import Core
public import Foundation

/// Joins built charts: charts of a family to one archive, or a chart's edge tiles with its neighbours' content.
public enum MosaicBuilder {
  /// Writes charts of a family as one archive without visible seams.
  ///
  /// - Parameter earlier: an earlier mosaic of some of these charts. The result does not depend on it.
  /// - Returns: the product, and the contents of the record that lets the next join update it.
  public static func build(
    _ mosaic: MosaicDefinition, of family: ChartFamily, from packs: [ChartPack], definition: SHA256Hex,
    updating earlier: EarlierJoin? = nil, to scratch: URL,
    jobs: Int, progress: any ProgressReporter, step: String
  ) throws -> (product: Product, record: Data) {
    FreedMemory.giveBack()
    let settings = family.tiles(for: mosaic)
    let zooms = settings.minZoom...settings.maxZoom
    let ranks = mosaic.order == .scale ? packs.ranksByScale : packs.map { _ in 0 }
    let joined = try zip(packs, ranks).map { try JoinedArchive($0, zooms: zooms, rank: $1) }
    guard let first = joined.first, var product = packs.first?.product else {
      throw UserError(
        .failed, operation: "joining charts", path: step, reason: "none of its charts was built",
        suggestion: "Fix what stopped them and run again: finished steps are reused.")
    }
    let joiner = ArchiveJoiner(packs: joined, settings: settings)
    let metadata = try first.archiveMetadata()
      .joined(joined, as: mosaic, of: family, edition: product.edition)
    let (summary, record) = try joiner.write(
      joined.allTiles, to: scratch, metadata: metadata, earlier: earlier, jobs: jobs, progress: progress,
      step: step)
    product.id = step
    product.name = mosaic.name
    product.variantOf = family.standardName.map { "\($0)/\(mosaic.id)" }
    product.boundingBox = metadata.bounds
    product.boundingBoxes = metadata.adjustedBounds?.windows
    // Each chart has its own.
    (product.cut, product.control, product.reference, product.family) = (nil, nil, nil, nil)
    (product.region, product.build.maxMegabytes) = (nil, nil)
    product.minZoom = metadata.minZoom
    product.maxZoom = metadata.maxZoom
    product.sources = packs.flatMap(\.product.sources).uniqued
    product.build.definitionSha256 = definition
    product.includes = packs.map(\.product.id).sorted()
    let name = "\(mosaic.id)\(settings.size == 512 ? "@2x" : "").mbtiles"
    return (try product.holding(scratch, named: name, summary), record.data)
  }

  /// Writes a chart's archive again with its edge tiles completed from its neighbours. Otherwise, an app that shows archives
  /// side by side shows holes where the half-empty tile of one hides the tile of another.
  ///
  /// - Parameter earlier: an earlier result for this chart. The result does not depend on it.
  public static func fill(
    _ chart: ChartPack, from neighbours: [ChartPack], settings: TileSettings,
    updating earlier: EarlierJoin? = nil, to scratch: URL, jobs: Int, progress: any ProgressReporter,
    step: String
  ) throws -> (product: Product, record: Data) {
    let zooms = settings.minZoom...settings.maxZoom
    let own = try JoinedArchive(chart, zooms: zooms)
    // The chart's own pixels do not change.
    let near = try neighbours.map {
      (product: $0.product, archive: try JoinedArchive($0, zooms: zooms, rank: 1))
    }
    .filter { !$0.archive.tiles.isDisjoint(with: own.tiles) }
    let joiner = ArchiveJoiner(packs: [own] + near.map(\.archive), settings: settings)
    var metadata = try own.archiveMetadata()
    metadata.extra["chartpipe:seams"] = near.map(\.product.name).sorted().joined(separator: ", ")
    let (summary, record) = try joiner.write(
      own.tiles, to: scratch, metadata: metadata, earlier: earlier, jobs: jobs, progress: progress, step: step
    )
    var product = try chart.product.holding(scratch, named: chart.product.files[0].path, summary)
    product.includes = near.isEmpty ? nil : near.map(\.product.id).sorted()
    return (product, record.data)
  }

  /// Whether two charts may share a tile in some zoom. At the smallest zooms a tile is larger than a chart.
  public static func areNeighbours(_ one: ChartPack, _ other: ChartPack) -> Bool {
    guard let zoom = one.product.minZoom, let boxes = one.product.windows, let others = other.product.windows
    else { return true }
    let ranges = others.map { TileRange(zoom: zoom, covering: $0) }
    return boxes.map { TileRange(zoom: zoom, covering: $0) }.contains { own in
      ranges.contains { own.columns.overlaps($0.columns) && own.rows.overlaps($0.rows) }
    }
  }
}

/// A built chart: its product, and the archive with its tiles.
public struct ChartPack: Sendable {
  public let product: Product
  public let archive: URL
}

extension [ChartPack] {
  /// Scales that differ by less than this factor are one: the same scale has slightly other pixels on each sheet.
  private static let sameScale = 1.02

  /// For each chart, how many finer scales there are among the charts.
  fileprivate var ranksByScale: [Int] {
    let scales = map { pack -> Double in
      guard let placing = pack.product.control?.placing, placing.count == 6 else { return .infinity }
      return (placing[1] * placing[1] + placing[4] * placing[4]).squareRoot()
    }
    var ranks = [Int](repeating: 0, count: count)
    var (rank, finest) = (-1, 0.0)
    for index in indices.sorted(by: { (scales[$0], $0) < (scales[$1], $1) }) {
      if rank < 0 || scales[index] > finest * Self.sameScale { (rank, finest) = (rank + 1, scales[index]) }
      ranks[index] = rank
    }
    return ranks
  }
}

/// A built chart to join.
extension JoinedArchive {
  fileprivate init(_ pack: ChartPack, zooms: ClosedRange<Int>, rank: Int = 0) throws {
    let reader = try MBTilesReader(opening: pack.archive)
    let metadata = try reader.metadata()
    guard let shape = metadata["chartpipe:neatline"].flatMap({ SheetShape(geoJSON: $0) }) else {
      throw UserError.joining(pack.archive, "its metadata names no neatline", "Build the chart again.")
    }
    let names = try reader.imageNames() ?? [:]
    let tiles = names.isEmpty ? try reader.tileIDs() : Array(names.keys)
    try reader.close()
    self.init(
      archive: pack.archive, shape: shape, tiles: Set(tiles.filter { zooms.contains($0.zoom) }), names: names,
      metadata: metadata, rank: rank)
  }

  fileprivate func archiveMetadata() throws -> ArchiveMetadata {
    guard let own = ArchiveMetadata(rows: metadata) else {
      throw UserError.joining(
        archive, "its metadata lacks its name, zooms or bounds", "Build the chart again.")
    }
    return own
  }
}

extension Product {
  /// The boxes of the product, which do not cross 180 degrees; nil if the product has none.
  var windows: [GeoBox]? { boundingBoxes ?? boundingBox.map { [$0] } }

  /// Returns the same product with this archive as its tiles. The evidence of the tiles' position stays valid.
  func holding(_ file: URL, named name: String, _ summary: ArchiveSummary) throws -> Product {
    var product = self
    product.files =
      [try File(tiles: file, named: name)]
      + files.filter {
        control != nil && $0.role == .control || reference != nil && $0.role == .reference
      }
    product.build.counts.merge(summary.counts) { $1 }
    return product
  }
}

extension ArchiveMetadata {
  /// Returns the metadata of several charts in one archive. `self` is that of the first chart.
  func joined(
    _ packs: [JoinedArchive], as mosaic: MosaicDefinition, of family: ChartFamily, edition: IssueDate
  ) throws -> ArchiveMetadata {
    var whole = self
    whole.name = mosaic.name
    whole.take(extentOf: try packs.map { try $0.archiveMetadata() })
    let settings = family.tiles(for: mosaic)
    whole.minZoom = settings.minZoom
    whole.maxZoom = settings.maxZoom
    whole.description = "\(family.title): \(mosaic.name), edition of \(edition)"
    // A coarse chart has no tiles at the deepest zooms.
    let zooms = packs.flatMap { pack in
      let deepest = pack.tiles.map(\.zoom).max() ?? settings.maxZoom
      return pack.shape.polygons.map { _ in deepest }
    }
    if zooms.contains(where: { $0 < settings.maxZoom }) {
      whole.extra[ArchiveMetadata.neatlineZooms] = zooms.map(String.init).joined(separator: ",")
    }
    whole.extra["chartpipe:source_sha256"] = packs.compactMap { $0.metadata["chartpipe:source_sha256"] }
      .uniqued.joined(separator: ",")
    whole.extra["chartpipe:neatline"] = try JSONValue.line(GeoJSONPolygons(packs.flatMap(\.shape.polygons)))
    return whole
  }

  private mutating func take(extentOf charts: [ArchiveMetadata]) {
    let boxes = charts.map { $0.adjustedBounds ?? $0.bounds }
    let extent = GeoBox(aroundWorld: boxes) ?? bounds
    adjustedBounds = extent.windows.count == 1 ? nil : extent
    bounds = extent.windows.dropFirst().reduce(extent.windows[0]) { $0.union($1) }
    let turned = boxes.map { $0.west < extent.west ? $0.turned : $0 }
    let middle = GeoPoint(
      longitude: (extent.west + extent.east) / 2, latitude: (extent.south + extent.north) / 2)
    opening = turned.contains { $0.contains(middle) } ? nil : GeoBox.middleOne(of: turned)?.center
  }
}

extension GeoBox {
  /// The same box one turn farther east.
  fileprivate var turned: GeoBox { GeoBox(west: west + 360, south: south, east: east + 360, north: north) }

  /// Returns the box in the middle of the others: as many are to its west as to its east, and as many south as north.
  fileprivate static func middleOne(of boxes: [GeoBox]) -> GeoBox? {
    guard !boxes.isEmpty else { return nil }
    let x = boxes.map { $0.west + $0.east }.upperMedian / 2
    let y = boxes.map { $0.south + $0.north }.upperMedian / 2
    func distance(_ box: GeoBox) -> Double {
      abs((box.west + box.east) / 2 - x) + abs((box.south + box.north) / 2 - y)
    }
    return boxes.min { distance($0) < distance($1) }
  }
}

extension Array where Element: Equatable {
  /// Removes repeated elements and keeps the order.
  var uniqued: [Element] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
