internal import CPixels

extension RGBAImage {
  /// Whether no pixel lets anything through.
  public var isOpaque: Bool { alphaRange.least == 255 }

  /// Whether there is nothing to see.
  public var isTransparent: Bool { alphaRange.most == 0 }

  /// The alpha from which on a pixel is shown where it can only be shown or not: half, or the greatest there is. Nil
  /// when there is nothing to see. A tile that has anything to show so shows something, as does the one above it.
  var leastVisibleAlpha: UInt8? {
    let most = alphaRange.most
    return most == 0 ? nil : min(128, most)
  }

  private var alphaRange: (least: UInt8, most: UInt8) {
    var (least, most): (UInt8, UInt8) = (255, 0)
    chartpipe_alpha_range(pixels, width * height, &least, &most)
    return (least, most)
  }
}
