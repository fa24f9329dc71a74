internal import CPixels

/// How much fine print an image has: the sums of squared differences in lightness between neighbouring pixels of the same row, of
/// every fourth row. A blurred image has less.
public struct TileDetail: Sendable, Equatable {
  /// Of each cell of the grid of a `TileSurvey`.
  public let own: [UInt32]
  /// The same of the image at half its size: of as many pixels as `own` has of a quarter of the image above it.
  public let halved: [UInt32]

  /// Nil for an image that cannot be shared out into cells.
  init?(_ image: UnsafePointer<UInt8>?, palette: UnsafePointer<UInt8>?, width: Int, height: Int) {
    let cells = TileSurvey.cells
    var own = [UInt32](repeating: 0, count: cells * cells)
    var halved = [UInt32](repeating: 0, count: cells * cells / 4)
    guard width == height, chartpipe_tile_detail(image, palette, width, cells, &own, &halved) != 0 else {
      return nil
    }
    (self.own, self.halved) = (own, halved)
  }
}
