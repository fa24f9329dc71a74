internal import Foundation
internal import SQLiteIO

/// The file of an archive while it is written, tile after tile in their order.
///
/// Images are named by the MD5 of their bytes, in lower case. A row number would be some 90 bytes a tile smaller
/// (half a percent), but this name is what the tools that know the `map` and `images` layout look for; it lets anyone
/// check a single tile, and lets two cycles be compared without reading an image of either.
final class MBTilesFile {
  private let connection: SQLiteConnection
  private var insertImage: SQLiteStatement?
  private var insertPlace: SQLiteStatement?
  private var tally = ZoomTally()

  init(creating url: URL) throws {
    connection = try SQLiteConnection(creating: url, MBTilesSchema.tables)
    insertImage = try connection.prepare("INSERT OR IGNORE INTO images VALUES (?, ?)")
    insertPlace = try connection.prepare("INSERT INTO map VALUES (?, ?, ?, ?)")
  }

  func add(_ tile: StoredTile) throws {
    let identifier = try TileHash.identifier(of: tile.data)
    try insertImage?.run([.text(identifier), .blob(tile.data)])
    try insertPlace?.run([
      .integer(tile.zoom), .integer(tile.column), .integer(tile.tmsRow), .text(identifier),
    ])
    tally.add(tile)
  }

  /// Adds the metadata and closes the file.
  func finish(_ metadata: [(name: String, value: String)]) throws -> ArchiveSummary {
    try connection.addMetadata(metadata.map { ($0.name, $0.value) })
    let images = try connection.prepare("SELECT count(*) FROM images").map { $0.int(0) }
    (insertImage, insertPlace) = (nil, nil)
    try connection.finish()
    return ArchiveSummary(zooms: tally.zooms, distinctTiles: images.first ?? 0)
  }
}
