internal import CPixels
internal import Core
internal import ImageIO

extension RGBAImage {
  /// Half the size: each pixel the mean of four, their colours weighted by their alphas, all rounded to the nearest.
  ///
  /// Where anything is to be seen, something stays to be seen: a tile that exists then always has a parent.
  func halved() -> RGBAImage {
    var half = RGBAImage(width: width / 2, height: height / 2)
    half.fill(column: 0, row: 0, halving: self)
    return half
  }

  /// Draws a tile's picture into its quarter of its parent's.
  mutating func fillQuarter(of tile: TileID, with picture: RGBAImage) {
    fill(column: (tile.column & 1) * width / 2, row: (tile.row & 1) * height / 2, halving: picture)
  }

  private mutating func fill(column: Int, row: Int, halving picture: RGBAImage) {
    let offset = (row * width + column) * 4
    let stride = width * 4
    picture.pixels.withUnsafeBufferPointer { source in
      pixels.withUnsafeMutableBufferPointer { target in
        guard let start = target.baseAddress else { return }
        chartpipe_halve(
          source.baseAddress, picture.width * 4, start + offset, stride, picture.width / 2, picture.height / 2
        )
      }
    }
  }
}
