internal import CImage
internal import CPixels

/// An image in memory: four bytes for each pixel (red, green, blue, alpha; not premultiplied), row by row from the top.
public struct RGBAImage: Equatable, Sendable {
  public let width: Int
  public let height: Int
  public var pixels: [UInt8]

  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == width * height * 4)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// - Parameter color: red, green, blue and alpha of all pixels.
  public init(width: Int, height: Int, color: [UInt8]) {
    self.init(width: width, height: height)
    for index in pixels.indices { pixels[index] = color[index % 4] }
  }

  /// Creates a fully transparent image.
  public init(width: Int, height: Int) {
    self.init(width: width, height: height, pixels: [UInt8](repeating: 0, count: width * height * 4))
  }

  /// Red, green, blue and alpha of one pixel.
  public subscript(column: Int, row: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    let start = (row * width + column) * 4
    return (pixels[start], pixels[start + 1], pixels[start + 2], pixels[start + 3])
  }
}

extension RGBAImage {
  /// Replaces the pixels from this position on. The part must fit.
  public mutating func paste(_ part: RGBAImage, column: Int, row: Int) {
    for line in 0..<part.height {
      let start = ((row + line) * width + column) * 4
      let from = line * part.width * 4
      pixels.replaceSubrange(start..<start + part.width * 4, with: part.pixels[from..<from + part.width * 4])
    }
  }
}

extension RGBAImage {
  /// Replaces the pixels from this position on, which may lie outside of the image, by those of the part that fit.
  public mutating func draw(_ part: RGBAImage, column: Int, row: Int) {
    let (left, top) = (max(0, column), max(0, row))
    let bytes = 4 * (min(width, column + part.width) - left)
    guard bytes > 0 else { return }
    for line in top..<max(top, min(height, row + part.height)) {
      let start = (line * width + left) * 4
      let from = ((line - row) * part.width + left - column) * 4
      pixels.replaceSubrange(start..<start + bytes, with: part.pixels[from..<from + bytes])
    }
  }

  /// Whether all pixels are opaque.
  public var isOpaque: Bool { alphaRange.least == 255 }

  /// Whether all pixels are fully transparent.
  public var isTransparent: Bool { alphaRange.most == 0 }

  /// The least alpha at which a pixel is shown in a format without partial transparency: half, or the greatest alpha of the
  /// image if it is less. Nil if the image is fully transparent. So a tile with any visible pixel stays visible, and so does
  /// its parent.
  var leastVisibleAlpha: UInt8? {
    let most = alphaRange.most
    return most == 0 ? nil : min(128, most)
  }

  /// The image as a format without partial transparency shows it.
  public var withVisiblePixelsOpaque: RGBAImage {
    guard let least = leastVisibleAlpha, !isOpaque else { return self }
    var image = self
    for start in stride(from: 0, to: pixels.count, by: 4) {
      image.pixels[start + 3] = pixels[start + 3] >= least ? 255 : 0
    }
    return image
  }

  /// Replaces the pixels from this position on by those of the part that are more visible. The part must fit.
  public mutating func keepMoreVisible(of part: RGBAImage, column: Int, row: Int) {
    for line in 0..<part.height {
      for place in 0..<part.width {
        let (target, source) = (((row + line) * width + column + place) * 4, (line * part.width + place) * 4)
        guard part.pixels[source + 3] > pixels[target + 3] else { continue }
        for channel in 0..<4 { pixels[target + channel] = part.pixels[source + channel] }
      }
    }
  }

  private var alphaRange: (least: UInt8, most: UInt8) {
    var (least, most): (UInt8, UInt8) = (255, 0)
    chartpipe_alpha_range(pixels, width * height, &least, &most)
    return (least, most)
  }
}

/// Why an image could not be written or read, with the library's message if there is one.
public struct ImageError: Error, Equatable, CustomStringConvertible {
  public let message: String

  public var description: String { message }
}

extension ImageError {
  init(_ stream: chartpipe_png_stream) {
    let text = withUnsafeBytes(of: stream.message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    message = text.isEmpty ? "out of memory" : text
  }
}

extension RGBAImage {
  /// Returns the picture reduced by an integer factor: each pixel is the mean of a square, with colours weighted by alpha.
  public func shrunk(by factor: Int) -> RGBAImage {
    guard factor > 1 else { return self }
    var small = RGBAImage(width: max(1, width / factor), height: max(1, height / factor))
    pixels.withUnsafeBufferPointer { from in
      small.pixels.withUnsafeMutableBufferPointer { to in
        for row in 0..<height / factor {
          for column in 0..<width / factor {
            let mean = mean(from, column * factor, row * factor, factor)
            for channel in 0..<4 { to[(row * (width / factor) + column) * 4 + channel] = mean[channel] }
          }
        }
      }
    }
    return small
  }

  private func mean(
    _ pixels: UnsafeBufferPointer<UInt8>, _ column: Int, _ row: Int, _ side: Int
  ) -> SIMD4<UInt8> {
    var sums = SIMD4<Int>()
    for line in row..<row + side {
      for start in stride(from: (line * width + column) * 4, to: (line * width + column + side) * 4, by: 4) {
        let alpha = Int(pixels[start + 3])
        sums &+= SIMD4(
          Int(pixels[start]) * alpha, Int(pixels[start + 1]) * alpha, Int(pixels[start + 2]) * alpha, alpha)
      }
    }
    let alpha = sums.w
    guard alpha > 0 else { return SIMD4() }
    return SIMD4(truncatingIfNeeded: sums / SIMD4(alpha, alpha, alpha, side * side))
  }
}
