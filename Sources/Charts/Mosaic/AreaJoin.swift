public import Core
public import Foundation
internal import ImageIO

/// Joins selected tiles of finished archives without loss.
///
/// Most tiles keep their bytes: tiles of one archive only, and tiles that show everything that the others show there. If
/// several archives have such a tile, the one whose chart's middle is nearest to the middle of the tile is copied. In other
/// tiles, each pixel comes from the chart whose middle is nearest, as in a mosaic.
public struct AreaJoin: Sendable {
  /// The existing tiles, ordered by zoom, row and column.
  public let tiles: [TileID]
  private let packs: [JoinedArchive]
  private let zooms: ClosedRange<Int>

  /// Reads the archives' metadata and directories, but no tile. Call `write` when the wanted tiles are present.
  ///
  /// - Parameters:
  ///   - archives: of one family, so that their tiles are of one kind.
  ///   - wanted: tiles that no archive has are ignored.
  public init(_ archives: [URL], wanted: Set<TileID>, zooms: ClosedRange<Int>) throws {
    let readers = try archives.map { try ArchiveKind.open($0) }
    packs = try readers.map { try AreaJoin.joined($0, wanted, isAlone: archives.count == 1) }
    tiles = packs.allTiles.inReadingOrder
    self.zooms = zooms
  }

  /// The bytes of the tiles of each zoom. For a tile that is joined from several, the largest counts.
  public func byteCounts() throws -> [Int: Int] {
    let readers = try packs.map { try ArchiveKind.open($0.archive) }
    var counts: [Int: Int] = [:]
    for tile in tiles {
      let sizes = try zip(packs, readers).filter { $0.0.tiles.contains(tile) }
        .map { try $0.1.byteCount(of: tile) ?? 0 }
      counts[tile.zoom, default: 0] += sizes.max() ?? 0
    }
    return counts
  }

  /// The indexes of the archives that have at least one of the tiles.
  public var used: [Int] { packs.indices.filter { !packs[$0].tiles.isEmpty } }

  /// Writes an MBTiles archive.
  public func write(
    to scratch: URL, metadata: ArchiveMetadata, jobs: Int, progress: any ProgressReporter, step: String
  ) throws -> ArchiveSummary {
    let joiner = ArchiveJoiner(packs: packs, settings: try settings(), isExact: true)
    return try joiner.write(
      Set(tiles), to: scratch, metadata: metadata, jobs: jobs, progress: progress, step: step
    ).summary
  }

  private static func joined(
    _ reader: any TileSource, _ wanted: Set<TileID>, isAlone: Bool
  ) throws -> JoinedArchive {
    let shape = try reader.metadata()["chartpipe:neatline"].flatMap { SheetShape(geoJSON: $0) }
    // A single archive is never compared with another.
    guard let shape = shape ?? (isAlone ? SheetShape.unknown : nil) else {
      throw UserError.joining(
        reader.url, "its metadata has no chartpipe:neatline, which decides where it is shown",
        "Cut this archive alone, or build it with chartpipe.")
    }
    let tiles = try wanted.filter { try reader.byteCount(of: $0) != nil }
    return JoinedArchive(archive: reader.url, shape: shape, tiles: tiles)
  }

  /// Detects the tiles' settings from one wanted tile of each archive.
  private func settings() throws -> TileSettings {
    let samples = packs.compactMap { pack in
      pack.tiles.inReadingOrder.first.map { (archive: pack.archive, tile: $0) }
    }
    let kinds = try samples.map { sample in
      let bytes = try ArchiveKind.open(sample.archive).tile(sample.tile) ?? []
      guard let format = TileSettings.Format(of: bytes), let image = try? TileImage.decode(bytes) else {
        throw UserError.joining(
          sample.archive, "its tile \(sample.tile) is neither a PNG nor a WebP image",
          "Give an archive of raster tiles, or build it again if it is damaged.")
      }
      return TileSettings(zooms: zooms, format: format, size: image.width)
    }
    guard let first = kinds.first else {
      throw UserError(.failed, operation: "joining charts", reason: "none of the archives has a wanted tile")
    }
    if let other = kinds.firstIndex(where: { $0.formatSummary != first.formatSummary }) {
      let name = samples[0].archive.lastPathComponent
      throw UserError.joining(
        samples[other].archive,
        "its tiles are \(kinds[other].formatSummary), and those of \(name) \(first.formatSummary)",
        "Choose charts of one kind with --charts.")
    }
    return first
  }
}

extension Set<TileID> {
  /// Sorted by zoom, row and column.
  fileprivate var inReadingOrder: [TileID] {
    sorted { ($0.zoom, $0.row, $0.column) < ($1.zoom, $1.row, $1.column) }
  }
}

extension TileSettings {
  /// Joined tiles are encoded without loss, so other settings may differ.
  fileprivate var formatSummary: String { "\(format.isWebP ? "WebP" : "PNG") of \(size) pixels" }
}

extension TileSettings.Format {
  /// Detects the settings of an encoded tile by its first bytes.
  fileprivate init?(of bytes: [UInt8]) {
    guard bytes.count > 26 else { return nil }
    switch TileEncoding(image: bytes) {
    case .png: self = bytes[25] == 3 ? .png : .png32
    case .webp: self = bytes[12..<16].elementsEqual("VP8L".utf8) ? .webpLossless : .webp
    case .jpg, .pbf, nil: return nil
    }
  }
}

extension SheetShape {
  fileprivate static var unknown: SheetShape? {
    SheetShape(geoJSON: #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#)
  }
}
