internal import Core
internal import RasterIO

/// A square of 256 Web Mercator pixels a side: what is warped in one go. It is numbered as if it were a tile, whatever
/// size the tiles have, so that tiles of any size get the same pixels.
struct WarpBlock: Hashable, Sendable {
  static let side = 256

  let id: TileID

  /// Metres for a pixel.
  static func resolution(zoom: Int) -> Double { WebMercator.resolution(zoom: zoom, tileSize: side) }

  var placing: GeoTransform {
    let (west, north, _) = id.mercator
    let pixel = WarpBlock.resolution(zoom: id.zoom)
    return GeoTransform(originX: west, originY: north, pixelWidth: pixel, pixelHeight: -pixel)
  }

  /// The blocks that a tile is made of, row by row.
  static func blocks(of tile: TileID, tileSize: Int) -> [WarpBlock] {
    tileSize == 2 * side ? tile.children.map { WarpBlock(id: $0) } : [WarpBlock(id: tile)]
  }
}
