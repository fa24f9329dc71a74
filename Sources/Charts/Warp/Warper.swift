internal import ImageIO

/// An engine that gives a chart's pixels on a Web Mercator grid. One worker uses one at a time.
protocol Warper {
  /// The colours inside the neatline, transparent outside of it (0 in all four bytes); nil where all is outside.
  func warp(_ grid: MercatorGrid) throws -> RGBAImage?
}
