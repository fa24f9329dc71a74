public import Foundation
public import Geo
internal import ImageIO
public import Pipeline
public import TileArchive

/// Some of the tiles of finished archives, joined without loss.
///
/// Most tiles keep their bytes: those of one archive alone, and those that show everything that the others show there. Of several
/// such tiles, the one whose chart's own edge is farthest from the middle of the tile is copied. In other tiles, each pixel is that
/// of the chart whose own edge is farthest from it, as in a mosaic.
public struct AreaJoin: Sendable {
  /// The tiles that there are, ordered by zoom, row and column.
  public let tiles: [TileID]
  private let joiner: PackJoiner

  /// - Parameters:
  ///   - archives: of one family, so that their tiles are of one kind.
  ///   - wanted: tiles that no archive has are left out.
  public init(_ archives: [URL], wanted: Set<TileID>, zooms: ClosedRange<Int>) throws {
    let readers = try archives.map { try ArchiveKind.open($0) }
    joiner = PackJoiner(
      packs: try readers.map { try AreaJoin.joined($0, wanted, isAlone: archives.count == 1) },
      rule: .deepest,
      settings: try AreaJoin.settings(readers, zooms), isExact: true)
    tiles = joiner.allTiles
  }

  /// How many bytes the tiles of each zoom have. Of a tile that is joined from several the largest counts.
  public func byteCounts() throws -> [Int: Int] {
    let readers = try joiner.packs.map { try ArchiveKind.open($0.archive) }
    var counts: [Int: Int] = [:]
    for tile in tiles {
      let sizes = try zip(joiner.packs, readers).filter { $0.0.tiles.contains(tile) }
        .map { try $0.1.byteCount(of: tile) ?? 0 }
      counts[tile.zoom, default: 0] += sizes.max() ?? 0
    }
    return counts
  }

  /// Which archives have at least one of the tiles, by their numbers.
  public var used: [Int] { joiner.packs.indices.filter { !joiner.packs[$0].tiles.isEmpty } }

  /// Writes an MBTiles archive.
  public func write(
    to scratch: URL, metadata: ArchiveMetadata, jobs: Int, progress: any ProgressReporter, step: String
  ) async throws -> ArchiveSummary {
    let writer = try MBTilesWriter(creating: scratch)
    try await joiner.write(
      tiles, to: writer, jobs: jobs, report: TileProgress(progress, step: step, total: tiles.count))
    return try writer.finish(metadata)
  }

  private static func joined(
    _ reader: any TileSource, _ wanted: Set<TileID>, isAlone: Bool
  ) throws -> JoinedArchive {
    let shape = try reader.metadata()["chartpipe:neatline"].flatMap { SheetShape(geoJSON: $0) }
    // One archive alone is never compared with another.
    guard let shape = shape ?? (isAlone ? SheetShape.unknown : nil) else {
      throw Fault(
        .badInput, doing: "joining charts", subject: reader.url.path,
        problem: "its metadata has no chartpipe:neatline, which decides where it is shown",
        remedy: "Cut this archive alone, or build it with chartpipe.")
    }
    let tiles = try wanted.filter { try reader.byteCount(of: $0) != nil }
    return JoinedArchive(archive: reader.url, shape: shape, tiles: tiles)
  }

  /// What the tiles are, by one of each archive.
  private static func settings(
    _ readers: [any TileSource], _ zooms: ClosedRange<Int>
  ) throws -> TileSettings {
    let kinds = try readers.map { reader in
      let bytes = try reader.anyTile() ?? []
      guard let format = TileSettings.Format(of: bytes), let image = try? TileImage.decode(bytes) else {
        throw fault(reader, "its tiles are neither PNG nor WebP images", "Give an archive of raster tiles.")
      }
      return TileSettings(zooms: zooms, format: format, size: image.width)
    }
    guard let first = kinds.first else {
      throw Fault(.failed, doing: "joining charts", problem: "there is no archive")
    }
    if let other = kinds.firstIndex(where: { $0.format != first.format || $0.size != first.size }) {
      throw fault(
        readers[other],
        "its tiles are \(kinds[other].words), and those of \(readers[0].url.lastPathComponent) \(first.words)",
        "Choose charts of one kind with --charts.")
    }
    return first
  }

  private static func fault(_ reader: any TileSource, _ problem: String, _ remedy: String) -> Fault {
    Fault(.badInput, doing: "joining charts", subject: reader.url.path, problem: problem, remedy: remedy)
  }
}

extension TileSettings {
  fileprivate var words: String { "\(format.rawValue) of \(size) pixels" }
}

extension TileSettings.Format {
  /// Of an encoded tile, by its first bytes.
  fileprivate init?(of bytes: [UInt8]) {
    guard bytes.count > 26 else { return nil }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = bytes[25] == 3 ? .png : .png32
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes[8..<12].elementsEqual("WEBP".utf8) {
      self = bytes[12..<16].elementsEqual("VP8L".utf8) ? .webpLossless : .webp
    } else {
      return nil
    }
  }
}

extension SheetShape {
  fileprivate static var unknown: SheetShape? {
    SheetShape(geoJSON: #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#)
  }
}
