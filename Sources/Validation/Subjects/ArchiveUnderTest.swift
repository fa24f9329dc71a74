internal import Core
internal import Foundation
internal import ImageIO
internal import SQLiteIO

/// A tile archive, opened once for all rules, read-only.
final class ArchiveUnderTest: RuleSubject {
  /// The file beneath the tiles, for rules about its format.
  enum Storage {
    case mbtiles(SQLiteConnection)
    case pmtiles(PMTilesReader)
  }

  let place: String
  let storage: Storage
  let reader: any TileSource
  /// Empty where the archive has none that can be read.
  let metadata: [String: String]
  let extent: DeclaredExtent
  /// By the metadata, or else by a tile; nil where neither says it.
  let encoding: TileEncoding?
  /// Nil where the metadata has none that can be read.
  private(set) lazy var neatline = MercatorNeatline(metadata: metadata)
  let summary: ArchiveSummary
  /// The error of reading the tiles or the metadata; nil when they can be read.
  let unreadable: (any Error)?
  /// The coarse picture of the sheet that a single chart was made from; nil where there is none to compare with.
  let reference: SheetReference?
  /// Nil for an archive that no description names.
  let productID: String?

  /// - Parameter description: the description that names the archive. The rules about it report a missing or unreadable sheet.
  init(_ file: URL, place: String, of description: URL? = nil) throws {
    self.place = place
    let product = description.flatMap { try? ProductUnderTest($0, place: place) }
    productID = product?.product.id
    reference = try? product?.reference
    // SQLite opens a file of one byte as an empty database.
    if let signature = FileSignature(of: file) {
      throw UserError(
        .badInput, operation: "reading the tile archive", path: file.path, reason: "it is \(signature.title)",
        suggestion: signature.suggestion)
    }
    file.readAhead()
    if ArchiveKind(contentsOf: file) == .pmtiles {
      let archive = try PMTilesReader(opening: file)
      (storage, reader) = (.pmtiles(archive), archive)
    } else {
      let connection = try SQLiteConnection(file.path, mode: .foreign)
      (storage, reader) = (.mbtiles(connection), MBTilesReader(connection, of: file))
      // Opening succeeds for any file; only reading shows whether it is a database.
      _ = try connection.numbers("SELECT count(*) FROM sqlite_schema")
    }
    do {
      (metadata, summary, unreadable) = (try reader.metadata(), try reader.summary(), nil)
    } catch {
      (metadata, summary, unreadable) = ([:], ArchiveSummary(zooms: [], distinctTiles: 0), error)
    }
    extent = DeclaredExtent(metadata)
    let sample = try? reader.anyTile()
    encoding = metadata["format"].flatMap { TileEncoding(row: $0) } ?? sample.flatMap { TileEncoding(of: $0) }
  }

  /// Whether its tiles are vector tiles according to the metadata.
  var isVector: Bool { metadata["format"].flatMap { TileEncoding(row: $0) }?.isVector ?? false }

  /// Whether it shows an image that is not a chart.
  var isOfImage: Bool { metadata[ArchiveMetadata.coverageKey] != nil }

  /// Whether the image may be transparent inside its outline.
  var isPartial: Bool { metadata[ArchiveMetadata.coverageKey] == ArchiveMetadata.partialCoverage }

  func place(of tile: StoredTile) -> String {
    "\(place) tile " + (tile.id.map { "\($0)" } ?? "\(tile.zoom)/\(tile.column)/tms \(tile.tmsRow)")
  }
}

extension SQLiteConnection {
  /// Returns the first column of each row.
  func numbers(_ sql: String) throws -> [Int] { try prepare(sql).map { $0.int(0) } }
  func texts(_ sql: String) throws -> [String] { try prepare(sql).map { $0.text(0) ?? "" } }
  func count(_ rows: String) throws -> Int { try numbers("SELECT count(*) FROM \(rows)").first ?? 0 }
  /// Returns what SQLite's integrity check finds.
  func damage() throws -> [String] {
    try texts("PRAGMA integrity_check(100)").filter { $0 != "ok" }
      .flatMap { $0.split(separator: "\n").map(String.init) }
  }
}

/// The extent that an archive's metadata declares.
struct DeclaredExtent {
  /// Nil where it is missing, or not a box on the earth.
  let bounds: GeoBox?
  /// The bounds of a chart across 180 degrees, with an east beyond 180.
  let adjusted: GeoBox?

  init(_ metadata: [String: String]) {
    bounds = metadata["bounds"].flatMap { GeoBox(metadata: $0) }
    adjusted = GeoBox(adjustedIn: metadata)
  }

  /// One box, or the two parts of a chart across 180 degrees.
  var windows: [GeoBox] { (adjusted ?? bounds)?.windows ?? [] }
}

/// A stored tile and the survey of its decoded image, or its layers.
struct DecodedTile: Sendable {
  let stored: StoredTile
  /// Nil for bytes that do not begin like an image.
  let kind: TileEncoding?
  /// Nil for a vector tile.
  let survey: Result<TileSurvey, ImageError>?
  /// Nil for an image, and for a tile in an encoding that cannot be decoded.
  let vector: Result<VectorTile, VectorTileError>?

  var isGzipped: Bool { stored.data.starts(with: [0x1F, 0x8B]) }

  /// More than a tile may have, so that the usual wrong sizes are reported as such, but too few to exhaust memory.
  private static let sideLimit: UInt32 = 2048

  /// - Parameter reference: the sheet to compare the tile with; nil for none.
  init(_ stored: StoredTile, _ encoding: TileEncoding?, reference: SheetReference? = nil) {
    self.stored = stored
    guard encoding?.isVector != true else {
      (kind, survey) = (nil, nil)
      vector = Result { () throws(VectorTileError) in try VectorTile(stored: stored.data) }
      return
    }
    (kind, vector) = (TileEncoding(image: stored.data), nil)
    survey = Result { () throws(ImageError) in
      try TileImage.survey(
        stored.data, sideLimit: DecodedTile.sideLimit, on: stored.id.flatMap { reference?.cells(under: $0) })
    }
  }
}

extension TileEncoding {
  /// Whether an image is compressed with loss. A lossless WebP has a chunk of another name.
  static func isLossy(_ bytes: [UInt8]) -> Bool {
    TileEncoding(image: bytes) == .webp && !bytes.dropFirst(12).starts(with: Array("VP8L".utf8))
  }
}
