internal import Foundation
internal import SQLiteIO
internal import TileArchive

/// An archive, opened once for all the rules, and never written to.
final class ArchiveUnderTest {
  /// The path as it was given; every finding's place begins with it.
  let place: String
  let connection: SQLiteConnection
  let reader: MBTilesReader
  /// Empty where the archive has none that can be read.
  let metadata: [String: String]
  let extent: ToldExtent
  let summary: ArchiveSummary
  /// Nil when the tiles and the metadata can be read; otherwise why not.
  let unreadable: (any Error)?

  init(_ file: URL, place: String) throws {
    self.place = place
    connection = try SQLiteConnection(file.path, mode: .readOnly)
    reader = MBTilesReader(connection, of: file)
    // Whether it is a database at all shows only when something is read.
    _ = try connection.prepare("SELECT count(*) FROM sqlite_schema").map { $0.int(0) }
    (metadata, summary, unreadable) = ArchiveUnderTest.contents(reader)
    extent = ToldExtent(metadata)
  }

  private static func contents(
    _ reader: MBTilesReader
  ) -> (metadata: [String: String], summary: ArchiveSummary, unreadable: (any Error)?) {
    do {
      return (try reader.metadata(), try reader.summary(), nil)
    } catch {
      return ([:], ArchiveSummary(tiles: 0, distinctTiles: 0, tileBytes: 0, zooms: []), error)
    }
  }

  func place(of tile: StoredTile) -> String {
    "\(place) tile " + (tile.id.map { "\($0)" } ?? "\(tile.zoom)/\(tile.column)/tms \(tile.tmsRow)")
  }

  func numbers(_ sql: String) throws -> [Int] { try connection.prepare(sql).map { $0.int(0) } }
  func texts(_ sql: String) throws -> [String] { try connection.prepare(sql).map { $0.text(0) ?? "" } }
}
