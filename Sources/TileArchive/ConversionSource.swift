internal import ArchiveIO
internal import Core
internal import Foundation
internal import Pipeline

/// An archive of any origin in the form in which it is converted:
///
/// - `format` is known, if necessary from the tiles themselves.
/// - `bounds` is a box on the earth, if necessary that of the tiles. `center` lies in it.
/// - Rows about the old file are left out, such as `scheme`: rows are counted from the south in each MBTiles file, and from the
///   north in PMTiles, whatever other programs write into `scheme`.
/// - Vector tiles are compressed with gzip. Those that are so already keep their bytes.
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
    guard first.isPossible, last.isPossible else { throw UserError.reading(url, "its tiles are not valid") }
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
  func tile(_ id: TileID) throws -> [UInt8]? { try source.tile(id).map { try packed($0, "\(id)") } }
  func tileIDs() throws -> [TileID] { try source.tileIDs() }
  func anyTile() throws -> [UInt8]? { try source.anyTile().map { try packed($0, "") } }

  func forEachStored(_ body: (StoredTile) throws -> Void) throws {
    try source.forEachStored { tile in
      guard format.isVector, !Gzip.isCompressed(tile.data) else { return try body(tile) }
      let data = try packed(tile.data, tile.id.map { "\($0)" } ?? "")
      try body(StoredTile(zoom: tile.zoom, column: tile.column, tmsRow: tile.tmsRow, data: data))
    }
  }

  private func packed(_ data: [UInt8], _ id: String) throws -> [UInt8] {
    guard format.isVector, !data.isEmpty, !Gzip.isCompressed(data) else { return data }
    do {
      if format == .pbf { _ = try VectorTile(stored: data) }
      return try Gzip.compress(data)
    } catch let error as VectorTileError {
      throw UserError.reading(
        url, "tile \(id) is neither compressed with gzip nor a plain vector tile: \(error)")
    }
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
