public import Core
public import Foundation
internal import Pipeline

/// An archive that tiles can be read from, whatever its format. Used by one task at a time.
public protocol TileSource: AnyObject {
  var url: URL { get }
  /// In the terms of MBTiles: `name`, `bounds`, `minzoom`, `chartpipe:cycle` …
  func metadata() throws -> [String: String]
  func summary() throws -> ArchiveSummary
  func tile(_ id: TileID) throws -> [UInt8]?
  /// How many bytes a tile has, without reading them; nil where there is no such tile.
  func byteCount(of id: TileID) throws -> Int?
  /// The places of all tiles, without their images.
  func tileIDs() throws -> [TileID]
  /// Any one tile: it speaks for all where their kind or size is asked for.
  func anyTile() throws -> [UInt8]?
  /// Gives every tile, ordered by zoom, column, and row from the south, rows that are nonsense too.
  func forEachStored(_ body: (StoredTile) throws -> Void) throws
}

extension TileSource {
  public func byteCount(of id: TileID) throws -> Int? { try tile(id)?.count }

  /// The same order; nonsense is a fault.
  public func forEachTile(_ body: (Tile) throws -> Void) throws {
    try forEachStored { stored in
      guard let id = stored.id else { throw UserError.impossible(stored, in: url) }
      try body(Tile(id: id, data: stored.data))
    }
  }

  /// Computed from the tiles, not taken from the metadata.
  public func aggregateHash() throws -> String {
    let hash = try TileHash()
    try forEachStored { try hash.update($0) }
    return try hash.finish()
  }
}
