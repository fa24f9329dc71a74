internal import Core
internal import Foundation
internal import Pipeline
internal import SQLiteIO

/// The tiles of an MBTiles file one after the other, ordered by zoom, column, and row from the south, for those who read
/// two files side by side. What is no tile, or is there twice, is a fault: whoever reads two files would lose his place.
final class TileCursor {
  enum Contents {
    case tiles
    /// A tile without an image is one to be taken away.
    case changes
  }

  private let url: URL
  private let contents: Contents
  private let rows: SQLiteStatement
  private var last: TilePlace?

  init(_ connection: SQLiteConnection, of url: URL, contents: Contents) throws {
    (self.url, self.contents) = (url, contents)
    rows = try UserError.readingDatabase(url) {
      try connection.prepare(
        """
        SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles
        ORDER BY zoom_level, tile_column, tile_row
        """)
    }
  }

  func next() throws -> StoredTile? {
    guard let row = try UserError.readingDatabase(url, { try rows.next() }) else { return nil }
    let tile = StoredTile(zoom: row.int(0), column: row.int(1), tmsRow: row.int(2), data: row.blob(3))
    guard let id = tile.id else { throw UserError.impossible(tile, in: url) }
    if let last, tile.place <= last { throw UserError.reading(url, "tile \(id) is in it twice") }
    guard !tile.data.isEmpty || (contents == .changes && row.isNull(3)) else {
      throw UserError.reading(url, "tile \(id) is empty")
    }
    last = tile.place
    return tile
  }
}
