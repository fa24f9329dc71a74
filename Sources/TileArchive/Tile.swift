public import Core
internal import CryptoIO
public import Foundation

/// An encoded tile and its position in the pyramid.
public struct Tile: Sendable {
  public let id: TileID
  public let data: [UInt8]
  /// The name of its image in an archive, from `TileHash` or from an archive that this tool built; nil if it is not known.
  public var name: String?
}

/// A row of an archive as it is stored, with the row counted from the south. The numbers may be invalid: the problems of
/// damaged archives and of archives of other origin are reported, so they must be readable.
public struct StoredTile: Sendable {
  public let zoom: Int
  public let column: Int
  public let tmsRow: Int
  public let data: [UInt8]

  /// The deepest zoom that this program supports.
  static let deepestZoom = 29

  /// Nil if the numbers are not those of a tile.
  public var id: TileID? {
    // Checked before the arithmetic of `TileID`, which invalid numbers would overflow.
    let isPossible = StoredTile.isPossible(zoom: zoom, column: column, row: tmsRow)
    return isPossible ? TileID(zoom: zoom, column: column, tmsRow: tmsRow) : nil
  }

  static func isPossible(zoom: Int, column: Int, row: Int) -> Bool {
    guard (0...deepestZoom).contains(zoom) else { return false }
    let side = 0..<(1 << zoom)
    return side.contains(column) && side.contains(row)
  }
}

/// The hash by which MBTiles tools compare archives. It depends on the tiles alone, not on how they are stored.
///
/// It is an upper-case MD5 over zoom, column, TMS row (each as decimal text) and bytes of each tile, ordered by these three.
public final class TileHash {
  public static let metadataKey = "agg_tiles_hash"

  private let digest: Digest

  public init() throws { digest = try Digest(.md5) }

  /// Adds a tile. Tiles must be added in order.
  public func update(_ tile: StoredTile) throws {
    try digest.update("\(tile.zoom)\(tile.column)\(tile.tmsRow)")
    try digest.update(tile.data)
  }

  public func finish() throws -> String { hex(try digest.finish()).uppercased() }

  /// The name of an image in the archive.
  public static func identifier(of data: [UInt8]) throws -> String {
    let digest = try Digest(.md5)
    try digest.update(data)
    return hex(try digest.finish())
  }
}

/// An archive of any format, for reading. One thread uses it at a time.
public protocol TileSource: AnyObject {
  var url: URL { get }
  /// The metadata in MBTiles' form: `name`, `bounds`, `minzoom`, `chartpipe:cycle` …
  func metadata() throws -> [String: String]
  func summary() throws -> ArchiveSummary
  func tile(_ id: TileID) throws -> [UInt8]?
  /// Returns a tile's number of bytes without reading them, or nil if there is no such tile.
  func byteCount(of id: TileID) throws -> Int?
  /// The positions of all tiles, without their images.
  func tileIDs() throws -> [TileID]
  /// Any tile, to detect the format and size of all tiles.
  func anyTile() throws -> [UInt8]?
  /// Passes every tile, ordered by zoom, column, and row from the south, including invalid rows.
  func forEachStored(_ body: (StoredTile) throws -> Void) throws
}

extension TileSource {
  public func byteCount(of id: TileID) throws -> Int? { try tile(id)?.count }

  /// Passes every tile in the same order. Invalid rows are errors.
  public func forEachTile(_ body: (Tile) throws -> Void) throws {
    try forEachStored { stored in
      guard let id = stored.id else { throw UserError.impossible(stored, in: url) }
      try body(Tile(id: id, data: stored.data))
    }
  }

  /// The box of the tiles of the largest zoom, for an archive without usable bounds.
  public func tileBox() throws -> GeoBox {
    guard let last = try summary().zooms.last, last.isPossible else {
      throw UserError.reading(url, "it contains no valid tile")
    }
    return last.box
  }
}
