internal import Core
internal import ImageIO
internal import TileArchive

extension TileCodec {
  /// Nil for a picture with nothing to see: such a tile is never written.
  func tile(_ picture: RGBAImage, as id: TileID) throws -> Tile? {
    try encode(picture).map { Tile(id: id, data: $0) }
  }
}
