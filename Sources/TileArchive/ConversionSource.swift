internal import ArchiveIO
internal import Core
internal import Foundation

/// An archive of any origin in the form in which it is converted:
///
/// - `format` is known, if necessary from the tiles themselves.
/// - `bounds` is a box on the earth, if necessary that of the tiles. `center` lies in it.
/// - Rows about the old file are left out, such as `scheme`: rows are counted from the south in each MBTiles file, and from the
///   north in PMTiles, whatever other programs write into `scheme`.
/// - Vector tiles are compressed with gzip. Those that are so already keep their bytes.
/// - Each tile begins like one of the format.
final class ConversionSource: TileSource {
  private let source: any TileSource
  private let rows: [String: String]
  private let format: TileEncoding
  let url: URL

  init(_ source: any TileSource) throws {
    (self.source, url) = (source, source.url)
    let (rows, zooms) = (try source.metadata(), try source.summary().zooms)
    guard let first = zooms.first, let last = zooms.last, let tile = try source.anyTile() else {
      throw UserError.reading(url, "it contains no tile")
    }
    guard first.isPossible, last.isPossible else {
      try source.forEachTile { _ in }  // throws an error that names the first invalid tile
      throw UserError.reading(url, "its tiles are not valid")
    }
    guard let format = rows["format"].flatMap({ TileEncoding(row: $0) }) ?? TileEncoding(of: tile) else {
      throw UserError.reading(
        url,
        "its `format` is \(rows["format"].map { "\"\($0)\"" } ?? "missing"), and its tiles are of no known format"
      )
    }
    self.format = format
    if let problem = (source as? PMTilesReader)?.header.unreadableTiles {
      throw UserError.reading(url, problem)
    }
    // The hash is that of the stored bytes.
    let isPacked = !format.isVector || Gzip.isCompressed(tile)
    var own = rows.filter { row in
      !["scheme", "compression"].contains(row.key) && (isPacked || row.key != TileHash.metadataKey)
    }
    own["name"] = rows["name"] ?? url.deletingPathExtension().lastPathComponent
    own["format"] = format.rawValue
    (own["minzoom"], own["maxzoom"]) = ("\(first.zoom)", "\(last.zoom)")
    self.rows = try ConversionSource.placed(own, first.zoom...last.zoom, tiles: last.box, url)
  }

  /// Checks or adds the rows about the position.
  private static func placed(
    _ rows: [String: String], _ zooms: ClosedRange<Int>, tiles: GeoBox, _ url: URL
  ) throws -> [String: String] {
    var rows = rows
    let stated = rows["bounds"].flatMap { GeoBox(metadata: $0) }
    let adjusted = GeoBox(adjustedIn: rows)
    if let text = rows["bounds"], stated == nil, adjusted == nil {
      throw UserError.reading(
        url, "its `bounds` are \"\(text.prefix(80))\", not west,south,east,north of a box on the earth",
        suggestion: "Correct or delete the row: without it, the bounds are those of the tiles.")
    }
    if stated == nil, let adjusted {
      rows["bounds"] = ArchiveMetadata.text(
        GeoBox(west: -180, south: adjusted.south, east: 180, north: adjusted.north))
      rows[ArchiveMetadata.adjustedBoundsKey] = ArchiveMetadata.text(adjusted)
    }
    let box = adjusted ?? stated ?? tiles
    if stated == nil, adjusted == nil { rows["bounds"] = ArchiveMetadata.text(box.toCentimetres) }
    let center = rows["center"].flatMap { MapCenter($0) }
      .flatMap { center in box.windows.contains { $0.contains(center.point) } ? center : nil }
    if center?.zoom == nil {
      rows["center"] = ArchiveMetadata.center(center?.point ?? box.center, zooms)
    }
    return rows
  }

  func metadata() throws -> [String: String] { rows }
  func summary() throws -> ArchiveSummary { try source.summary() }
  func tile(_ id: TileID) throws -> [UInt8]? { try source.tile(id).map { try packed($0, id) } }
  func tileIDs() throws -> [TileID] { try source.tileIDs() }
  func anyTile() throws -> [UInt8]? { try source.anyTile().map { try packed($0, nil) } }

  func forEachStored(_ body: (StoredTile) throws -> Void) throws {
    try source.forEachStored { tile in
      let data = try packed(tile.data, tile.id)
      try body(StoredTile(zoom: tile.zoom, column: tile.column, tmsRow: tile.tmsRow, data: data))
    }
  }

  /// Checks that a tile begins like one of the format, and compresses a plain vector tile.
  private func packed(_ data: [UInt8], _ id: TileID?) throws -> [UInt8] {
    guard !data.isEmpty else { return data }
    guard format.isVector else {
      let found = TileEncoding(image: data)
      guard found == format else {
        throw refusal(id, found.map { "is \($0)" } ?? "does not begin like an image")
      }
      return data
    }
    guard !Gzip.isCompressed(data) else { return data }
    if let image = TileEncoding(image: data) { throw refusal(id, "is \(image)") }
    do {
      guard !data.starts(with: ConversionSource.zstandard) else {
        throw VectorTileError("it is compressed with Zstandard")
      }
      if format == .pbf, try VectorTile(stored: data).layers.isEmpty {
        throw VectorTileError("it has no layer")
      }
      return try Gzip.compress(data)
    } catch let error as VectorTileError {
      throw UserError.reading(
        url, "\(title(id)) is neither compressed with gzip nor a plain vector tile: \(error)")
    }
  }

  private static let zstandard: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

  private func title(_ id: TileID?) -> String { id.map { "tile \($0)" } ?? "a tile" }

  /// A tile in another format than the archive.
  private func refusal(_ id: TileID?, _ problem: String) -> UserError {
    UserError.reading(
      url, "\(title(id)) \(problem), but the archive is \(format)",
      suggestion: "Correct the row `format` of its metadata, or make all tiles of one format.")
  }
}

extension PMTilesHeader {
  /// Why tiles cannot be converted.
  fileprivate var unreadableTiles: String? {
    switch tileCompression {
    case .brotli, .zstd: "its tiles are compressed with \(tileCompression); only gzip and none are supported"
    case .unknown, .none, .gzip: nil
    }
  }
}

extension GeoBox {
  /// Rounded like a header of PMTiles. Further digits of a projection are noise.
  fileprivate var toCentimetres: GeoBox {
    let sides = [west, south, east, north].map { ($0 * 10_000_000).rounded() / 10_000_000 }
    return GeoBox(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
  }
}
