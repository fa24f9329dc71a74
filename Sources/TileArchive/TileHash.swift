internal import CryptoIO

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
