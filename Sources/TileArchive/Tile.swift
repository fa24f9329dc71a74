public import Core
internal import CryptoIO
public import Foundation
internal import Pipeline

/// An encoded tile and its place in the pyramid.
public struct Tile: Sendable {
  public let id: TileID
  public let data: [UInt8]

  public init(id: TileID, data: [UInt8]) {
    self.id = id
    self.data = data
  }
}

/// A row of an archive as it is stored, with the row counted from the south. The numbers may be nonsense:
/// an archive that somebody else wrote, or that a disk damaged, must be readable enough to be told what is wrong.
public struct StoredTile: Sendable {
  public let zoom: Int
  public let column: Int
  public let tmsRow: Int
  public let data: [UInt8]

  public init(zoom: Int, column: Int, tmsRow: Int, data: [UInt8]) {
    self.zoom = zoom
    self.column = column
    self.tmsRow = tmsRow
    self.data = data
  }

  /// The deepest zoom whose columns and rows this program will count.
  static let deepestZoom = 29

  /// Nil where the numbers name no tile.
  public var id: TileID? {
    // Asked before the arithmetic of `TileID`, which nonsense would overflow.
    let isPossible = StoredTile.isPossible(zoom: zoom, column: column, row: tmsRow)
    return isPossible ? TileID(zoom: zoom, column: column, tmsRow: tmsRow) : nil
  }

  static func isPossible(zoom: Int, column: Int, row: Int) -> Bool {
    guard (0...deepestZoom).contains(zoom) else { return false }
    let side = 0..<(1 << zoom)
    return side.contains(column) && side.contains(row)
  }
}

/// The hash by which the MBTiles tools compare archives: it depends on the tiles alone, not on how they are stored.
///
/// An upper-case MD5 over zoom, column, TMS row (each as decimal text) and bytes of each tile, ordered by these three.
public final class TileHash {
  public static let metadataKey = "agg_tiles_hash"

  private let digest: Digest

  public init() throws { digest = try Digest(.md5) }

  /// The tiles must come in order.
  public func update(_ tile: StoredTile) throws {
    try digest.update("\(tile.zoom)\(tile.column)\(tile.tmsRow)")
    try digest.update(tile.data)
  }

  public func finish() throws -> String { hex(try digest.finish()).uppercased() }

  /// The name of an image in the archive.
  static func identifier(of data: [UInt8]) throws -> String {
    let digest = try Digest(.md5)
    try digest.update(data)
    return hex(try digest.finish())
  }
}

@available(*, unavailable)
extension TileHash: Sendable {}

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
