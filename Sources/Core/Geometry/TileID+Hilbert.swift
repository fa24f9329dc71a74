/// The one number that PMTiles gives each tile: all tiles of the zooms above come first, then those of its own zoom along
/// a Hilbert curve, so that neighbours on the map are mostly neighbours in the file.
extension TileID {
  /// The last zoom whose numbers, taken three times, a 64-bit integer holds.
  private static let lastHilbertZoom = 30

  /// The first number of a zoom, which is how many tiles the zooms above have.
  private static func firstHilbert(zoom: Int) -> Int { ((1 << (2 * zoom)) - 1) / 3 }

  public var hilbert: Int {
    var (x, y) = (column, row)
    var number = TileID.firstHilbert(zoom: zoom)
    for bit in (0..<zoom).reversed() {
      let quarter = Quarter(right: x >> bit & 1, low: y >> bit & 1)
      number += (3 * quarter.right ^ quarter.low) << (2 * bit)
      (x, y) = quarter.turned(x, y, side: 1 << bit)
    }
    return number
  }

  /// Nil for a number that no tile of these zooms has.
  public init?(hilbert number: Int) {
    guard number >= 0, number <= Int.max / 3 - 1 else { return nil }
    // The first number of a zoom, three times and one more, is that power of four.
    let zoom = (Int.bitWidth - 1 - (3 * number + 1).leadingZeroBitCount) / 2
    guard zoom <= TileID.lastHilbertZoom else { return nil }
    var rest = number - TileID.firstHilbert(zoom: zoom)
    var (x, y) = (0, 0)
    for bit in 0..<zoom {
      let right = rest >> 1 & 1
      let quarter = Quarter(right: right, low: (rest ^ right) & 1)
      (x, y) = quarter.turned(x, y, side: 1 << bit)
      x += quarter.right << bit
      y += quarter.low << bit
      rest >>= 2
    }
    self.init(zoom: zoom, column: x, row: y)
  }
}

/// One of the four quarters of a square that the curve passes through.
private struct Quarter {
  let right: Int
  let low: Int

  /// In the upper quarters the curve lies on its side, in the right one of them head over heels too.
  func turned(_ x: Int, _ y: Int, side: Int) -> (Int, Int) {
    guard low == 0 else { return (x, y) }
    return right == 0 ? (y, x) : (side - 1 - (y & (side - 1)), side - 1 - (x & (side - 1)))
  }
}
