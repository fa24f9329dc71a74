/// The colours and lightness of a part of a zoom, expected or found, pixel by pixel.
public struct PatchView: Sendable {
  public let box: PixelBox
  private var red: [Double] = []
  private var green: [Double] = []
  private var blue: [Double] = []
  private(set) var light: [Double] = []
  /// Whether every pixel is opaque.
  public private(set) var isOpaque = true

  public init(_ picture: RGBAImage, box: PixelBox) {
    self.init(box)
    let pixels = picture.pixels
    for start in stride(from: 0, to: pixels.count, by: 4) {
      append((Double(pixels[start]), Double(pixels[start + 1]), Double(pixels[start + 2])))
      isOpaque = isOpaque && pixels[start + 3] == 255
    }
  }

  /// Samples a part of an image, as high as the image, in squares around some places.
  ///
  /// - Parameters:
  ///   - places: counted from the left upper corner of the part.
  ///   - side: of a square, in pixels of the image.
  ///   - steps: samples along a side; one is in the middle.
  public init(_ image: RGBAImage, columns: Range<Int>, at places: PixelPlaces, side: Double, steps: Int) {
    self.init(places.box)
    for (x, y) in zip(places.x, places.y) {
      append(image.mean(columns, x: x, y: y, side: side, steps: steps))
    }
  }

  private init(_ box: PixelBox) { self.box = box }

  private mutating func append(_ color: (red: Double, green: Double, blue: Double)) {
    red.append(color.red)
    green.append(color.green)
    blue.append(color.blue)
    light.append((2 * color.red + 5 * color.green + color.blue) / 8)
  }

  /// Returns a part, which must lie inside of the view.
  public func part(_ inner: PixelBox) -> PatchView {
    var part = PatchView(inner)
    for row in inner.row - box.row..<inner.row - box.row + inner.height {
      let start = row * box.width + inner.column - box.column
      for index in start..<start + inner.width { part.append((red[index], green[index], blue[index])) }
    }
    return part
  }

  /// The standard deviation of the lightness.
  public var contrast: Double {
    let count = Double(max(1, light.count))
    let mean = light.reduce(0, +) / count
    return (light.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
  }

  /// Returns the largest difference of the three channels between the mean colours of two views.
  public func colorDifference(to other: PatchView) -> Double {
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
    return zip([red, green, blue], [other.red, other.green, other.blue])
      .map { abs(mean($0) - mean($1)) }.max() ?? 0
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
  fileprivate func mean(
    _ columns: Range<Int>, x: Double, y: Double, side: Double, steps: Int
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
