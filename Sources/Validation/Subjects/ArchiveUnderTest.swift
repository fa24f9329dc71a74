internal import Core
internal import Foundation
internal import ImageIO
internal import SQLiteIO
internal import TileArchive

/// An archive, opened once for all the rules, and never written to.
final class ArchiveUnderTest {
  /// What is beneath the tiles, for the rules that ask whether it is sound.
  enum Storage {
    case mbtiles(SQLiteConnection)
    case pmtiles(PMTilesReader)
  }

  /// The path as it was given; every finding's place begins with it.
  let place: String
  let storage: Storage
  let reader: any TileSource
  /// Empty where the archive has none that can be read.
  let metadata: [String: String]
  let extent: ToldExtent
  /// Nil where it tells none that can be read.
  private(set) lazy var neatline = metadata["chartpipe:neatline"].flatMap { Neatline(geoJSON: $0) }
  let summary: ArchiveSummary
  /// Nil when the tiles and the metadata can be read; otherwise why not.
  let unreadable: (any Error)?
  /// The sheet that a single chart was made of; nil where there is none to compare with.
  let reference: SheetReference?
  /// What the rules measured.
  var facts = ProductFacts()

  init(_ file: URL, place: String, reference: SheetReference? = nil) throws {
    self.place = place
    self.reference = reference
    if ArchiveKind(contentsOf: file) == .pmtiles {
      let archive = try PMTilesReader(opening: file)
      (storage, reader) = (.pmtiles(archive), archive)
    } else {
      let connection = try SQLiteConnection(file.path, mode: .readOnly)
      (storage, reader) = (.mbtiles(connection), MBTilesReader(connection, of: file))
      // Whether it is a database at all shows only when something is read.
      _ = try connection.numbers("SELECT count(*) FROM sqlite_schema")
    }
    (metadata, summary, unreadable) = ArchiveUnderTest.contents(reader)
    extent = ToldExtent(metadata)
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

  func place(of tile: StoredTile) -> String {
    "\(place) tile " + (tile.id.map { "\($0)" } ?? "\(tile.zoom)/\(tile.column)/tms \(tile.tmsRow)")
  }
}

extension SQLiteConnection {
  /// The first column of what a statement gives.
  func numbers(_ sql: String) throws -> [Int] { try prepare(sql).map { $0.int(0) } }
  func texts(_ sql: String) throws -> [String] { try prepare(sql).map { $0.text(0) ?? "" } }
}

/// Where an archive says that it lies.
struct ToldExtent {
  /// Nil where it does not say so, or not in numbers that are a box on the earth.
  let bounds: GeoBox?
  /// Of a chart across 180 degrees, with an east beyond 180.
  let adjusted: GeoBox?

  init(_ metadata: [String: String]) {
    bounds = metadata["bounds"].flatMap { GeoBox(metadata: $0) }
    adjusted = GeoBox(adjustedIn: metadata)
  }

  /// The boxes that do not wrap.
  var windows: [GeoBox] { (adjusted ?? bounds)?.windows ?? [] }
}

/// A tile as it is stored, and what its image looks like.
struct SeenTile: Sendable {
  let stored: StoredTile
  /// Nil for bytes that begin like no image.
  let kind: ImageKind?
  let survey: Result<TileSurvey, ImageError>

  /// Far more pixels a side than a tile may have, so that the usual wrong sizes are told, and far fewer than fill the memory.
  private static let sideLimit: UInt32 = 2048

  /// - Parameter reference: the sheet that the tile is to be compared with; nil for none.
  init(_ stored: StoredTile, reference: SheetReference? = nil) {
    self.stored = stored
    kind = ImageKind(stored.data)
    survey = Result { () throws(ImageError) in
      try TileImage.survey(
        stored.data, sideLimit: SeenTile.sideLimit, on: stored.id.flatMap { reference?.cells(under: $0) })
    }
  }
}

/// Tiles on their way to threads that look at them.
struct TileBatch: Sendable {
  private(set) var tiles: [StoredTile] = []
  private var bytes = 0

  /// Few enough that several of them are nothing in memory, also where the images are large.
  var isFull: Bool { tiles.count >= 64 || bytes >= 4 << 20 }

  mutating func add(_ tile: StoredTile) {
    tiles.append(tile)
    bytes += tile.data.count
  }

  /// What was added, which is taken away.
  mutating func take() -> [StoredTile] {
    defer { self = TileBatch() }
    return tiles
  }
}

/// The kinds of images that MBTiles may hold, by their first bytes.
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
}

extension ImageKind {
  /// Whether an image gives its colours only about. A WebP without loss has a chunk of another name.
  static func isLossy(_ bytes: [UInt8]) -> Bool {
    ImageKind(bytes) == .webp && !bytes.dropFirst(12).starts(with: Array("VP8L".utf8))
  }
}
