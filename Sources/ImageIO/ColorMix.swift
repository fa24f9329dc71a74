/// A rectangle of a zoom's pixels.
public struct PixelBox: Sendable, Equatable {
  public var column: Int
  public var row: Int
  public var width: Int
  public var height: Int

  public init(column: Int, row: Int, width: Int, height: Int) {
    (self.column, self.row, self.width, self.height) = (column, row, width, height)
  }
}

/// The places of the pixels of a box on a sheet, row by row.
public struct PixelPlaces: Sendable {
  public let box: PixelBox
  private(set) var x: [Double] = []
  private(set) var y: [Double] = []

  /// The places where the rays of the columns cross the arcs of the rows around their common start.
  ///
  /// - Parameter rays: the way along each of them for a radius of 1.
  public init(_ box: PixelBox, from start: SIMD2<Double>, rays: [SIMD2<Double>], radii: [Double]) {
    self.box = box
    for radius in radii {
      for ray in rays {
        x.append(start.x + radius * ray.x)
        y.append(start.y + radius * ray.y)
      }
    }
  }
}

/// The weights of the pixels that a kernel reaches along one direction, with the sum 1.
private struct Taps {
  private(set) var first = 0
  private(set) var weights: [Double] = []

  /// - Parameters:
  ///   - scale: the width of the resampled pixel in pixels of the image, at least 1.
  ///   - limit: the number of pixels, of which at least one must be within reach.
  mutating func move(to place: Double, scale: Double, limit: Int) {
    let reach = 2 * scale
    first = max(0, Int((place - 0.5 - reach).rounded(.up)))
    let last = min(limit - 1, Int((place - 0.5 + reach).rounded(.down)))
    weights.removeAll(keepingCapacity: true)
    var sum = 0.0
    for index in first...max(first, last) {
      let weight = Taps.cubic((Double(index) + 0.5 - place) / scale)
      weights.append(weight)
      sum += weight
    }
    for index in weights.indices { weights[index] /= sum }
  }

  /// Cubic convolution with a = -1/2 (Keys 1981).
  private static func cubic(_ distance: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return 1 - 2.5 * x * x + 1.5 * x * x * x }
    return x < 2 ? 2 - 4 * x + 2.5 * x * x - 0.5 * x * x * x : 0
  }
}

/// The colours that a resampled pixel consists of.
private struct ColorMix {
  /// The colours of the image.
  private(set) var inks: [RGB] = []
  private var levels: [SIMD3<Double>] = []
  private let width: Int
  private let height: Int
  /// The number of the colour of each pixel, row by row.
  private var pixels: [Int] = []
  /// Red, green and blue, from 0 to 255.
  private(set) var color = SIMD3<Double>.zero
  /// The numbers of the colours in it, in the order in which they were found.
  private(set) var numbers: [Int] = []
  /// The part that each colour of `numbers` has in it, by number.
  private(set) var shares: [Double]
  /// By number, whether it is in `numbers`.
  private var isIn: [Bool]
  private var across = Taps()
  private var down = Taps()

  /// - Parameter columns: the part of the image, as high as the image.
  init(of image: RGBAImage, _ columns: Range<Int>) {
    (width, height) = (columns.count, image.height)
    var known: [RGB: Int] = [:]
    var number = 0
    for row in 0..<height {
      for column in columns {
        let (red, green, blue, _) = image[column, row]
        let color = RGB(red: red, green: green, blue: blue)
        if inks.isEmpty || inks[number] != color { number = known[color] ?? inks.count }
        if number == inks.count {
          known[color] = number
          inks.append(color)
          levels.append(SIMD3(Double(red), Double(green), Double(blue)))
        }
        pixels.append(number)
      }
    }
    shares = [Double](repeating: 0, count: inks.count)
    isIn = [Bool](repeating: false, count: inks.count)
  }

  /// Resamples the image by cubic convolution.
  mutating func move(toX x: Double, y: Double, scale: Double) {
    across.move(to: x, scale: scale, limit: width)
    down.move(to: y, scale: scale, limit: height)
    for number in numbers { (isIn[number], shares[number]) = (false, 0) }
    numbers.removeAll(keepingCapacity: true)
    var sum = SIMD3<Double>.zero
    for (row, ofRow) in down.weights.enumerated() {
      let start = (down.first + row) * width + across.first
      for (column, ofColumn) in across.weights.enumerated() {
        let (number, weight) = (pixels[start + column], ofColumn * ofRow)
        sum += weight * levels[number]
        shares[number] += weight
        guard !isIn[number] else { continue }
        isIn[number] = true
        numbers.append(number)
      }
    }
    color = sum.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
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

  /// By number of the ink.
  private var pixels: [[Pixel]]
  private let inks: [RGB]

  /// A pixel with less of a colour shows another one.
  private static let leastShare = 0.4
  /// Pixels with this part of the largest share are averaged.
  private static let nearlyAll = 0.8
  private static let leastPixels = 3

  /// Resamples a part of an image by cubic convolution at the places of the opaque pixels of a picture.
  ///
  /// - Parameters:
  ///   - columns: the part, as high as the image.
  ///   - places: counted from the left upper corner of the part. The kernel must reach it.
  ///   - scale: the width of the resampled pixel in pixels of the image, at least 1.
  public init(
    _ image: RGBAImage, columns: Range<Int>, at places: PixelPlaces, scale: Double, in picture: RGBAImage
  ) {
    var mix = ColorMix(of: image, columns)
    let width = Double(columns.count)
    inks = mix.inks
    pixels = inks.map { _ in [] }
    for index in places.x.indices {
      let (row, column) = index.quotientAndRemainder(dividingBy: places.box.width)
      let (red, green, blue, alpha) = picture[column, row]
      let (x, y) = (places.x[index], places.y[index])
      guard alpha == 255, (0..<width).contains(x), (0..<Double(image.height)).contains(y) else { continue }
      mix.move(toX: x, y: y, scale: scale)
      let found = SIMD3(Double(red), Double(green), Double(blue))
      for number in mix.numbers where mix.shares[number] >= InkMixes.leastShare {
        pixels[number].append(
          Pixel(share: mix.shares[number], expected: mix.color, found: found, column: column, row: row))
      }
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
    zip(inks, pixels).compactMap { ink, pixels in
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
