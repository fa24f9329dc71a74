internal import Core
internal import Foundation
internal import ImageIO
internal import Pipeline
internal import SQLiteIO
internal import TileArchive

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
  /// Nil where the metadata has none that can be read.
  private(set) lazy var neatline = metadata["chartpipe:neatline"].flatMap { MercatorNeatline(geoJSON: $0) }
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
    file.readAhead()
    if ArchiveKind(contentsOf: file) == .pmtiles {
      let archive = try PMTilesReader(opening: file)
      (storage, reader) = (.pmtiles(archive), archive)
    } else {
      let connection = try SQLiteConnection(file.path, mode: .readOnly)
      (storage, reader) = (.mbtiles(connection), MBTilesReader(connection, of: file))
      // Opening succeeds for any file; only reading shows whether it is a database.
      _ = try connection.numbers("SELECT count(*) FROM sqlite_schema")
    }
    (metadata, summary, unreadable) = ArchiveUnderTest.contents(reader)
    extent = DeclaredExtent(metadata)
  }

  private static func contents(
    _ reader: any TileSource
  ) -> (metadata: [String: String], summary: ArchiveSummary, unreadable: (any Error)?) {
    do {
      return (try reader.metadata(), try reader.summary(), nil)
    } catch {
      return ([:], ArchiveSummary(zooms: [], distinctTiles: 0), error)
    }
  }

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

/// A stored tile and the survey of its decoded image.
struct DecodedTile: Sendable {
  let stored: StoredTile
  /// Nil for bytes that do not begin like an image.
  let kind: ImageKind?
  let survey: Result<TileSurvey, ImageError>

  /// More than a tile may have, so that the usual wrong sizes are reported as such, but too few to exhaust memory.
  private static let sideLimit: UInt32 = 2048

  /// - Parameter reference: the sheet to compare the tile with; nil for none.
  init(_ stored: StoredTile, reference: SheetReference? = nil) {
    self.stored = stored
    kind = ImageKind(stored.data)
    survey = Result { () throws(ImageError) in
      try TileImage.survey(
        stored.data, sideLimit: DecodedTile.sideLimit, on: stored.id.flatMap { reference?.cells(under: $0) })
    }
  }
}

/// The image formats that MBTiles may hold, by their first bytes.
enum ImageKind: String {
  case png
  case jpg
  case webp

  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpg
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }

  /// Whether an image is compressed with loss. A lossless WebP has a chunk of another name.
  static func isLossy(_ bytes: [UInt8]) -> Bool {
    ImageKind(bytes) == .webp && !bytes.dropFirst(12).starts(with: Array("VP8L".utf8))
  }
}
