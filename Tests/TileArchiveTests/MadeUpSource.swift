import Core
import Foundation
import TileArchive

/// An archive that lives in memory alone.
final class MadeUpSource: TileSource {
  let url = URL(filePath: "made-up.mbtiles")
  var rows: [String: String] = ["name": "Made up", "format": "png", "bounds": "-10,-20,30,40.5"]
  var tiles: [Tile]

  init(_ tiles: [Tile]) { self.tiles = tiles }

  func metadata() throws -> [String: String] { rows }
  func tile(_ id: TileID) throws -> [UInt8]? { tiles.first { $0.id == id }?.data }
  func tileIDs() throws -> [TileID] { tiles.map(\.id) }
  func anyTile() throws -> [UInt8]? { tiles.first?.data }
  func summary() throws -> ArchiveSummary { ArchiveSummary(zooms: [], distinctTiles: 0) }

  func forEachStored(_ body: (StoredTile) throws -> Void) throws {
    for tile in tiles {
      let id = tile.id
      try body(StoredTile(zoom: id.zoom, column: id.column, tmsRow: id.tmsRow, data: tile.data))
    }
  }
}
