internal import CPixels
internal import ImageIO

extension RGBAImage {
  /// Half the size: each pixel the mean of four, their colours weighted by their alphas, all rounded to the nearest.
  ///
  /// Where anything is to be seen, something stays to be seen: a tile that exists then always has a parent.
  func halved() -> RGBAImage {
    var half = RGBAImage(width: width / 2, height: height / 2)
    pixels.withUnsafeBufferPointer { source in
      half.pixels.withUnsafeMutableBufferPointer { target in
        chartpipe_halve(
          source.baseAddress, width * 4, target.baseAddress, width / 2 * 4, width / 2, height / 2)
      }
    }
    return half
  }
}
