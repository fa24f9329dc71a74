internal import Core
internal import Foundation
internal import ImageIO

/// Writes several charts' archives as one archive, tile by tile and zoom by zoom.
///
/// The bytes of nearly all tiles are copied: they belong to one chart only, or one chart is the deeper one in all of the tile.
/// Only tiles along a seam are decoded, joined and encoded; those that an earlier join made of the same images are copied too.
struct ArchiveJoiner: Sendable {
  let packs: [JoinedArchive]
  let settings: TileSettings
  /// Whether every pixel keeps its value from one of the archives. Complete tiles are then copied, and joined tiles are encoded
  /// without loss.
  var isExact = false

  /// Tiles for a worker to join at a time, neighbours among them.
  private static let batch = 64

  /// Writes the tiles as an MBTiles archive, and returns its summary and the record of the join.
  func write(
    _ tiles: Set<TileID>, to scratch: URL, metadata: ArchiveMetadata, earlier: EarlierJoin? = nil, jobs: Int,
    progress: any ProgressReporter, step: String
  ) throws -> (summary: ArchiveSummary, record: JoinRecord) {
    let writer = try MBTilesWriter(creating: scratch, isOrdered: true)
    var shown = TileProgress(progress, step: step, total: tiles.count)
    var record = JoinRecord(form: try form())
    let known = earlier.flatMap { JoinRecord(contentsOf: $0.record, form: record.form) }
    let order = tiles.inArchiveOrder
    let batches = stride(from: 0, to: order.count, by: ArchiveJoiner.batch).map {
      Array(order[$0..<min($0 + ArchiveJoiner.batch, order.count)])
    }
    let joiners = Pool { TileJoiner(self, known?.keys ?? [:], in: earlier?.archive) }
    try processInOrder(batches, width: jobs) { batch in
      try joiners.withItem { tileJoiner in try batch.map { try tileJoiner.tile($0) } }
    } consume: { made in
      for made in made {
        if let tile = made.tile { try writer.add(tile) }
        if let key = made.key { record.keys[made.id] = key }
      }
      shown.advance(by: made.count)
    }
    return (try writer.finish(metadata), record)
  }
}

/// An archive to join: its tiles, and its outline.
struct JoinedArchive: Sendable {
  let archive: URL
  let shape: SheetShape
  let tiles: Set<TileID>
  /// The names of the tiles' images; empty for an archive that this tool may not have built.
  var names: [TileID: String] = [:]
  var metadata: [String: String] = [:]
  /// Where charts overlap, those of the lowest rank are shown.
  var rank = 0
}

extension [JoinedArchive] {
  /// All tiles of all charts.
  var allTiles: Set<TileID> { reduce(into: []) { $0.formUnion($1.tiles) } }
}

extension Collection<TileID> {
  /// Sorted by zoom, column, and row from the south.
  var inArchiveOrder: [TileID] {
    sorted { ($0.zoom, $0.column, $1.row) < ($1.zoom, $1.column, $0.row) }
  }
}

extension UserError {
  /// An error about one of the archives to join.
  static func joining(_ archive: URL, _ problem: String, _ remedy: String) -> UserError {
    UserError(.badInput, operation: "joining charts", path: archive.path, reason: problem, suggestion: remedy)
  }
}

/// A tile of the joined archive, nil if it would be transparent, and the key of a tile of several charts.
private typealias JoinedTile = (id: TileID, tile: Tile?, key: String?)

/// Joins tiles with one worker's open archives.
private final class TileJoiner {
  private let joiner: ArchiveJoiner
  private var readers: [Int: any TileSource] = [:]
  /// The keys of the tiles in the earlier archive.
  private let known: [TileID: String]
  private let earlier: (any TileSource)?

  init(_ joiner: ArchiveJoiner, _ known: [TileID: String], in earlier: URL?) {
    self.joiner = joiner
    self.known = known
    // If it cannot be read, the tiles are joined again.
    self.earlier = known.isEmpty ? nil : earlier.flatMap { try? ArchiveKind.open($0) }
  }

  func tile(_ id: TileID) throws -> JoinedTile {
    let packs = joiner.packs
    let owners = packs.indices.filter { packs[$0].tiles.contains(id) }
    if owners.count == 1 { return (id, try copy(id, of: owners[0]), nil) }
    let key = try joiner.key(of: id, owners: owners)
    if let key, known[id] == key, let data = try? earlier?.tile(id) { return (id, try named(id, data), key) }
    return (id, owners.isEmpty ? nil : try join(id, of: owners), key)
  }

  private func join(_ id: TileID, of owners: [Int]) throws -> Tile? {
    let side = joiner.settings.size
    let depths = owners.map { joiner.packs[$0].shape.depths(over: id, side: side) }
    let offsets = owners.map { joiner.packs[$0].shape.offsets(over: id, side: side) }
    let ranks = owners.map { joiner.packs[$0].rank }
    if let whole = wholeOwner(depths, offsets, ranks) { return try copy(id, of: owners[whole]) }
    let layers = try owners.indices.map { index in
      Seam.Layer(
        picture: try picture(id, of: owners[index]), depths: depths[index], offsets: offsets[index],
        rank: joiner.packs[owners[index]].rank)
    }
    let seam = Seam(layers: layers, isExact: joiner.isExact)
    if joiner.isExact, let whole = seam.completeLayer { return try copy(id, of: owners[whole]) }
    let joined = seam.join(side: side)
    if let only = joined.onlyLayer { return try copy(id, of: owners[only]) }
    if joiner.isExact {
      let encode = joiner.settings.format.isWebP ? TileImage.losslessWebP : TileImage.exactPNG
      return try encode(joined.picture).map { try named(id, $0) }
    }
    return try TileCodec(for: joined.picture, joiner.settings).tile(joined.picture, as: id)
  }

  /// The chart that covers the whole tile and has precedence in all of it.
  private func wholeOwner(_ depths: [DepthLattice], _ offsets: [MiddleOffsets], _ ranks: [Int]) -> Int? {
    depths.indices.first { candidate in
      depths[candidate].isInside
        && offsets.indices.allSatisfy { other in
          other == candidate || ranks[candidate] < ranks[other]
            || (ranks[candidate] == ranks[other] && offsets[candidate].isNearer(than: offsets[other]))
        }
    }
  }

  private func copy(_ id: TileID, of pack: Int) throws -> Tile {
    let data = try bytes(id, of: pack)
    // Archives that this tool did not build may be damaged.
    if joiner.isExact { _ = try decode(data, id, of: pack) }
    return try named(id, data, joiner.packs[pack].names[id])
  }

  /// The workers compute the name, since the writer is a single thread.
  private func named(_ id: TileID, _ data: [UInt8], _ name: String? = nil) throws -> Tile {
    Tile(id: id, data: data, name: try name ?? TileHash.identifier(of: data))
  }

  private func picture(_ id: TileID, of pack: Int) throws -> RGBAImage {
    let side = joiner.settings.size
    let image = try decode(try bytes(id, of: pack), id, of: pack)
    guard image.width == side, image.height == side else {
      throw userError(pack, id, "is not \(side) pixels wide and high")
    }
    return image
  }

  private func decode(_ data: [UInt8], _ id: TileID, of pack: Int) throws -> RGBAImage {
    return try explaining({ userError(pack, id, "cannot be decoded: \($0)") }) { try TileImage.decode(data) }
  }

  private func bytes(_ id: TileID, of pack: Int) throws -> [UInt8] {
    let reader = try readers[pack] ?? ArchiveKind.open(joiner.packs[pack].archive)
    readers[pack] = reader
    guard let bytes = try reader.tile(id) else { throw userError(pack, id, "is gone") }
    return bytes
  }

  private func userError(_ pack: Int, _ id: TileID, _ problem: String) -> UserError {
    .joining(
      joiner.packs[pack].archive, "tile \(id) \(problem)",
      "Build the chart again, or run `chartpipe verify` on the site.")
  }
}

extension TileCodec {
  /// A joined picture gets its own palette, since the palettes of the charts differ.
  fileprivate init(for picture: RGBAImage, _ settings: TileSettings) {
    var census = ColorCensus()
    if settings.format.hasPalette { census.add(picture) }
    self.init(settings.tileFormat(census.palette(for: picture)))
  }
}
