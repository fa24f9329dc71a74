/// The colours that a resampled pixel consists of.
public struct ColorMix: Sendable {
  /// Red, green and blue, from 0 to 255.
  public let color: SIMD3<Double>
  /// The part that each colour of the image has in it.
  public let shares: [(ink: RGB, share: Double)]
}

extension RGBAImage {
  /// Resamples a part of the image, as high as the image, by cubic convolution.
  ///
  /// - Parameters:
  ///   - x, y: a place, counted from the left upper corner of the part.
  ///   - scale: the width of the resampled pixel in pixels of the image, at least 1.
  public func mix(columns: Range<Int>, x: Double, y: Double, scale: Double) -> ColorMix {
    let (across, down) = (
      RGBAImage.taps(x, scale, limit: columns.count), RGBAImage.taps(y, scale, limit: height)
    )
    var sum = SIMD3<Double>.zero
    // A list is faster than a dictionary for so few colours.
    var shares: [(ink: RGB, share: Double)] = []
    for (row, ofRow) in down {
      for (column, ofColumn) in across {
        let pixel = self[columns.lowerBound + column, row]
        let color = RGB(red: pixel.red, green: pixel.green, blue: pixel.blue)
        let weight = ofColumn * ofRow
        sum += weight * SIMD3(Double(color.red), Double(color.green), Double(color.blue))
        if let known = shares.firstIndex(where: { $0.ink == color }) {
          shares[known].share += weight
        } else {
          shares.append((color, weight))
        }
      }
    }
    return ColorMix(
      color: sum.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255)), shares: shares)
  }

  /// Returns the pixels that the kernel reaches along one direction, and their weights, with the sum 1.
  private static func taps(_ place: Double, _ scale: Double, limit: Int) -> [(index: Int, weight: Double)] {
    let reach = 2 * scale
    let first = max(0, Int((place - 0.5 - reach).rounded(.up)))
    let last = min(limit - 1, Int((place - 0.5 + reach).rounded(.down)))
    let weights = (first...max(first, last)).map {
      (index: $0, weight: cubic((Double($0) + 0.5 - place) / scale))
    }
    let sum = weights.reduce(0) { $0 + $1.weight }
    return weights.map { ($0.index, $0.weight / sum) }
  }

  /// Cubic convolution with a = -1/2 (Keys 1981).
  private static func cubic(_ distance: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return 1 - 2.5 * x * x + 1.5 * x * x * x }
    return x < 2 ? 2 - 4 * x + 2.5 * x * x - 0.5 * x * x * x : 0
  }
}
