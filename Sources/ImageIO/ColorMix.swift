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

/// The pixels of a picture by the colours of an image of which they consist most, with what the picture shows in their place.
public struct InkMixes: Sendable {
  private struct Pixel {
    let share: Double
    let expected: SIMD3<Double>
    let found: SIMD3<Double>
    let column: Int
    let row: Int
  }

  private var pixels: [RGB: [Pixel]] = [:]

  /// A pixel with less of a colour shows another one.
  private static let leastShare = 0.4
  /// Pixels with this part of the largest share are averaged.
  private static let nearlyAll = 0.8
  private static let leastPixels = 3

  public init() {}

  /// Adds an opaque pixel of the picture.
  public mutating func add(_ mix: ColorMix, _ picture: RGBAImage, _ column: Int, _ row: Int) {
    let (red, green, blue, _) = picture[column, row]
    let found = SIMD3(Double(red), Double(green), Double(blue))
    for (ink, share) in mix.shares where share >= InkMixes.leastShare {
      pixels[ink, default: []].append(
        Pixel(share: share, expected: mix.color, found: found, column: column, row: row))
    }
  }

  /// The mean of the pixels of an ink, and the pixel that has the largest share of it.
  public typealias Mean = (
    ink: RGB, share: Double, expected: LabColor, expectedRGB: RGB, found: LabColor, foundRGB: RGB,
    column: Int,
    row: Int
  )

  /// The means of the inks that cover enough of some pixels.
  public var means: [Mean] {
    pixels.compactMap { ink, pixels in
      let most = pixels.map(\.share).max() ?? 0
      let kept = pixels.filter { $0.share >= most * InkMixes.nearlyAll }
      guard kept.count >= InkMixes.leastPixels, let first = kept.max(by: { $0.share < $1.share }) else {
        return nil
      }
      let weight = kept.reduce(0) { $0 + $1.share }
      let expected = kept.reduce(.zero) { $0 + $1.share * $1.expected } / weight
      let found = kept.reduce(.zero) { $0 + $1.share * $1.found } / weight
      return (
        ink, most, expected.lab, RGB(expected), found.lab, RGB(found), first.column, first.row
      )
    }
  }
}

extension SIMD3<Double> {
  fileprivate var lab: LabColor { LabColor(red: x, green: y, blue: z) }
}

extension RGB {
  fileprivate init(_ levels: SIMD3<Double>) {
    self.init(
      red: UInt8(levels.x.rounded()), green: UInt8(levels.y.rounded()), blue: UInt8(levels.z.rounded()))
  }
}

extension RGBAImage {
  /// Returns the mean red, green and blue of samples in a square, each interpolated between the centres of four pixels.
  ///
  /// - Parameters:
  ///   - columns: the part of the image that is sampled, as high as the image.
  ///   - x, y: the middle of the square, counted from the left upper corner of the part.
  ///   - side: of the square, in pixels of the image.
  ///   - steps: samples along a side; one is in the middle.
  public func mean(
    columns: Range<Int>, x: Double, y: Double, side: Double, steps: Int
  ) -> (red: Double, green: Double, blue: Double) {
    var sum = (red: 0.0, green: 0.0, blue: 0.0)
    let step = { (index: Int) in (Double(index) + 0.5) / Double(steps) - 0.5 }
    for down in 0..<steps {
      for across in 0..<steps {
        let color = interpolated(
          columns, x: x + step(across) * (steps > 1 ? side : 0), y: y + step(down) * (steps > 1 ? side : 0))
        sum = (sum.red + color.red, sum.green + color.green, sum.blue + color.blue)
      }
    }
    let count = Double(steps * steps)
    return (sum.red / count, sum.green / count, sum.blue / count)
  }

  private func interpolated(
    _ columns: Range<Int>, x: Double, y: Double
  ) -> (red: Double, green: Double, blue: Double) {
    let (lastX, lastY) = (Double(columns.count - 1), Double(height - 1))
    let (x, y) = (min(max(x - 0.5, 0), lastX), min(max(y - 0.5, 0), lastY))
    let (column, row) = (min(Int(x), columns.count - 2), min(Int(y), height - 2))
    let (right, down) = (x - Double(column), y - Double(row))
    let start = (row * width + columns.lowerBound + column) * 4
    func channel(_ offset: Int) -> Double {
      let at = start + offset
      let below = at + width * 4
      let upper = Double(pixels[at]) * (1 - right) + Double(pixels[at + 4]) * right
      let lower = Double(pixels[below]) * (1 - right) + Double(pixels[below + 4]) * right
      return upper * (1 - down) + lower * down
    }
    return (channel(0), channel(1), channel(2))
  }
}
