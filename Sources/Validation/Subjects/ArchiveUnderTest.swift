internal import Foundation
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
